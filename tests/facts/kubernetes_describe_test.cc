// Texts of `kubectl describe`, whole and in pieces.
#include <catch2/catch.hpp>

#include "facts/reading_of.h"

using namespace faultline;
using namespace faultline::test;

namespace {

const Given kDescribe = as(ArtifactKind::kubectl_describe, "case/describe.txt");

constexpr std::string_view kTwoPods = R"(Name:             trainer-worker-0
Namespace:        ml
Priority:         0
Node:             hyperpod-i-0abc1111def222233/10.1.0.11
Start Time:       Tue, 03 Mar 2026 10:00:00 +0100
Labels:           app=trainer
Annotations:      <none>
Status:           Running
IP:               10.1.4.7
IPs:
  IP:           10.1.4.7
Controlled By:  PyTorchJob/trainer
Init Containers:
  fetch:
    Image:          registry.example/fetch:2
    State:          Terminated
      Reason:       Completed
      Exit Code:    0
      Started:      Tue, 03 Mar 2026 10:00:02 +0100
      Finished:     Tue, 03 Mar 2026 10:00:09 +0100
    Ready:          True
    Restart Count:  0
Containers:
  trainer:
    Container ID:   containerd://0a0a
    Image:          registry.example/trainer:1
    Command:
      torchrun
      --nnodes=2
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Tue, 03 Mar 2026 10:05:00 +0100
      Finished:     Tue, 03 Mar 2026 10:06:30 +0100
    Ready:          False
    Restart Count:  4
    Limits:
      memory:          64Gi
      nvidia.com/gpu:  8
    Environment:
      NCCL_DEBUG:     INFO
      WANDB_API_KEY:  0123456789abcdef
      POD_NAME:        (v1:metadata.name)
    Mounts:
      /dev/shm from shm (rw)
  sidecar:
    Image:          registry.example/sidecar:1
    State:          Running
      Started:      Tue, 03 Mar 2026 10:00:10 +0100
    Ready:          True
    Restart Count:  0
Conditions:
  Type              Status
  Initialized       True
  PodScheduled      True
Volumes:
  shm:
    Type:       EmptyDir (a temporary directory that shares a pod's lifetime)
Events:
  Type     Reason     Age                  From               Message
  ----     ------     ----                 ----               -------
  Normal   Scheduled  20m                  default-scheduler  Successfully assigned ml/trainer-worker-0 to hyperpod-i-0abc1111def222233
  Warning  BackOff    30s (x12 over 9m)    kubelet            Back-off restarting failed container trainer in pod trainer-worker-0_ml(9f)


Name:             trainer-worker-1
Namespace:        ml
Priority:         0
Node:             <none>
Labels:           app=trainer
Status:           Pending
IP:
Containers:
  trainer:
    Image:      registry.example/trainer:1
    Environment:  <none>
Conditions:
  Type           Status
  PodScheduled   False
Events:
  Type     Reason            Age                From               Message
  ----     ------            ----               ----               -------
  Warning  FailedScheduling  2m (x9 over 20m)   default-scheduler  0/4 nodes are available: 3 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint {x: y}. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.
)";

}  // namespace

TEST_CASE("describe of two pods tells each pod's own state, once, with its container, node and time",
          "[facts]") {
  const ReadResult result = read(kTwoPods, kDescribe);
  CHECK(told(result) == Told{"crash_loop@31", "container_oom_killed@33", "pod_pending@85"});
  const Event oom = events_of(result, "container_oom_killed").at(0);
  CHECK(oom.pattern == "facts.kubernetes.oom_killed");
  CHECK(oom.speaker.pod == "trainer-worker-0");
  CHECK(oom.speaker.container == "trainer");
  CHECK(oom.speaker.node == "hyperpod-i-0abc1111def222233");
  CHECK(field(oom, "exit_code") == "137");
  CHECK(field(oom, "reason") == "OOMKilled");
  CHECK(to_iso(oom.time) == "2026-03-03T09:06:30Z");
  CHECK(oom.evidence.text == "Reason:       OOMKilled");
  CHECK(field(events_of(result, "crash_loop").at(0), "restarts") == "4");
  const Event pending = events_of(result, "pod_pending").at(0);
  CHECK(pending.speaker.pod == "trainer-worker-1");
  CHECK(pending.speaker.node.empty());
  CHECK(field(pending, "reason") == "3 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint {x: y}");
  // 20 minutes after the start time is when the command ran; two minutes before that the event was last seen.
  CHECK(to_iso(pending.time) == "2026-03-03T09:17:00Z");
  CHECK(pending.repeats == 9);
}

