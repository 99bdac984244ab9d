// Kubernetes objects as JSON and YAML, lists and single ones, and tables of kubectl get.
#include <catch2/catch.hpp>

#include "facts/reading_of.h"

using namespace faultline;
using namespace faultline::test;

namespace {

const Given kJson = as(ArtifactKind::kubectl_json, "case/pods.json");
const Given kYaml = as(ArtifactKind::kubectl_yaml, "case/pods.yaml");
const Given kTable = as(ArtifactKind::kubectl_table, "case/pods.txt");

constexpr std::string_view kPodList = R"({
  "apiVersion": "v1",
  "kind": "PodList",
  "items": [
    {
      "metadata": {"name": "job-0", "namespace": "ml", "uid": "9f8e7d6c-0000-4111-8222-333344445555"},
      "spec": {"nodeName": "node-a", "containers": [
        {"name": "main", "image": "r.example/a:1",
         "resources": {"limits": {"nvidia.com/gpu": "8"}},
         "env": [
           {"name": "NCCL_DEBUG", "value": "WARN"},
           {"name": "HF_TOKEN", "value": "swordfish"},
           {"name": "POD_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}]}]},
      "status": {
        "phase": "Failed", "hostIP": "10.1.0.11", "podIP": "10.1.4.9",
        "containerStatuses": [
          {"name": "main", "restartCount": 0, "ready": false,
           "state": {"terminated": {
             "exitCode": 137,
             "reason": "OOMKilled",
             "finishedAt": "2026-03-03T10:00:00Z"}},
           "lastState": {}}]}
    },
    {
      "metadata": {"name": "job-1", "namespace": "ml"},
      "spec": {},
      "status": {"phase": "Pending", "conditions": [
        {"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
         "message": "0/2 nodes are available: 2 Insufficient vpc.amazonaws.com/efa."}]}
    },
    {
      "metadata": {"name": "job-2", "namespace": "ml"},
      "spec": {"nodeName": "node-b"},
      "status": {"phase": "Failed",
        "reason": "Evicted",
        "message": "The node was low on resource: ephemeral-storage. Threshold quantity: 1, available: 0."}
    }
  ]
}
)";

// The same three states as kubectl prints them in YAML.
constexpr std::string_view kPodYaml = R"(apiVersion: v1
items:
- apiVersion: v1
  kind: Pod
  metadata:
    annotations:
      note: |
        kind: Pod
        status: broken
    name: job-0
    namespace: ml
  spec:
    containers:
    - env:
      - name: HF_TOKEN
        value: swordfish
      image: r.example/a:1
      name: main
    nodeName: node-a
  status:
    containerStatuses:
    - image: r.example/a:1
      lastState: {}
      name: main
      ready: false
      restartCount: 0
      state:
        terminated:
          exitCode: 137
          finishedAt: "2026-03-03T10:00:00Z"
          reason: OOMKilled
    phase: Failed
- apiVersion: v1
  kind: Pod
  metadata:
    name: job-1
    namespace: ml
  status:
    conditions:
    - message: '0/2 nodes are available: 2 Insufficient
        vpc.amazonaws.com/efa.'
      reason: Unschedulable
      status: "False"
      type: PodScheduled
    phase: Pending
kind: List
metadata:
  resourceVersion: ""
)";

}  // namespace

TEST_CASE("a pod list in JSON tells states with the line that says them", "[facts]") {
  const ReadResult result = read(kPodList, kJson);
  CHECK(told(result) == Told{"container_oom_killed@20", "pod_pending@29", "eviction@35"});
  const Event& oom = result.events[0];
  CHECK(oom.speaker.pod == "job-0");
  CHECK(oom.speaker.container == "main");
  CHECK(oom.speaker.node == "node-a");
  CHECK(to_iso(oom.time) == "2026-03-03T10:00:00Z");
  CHECK(field(result.events[1], "reason") == "Insufficient vpc.amazonaws.com/efa");
  CHECK(field(result.events[2], "resource") == "ephemeral-storage");
  CHECK(value(result, "container.limit.nvidia.com/gpu", "main") == "8");
  CHECK(value(result, "env.POD_IP", "main") == "<from fieldRef status.podIP>");
  CHECK(value(result, "env.HF_TOKEN", "main").find("swordfish") == std::string::npos);
  CHECK(joined(result, "job-0", "9f8e7d6c-0000-4111-8222-333344445555"));
  CHECK(joined(result, "node-a", "10.1.0.11"));
  for (const Fact& fact : result.facts) CHECK(fact.evidence.text.find("swordfish") == std::string::npos);
}

TEST_CASE("the same pods in YAML tell the same", "[facts]") {
  const ReadResult result = read(kPodYaml, kYaml);
  CHECK(told(result) == Told{"container_oom_killed@31", "pod_pending@40"});
  CHECK(result.events[0].speaker.node == "node-a");
  CHECK(field(result.events[0], "exit_code") == "137");
  CHECK(field(result.events[1], "reason") == "Insufficient vpc.amazonaws.com/efa");
  CHECK(value(result, "env.HF_TOKEN", "main").find("swordfish") == std::string::npos);
  CHECK(result.notes.empty());
}

TEST_CASE("JSON on one line still cites the telling part", "[facts]") {
  std::string flat;
  for (const char c : kPodList) {
    if (c != '\n') flat += c;
  }
  const ReadResult result = read(flat, kJson);
  CHECK(told(result) == Told{"container_oom_killed@1", "pod_pending@1", "eviction@1"});
  CHECK(result.events[0].evidence.text.find("OOMKilled") < 20);
  for (const Event& event : result.events) CHECK(event.evidence.text.find("swordfish") == std::string::npos);
}

TEST_CASE("init containers, cut output and concatenated objects are read", "[facts]") {
  const std::string pod =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"status":{"initContainerStatuses":[
{"name":"setup","restartCount":1,"state":{"waiting":{"reason":"RunContainerError","message":"exec: not found"}},
"lastState":{"terminated":{"exitCode":127,"reason":"ContainerCannotRun"}}}],
"containerStatuses":[{"name":"main","state":{"waiting":{"reason":"PodInitializing"}}}]}}
)";
  const ReadResult one = read(pod, kJson);
  CHECK(told(one) == Told{"container_start_failure@2"});
  CHECK(one.events[0].speaker.container == "setup");
  CHECK(field(one.events[0], "exit_code") == "127");
  CHECK(read(pod + pod, kJson).events.size() == 2);
  const ReadResult cut = read(pod + pod.substr(0, pod.size() / 2), kJson);
  CHECK(cut.events.size() >= 1);
  CHECK_FALSE(cut.notes.empty());
}

