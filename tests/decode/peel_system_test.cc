// What runtimes, collectors, the journal and the kernel print in front of lines.
#include "decode/peel_rows.h"

using namespace faultline;
using namespace faultline::decode;
using K = ArtifactKind;

TEST_CASE("container and CloudWatch prefixes give time, pod and stream") {
  const PeelRow rows[] = {
      {"2026-01-01T00:00:00.123456789Z stdout F step 1", "step 1", "2026-01-01T00:00:00.123456789Z",
       "stream=stdout"},
      {"2026-01-01T00:00:00.5+02:00 stderr P half", "half", "2025-12-31T22:00:00.500Z", "stream=stderr"},
      {"2026-01-01T00:00:00.123456789Z stdout F ", "", "2026-01-01T00:00:00.123456789Z", "stream=stdout"},
      {"2026-01-01T00:00:00.123456789Z stdout F   File \"a.py\", line 3", "  File \"a.py\", line 3",
       "2026-01-01T00:00:00.123456789Z", "stream=stdout"},
      {"[pod/job-worker-0/pytorch] hello", "hello", "", "pod=job-worker-0 container=pytorch"},
      {"[pod/job-worker-0/pytorch] 2026-01-01T00:00:00.123456789Z [rank3]: x", "x",
       "2026-01-01T00:00:00.123456789Z", "pod=job-worker-0 container=pytorch rank=3"},
      {"job-worker-0 pytorch step 1", "step 1", "", "pod=job-worker-0 container=pytorch", K::pod_log,
       Lead::pod_container},
      {"job-worker-0 pytorch step 1", "job-worker-0 pytorch step 1", "", "", K::pod_log},
      {"2026-01-01T00:00:01.234Z + echo start", "+ echo start", "2026-01-01T00:00:01.234Z", "",
       K::cloudwatch_export},
      {"1767225600123 hello", "hello", "2026-01-01T00:00:00.123Z", "", K::cloudwatch_export},
      {"1767225600123 hello", "1767225600123 hello", "", ""},
      {"2026-01-01T00:00:00.123000+00:00 LifecycleConfig/workers/i-0aaa1111bbb2222cc started", "started",
       "2026-01-01T00:00:00.123000Z",
       "node=i-0aaa1111bbb2222cc stream=LifecycleConfig/workers/i-0aaa1111bbb2222cc"},
      {"2026-01-01T00:00:00.123000+00:00 n1-application.var.log.containers.j-0_ml_pt-0123456789abcdef.log x",
       "x", "2026-01-01T00:00:00.123000Z",
       "node=n1 pod=j-0 container=pt "
       "stream=n1-application.var.log.containers.j-0_ml_pt-0123456789abcdef.log"},
      {"2026-01-01T00:00:00 short form", "short form", "2026-01-01T00:00:00Z", "", K::cloudwatch_tail},
      {"2026-01-01T00:00:00.123000+00:00 /usr/bin/env: python", "/usr/bin/env: python",
       "2026-01-01T00:00:00.123000Z", ""},
  };
  for (const PeelRow& row : rows) check_peel(row);
}