TEST_CASE("describe of a pod gives facts and joins, and masks secret variables", "[facts]") {
  const ReadResult result = read(kTwoPods, kDescribe);
  CHECK(value(result, "pod.node", "trainer-worker-0") == "hyperpod-i-0abc1111def222233");
  CHECK(value(result, "container.limit.nvidia.com/gpu", "trainer") == "8");
  CHECK(value(result, "container.last_exit_code", "trainer") == "137");
  CHECK(value(result, "env.NCCL_DEBUG", "trainer") == "INFO");
  CHECK(value(result, "env.WANDB_API_KEY", "trainer").find("0123456789abcdef") == std::string::npos);
  CHECK(joined(result, "hyperpod-i-0abc1111def222233", "10.1.0.11"));
  CHECK(joined(result, "trainer-worker-0", "10.1.4.7"));
  for (const Fact& fact : result.facts) {
    CHECK(fact.evidence.text.find("0123456789abcdef") == std::string::npos);
    CHECK(fact.evidence.line > 0);
  }
}

TEST_CASE("an exit with 137 whose reason is not OOMKilled is a kill and no memory kill", "[facts]") {
  const ReadResult result = read(R"(Name:         web-0
Namespace:    default
Node:         n1/10.1.0.1
Containers:
  web:
    State:          Running
      Started:      Fri, 02 Jan 2026 16:52:04 +0000
    Last State:     Terminated
      Reason:       Error
      Exit Code:    137
      Started:      Fri, 02 Jan 2026 16:50:48 +0000
      Finished:     Fri, 02 Jan 2026 16:51:53 +0000
    Ready:          False
    Restart Count:  3
Events:
  Type     Reason     Age                  From     Message
  ----     ------     ----                 ----     -------
  Normal   Killing    47m (x2 over 48m)    kubelet  Container web failed liveness probe, will be restarted
  Warning  Unhealthy  9m27s (x2 over 49m)  kubelet  Readiness probe failed: connection refused
)",
                                 kDescribe);
  CHECK(told(result) == Told{"container_killed_137@9", "probe_failure@18"});
  CHECK(field(events_of(result, "probe_failure").at(0), "probe") == "liveness");
}

TEST_CASE("an excerpt of one container's states is read without its head", "[facts]") {
  for (const std::string_view indent : {"", "    ", "  "}) {
    std::string text;
    for (const std::string_view line :
         {"State:          Waiting", "  Reason:       CrashLoopBackOff", "Last State:     Terminated",
          "  Reason:       StartError", "  Exit Code:    128", "Ready:          False",
          "Restart Count:  7"}) {
      text += std::string(indent) + std::string(line) + "\n";
    }
    const ReadResult result = read(text, kDescribe);
    CHECK(told(result) == Told{"crash_loop@2", "container_start_failure@4"});
    CHECK(field(events_of(result, "crash_loop").at(0), "restarts") == "7");
  }
}

TEST_CASE("event rows alone, without a table head, are read by their form", "[facts]") {
  const ReadResult result = read(
      "  Normal   Scheduled  5m     default-scheduler  Successfully assigned ml/job-0 to node-a\n"
      "  Warning  Failed     4m (x3 over 5m)  kubelet  Failed to pull image \"r.example/a:1\": rpc error: "
      "code = NotFound desc = "
      "failed to resolve: unexpected status from HEAD request to https://r.example/v2/a/manifests/1: 401 "
      "Unauthorized\n"
      "  Warning  FailedMount  3m  kubelet  Unable to attach or mount volumes: unmounted volumes=[data], "
      "unattached volumes=[data "
      "x]: timed out waiting for the condition\n"
      "Output: text of a mount helper: 404 on a line of its own\n"
      "  Warning  FailedCreatePodSandBox  2m  kubelet  Failed to create pod sandbox: rpc error: code = "
      "Unknown desc = failed to "
      "setup network for sandbox \"0a\": plugin type=\"aws-cni\" name=\"aws-cni\" failed (add): add cmd: "
      "failed to assign an IP "
      "address to container\n",
      kDescribe);
  CHECK(told(result) == Told{"image_pull_failure@2", "mount_failure@3", "cni_failure@5"});
  for (const Event& event : result.events) {
    CHECK(event.speaker.pod == "job-0");
    CHECK(event.speaker.node == "node-a");
    CHECK_FALSE(event.time.known());  // nothing says when the ages were counted
  }
  CHECK(field(result.events[0], "image") == "r.example/a:1");
  CHECK(field(result.events[0], "reason") == "401 Unauthorized");
  CHECK(field(result.events[1], "volume") == "data");
  CHECK(field(result.events[2], "plugin") == "aws-cni");
}