TEST_CASE("an event list in JSON judges each object by its own later events", "[facts]") {
  const auto event = [](std::string_view kind, std::string_view name, std::string_view reason,
                        std::string_view message, std::string_view time) {
    return R"({"apiVersion":"v1","kind":"Event","type":"Warning","involvedObject":{"kind":")" +
           std::string(kind) + R"(","name":")" + std::string(name) + R"("},"reason":")" +
           std::string(reason) + R"(","message":")" + std::string(message) +
           R"(","count":3,"lastTimestamp":)" + std::string(time) + "}";
  };
  const auto list = [](const std::vector<std::string>& items) {
    std::string out = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n";
    for (std::size_t i = 0; i < items.size(); ++i) out += items[i] + (i + 1 < items.size() ? ",\n" : "\n");
    return out + "]}\n";
  };
  const ReadResult result = read(
      list({event("Node", "n1", "NodeNotReady", "Node n1 status is now: NodeNotReady",
                  "\"2026-01-01T10:00:00Z\""),
            event("Node", "n1", "NodeReady", "Node n1 status is now: NodeReady", "\"2026-01-01T10:00:10Z\""),
            event("Node", "n2", "NodeNotReady", "Node n2 status is now: NodeNotReady",
                  "\"2026-01-01T10:00:00Z\""),
            event("Pod", "p1", "FailedScheduling", "0/1 nodes are available: 1 Insufficient cpu.", "null"),
            event("Pod", "p2", "Evicted", "The node had condition: [DiskPressure]. ",
                  "\"2026-01-01T11:00:00Z\""),
            event("Node", "n3", "OOMKilling",
                  "Memory cgroup out of memory: Killed process 4711 (python3) total-vm:1kB, "
                  "anon-rss:2048kB, file-rss:0kB",
                  "\"2026-01-01T11:00:00Z\""),
            event("Node", "n3", "InvalidDiskCapacity", "invalid capacity 0 on image filesystem",
                  "\"2026-01-01T11:00:00Z\"")}),
      kJson);
  CHECK(told(result) == Told{"node_not_ready@4", "pod_pending@5", "eviction@6", "cgroup_oom@7"});
  CHECK(result.events[0].speaker.node == "n2");
  CHECK(result.events[0].repeats == 3);
  CHECK(to_iso(result.events[0].time) == "2026-01-01T10:00:00Z");
  CHECK(field(result.events[2], "resource") == "DiskPressure");
  CHECK(field(result.events[3], "process") == "python3");
  CHECK(field(result.events[3], "anon_rss_kb") == "2048");
}

