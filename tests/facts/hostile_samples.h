#pragma once
// One small honest text a reader, for tests that break it.
#include <string_view>

#include "model/artifact.h"

namespace faultline::test {

struct Sample {
  ArtifactKind kind;
  std::string_view chain;
  std::string_view text;
};

inline constexpr Sample kSamples[] = {
    {ArtifactKind::kubectl_describe, "case/describe.txt", R"(Name:         web-0
Namespace:    default
Node:         n1/10.1.0.1
Labels:       app=web
Status:       Running
IP:           10.1.4.7
Containers:
  web:
    Image:          r.example/web:1
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Fri, 02 Jan 2026 16:50:48 +0000
      Finished:     Fri, 02 Jan 2026 16:51:53 +0000
    Ready:          False
    Restart Count:  3
    Environment:
      NCCL_DEBUG:  INFO
Events:
  Type     Reason     Age                  From     Message
  ----     ------     ----                 ----     -------
  Normal   Killing    47m (x2 over 48m)    kubelet  Container web failed liveness probe, will be restarted
  Warning  SystemOOM  40m                  kubelet  System OOM encountered, victim process: python, pid: 77
)"},
    {ArtifactKind::kubectl_describe, "case/node.txt", R"(Name:               hyperpod-i-0abc1111def222233
Roles:              <none>
Labels:             node.kubernetes.io/instance-type=ml.p5.48xlarge
Taints:             node.kubernetes.io/unreachable:NoSchedule
Unschedulable:      false
Conditions:
  Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
  ----             ------    -----------------                 ------------------                ------              -------
  DiskPressure     True      Thu, 01 Jan 2026 12:49:06 +0000   Thu, 01 Jan 2026 12:49:49 +0000   KubeletHasDiskPressure   full
  Ready            Unknown   Thu, 01 Jan 2026 12:49:06 +0000   Thu, 01 Jan 2026 12:49:49 +0000   NodeStatusUnknown   stopped
Addresses:
  InternalIP:  10.1.0.11
System Info:
  Kernel Version:   6.1.0-amzn
)"},
    {ArtifactKind::kubectl_table, "case/pods.txt",
     "NAME     READY   STATUS             RESTARTS     AGE   IP          NODE\n"
     "job-0    1/1     Running            0            3h    10.1.4.7    node-a\n"
     "job-1    0/1     CrashLoopBackOff   5 (3m ago)   3h    10.1.4.8    node-b\n"},
    {ArtifactKind::kubectl_json, "case/pods.json", R"({"apiVersion":"v1","kind":"List","items":[
{"kind":"Pod","metadata":{"name":"job-0"},"status":{"phase":"Failed","containerStatuses":[
{"name":"main","state":{"terminated":{"exitCode":139,
"reason":"Error"}}}]}},
{"kind":"Pod","metadata":{"name":"job-1"},"status":{"phase":"Pending","containerStatuses":[
{"name":"main","state":{"waiting":{
"reason":"ImagePullBackOff"}}}]}}]}
)"},
    {ArtifactKind::nvidia_smi, "case/nvidia_smi.txt",
     "Tue Mar  3 10:18:26 2026\n"
     "+-----------------------------------------------------------------------------------------+\n"
     "| NVIDIA-SMI 570.86.15              Driver Version: 570.86.15      CUDA Version: 12.8     |\n"
     "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n"
     "|   0  NVIDIA H100 80GB HBM3          On  |   00000000:19:00.0 Off |                    2 |\n"
     "| N/A   95C    P0            690W /  700W |       1MiB /  81559MiB |      0%      Default |\n"
     "|   3  NVIDIA H100 80GB HBM3          On  |   00000000:5D:00.0 Off |                 ERR! |\n"
     "|ERR!  ERR! ERR!             N/A / ERR!   |       0MiB /  81559MiB |    ERR!      Default |\n"},
    {ArtifactKind::nvidia_smi_query, "case/nvidia_smi_q.txt", R"(
==============NVSMI LOG==============

Timestamp                                 : Tue Mar  3 10:18:26 2026
Driver Version                            : 550.90.07
CUDA Version                              : 12.4

Attached GPUs                             : 8
GPU 00000000:9B:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
    ECC Errors
        Volatile
            DRAM Uncorrectable            : 4
    Remapped Rows
        Correctable Error                 : 0
        Pending                           : Yes
        Remapping Failure Occurred        : Yes
    Clocks Event Reasons
        HW Slowdown                       : Active
            HW Thermal Slowdown           : Active
GPU 00000000:BB:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
    PCI
        GPU Link Info
            Link Width
                Max                       : 16x
                Current                   : 8x
)"},
    {ArtifactKind::nvidia_smi, "case/nvlink.txt",
     "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0a1b2c3d-0000-0000-0000-000000000001)\n\t Link 0: 26.562 "
     "GB/s\n\t Link 1: <inactive>\n"},
    {ArtifactKind::dcgm, "case/dcgm.txt",
     "| Diagnostic                | Result                                         |\n"
     "| DCGM Version              | 3.3.8                                          |\n"
     "| GPU Memory                | Fail - GPU: 3                                  |\n"
     "| Warning                   | GPU 3 cuInit 'system not yet initialized'      |\n"
     "| PCIe                      | Pass - All                                     |\n"},
    {ArtifactKind::slurm_command, "case/sinfo.txt",
     "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
     "dev*         up   infinite      1  down* ip-10-1-0-11\n"
     "dev*         up   infinite      2   drng ip-10-1-0-[12-13]\n"},
    {ArtifactKind::slurm_command, "case/sacct.txt",
     "JobID|JobName|State|ExitCode|End|NodeList\n77|train|TIMEOUT|0:0|2026-03-03T10:11:12|n1\n"},
    {ArtifactKind::slurm_command, "case/scontrol.txt",
     "NodeName=ip-10-1-0-11 Arch=x86_64\n   State=DOWN* ThreadsPerCore=2\n   Reason=Not responding "
     "[root@2026-03-03T10:11:12]\n\n"
     "JobId=812 JobName=train\n   JobState=NODE_FAIL Reason=None\n   NodeList=ip-10-1-0-11\n"},
    {ArtifactKind::efa_packages, "case/efa_installed_packages",
     "# EFA installer version: 1.47.0\n# Packages installed:\nlibfabric-aws-2.4.0amzn3.0-1.amzn2023.x86_64 "
     "efa-2.17.2-1.amzn2023.noarch\n"},
    {ArtifactKind::fabric_info, "case/fi_info.txt",
     "libfabric: 2.4.0amzn3.0\nprovider: efa\n    fabric: efa\n    domain: rdmap16s27-rdm\n"},
    {ArtifactKind::disk_usage, "case/df.txt",
     "Filesystem      Size  Used Avail Use% Mounted on\n/dev/nvme0n1p1   100G   97G    3G  97% "
     "/\n/dev/nvme1n1     3.5T  1.3T  2.2T  37% "
     "/opt/data\n"},
    {ArtifactKind::nccl_tests, "case/nccl_tests.txt",
     "# nThread 1 nGpus 1 minBytes 8\n#  Rank  0 Group  0 Pid    123 on ip-10-1-0-11 device  0 [0000:53:00] "
     "NVIDIA H100\n"
     "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 92.3\n#\n"},
    {ArtifactKind::nccl_ras, "case/ras.txt",
     "NCCL version 2.26.2 compiled with CUDA 12.6\n\nJob summary\n===========\n\n#0-0 (fb10ac21bd32ce43) "
     "INCOMPLETE\n"
     "  Missing communicator data from 1 rank\n  Rank 13 -- GPU 5 managed by process 4711 on node "
     "10.1.0.12\n\n"},
    {ArtifactKind::aws_json, "case/sg.json",
     "{\"SecurityGroups\":[\n{\"GroupId\":\"sg-0aaa1111\",\"GroupName\":\"g\",\"IpPermissions\":[],"
     "\"IpPermissionsEgress\":[]}\n]}\n"},
    {ArtifactKind::resource_config, "case/resource_config.json",
     "{\"ClusterConfig\":{\"ClusterName\":\"demo\"},\n\"InstanceGroups\":[{\"Name\":\"workers\","
     "\"InstanceType\":\"ml.p5.48xlarge\","
     "\"Instances\":[\n{\"InstanceName\":\"workers-1\",\"CustomerIpAddress\":\"10.1.2.3\",\"InstanceId\":\"i-"
     "0aaa1111bbb2222cc\"}]}]}\n"},
    {ArtifactKind::environment, "case/env.txt",
     "RANK=1\nLOCAL_RANK=1\nNCCL_DEBUG=INFO\nPATH=/usr/bin:/bin\nHOSTNAME=n1\n"},
};

}  // namespace faultline::test