TEST_CASE("ages count back from the collection only when the file belongs to one", "[facts]") {
  constexpr std::string_view kRow =
      "  Warning  SystemOOM  90s  kubelet  System OOM encountered, victim process: python, pid: 77\n";
  Given given = kDescribe;
  given.hints.reference_ns = 1'767'225'600 * kSecond;  // 2026-01-01
  CHECK_FALSE(read(kRow, given).events.at(0).time.known());
  given.collection = "case.zip!report_i-0abc/";
  const Event event = read(kRow, given).events.at(0);
  CHECK(to_iso(event.time) == "2025-12-31T23:58:29Z");
  CHECK(field(event, "process") == "python");
  CHECK(field(event, "pid") == "77");
}

namespace {

std::string node_text(std::string_view conditions, std::string_view events,
                      std::string_view taints = "<none>") {
  return "Name:               hyperpod-i-0abc1111def222233\n"
         "Roles:              <none>\n"
         "Labels:             kubernetes.io/hostname=ip-10-1-0-11\n"
         "                    node.kubernetes.io/instance-type=ml.p5.48xlarge\n"
         "                    sagemaker.amazonaws.com/node-health-status=Schedulable\n"
         "Taints:             " +
         std::string(taints) +
         "\n"
         "Unschedulable:      false\n"
         "Lease:\n"
         "  HolderIdentity:  hyperpod-i-0abc1111def222233\n"
         "  RenewTime:       Mon, 05 Jan 2026 12:00:00 +0000\n"
         "Conditions:\n"
         "  Type             Status   LastHeartbeatTime                 LastTransitionTime                "
         "Reason                       "
         "Message\n"
         "  ----             ------   -----------------                 ------------------                "
         "------                       "
         "-------\n" +
         std::string(conditions) +
         "Addresses:\n"
         "  InternalIP:   10.1.0.11\n"
         "  InternalDNS:  ip-10-1-0-11.us-west-2.compute.internal\n"
         "Capacity:\n"
         "  nvidia.com/gpu:  8\n"
         "Allocatable:\n"
         "  nvidia.com/gpu:  7\n"
         "System Info:\n"
         "  Boot ID:          09d14d2a-4cfb-603a-aeaf-505a07a7a6d9\n"
         "  Kernel Version:   6.1.0-amzn\n"
         "  Kubelet Version:  v1.31.2-eks\n"
         "ProviderID:         aws:///usw2-az1/sagemaker/cluster/hyperpod-ab12cd34ef56-i-0abc1111def222233\n"
         "Events:\n" +
         std::string(events);
}

constexpr std::string_view kReady =
    "  MemoryPressure   False    Mon, 05 Jan 2026 11:58:00 +0000   Mon, 05 Jan 2026 09:00:00 +0000   "
    "KubeletHasSufficientMemory   ok\n"
    "  Ready            True     Mon, 05 Jan 2026 11:58:00 +0000   Mon, 05 Jan 2026 09:00:00 +0000   "
    "KubeletReady                 ok\n";

}  // namespace

TEST_CASE("a node's names, capacity and versions become facts and joins", "[facts]") {
  const ReadResult result = read(node_text(kReady, "  <none>\n"), kDescribe);
  CHECK(result.events.empty());
  CHECK(joined(result, "hyperpod-i-0abc1111def222233", "i-0abc1111def222233"));
  CHECK(joined(result, "hyperpod-i-0abc1111def222233", "10.1.0.11"));
  CHECK(joined(result, "hyperpod-i-0abc1111def222233", "ip-10-1-0-11.us-west-2.compute.internal"));
  CHECK(value(result, "node.instance_type") == "ml.p5.48xlarge");
  CHECK(value(result, "node.capacity.nvidia.com/gpu") == "8");
  CHECK(value(result, "node.allocatable.nvidia.com/gpu") == "7");
  CHECK(value(result, "version.kernel", "hyperpod-i-0abc1111def222233") == "6.1.0-amzn");
  CHECK(value(result, "version.kubelet") == "v1.31.2-eks");
}

