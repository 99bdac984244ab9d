#include <catch2/catch.hpp>

#include "ingest/bundle.h"
#include "ingest/kinds.h"

using namespace faultline;
using namespace faultline::ingest;
using K = ArtifactKind;
using F = Family;

namespace {

/// `lines` copies of a line with a number in it.
std::string repeat(const std::string& line, int lines = 12) {
  std::string text;
  for (int i = 0; i < lines; ++i) text += line + " " + std::to_string(i) + "\n";
  return text;
}

struct Row {
  const char* what;
  std::string chain;
  std::string head;
  K kind;
  F family;
};

const std::string kXid = "NVRM: Xid (PCI:0000:53:00): 79, pid=1234, name=python, GPU has fallen off the bus.";

}  // namespace

TEST_CASE("logs are known by the shape of their lines, whatever the file is called") {
  const std::vector<Row> rows = {
      {"dmesg", "1.log", repeat("[   12.345678] pci 0000:00:1f.0: enabling device"), K::dmesg, F::kernel},
      {"dmesg with caller ids", "1.log", repeat("[   12.345678][ T1234] pci 0000:00:1f.0: enabling"),
       K::dmesg, F::kernel},
      {"dmesg -T", "1.log", repeat("[Thu Jan  1 00:00:00 2026] " + kXid), K::dmesg, F::kernel},
      {"dmesg -x", "1.log", repeat("kern  :err   : [   12.345678] " + kXid), K::dmesg, F::kernel},
      {"dmesg -r", "1.log", repeat("<6>[   12.345678] usb 1-1: new device"), K::dmesg, F::kernel},
      {"dmesg --reltime", "1.log",
       "[Jan 1 00:00] Linux version 6.1\n" + repeat("[  +0.000012] usb 1-1: new device"), K::dmesg,
       F::kernel},
      {"dmesg -d", "1.log", repeat("[   12.345678 <    0.000012>] usb 1-1: new device"), K::dmesg, F::kernel},
      {"dmesg iso", "1.log", repeat("2026-01-01T00:00:00,123456+00:00 usb 1-1: new device"), K::dmesg,
       F::kernel},
      {"grep of kernel lines", "grep.txt", repeat(kXid, 2), K::dmesg, F::any},
      {"/dev/kmsg", "1.log",
       repeat("6,1234,12345678,-;usb 1-1: new device") + " SUBSYSTEM=usb\n DEVICE=c189:1\n", K::kmsg,
       F::kernel},
      {"kern.log", "var/log/kern.log",
       repeat("Jan  1 00:00:00 ip-10-1-2-3 kernel: [  123.456789] usb 1-1: new"), K::kernel_log, F::kernel},
      {"kern.log in ISO", "kern.log.1",
       repeat("2026-01-01T00:00:00.123456+00:00 ip-10-1-2-3 kernel: usb 1-1: new"), K::kernel_log, F::kernel},
      {"syslog", "x",
       repeat("Jan  1 00:00:00 ip-10-1-2-3 kernel: usb 1-1: new") +
           repeat("Jan  1 00:00:00 ip-10-1-2-3 sshd[12]: session opened"),
       K::syslog, F::system},
      {"syslog with priority", "x", repeat("<13>Jan  1 00:00:00 ip-10-1-2-3 sshd[12]: session opened"),
       K::syslog, F::system},
      {"RFC 5424", "x", repeat("<165>1 2026-01-01T00:00:00.123Z host app 123 ID47 - text"), K::syslog,
       F::system},
      {"rsyslog ISO", "x", repeat("2026-01-01T00:00:00.123456+00:00 host CRON[12]: (root) CMD"), K::syslog,
       F::system},
      {"journalctl", "kubelet/kubelet.log",
       repeat(
           "Jan 01 00:00:00 ip-10-1-2-3 kubelet[1234]: I0101 00:00:00.123456    1234 kubelet.go:12] \"x\""),
       K::journal_text, F::system},
      {"journalctl with a boot mark", "x",
       "-- Boot 0123456789abcdef0123456789abcdef --\n" +
           repeat("Jan 01 00:00:00 host systemd[1]: Started x."),
       K::journal_text, F::system},
      {"journalctl in French", "x",
       "-- Journal begins at jeu. --\n" + repeat("ao\xc3\xbbt 16 16:25:38 host systemd[1]: Starting x"),
       K::journal_text, F::system},
      {"journalctl short-iso", "journal.txt", repeat("2026-01-01T00:00:00+0000 host systemd[1]: Started x."),
       K::journal_text, F::system},
      {"journalctl short-full", "x", repeat("Thu 2026-01-01 00:00:00 UTC host systemd[1]: Started x."),
       K::journal_text, F::system},
      {"journalctl short-unix", "x", repeat("1767225600.123456 host systemd[1]: Started x."), K::journal_text,
       F::system},
      {"journalctl short-monotonic", "x", repeat("[    4.999000] host kernel: usb 1-1: new device"),
       K::journal_text, F::system},
      {"journalctl verbose", "x",
       "Thu 2026-01-01 00:00:00.123456 UTC [s=0a;i=1;b=0b;m=1;t=2;x=3]\n    PRIORITY=6\n    MESSAGE=hello\n  "
       "  _HOSTNAME=host\n",
       K::journal_text, F::system},
      {"journal export", "x",
       "__CURSOR=s=0a;i=1\n__REALTIME_TIMESTAMP=1767225600000000\n_BOOT_ID=0b\nMESSAGE=x\n\n",
       K::journal_export, F::system},
      {"journal export, first field binary", "x",
       std::string("MESSAGE\n\x05\0\0\0\0\0\0\0a\nb\nc\nPRIORITY=6\n", 33), K::journal_export, F::system},
      {"kubelet klog", "x",
       repeat("I0101 00:00:00.123456    1234 kubelet.go:12] \"SyncLoop\" pod=\"ml/job-0\""), K::klog,
       F::kubernetes},
      {"containerd logfmt", "containerd.log",
       repeat("time=\"2026-01-01T00:00:00.123456789Z\" level=info msg=\"RunPodSandbox for "
              "&PodSandboxMetadata\""),
       K::klog, F::kubernetes},
      {"CRI", "0.log", repeat("2026-01-01T00:00:00.100000001Z stdout F step"), K::cri_log, F::training},
      {"CRI with a local offset", "0.log", repeat("2026-01-01T09:00:00.100000001+09:00 stderr P step"),
       K::cri_log, F::training},
      {"kubectl logs --prefix", "x", repeat("[pod/job-worker-1/pytorch] step"), K::pod_log, F::training},
      {"kubectl logs --timestamps", "x", repeat("2026-01-01T00:00:00.123456789Z step"), K::pod_log,
       F::training},
      {"aws logs tail", "x",
       repeat("2026-01-01T00:00:00.123000+00:00 LifecycleConfig/workers/i-0aaa1111bbb2222cc + echo start"),
       K::cloudwatch_tail, F::any},
      {"CloudWatch export of agents", "x",
       repeat("2026-01-01T00:01:02.345Z {\"level\":\"info\",\"msg\":\"NPD caught event: %v\"}"),
       K::cloudwatch_export, F::any},
      {"CloudWatch export by its tree", "exportedlogs/5f/LifecycleConfig-w-i-0aaa1111bbb2222cc/000000.gz",
       "2026-01-01T00:01:02.345Z Traceback (most recent call last):\n  File \"x.py\", line 3\n",
       K::cloudwatch_export, F::any},
      {"CloudWatch CSV", "x.csv", "timestamp,message\n1767225600123,\"a\nb\"\n", K::cloudwatch_csv, F::any},
      {"Insights CSV", "x.csv",
       "\xef\xbb\xbf@logStream,@timestamp,@message\ns,2026-01-01 00:00:00.123,\"x\"\n", K::cloudwatch_csv,
       F::any},
      {"slurmctld", "slurmctld.log",
       repeat("[2026-01-01T10:11:12.123] sched: Allocate JobId=12 NodeList=ip-10-1-2-[3-6]"),
       K::slurm_daemon_log, F::slurm},
      {"slurmd renamed", "log.txt",
       repeat("[2026-01-01T10:11:12.123] [12.0] error: task exited") +
           repeat("[2026-01-01T10:11:12.123] launch task StepId=12.0 request"),
       K::slurm_daemon_log, F::slurm},
      {"a program with Slurm's stamp", "app.log", repeat("[2026-01-01T10:11:12.123] loading shard"),
       K::plain_text, F::any},
      {"fabric manager", "x", repeat("[Jan 01 2026 00:00:00] [INFO] [tid 2389] multicast group 0 is freed."),
       K::fabric_manager_log, F::gpu},
      {"NCCL", "nccl.txt",
       repeat("job-worker-0:87:123 [0] NCCL INFO Channel 00/0 : 3[3] -> 4[4] via P2P/CUMEM"),
       K::nccl_debug_log, F::training},
      {"nccl-tests", "x",
       "# nThread 1 nGpus 8 minBytes 8 maxBytes 134217728 step: 2(factor)\n#\n# Using devices\n",
       K::nccl_tests, F::training},
      {"NCCL RAS", "x",
       "NCCL version 2.26.2 compiled with CUDA 12.6\n\nJob summary\n===========\n\n  Nodes  "
       "Processes\nCommunicators... (0.00s)\n=============\n",
       K::nccl_ras, F::training},
      {"py-spy", "x",
       "Process 123: python train.py\nPython v3.12\n\nThread 123 (idle): \"MainThread\"\n    wait "
       "(threading.py:324)\n    step (train.py:10)\n    main (train.py:90)\n",
       K::stack_dump, F::training},
      {"gdb", "x",
       "(gdb) bt\n#0  0x00007f3b in poll () from /lib/libc.so.6\n#1  0x00007f3c in cuda () from x\n#2  "
       "0x00007f3d in main ()\n",
       K::stack_dump, F::training},
      {"torchrun", "x",
       "W0101 00:00:00.123000 1234 torch/distributed/run.py:77] *****\n[default0]:step 1\n[rank3]:[E101 "
       "00:00:00.123456789 ProcessGroupNCCL.cpp:616] [Rank 3] timeout\n",
       K::training_log, F::training},
      {"health agent", "sagemaker-health-monitoring-agent.log",
       "{\"level\":\"info\",\"ts\":\"2026-01-01T00:00:00Z\",\"msg\":\"NPD caught event: "
       "%v\",\"HealthMonitoringAgentDetectionEvent\":\"HealthEvent\"}\n",
       K::hyperpod_agent_log, F::agent},
      {"lifecycle script", "var/log/provision/provisioning.log", "+ echo start\n[INFO] mounting fsx\n",
       K::lifecycle_log, F::agent},
      {"unknown text", "notes.txt", "the job hangs since this morning\n", K::plain_text, F::any},
      {"one line", "x", "Killed\n", K::plain_text, F::any},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const KindGuess guess = guess_kind(row.chain, row.head);
    CHECK(kind_name(guess.kind) == kind_name(row.kind));
    CHECK(family_name(guess.family) == family_name(row.family));
  }
}