TEST_CASE("syslog and journal headers give host, tag and pid") {
  const PeelRow rows[] = {
      {"Jan  1 00:00:00 ip-10-1-0-11 kernel: [  123.456789] NVRM: Xid (PCI:0000:53:00): 79",
       "NVRM: Xid (PCI:0000:53:00): 79", "2026-01-01T00:00:00Z", "node=ip-10-1-0-11 stream=kernel"},
      {"Jan 01 00:00:00.123456 h1 kubelet[12]: I0101 00:00:00.123400   12 a.go:3] \"m\"", "\"m\"",
       "2026-01-01T00:00:00.123400Z", "node=h1 stream=kubelet pid=12"},
      {"<6>Jan  1 00:00:00 host-1 tag: text", "text", "2026-01-01T00:00:00Z", "node=host-1 stream=tag"},
      {"<165>1 2026-01-01T00:00:00.123Z host app 123 ID47 [sd x=\"y]\"] text", "text",
       "2026-01-01T00:00:00.123Z", "node=host stream=app pid=123"},
      {"<34>1 2026-01-01T00:00:00Z host su - - - 'su root' failed", "'su root' failed",
       "2026-01-01T00:00:00Z", "node=host stream=su"},
      {"2026-01-01T00:00:00.123456+00:00 host kernel: [   1.000000] text", "text",
       "2026-01-01T00:00:00.123456Z", "node=host stream=kernel"},
      {"<6>2024-05-09T07:07:45.749238+05:30 host-name kernel: [   40.955975] i40e 0000:5d:00.0 eth5: "
       "Changing",
       "i40e 0000:5d:00.0 eth5: Changing", "2024-05-09T01:37:45.749238Z", "node=host-name stream=kernel"},
      {"2026-01-01T00:00:00+0000 host containerd[1]: text", "text", "2026-01-01T00:00:00Z",
       "node=host stream=containerd pid=1"},
      {"2026-01-01T00:00:00+0000 host myapp: text", "text", "2026-01-01T00:00:00Z", "node=host stream=myapp",
       K::journal_text},
      {"2026-01-01T00:00:00Z worker failed: text", "worker failed: text", "2026-01-01T00:00:00Z", ""},
      {"Thu 2026-01-01 00:00:00 UTC host systemd[1]: Started x.", "Started x.", "2026-01-01T00:00:00Z",
       "node=host stream=systemd pid=1"},
      {"1767225600.123456 host systemd[1]: text", "text", "2026-01-01T00:00:00.123456Z",
       "node=host stream=systemd pid=1"},
      {"[    4.999000] host systemd[1]: text", "text", "boot 4.999000", "node=host stream=systemd pid=1",
       K::journal_text},
      {"[    6.500123 <    1.501123 >] host kernel: text", "text", "boot 6.500123", "node=host stream=kernel",
       K::journal_text},
      {"Jan  1 00:00:00 host (systemd)[99]: text", "text", "2026-01-01T00:00:00Z",
       "node=host stream=(systemd) pid=99"},
      {"Jan  1 00:00:00 host sshd(pam_unix)[21465]: failure; user=root", "failure; user=root",
       "2026-01-01T00:00:00Z", "node=host stream=sshd(pam_unix) pid=21465"},
      {"Jan 01 00:00:00 kubelet[5]: no host name", "no host name", "2026-01-01T00:00:00Z",
       "stream=kubelet pid=5"},
      {"Jan  1 00:00:00 launch failed: 3 of 4", "launch failed: 3 of 4", "2026-01-01T00:00:00Z", ""},
      {"Jan  1 00:00:00 combo syslog: restart", "restart", "2026-01-01T00:00:00Z", "node=combo stream=syslog",
       K::syslog},
      {"Jan  1 00:00:00 host last message repeated 2 times", "host last message repeated 2 times",
       "2026-01-01T00:00:00Z", ""},
      {"Feb 14 14:47:37 ** kernel: [  pid  ]   uid  tgid", "[  pid  ]   uid  tgid", "2026-02-14T14:47:37Z",
       "node=** stream=kernel"},
      {"Jun 24 10:18:21 master slurmctld[545]: slurmctld: update_node: node worker1 state set to IDLE",
       "slurmctld: update_node: node worker1 state set to IDLE", "2025-06-24T10:18:21Z",
       "node=master stream=slurmctld pid=545"},
      {"ao\xc3\xbbt 16 16:25:38 ws-host systemd[1]: Starting Modem Manager...", "Starting Modem Manager...",
       "2025-08-16T16:25:38Z", "node=ws-host stream=systemd pid=1"},
      {"f\xc3\xa9vr. 01 00:00:00 h sshd[2]: x", "x", "2026-02-01T00:00:00Z", "node=h stream=sshd pid=2"},
      {"\xd0\xb0\xd0\xb2\xd0\xb3 16 16:25:38 h systemd[1]: x",
       "\xd0\xb0\xd0\xb2\xd0\xb3 16 16:25:38 h systemd[1]: x", "", ""},
      {"-- Boot 0123456789abcdef0123456789abcdef --", "-- Boot 0123456789abcdef0123456789abcdef --", "", ""},
      {"2026-01-01T00:00:00.000000+00:00 host python[7]: [2025-12-31 23:59:59,900] [INFO] inner", "inner",
       "2026-01-01T00:00:00.000000Z", "node=host stream=python pid=7"},
  };
  for (const PeelRow& row : rows) check_peel(row);
}