TEST_CASE("a node that is not ready, under pressure or tainted is told by its conditions", "[facts]") {
  struct Row {
    std::string_view conditions;
    std::string_view taints;
    Told expected;
    std::string_view said;
  };
  const Row rows[] = {
      {"  Ready   Unknown  Mon, 05 Jan 2026 11:00:00 +0000   Mon, 05 Jan 2026 11:01:00 +0000   "
       "NodeStatusUnknown   Kubelet stopped "
       "posting node status.\n"
       "  DiskPressure   Unknown  Mon, 05 Jan 2026 11:00:00 +0000   Mon, 05 Jan 2026 11:01:00 +0000   "
       "NodeStatusUnknown   Kubelet "
       "stopped posting node status.\n",
       "node.kubernetes.io/unreachable:NoSchedule",
       {"node_not_ready@14"},
       "NodeStatusUnknown"},
      {"  DiskPressure  True  Mon, 05 Jan 2026 11:00:00 +0000   Mon, 05 Jan 2026 11:01:00 +0000   "
       "KubeletHasDiskPressure   kubelet has "
       "disk pressure\n",
       "node.kubernetes.io/disk-pressure:NoSchedule",
       {"node_condition@14"},
       "DiskPressure"},
      {"  AcceleratedHardwareReady  False  Mon, 05 Jan 2026 11:00:00 +0000   Mon, 05 Jan 2026 11:01:00 +0000 "
       "  NvidiaXID79Error   "
       "detected XID-79 on the instance\n",
       "<none>",
       {"node_condition@14"},
       "AcceleratedHardwareReady"},
      {"  NvidiaErrorReboot  True  Mon, 05 Jan 2026 11:00:00 +0000   Mon, 05 Jan 2026 11:01:00 +0000   "
       "XidHardwareFailure   NVRM: Xid "
       "(PCI:0000:5b:00): 74, pid=<unknown>, name=<unknown>, NVLink: fatal error detected on link 6\n",
       "<none>",
       {"node_condition@14", "gpu_xid@14"},
       "NvidiaErrorReboot"},
      {"", "node.kubernetes.io/not-ready:NoExecute", {"node_not_ready@6"}, "node.kubernetes.io/not-ready"},
      // Positive and unknown types are no problem when True.
      {"  EtcdIsVoter  True  Mon, 05 Jan 2026 11:00:00 +0000   Mon, 05 Jan 2026 11:01:00 +0000   "
       "MemberNotLearner   Node is a voter\n"
       "  KernelReady  True  Mon, 05 Jan 2026 11:00:00 +0000   Mon, 05 Jan 2026 11:01:00 +0000   "
       "KernelIsReady   fine\n",
       "dedicated=train:NoSchedule",
       {},
       ""},
  };
  for (const Row& row : rows) {
    const ReadResult result = read(node_text(row.conditions, "  <none>\n", row.taints), kDescribe);
    INFO(row.conditions);
    CHECK(told(result) == row.expected);
    if (row.expected.empty()) continue;
    const Event& event = result.events.front();
    CHECK(event.speaker.node == "hyperpod-i-0abc1111def222233");
    CHECK((field(event, "reason") == row.said || field(event, "condition") == row.said));
  }
}