TEST_CASE("a NetworkPolicy blocks only when nothing of its namespace admits", "[facts]") {
  const std::string deny =
      R"({"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","metadata":{"name":"deny-all","namespace":"ml"},
"spec":{"podSelector":{},"policyTypes":["Ingress","Egress"]}})";
  const std::string allow =
      R"({"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","metadata":{"name":"allow","namespace":"ml"},
"spec":{"podSelector":{},"policyTypes":["Ingress"],"ingress":[{}]}})";
  const auto list = [](const std::string& items) {
    return R"({"apiVersion":"v1","kind":"List","items":[)" + items + "]}";
  };
  const ReadResult blocked = read(list(deny), kJson);
  REQUIRE(blocked.events.size() == 2);
  CHECK(blocked.events[0].kind == "network_policy_blocking");
  CHECK(field(blocked.events[0], "policy") == "deny-all");
  CHECK(field(blocked.events[0], "direction") == "ingress");
  const ReadResult admitted = read(list(deny + "," + allow), kJson);
  REQUIRE(admitted.events.size() == 1);
  CHECK(field(admitted.events[0], "direction") == "egress");
  CHECK(read(list(allow), kJson).events.empty());
}

TEST_CASE("tables are read by their columns, with and without NAMESPACE, wide or not", "[facts]") {
  const ReadResult pods = read(
      "NAMESPACE   NAME       READY   STATUS             RESTARTS      AGE     IP          NODE      "
      "NOMINATED NODE   READINESS GATES\n"
      "ml          job-0      1/1     Running            0             3h      10.1.4.7    node-a    <none>  "
      "         <none>\n"
      "ml          job-1      0/1     CrashLoopBackOff   5 (3m ago)    3h      10.1.4.8    node-b    <none>  "
      "         <none>\n"
      "ml          job-2      0/1     Init:ErrImagePull  0             3m      10.1.4.9    node-b    <none>  "
      "         <none>\n"
      "ml          job-3      0/1     OOMKilled          0             3m      10.1.4.10   node-b    <none>  "
      "         <none>\n"
      "ml          old        0/1     Evicted            0             12d     <none>      node-c    <none>  "
      "         <none>\n"
      "ml          done       0/1     Completed          0             12d     10.1.4.11   node-c    <none>  "
      "         <none>\n"
      "kube-system dead       0/1     Error              0             12d     10.1.4.12   node-c    <none>  "
      "         <none>\n",
      kTable);
  CHECK(told(pods) == Told{"crash_loop@3", "image_pull_failure@4", "container_oom_killed@5"});
  CHECK(field(pods.events[0], "restarts") == "5");
  CHECK(pods.events[0].speaker.node == "node-b");
  CHECK(value(pods, "pod.node", "job-0") == "node-a");
  CHECK(value(pods, "pod.namespace", "job-0") == "ml");
  CHECK(joined(pods, "job-0", "10.1.4.7"));
  CHECK(pods.notes.size() == 1);

  const ReadResult nodes = read(
      "NAME          STATUS                        ROLES    AGE   VERSION               INTERNAL-IP   "
      "OS-IMAGE         KERNEL-VERSION\n"
      "node-a        Ready                         <none>   23d   v1.31.2-eks-7f9249a   10.1.0.11     Amazon "
      "Linux 2   6.1.0\n"
      "node-b        NotReady,SchedulingDisabled   <none>   23d   v1.31.2-eks-7f9249a   10.1.0.12     Amazon "
      "Linux 2   6.1.0\n"
      "node-c        Ready,SchedulingDisabled      <none>   23d   v1.30.0-eks-1111111   10.1.0.13     Amazon "
      "Linux 2   6.1.0\n",
      kTable);
  CHECK(told(nodes) == Told{"node_not_ready@3"});
  CHECK(nodes.events[0].speaker.node == "node-b");
  CHECK(value(nodes, "version.kubelet", "node-c") == "v1.30.0-eks-1111111");
  CHECK(value(nodes, "node.os_image", "node-a") == "Amazon Linux 2");
  CHECK(joined(nodes, "node-a", "10.1.0.11"));
}