TEST_CASE("a log that quotes another form keeps all patterns") {
  const std::string progress =
      repeat("iteration      100/  1000 | elapsed time per iteration (ms): 1.0 | lm loss: 2.0E+00 |", 30);
  const std::string nccl = repeat("job-worker-0:87:123 [0] NCCL INFO Channel 00/0", 5);
  const std::vector<std::pair<const char*, std::string>> rows = {
      {"quoted dmesg", progress + repeat("[   12.345678] " + kXid, 10) + nccl},
      {"dmesg with a traceback",
       repeat("[   12.345678] " + kXid, 30) + "Traceback (most recent call last):\n"},
      {"quoted environment, then a failure",
       repeat("PATH=/usr/bin:/bin\nHOME=/root\nNCCL_DEBUG=INFO\nRANK=3\nWORLD_SIZE=16\nX=", 20) +
           "Traceback (most recent call last):\n  File \"x\"\nRuntimeError: NCCL error\n"},
      {"quoted environment, then a kill",
       repeat("PATH=/usr/bin:/bin\nHOME=/root\nNCCL_DEBUG=INFO\nRANK=3\nX=", 20) +
           "srun: error: ip-10-1-2-3: task 3: Killed\n"},
      {"quoted nvidia-smi",
       "| NVIDIA-SMI 570.00.11   Driver Version: 570.00.11   CUDA Version: 12.8 |\n" + progress + nccl},
      {"quoted df",
       "Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/root 1 1 1 50% /\n" + progress},
      {"quoted kubectl table", "NAME READY STATUS RESTARTS AGE\njob-0 0/1 Error 0 3m\n" + progress + nccl},
      {"quoted JSON", "{\"step\": 1}\n" + progress},
      {"quoted pip list", progress + repeat("torch==2.8.0", 20)},
      {"a script's trace", "#!/bin/bash\n" + progress + nccl},
      {"syslog with job output",
       repeat("Jan  1 00:00:00 host slurmd[1]: job", 20) + progress.substr(0, 300) +
           repeat("Jan  1 00:00:00 host python[1]: Traceback (most recent call last):", 5)},
  };
  for (const auto& [what, head] : rows) {
    INFO(what);
    const KindGuess guess = guess_kind("out.log", head);
    INFO(kind_name(guess.kind));
    const Treatment treatment = kind_info(guess.kind).treatment;
    CHECK((treatment == Treatment::log || treatment == Treatment::both));
    CHECK(family_includes(guess.family, F::training));
    CHECK(family_includes(guess.family, F::kernel));
  }
}