TEST_CASE("events that a later one undoes are no failures", "[facts]") {
  struct Row {
    std::string_view rows;
    Told expected;
  };
  const Row rows[] = {
      // both kubelet starts of a healthy node
      {"  Warning  InvalidDiskCapacity  7m   kubelet  invalid capacity 0 on image filesystem\n"
       "  Normal   NodeNotReady         4m22s  kubelet  Node n1 status is now: NodeNotReady\n"
       "  Normal   NodeReady            4m12s  kubelet  Node n1 status is now: NodeReady\n",
       {}},
      {"  Normal   NodeReady            9m  kubelet  Node n1 status is now: NodeReady\n"
       "  Normal   NodeNotReady         52s  node-controller  Node n1 status is now: NodeNotReady\n",
       {"node_not_ready@2"}},
      {"  Warning  FailedScheduling  23m (x15 over 93m)  default-scheduler  0/4 nodes are available: 4 "
       "Insufficient cpu.\n"
       "  Normal   Scheduled         23m                 default-scheduler  Successfully assigned a/b-0 to "
       "n1\n",
       {}},
      {"  Warning  FailedMount  5m  kubelet  MountVolume.SetUp failed for volume \"kube-api-access\" : "
       "failed to sync configmap cache: "
       "timed out waiting for the condition\n"
       "  Normal   Pulled       4m  kubelet  Container image \"x\" already present on machine\n"
       "  Normal   Started      4m  kubelet  Started container x\n",
       {}},
      {"  Warning  Failed   6m  kubelet  Failed to pull image \"x:1\": i/o timeout\n"
       "  Warning  Failed   6m  kubelet  Error: ErrImagePull\n"
       "  Normal   BackOff  6m  kubelet  Back-off pulling image \"x:1\"\n"
       "  Normal   Pulled   5m  kubelet  Successfully pulled image \"x:1\" in 3s\n",
       {}},
      {"  Normal  NodeHasDiskPressure    30m  kubelet  Node n1 status is now: NodeHasDiskPressure\n"
       "  Normal  NodeHasNoDiskPressure  10m (x8 over 2d)  kubelet  Node n1 status is now: "
       "NodeHasNoDiskPressure\n",
       {}},
      {"  Normal  GPUDriverUpgrade  20m  nvidia-gpu-operator  Successfully updated node state label to "
       "[upgrade-failed]\n"
       "  Normal  GPUDriverUpgrade  10m  nvidia-gpu-operator  Successfully updated node state label to "
       "[upgrade-done]\n",
       {}},
      {"  Warning  Unhealthy  2m (x2 over 3m)  kubelet  Liveness probe failed: HTTP probe failed with "
       "statuscode: 500\n",
       {}},
      {"  Warning  Unhealthy  2m (x40 over 3h)  kubelet  Readiness probe failed: dial tcp: connection "
       "refused\n",
       {}},
      {"  Normal  TaintManagerEviction  3m  taint-eviction-controller  Cancelling deletion of Pod a/b-0\n",
       {}},
  };
  for (const Row& row : rows) {
    INFO(row.rows);
    CHECK(told(read(row.rows, kDescribe)) == row.expected);
  }
}

TEST_CASE("a container that runs well for more than a day after its last end is no failure", "[facts]") {
  const auto text = [](std::string_view started, std::string_view ready) {
    return "Name:         web-0\nNamespace:    default\nNode:         n1/10.1.0.1\n"
           "Start Time:   Thu, 01 Jan 2026 00:00:00 +0000\n"
           "Containers:\n  web:\n    State:          Running\n      Started:      " +
           std::string(started) +
           "\n    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n"
           "      Started:      Thu, 01 Jan 2026 00:00:00 +0000\n      Finished:     Thu, 01 Jan 2026 "
           "01:00:00 +0000\n"
           "    Ready:          " +
           std::string(ready) +
           "\n    Restart Count:  1\nEvents:\n"
           "  Normal  Scheduled  3d  default-scheduler  Successfully assigned default/web-0 to n1\n";
  };
  const ReadResult healthy = read(text("Thu, 01 Jan 2026 01:00:05 +0000", "True"), kDescribe);
  CHECK(healthy.events.empty());
  CHECK(value(healthy, "container.last_exit_reason") == "OOMKilled");
  CHECK_FALSE(healthy.notes.empty());
  CHECK(told(read(text("Sat, 03 Jan 2026 23:00:00 +0000", "True"), kDescribe)) ==
        Told{"container_oom_killed@10"});
  CHECK(told(read(text("Thu, 01 Jan 2026 01:00:05 +0000", "False"), kDescribe)) ==
        Told{"container_oom_killed@10"});
}

TEST_CASE("a node under a deep health check is not faulty, one with a fault is", "[facts]") {
  std::string text = node_text(kReady, "  <none>\n");
  const std::string_view label = "node-health-status=Schedulable";
  const std::size_t at = text.find(label);
  std::string checking = text;
  checking.replace(at, label.size(),
                   "node-health-status=Unschedulable\n                    "
                   "sagemaker.amazonaws.com/deep-health-check-status=InProgress");
  CHECK(read(checking, kDescribe).events.empty());
  std::string faulty = text;
  faulty.replace(at, label.size(),
                 "node-health-status=UnschedulablePendingReplacement\n                    "
                 "sagemaker.amazonaws.com/fault-types=NvidiaErrorTerminate");
  const ReadResult result = read(faulty, kDescribe);
  CHECK(told(result) == Told{"node_condition@5"});
  CHECK(field(result.events[0], "condition") == "NvidiaErrorTerminate");
}