TEST_CASE("rows whose values outgrow their header are still told apart", "[facts]") {
  const ReadResult result = read(
      "NAME     READY   STATUS    RESTARTS   AGE\n"
      "a-pod-with-a-much-longer-name   1/1     Running   0          6s\n"
      "another-pod-with-a-longer-name   0/1     ImagePullBackOff   0          6s\n",
      kTable);
  CHECK(told(result) == Told{"image_pull_failure@3"});
  CHECK(result.events[0].speaker.pod == "another-pod-with-a-longer-name");
}

TEST_CASE("event tables are read wide, plain, and as kubectl events prints them", "[facts]") {
  for (const std::string_view text : {
           "LAST SEEN   TYPE      REASON    OBJECT      MESSAGE\n"
           "3m30s       Warning   BackOff   pod/job-0   Back-off restarting failed container main in pod "
           "job-0_ml(9f)\n",
           "NAMESPACE   LAST SEEN   TYPE      REASON    OBJECT      MESSAGE\n"
           "ml          3m30s       Warning   BackOff   pod/job-0   Back-off restarting failed container "
           "main in pod job-0_ml(9f)\n",
           "LAST SEEN              TYPE      REASON    OBJECT      MESSAGE\n"
           "3m30s (x256 over 58m)  Warning   BackOff   Pod/job-0   Back-off restarting failed container main "
           "in pod job-0_ml(9f)\n",
           "LAST SEEN   TYPE      REASON    OBJECT      SUBOBJECT                SOURCE            MESSAGE   "
           "                       "
           "                                  FIRST SEEN   COUNT   NAME\n"
           "3m30s       Warning   BackOff   pod/job-0   spec.containers{main}    kubelet, node-a   Back-off "
           "restarting failed "
           "container main in pod job-0_ml(9f)    58m          256     job-0.17\n",
       }) {
    INFO(text);
    const ReadResult result = read(text, as(ArtifactKind::kubectl_events));
    CHECK(told(result) == Told{"crash_loop@2"});
    REQUIRE_FALSE(result.events.empty());
    CHECK(result.events[0].speaker.pod == "job-0");
    CHECK(result.events[0].speaker.container == "main");
  }
}
