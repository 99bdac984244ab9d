#include <catch2/catch.hpp>

#include "ingest/kinds.h"

using namespace faultline;
using namespace faultline::ingest;
using K = ArtifactKind;

namespace {

struct Row {
  const char* what;
  std::string chain;
  std::string head;
  K kind;
};

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    INFO(row.what);
    const KindGuess guess = guess_kind(row.chain, row.head);
    CHECK(kind_name(guess.kind) == kind_name(row.kind));
    if (kind_info(guess.kind).treatment == Treatment::opaque) CHECK_FALSE(guess.reason.empty());
  }
}

std::string environment_lines() {
  return "SHELL=/bin/bash\nPATH=/usr/bin:/bin\nHOME=/"
         "root\nNCCL_DEBUG=INFO\nRANK=3\nWORLD_SIZE=16\nBASH_FUNC_module%%=() {  eval "
         "x\n}\nEMPTY=\n_=/usr/bin/env\n";
}

}  // namespace

TEST_CASE("bytes that are no text are named and not read") {
  using namespace std::string_literals;
  check({
      {"ELF", "libnccl.so.2",
       "\x7f"
       "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0"s,
       K::executable},
      {"core", "core.1234",
       "\x7f"
       "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0"s,
       K::executable},
      {"SQLite", "x.nsys-rep", "SQLite format 3\0xxxx"s, K::database},
      {"PNG", "screenshot.log", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"s, K::image},
      {"JPEG", "photo.jpg", "\xff\xd8\xff\xe0\0\x10JFIF"s, K::image},
      {"PDF", "x.pdf", "%PDF-1.7\n%\xe2\xe3\xcf\xd3", K::binary},
      {"checkpoint pickle", "optimizer.pkl", "\x80\x02}q\0X\x05\0\0\0stateq\1"s, K::model_checkpoint},
      {"flight recorder", "nccl_trace_rank_3",
       "\x80\x02}(X\x07\0\0\0versionX\x03\0\0\0002.4X\x09\0\0\0pg_config}u."s, K::flight_recorder},
      {"flight recorder, list form", "x3",
       "\x80\x02](}(X\x0e\0\0\0profiling_nameX\x0f\0\0\0nccl:all_reduceue."s, K::flight_recorder},
      {"safetensors", "model.safetensors", "\x40\0\0\0\0\0\0\0{\"__metadata__\":{}}"s, K::model_checkpoint},
      {"TensorBoard", "events.out.tfevents.1.host.2.0",
       "\x18\0\0\0\0\0\0\0\xa3\x7fK\"\x09\0\0\0\0brain.Event:2"s, K::binary},
      {"journal", "system.journal", "LPKSHHRH\0\0\0\0"s, K::journal_binary},
      {"AppleDouble", "__MACOSX/._kern.log", "\0\x05\x16\x07\0\x02\0\0Mac OS X"s, K::binary},
      {"random bytes", "x.log",
       "\x8a\x01\x93\xf2\x00\x1c\x9e\x17\x02\xe1\xc4\x08\x7f\x11\xb3\xa0\x05\x99\x88\x06\x03\xfe\xdc\x14"s,
       K::binary},
      {"wtmp", "var/log/wtmp",
       "\x08\0\0\0\0\0\0\0ttyS0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0tyS0"s, K::binary},
  });
}

TEST_CASE("texts that hold every marker string are told from logs") {
  const std::string code =
      "import torch\nimport torch.distributed as dist\n\ndef main():\n    print(\"NCCL WARN\")\n    return "
      "1\n";
  check({
      {"shell script", "collector_script.sh", "#!/bin/bash\nset -e\ngrep -i 'NVRM: Xid' /var/log/kern.log\n",
       K::script},
      {"script under another name", "output.txt", "#!/usr/bin/env python3\nimport os\n", K::script},
      {"Python without a first line", "train.py", code, K::script},
      {"a log that was called .py", "train.py", "job-0:1:2 [0] NCCL INFO x\njob-0:1:2 [0] NCCL INFO y\n",
       K::nccl_debug_log},
      {"batch script", "job.sbatch", "#!/bin/bash\n#SBATCH --nodes=2\nsrun torchrun train.py\n", K::script},
      {"Dockerfile", "Dockerfile",
       "FROM nvcr.io/nvidia/pytorch:25.06-py3\nRUN pip install x\nENV NCCL_DEBUG=INFO\n", K::script},
      {"Markdown", "README.md", "# Debugging\n\nLook for `NVRM: Xid` and:\n\n```\nNCCL WARN x\n```\n",
       K::markup},
      {"HTML", "x.log", "<!DOCTYPE html><html><body>Sign in</body></html>", K::markup},
      {"storage error", "kern.log.gz",
       "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>AccessDenied</Code><Message>Access "
       "Denied</Message></Error>",
       K::markup},
      {"base64", "x.txt",
       std::string(76, 'A') + "b1\n" + std::string(76, 'Q') + "\n" + std::string(76, 'x') + "\n" +
           std::string(76, 'Z') + "\n",
       K::base64},
      {"base64 of a gzip on one line", "x.txt", "H4sI" + std::string(4000, 'A'), K::base64},
      {"nccl-diagnose", "nccl-diag.txt",
       std::string("\xe2\x95\x90\xe2\x95\x90\xe2\x95\x90\n  NCCL Diagnostic \xe2\x80\x94 SageMaker HyperPod "
                   "(read-only)\n") +
           "[INFO] Detecting\n[FAIL]   DETECTED [WATCHDOG_TIMEOUT]: x\n",
       K::diagnostic_report},
      {"node diagnostics alone", "x.txt",
       "=== NODE DIAGNOSTICS ===\nHost: ip-10-1-2-3\n--- GPU ---\nNVRM: Xid\n", K::diagnostic_report},
      {"performance snapshot", "perf.txt",
       "\n== A. NCCL topology & EFA reachability ==\n  [OK     ] EFA port state on i-0: 16/16 ACTIVE\n",
       K::diagnostic_report},
      {"version checker", "component_versions_x.txt",
       "========================================\n  System "
       "Information\n========================================\nHost: x\n\n  CUDA Information\n",
       K::version_report},
      {"bug report", "nvidia-bug-report.log",
       "____________________________________________\n\nStart of NVIDIA bug report log file.\n",
       K::nvidia_bug_report},
      {"bug report without its head", "x.log",
       "____________________________________________\n\n*** /proc/driver/nvidia/version\n*** ls: -r--r--r-- "
       "1 root root 0 2026-01-01 x\nNVRM version: x\n",
       K::nvidia_bug_report},
      {"NCCL topology", "topo.xml", "<system version=\"1\">\n  <cpu numaid=\"0\">\n", K::nccl_topology},
      {"nvidia-smi -x", "x.xml",
       "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM "
       "\"nvsmi_device_v12.dtd\">\n<nvidia_smi_log>\n",
       K::nvidia_smi_query},
      {"an issue with quoted logs is no documentation by name alone", "x.log",
       "job-0:1:2 [0] NCCL INFO x\n# not a heading of a document\njob-0:1:2 [0] NCCL INFO x\n",
       K::training_log},
  });
}

TEST_CASE("JSON is told apart by its keys") {
  check({
      {"cut document", "x", R"({"ClusterNodeSummaries":[{"InstanceGroupName":"workers","InstanceId":"i-0)",
       K::aws_json},
      {"noise before it", "x",
       "Found credentials in shared credentials file: "
       "~/.aws/credentials\n{\"ClusterArn\":\"arn:aws:x\",\"InstanceGroups\":[]}",
       K::aws_json},
      {"describe-security-groups", "x", R"({"SecurityGroups":[{"GroupId":"sg-0","IpPermissions":[]}]})",
       K::aws_json},
      {"--query of it", "x", R"([{"IpProtocol":"-1","UserIdGroupPairs":[]}])", K::aws_json},
      {"cluster events", "x", R"({"Events":[{"EventId":"e","ResourceType":"Instance","Description":"x"}]})",
       K::aws_json},
      {"CloudFormation events are no cluster events", "x", R"({"StackEvents":[{"LogicalResourceId":"x"}]})",
       K::plain_text},
      {"metric statistics", "x",
       R"({"Label":"x","Datapoints":[{"Timestamp":"2026-01-01T00:00:00Z","Average":1.0}]})", K::aws_json},
      {"resource config", "resource_config.json",
       R"({"ClusterConfig":{"ClusterArn":"a","ClusterName":"demo"},"InstanceGroups":[]})",
       K::resource_config},
      {"issue summary", "summary.json",
       R"({"cluster_name":"demo","cluster_id":"ab12cd34ef56","report_id":"20260101_001500","results":[]})",
       K::issue_summary},
      {"pods", "x", R"({"apiVersion":"v1","kind":"List","items":[]})", K::kubectl_json},
      {"pods, key order turned", "x",
       R"({"items":[{"metadata":{"name":"x"},"spec":{}}],"kind":"PodList","apiVersion":"v1"})",
       K::kubectl_json},
      {"watch events", "x",
       R"({"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod"}}{"type":"MODIFIED","object":{"apiVersion":"v1"}})",
       K::kubectl_json},
      {"kubelet configuration", "x",
       R"({"kind":"KubeletConfiguration","apiVersion":"kubelet.config.k8s.io/v1beta1"})", K::config_file},
      {"journal, any key order", "x",
       R"({"PRIORITY":"6","MESSAGE":"x","_HOSTNAME":"h","__REALTIME_TIMESTAMP":"1"})", K::journal_json},
      {"json-seq journal", "x",
       "\x1e{\"__CURSOR\":\"s\",\"__REALTIME_TIMESTAMP\":\"1\",\"MESSAGE\":[104,105]}\n", K::journal_json},
      {"json-sse journal", "x",
       "data: {\"__CURSOR\":\"s\",\"__REALTIME_TIMESTAMP\":\"1\",\"MESSAGE\":null}\n\n", K::journal_json},
      {"filter-log-events", "x",
       R"({"events":[{"logStreamName":"s","timestamp":1,"message":"x","ingestionTime":1,"eventId":"1"}],"searchedLogStreams":[]})",
       K::cloudwatch_json},
      {"get-log-events twice", "x",
       R"({"events":[{"timestamp":1,"message":"step","ingestionTime":1}],"nextForwardToken":"f"}{"events":[],"nextForwardToken":"f"})",
       K::cloudwatch_json},
      {"Insights", "x", R"({"results":[[{"field":"@message","value":"x"}]],"status":"Complete"})",
       K::cloudwatch_json},
      {"Insights download", "x", R"([{"@timestamp":"2026-01-01 00:00:00.123","@message":"x"}])",
       K::cloudwatch_json},
      {"subscription records", "x",
       R"({"messageType":"DATA_MESSAGE","logGroup":"g","logEvents":[]}{"messageType":"DATA_MESSAGE","logEvents":[]})",
       K::cloudwatch_json},
      {"Container Insights", "x",
       R"({"log":"x","stream":"stderr","time":"t","kubernetes":{"pod_name":"p","host":"h"}})",
       K::container_insights},
      {"docker", "x",
       "{\"log\":\"a\\n\",\"stream\":\"stdout\",\"time\":\"2026-01-01T00:00:00.1Z\"}\n{\"log\":\"b\\n\","
       "\"stream\":\"stdout\",\"time\":\"2026-01-01T00:00:00.2Z\"}\n",
       K::docker_json_log},
      {"stern json", "x", R"({"message":"x","nodeName":"n","podName":"p","containerName":"c"})", K::pod_log},
      {"torch error file", "error.json",
       R"({"message":{"message":"RuntimeError: x","extraInfo":{"py_callstack":"Traceback","timestamp":"1767225600"}}})",
       K::torchrun_error},
      {"torch error file, bare", "attempt_0/3/error.json", R"({"message":"RuntimeError: x"})",
       K::torchrun_error},
      {"flight recorder", "x", R"({"version":"2.4","pg_config":{},"entries":[]})", K::flight_recorder},
      {"NCCL RAS", "x", R"({"nccl_version":"2.28.3","communicators_count":1,"communicators":[]})",
       K::nccl_ras},
      {"dcgmi diag -j", "x", R"({"DCGM Diagnostic":{"test_categories":[]}})", K::dcgm},
      {"dmesg -J", "x", R"({"dmesg":[{"pri":6,"time":"   12.345678","msg":"x"}]})", K::dmesg},
      {"version checker", "x", R"({"hostname":"h","versions":{"nvidia_driver":"570","nccl":"2.27"}})",
       K::version_report},
      {"our own report", "report.json",
       R"({"schema":"faultline.report/1","verdict":"x","findings":[{"text":"NVRM: Xid"}]})",
       K::diagnostic_report},
      {"deep health check", "sagemaker-deep-health-check.log",
       "{\"level\":\"error\",\"ts\":\"t\",\"msg\":\"Encountered FaultyInstance. Replace the Instance.\"}\n",
       K::hyperpod_agent_log},
      {"CNI log", "ipamd.log",
       "{\"level\":\"debug\",\"ts\":\"t\",\"caller\":\"rpc.go:1\",\"msg\":\"x\"}\n{\"level\":\"debug\","
       "\"ts\":\"t\",\"caller\":\"rpc.go:1\",\"msg\":\"y\"}\n",
       K::klog},
      {"training metrics", "metrics.jsonl",
       "{\"step\":1,\"loss\":2.5e-05,\"lr\":1e-4}\n{\"step\":2,\"loss\":NaN}\n", K::plain_text},
      {"unknown document", "x.json", R"({"a":{"b":[1,2,{"c":null}]}})", K::plain_text},
      {"trailing comma by hand", "x.json",
       "{\"ClusterName\":\"x\",\n \"ClusterArn\":\"y\",\n \"InstanceGroups\":[],\n}\n", K::aws_json},
      {"profiler trace", "trace.json", R"({"schemaVersion":1,"traceEvents":[{"ph":"X"}]})", K::binary},
      {"model configuration", "config.json", R"({"architectures":["X"],"hidden_size":4096})", K::config_file},
      // What starts like JSON and is none.
      {"stamp in brackets", "x", "[2026-01-01 00:00:00,123] [INFO] [file.py:12:func] [Rank 0] deepspeed\n",
       K::training_log},
      {"ranks in brackets", "x", "[1,3]<stdout>:host:1:2 [0] NCCL INFO x\n", K::nccl_debug_log},
      {"Python dict", "x", "{'loss': 2.0, 'grad_norm': 0.3, 'learning_rate': 1e-05}\n", K::training_log},
      {"JSON line in a log", "x",
       "{\"kind\": \"List\", \"apiVersion\": \"v1\"}\n" +
           std::string("a\nb\nc\nd\ne\nf\ng\nRuntimeError: x\n"),
       K::training_log},
  });
}