TEST_CASE("encodings and terminal residue do not hide a form") {
  const std::string log = repeat("2026-01-01T00:00:00.100000001Z stdout F step");
  std::string wide = "\xff\xfe";
  std::string wide_big = "\xfe\xff";
  for (const char c : log) {
    wide += c;
    wide += '\0';
    wide_big += '\0';
    wide_big += c;
  }
  CHECK(guess_kind("x", wide).kind == K::cri_log);
  CHECK(guess_kind("x", wide_big).kind == K::cri_log);
  CHECK(guess_kind("x", wide.substr(2)).kind == K::cri_log);
  CHECK(guess_kind("x", "\xef\xbb\xbf" + log).kind == K::cri_log);
  std::string crlf;
  for (const char c : log) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(guess_kind("x", crlf).kind == K::cri_log);
  CHECK(guess_kind("x", repeat("\x1b[32m[   12.345678]\x1b[0m \x1b[33mpci 0000:00:1f.0\x1b[0m: enabling"))
            .kind == K::dmesg);
  // A hole of a crash in the middle, and one that fills the head.
  CHECK(guess_kind("x", log + std::string(30'000, '\0') + log).kind == K::cri_log);
  CHECK(kind_info(guess_kind("x", std::string(65'536, '\0')).kind).treatment == Treatment::log);
  CHECK(guess_kind("x", std::string(4096, '\0')).kind == K::binary);
  CHECK(guess_kind("x", repeat("caf\xe9 au lait \xff\xfe\xfd \xc3\x28 text", 10)).kind == K::plain_text);
  CHECK(guess_kind("x",
                   " 45%|\xe2\x96\x88\xe2\x96\x88| 450/1000 [03:12<03:55,  2.34it/s]\r 46%|\xe2\x96\x88| "
                   "460/1000 [03:13<03:55,  2.34it/s]\r")
            .kind == K::training_log);
}

TEST_CASE("where more follows than was looked at, only a name that promises the same narrows the patterns") {
  const std::string head = repeat("[   12.345678] pci 0000:00:1f.0: enabling device", 3000).substr(0, 65'536);
  CHECK(guess_kind("collected.txt", head).kind == K::dmesg);
  CHECK(guess_kind("collected.txt", head).family == F::any);
  CHECK(guess_kind("case/dmesg.txt", head).family == F::kernel);
  CHECK(guess_kind("collected.txt", head.substr(0, 10'000)).family == F::kernel);
  const std::string boot =
      repeat("Jan  1 00:00:00 ip-10-1-2-3 kernel: [    1.000000] usb 1-1: new", 2000).substr(0, 65'536);
  CHECK(guess_kind("var/log/messages", boot).family == F::system);
  CHECK(guess_kind("var/log/kern.log", boot).family == F::kernel);
}