TEST_CASE("kernel stamps count from boot unless the line has a date") {
  const PeelRow rows[] = {
      {"[   12.345678] text", "text", "boot 12.345678", ""},
      {"[193045.024354] NVRM: x", "NVRM: x", "boot 193045.024354", ""},
      {"[   12.345678][ T1234] text", "text", "boot 12.345678", ""},
      {"[   12.345678][    C3] text", "text", "boot 12.345678", ""},
      {"[   12.345678 <    0.000012>] text", "text", "boot 12.345678", ""},
      {"[   12.345678]  <TASK>", " <TASK>", "boot 12.345678", ""},
      {"[ 8123.401] NVRM: x", "NVRM: x", "boot 8123.401000", ""},
      {"<6>[    5.496658] ata12: link down", "ata12: link down", "boot 5.496658", ""},
      {"<30>[   13.448478] systemd[1]: Reached target", "systemd[1]: Reached target", "boot 13.448478", "",
       K::dmesg},
      {"6,5151,31410882514,-;nvidia-nvswitch2: open", "nvidia-nvswitch2: open", "boot 31410.882514", "",
       K::kmsg},
      {"4,1,12,-,caller=T33;x", "x", "boot 0.000012", "", K::kmsg},
      {"kern  :err   : [   12.345678] text", "text", "boot 12.345678", ""},
      {"kern  :warn  : 2025-02-06T09:29:53,601709+00:00 NVRM: Xid (PCI:0000:4e:00): 13",
       "NVRM: Xid (PCI:0000:4e:00): 13", "2025-02-06T09:29:53.601709Z", ""},
      {"2026-01-01T00:00:00,123456+00:00 nvme nvme0: I/O", "nvme nvme0: I/O", "2026-01-01T00:00:00.123456Z",
       "", K::dmesg},
      {"[Thu Jan  1 00:00:00 2026] text", "text", "2026-01-01T00:00:00Z", ""},
      {"[Thu Jan  1 00:00:00 2026]  ? entry_SYSCALL_64", " ? entry_SYSCALL_64", "2026-01-01T00:00:00Z", ""},
      {"[  +0.000328] pcieport 0000:00:03.0: AER: x", "pcieport 0000:00:03.0: AER: x", "", ""},
      {"[Jan 1 00:05] text", "text", "2026-01-01T00:05:00Z", ""},
      {"[   12.345678] [2026-01-01 00:00:00] the message", "[2026-01-01 00:00:00] the message",
       "boot 12.345678", ""},
  };
  for (const PeelRow& row : rows) check_peel(row);
}

TEST_CASE("stacks of prefixes are peeled from the outside in") {
  const PeelRow rows[] = {
      {"2026-01-01T00:00:01.000Z 2026-01-01T00:00:00.900000001Z stderr F [default3]:[rank11]:[E101 "
       "00:00:00.123456789 ProcessGroupNCCL.cpp:616] x",
       "x", "2026-01-01T00:00:00.900000001Z", "stream=stderr rank=11 local=3", K::cloudwatch_export},
      {"2026-01-01T00:00:00.123456789Z stdout F 3: [1,3]<stdout>:[2026-01-01 00:00:00] h:1:2 [3] a.cc:1 NCCL "
       "WARN m",
       "a.cc:1 NCCL WARN m", "2026-01-01T00:00:00.123456789Z",
       "node=h stream=stdout rank=3 task=3 gpu=3 pid=1"},
      {"[pod/p-0/c] 3: [default3]:[rank3]: RuntimeError: CUDA error", "RuntimeError: CUDA error", "",
       "pod=p-0 container=c rank=3 local=3 task=3"},
      {"2023-08-22T01:58:01.249984413-04:00 stderr F I0822 05:58:01.249689       1 server.go:551] external "
       "host",
       "external host", "2023-08-22T05:58:01.249984413Z", "stream=stderr pid=1"},
      {"2026-01-01T05:00:00.123456789Z stdout F {\"ts\":\"2026-01-01T05:00:00Z\",\"msg\":\"m\"}",
       "{\"ts\":\"2026-01-01T05:00:00Z\",\"msg\":\"m\"}", "2026-01-01T05:00:00Z", "stream=stdout"},
      // A date in the message that is days away from the receipt is not the time of the line.
      {"2026-01-05T05:00:00.123456789Z stdout F 2025-01-01T00:00:00Z was the release", "was the release",
       "2026-01-05T05:00:00.123456789Z", "stream=stdout"},
  };
  for (const PeelRow& row : rows) check_peel(row);
}

TEST_CASE("a stamp says how it is known") {
  const PeelContext context = peel_context({});
  const auto time = [&](std::string_view line) { return peel_line(line, context).time; };
  CHECK(time("2026-01-01T00:00:00.123456789Z stdout F x").source == Instant::Source::container);
  CHECK(time("Jan  1 00:00:00 h a[1]: x").source == Instant::Source::container);
  CHECK(time("Jan  1 00:00:00 h a[1]: x").year_inferred);
  CHECK(time("Jan  1 00:00:00 h a[1]: x").zone == Instant::Zone::assumed);
  CHECK(time("[2026-01-01 00:00:00] x").source == Instant::Source::line);
  CHECK(time("[2026-01-01 00:00:00] x").zone == Instant::Zone::assumed);
  CHECK(time("[rank0]:[E101 00:00:00.999999999 a.cpp:1] x").precision_ns == kSecond);
  CHECK(time("[   12.345678] x").base == Instant::Base::boot);
}