TEST_CASE("output of tools is told apart where it is all there is") {
  check({
      {"describe pod", "x",
       "Name:             job-worker-0\nNamespace:        ml\nNode:             "
       "hyperpod-i-0aaa1111bbb2222cc/10.1.2.3\n",
       K::kubectl_describe},
      {"describe node", "x",
       "Name:               hyperpod-i-0\nRoles:              <none>\nLabels:             a=b\n",
       K::kubectl_describe},
      {"events of a describe", "x",
       "Events:\n  Type     Reason   Age   From     Message\n  ----     ------   ----  ----     -------\n  "
       "Warning  Failed   3m    kubelet  x\n",
       K::kubectl_describe},
      {"rows of events", "x",
       "  Warning  SystemOOM  34s (x12 over 34m)  kubelet  System OOM encountered\n  Normal   Starting   98m "
       "  kubelet  Starting kubelet.\n",
       K::kubectl_events},
      {"taints", "x", "Taints:             node.kubernetes.io/disk-pressure:NoSchedule\n",
       K::kubectl_describe},
      {"get pods", "x",
       "NAME                     READY   STATUS             RESTARTS   AGE\njob-0   0/1     ImagePullBackOff "
       "  0          4m42s\n",
       K::kubectl_table},
      {"get pods -A behind a prompt", "x",
       "$ kubectl get pods -A\nNAMESPACE   NAME    READY   STATUS    RESTARTS   AGE\nml   job-0   1/1   "
       "Running   0   4m\n",
       K::kubectl_table},
      {"custom columns", "x", "NAME     CPU_REQUEST   MEM_LIMIT\njob-0    100m          <none>\n",
       K::kubectl_table},
      {"get events", "x",
       "LAST SEEN   TYPE      REASON    OBJECT      MESSAGE\n3m          Warning   BackOff   pod/job-0   "
       "Back-off\n",
       K::kubectl_events},
      {"nothing found", "x", "No resources found\n", K::kubectl_table},
      {"YAML", "x", "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: x\n",
       K::kubectl_yaml},
      {"sinfo", "x",
       "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\ndev*         up   infinite      4   idle "
       "ip-10-1-2-[3-6]\n",
       K::slurm_command},
      {"sinfo -R", "x",
       "REASON               USER      TIMESTAMP           NODELIST\nNot responding       slurm     "
       "2026-01-01T00:00:00 ip-10-1-2-3\n",
       K::slurm_command},
      {"squeue", "x",
       "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n  8  dev  job  "
       "u PD  0:00  2 (Resources)\n",
       K::slurm_command},
      {"sacct", "x",
       "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode\n------------ "
       "----------\n12 x dev a 2 FAILED 1:0\n",
       K::slurm_command},
      {"sacct -P", "x", "JobID|JobName|State|ExitCode\n12|x|NODE_FAIL|1:0\n", K::slurm_command},
      {"scontrol show node", "x",
       "NodeName=ip-10-1-2-3 Arch=x86_64 CoresPerSocket=48\n   CPUAlloc=0 CPUTot=192\n   State=IDLE+DRAIN "
       "ThreadsPerCore=2\n   Reason=bad [root@2026-01-01T10:11:12]\n",
       K::slurm_command},
      {"scontrol show job", "x",
       "JobId=12 JobName=train\n   UserId=u(1000) GroupId=g(1000)\n   JobState=RUNNING Reason=None\n",
       K::slurm_command},
      {"slurm.conf", "opt_slurm_etc/slurm.conf",
       "ClusterName=demo\nSlurmctldHost=ip-10-1-2-3\nPartitionName=dev Nodes=ALL\n", K::slurm_config},
      {"gres.conf", "gres.conf", "AutoDetect=nvml\n", K::slurm_config},
      {"systemctl status", "x",
       "\xe2\x97\x8f kubelet.service - Kubernetes Kubelet\n     Loaded: loaded "
       "(/etc/systemd/system/kubelet.service; enabled)\n     Active: active (running) since Thu 2026-01-01 "
       "00:00:00 UTC; 3h ago\n",
       K::systemd_status},
      {"systemctl list-units", "systemd_services.txt",
       "  UNIT                LOAD   ACTIVE SUB     DESCRIPTION\n\xe2\x97\x8f munge.service loaded failed "
       "failed MUNGE\n",
       K::systemd_status},
      {"nvidia-smi", "x",
       "Thu Jan  1 00:00:00 2026\n+-----+\n| NVIDIA-SMI 570.00.11   Driver Version: 570.00.11   CUDA "
       "Version: 12.8 |\n|-----+\n| GPU  Name  Persistence-M |\n+-----+\n",
       K::nvidia_smi},
      {"nvidia-smi that failed", "x",
       "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 570.00\n",
       K::nvidia_smi},
      {"nvidia-smi -L", "x",
       "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0a1b2c3d-0000-0000-0000-000000000000)\n", K::nvidia_smi},
      {"nvidia-smi --query-gpu", "x",
       "index, name, driver_version, memory.used [MiB]\n0, NVIDIA H100, 570.00.11, 12 MiB\n", K::nvidia_smi},
      {"nvidia-smi -q", "x",
       "\n==============NVSMI LOG==============\n\nTimestamp                                 : Thu Jan  1 "
       "00:00:00 2026\nDriver Version                            : 570.00.11\n",
       K::nvidia_smi_query},
      {"driver version", "proc_driver_nvidia_version",
       "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.00.11  Release Build\nGCC version:  gcc "
       "version 11\n",
       K::nvidia_module_version},
      {"dcgmi diag", "x",
       "Successfully ran diagnostic for group.\n+---------------------------+----+\n| Diagnostic             "
       "   | Result |\n+===========================+====+\n",
       K::dcgm},
      {"env", "x", environment_lines(), K::environment},
      {"declare -x", "x",
       "declare -x HOME=\"/root\"\ndeclare -x PATH=\"/usr/bin\"\ndeclare -x RANK=\"3\"\ndeclare -x OLDPWD\n",
       K::environment},
      {"environ", "proc/1234/environ",
       std::string("PATH=/usr/bin\0HOME=/root\0RANK=3\0NCCL_DEBUG=INFO\0", 48), K::environment},
      {"few assignments are no environment", "x", "a=1\nb=2\nc=3\nd=4\n", K::plain_text},
      {"EFA packages", "efa_installed_packages",
       "# EFA installer version: 1.47.0\n# Debug packages installed: no\n# Packages "
       "installed:\nlibfabric-aws-2.4.0amzn3.0-1.amzn2023.x86_64\n",
       K::efa_packages},
      {"fi_info", "x",
       "provider: efa\n    fabric: efa-direct\n    domain: rdmap0s6-rdm\n    version: 124.0\n    type: "
       "FI_EP_RDM\n    protocol: FI_PROTO_EFA\n",
       K::fabric_info},
      {"rdma link", "x",
       "link rdmap0s6/1 state ACTIVE physical_state LINK_UP\nlink rdmap0s7/1 state DOWN physical_state "
       "POLLING\n",
       K::fabric_info},
      {"df", "x",
       "Filesystem     1K-blocks    Used Available Use% Mounted on\n/dev/root      101430960 9000000  "
       "92430960   9% /\n",
       K::disk_usage},
      {"mount and df", "mounts.txt",
       "/dev/nvme0n1p1 on / type xfs (rw)\nproc on /proc type proc (rw)\n\nFilesystem  Size  Used Avail Use% "
       "Mounted on\n/dev/root   97G  9G  88G  9% /\n",
       K::disk_usage},
      {"ip addr", "x", "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536\n    inet 127.0.0.1/8 scope host lo\n",
       K::network_config},
      {"iptables-save", "x", "*filter\n:INPUT ACCEPT [0:0]\n-A INPUT -j DROP\nCOMMIT\n", K::network_config},
      {"ps", "ps.txt",
       "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\nroot           1  0.0  "
       "0.0 171820 13000 ?        Ss   00:00   0:05 /sbin/init\nroot        4711 99.0  0.0 171820 13000 ?    "
       "    Rl   00:00   0:05 torchrun --node_rank=3 train.py\n",
       K::process_list},
      {"lspci", "x",
       "00:00.0 Host bridge: Intel Corporation 440FX\n53:00.0 3D controller: NVIDIA Corporation GH100 (rev "
       "a1)\n\tLnkSta: Speed 32GT/s, Width x16\n",
       K::pci_list},
      {"ulimit -a", "x",
       "core file size          (blocks, -c) 0\nmax locked memory       (kbytes, -l) unlimited\n", K::limits},
      {"rpm -qa", "pkglist.txt",
       "bash-5.2.15-1.amzn2023.x86_64\nlibnccl-2.27.5-1+cuda12.9.x86_64\nefa-2.17.2-1.amzn2023.x86_64\n",
       K::package_list},
      {"dpkg -l", "x",
       "Desired=Unknown/Install/Remove/Purge/Hold\n||/ Name  Version\nii  libnccl2 2.27.5-1+cuda12.9\n",
       K::package_list},
      {"pip freeze", "requirements.txt", "torch==2.8.0\nnvidia-nccl-cu12==2.27.5\nnumpy==2.0.0\n",
       K::package_list},
      {"instance id", "instance_id.txt", "i-0aaa1111bbb2222cc\n", K::identity},
      {"time of collection", "timestamp.txt", "Thu Jan  1 00:12:03 UTC 2026\n", K::timestamp},
      {"a log under an identity's name is a log", "hostname.txt",
       "[   12.345678] NVRM: Xid (PCI:0000:53:00): 79\n[   12.345678] NVRM: Xid (PCI:0000:53:00): 79\n",
       K::dmesg},
      {"configuration", "etc/sysctl.conf", "vm.swappiness = 1\nkernel.pid_max = 4194304\n", K::config_file},
      {"user's command", "command_01_uptime.txt", " 00:12:03 up 3 days\n", K::command_output},
  });
}
