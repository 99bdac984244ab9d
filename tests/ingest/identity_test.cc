#include <catch2/catch.hpp>

#include "ingest/kinds.h"

using namespace faultline;
using namespace faultline::ingest;

namespace {

const std::string kUid = "0a1b2c3d-1111-4222-8333-444455556666";
const std::string kContainerId(64, 'a');

struct Row {
  std::string chain;
  std::string node = {};
  std::string group = {};
  std::string pod = {};
  std::string container = {};
  std::int32_t rank = -1;
  std::int32_t local_rank = -1;
  std::string collection = {};
  std::string stream = {};
};

}  // namespace

TEST_CASE("a path says which node, pod, container and rank its artifact belongs to") {
  const std::string report = "hyperpod_report_gpu-workers_i-0aaa1111bbb2222cc_20260101_001203";
  const std::vector<Row> rows = {
      // Issue reports of HyperPod, in all states of unpacking.
      {.chain = "case.zip!demo_1/instances/gpu-workers_i-0aaa1111bbb2222cc.tar.gz!" + report + "/kern.log",
       .node = "i-0aaa1111bbb2222cc",
       .group = "gpu-workers",
       .collection = "case.zip!demo_1/instances/gpu-workers_i-0aaa1111bbb2222cc.tar.gz!" + report},
      {.chain = report + "/eks-logs/kubelet/kubelet.log",
       .node = "i-0aaa1111bbb2222cc",
       .group = "gpu-workers",
       .collection = report},
      {.chain = "instances/workers_i-0aaa1111.tar.gz!syslog",
       .node = "i-0aaa1111",
       .group = "workers",
       .collection = "instances/workers_i-0aaa1111.tar.gz"},
      {.chain = "instances/workers_i-0aaa1111bbb2222cc/syslog",
       .node = "i-0aaa1111bbb2222cc",
       .group = "workers",
       .collection = "instances/workers_i-0aaa1111bbb2222cc"},
      {.chain = "x\\hyperpod_report_w-i-1_i-0aaa1111bbb2222cc_20260101_001203\\kern.log",
       .node = "i-0aaa1111bbb2222cc",
       .group = "w-i-1",
       .collection = "x\\hyperpod_report_w-i-1_i-0aaa1111bbb2222cc_20260101_001203"},
      {.chain = "hyperpod_issue_report_20260101_001203.zip!worker/ip-10-1-2-3/dmesg-T.log",
       .node = "ip-10-1-2-3",
       .collection = "hyperpod_issue_report_20260101_001203.zip!worker/ip-10-1-2-3"},
      {.chain = "eks_i-0aaa1111bbb2222cc_2026-01-01_0012-UTC_0.7.8.tar.gz!system/ps.txt",
       .node = "i-0aaa1111bbb2222cc",
       .collection = "eks_i-0aaa1111bbb2222cc_2026-01-01_0012-UTC_0.7.8.tar.gz"},
      {.chain = "hyperpod-i-0aaa1111bbb2222cc-logs.tar.gz!system/ps.txt",
       .node = "hyperpod-i-0aaa1111bbb2222cc",
       .collection = "hyperpod-i-0aaa1111bbb2222cc-logs.tar.gz"},
      {.chain = "training-logs.tar.gz!a.log"},
      {.chain = "demo_1/kubectl_resources.tar.gz!nodes_describe.txt",
       .collection = "demo_1/kubectl_resources.tar.gz"},
      // Pods.
      {.chain = "var/log/pods/ml_job-worker-1_" + kUid + "/pytorch/0.log",
       .pod = "job-worker-1",
       .container = "pytorch"},
      {.chain = "eks-logs/var_log/kube-system_kube-proxy-x1_" + std::string(32, 'b') +
                "/kube-proxy/2.log.20260101-000000.gz",
       .pod = "kube-proxy-x1",
       .container = "kube-proxy",
       .collection = "eks-logs"},
      {.chain = "var/log/containers/job-worker-1_ml_py-torch-" + kContainerId + ".log",
       .pod = "job-worker-1",
       .container = "py-torch"},
      {.chain = "hyperpod-i-0aaa1111bbb2222cc-application.var.log.containers.job-worker-1_ml_pytorch-" +
                kContainerId + ".log/000000.gz",
       .node = "hyperpod-i-0aaa1111bbb2222cc",
       .pod = "job-worker-1",
       .container = "pytorch"},
      // CloudWatch.
      {.chain = "exportedlogs/5f0c/LifecycleConfig-my-workers-i-0aaa1111bbb2222cc/000000.gz",
       .node = "i-0aaa1111bbb2222cc",
       .group = "my-workers",
       .stream = "LifecycleConfig-my-workers-i-0aaa1111bbb2222cc"},
      {.chain = "SagemakerHealthMonitoringAgent/workers/i-0aaa1111bbb2222cc.log",
       .node = "i-0aaa1111bbb2222cc",
       .group = "workers",
       .stream = "SagemakerHealthMonitoringAgent/workers/i-0aaa1111bbb2222cc"},
      // Single archives that name a host.
      {.chain = "nvidia-bug-report_ip-10-1-2-3.log.gz", .node = "ip-10-1-2-3"},
      {.chain = "nvidia-bug-report-node7.log.gz", .node = "node7"},
      {.chain = "gpu/nvidia-bug-report.log.gz"},
      {.chain = "gpu/nvidia-bug-report-exec.log"},
      {.chain = "sosreport-gpu-node-7-2026-01-01-abcdefg.tar.xz!sosreport-gpu-node-7-2026-01-01-abcdefg/var/"
                "log/messages",
       .node = "gpu-node-7",
       .collection = "sosreport-gpu-node-7-2026-01-01-abcdefg.tar.xz"},
      {.chain = "component_versions_ip-10-1-2-3_20260101_001203.txt", .node = "ip-10-1-2-3"},
      // Ranks.
      {.chain = "logs/none_x1y2/attempt_0/5/stderr.log", .local_rank = 5, .stream = "stderr"},
      {.chain = "node-i-0aaa1111bbb2222cc/job_a/attempt_2/3/stdout.log",
       .node = "i-0aaa1111bbb2222cc",
       .local_rank = 3,
       .stream = "stdout"},
      {.chain = "logs/none_x1y2/attempt_0/5/error.json", .local_rank = 5},
      {.chain = "out/1/rank.13/stdout", .rank = 13, .stream = "stdout"},
      {.chain = "dumps/nccl_trace_rank_12", .rank = 12},
      {.chain = "dumps/comm_lib_trace_rank_0", .rank = 0},
      {.chain = "dumps/trace_rank_7.json", .rank = 7},
      {.chain = "train_local_rank_3.log", .local_rank = 3},
      {.chain = "logs/rank3.log", .rank = 3},
      {.chain = "logs/rank_3_of_8.log"},
      {.chain = "logs/rank999999999999.log"},
      {.chain = "frank1.log"},
      {.chain = "nccl_debug.ip-10-1-2-3.4711", .node = "ip-10-1-2-3"},
      // Weak hints: any id in a folder.
      {.chain = "customer/bad node ip-10-1-2-3/kern.log", .node = "ip-10-1-2-3"},
      {.chain = "customer/ip-10-1-2-3.us-west-2.compute.internal/kern.log",
       .node = "ip-10-1-2-3.us-west-2.compute.internal"},
      {.chain = "i-0aaa1111bbb2222cc.dmesg.txt", .node = "i-0aaa1111bbb2222cc"},
      {.chain = "node1/kern.log"},
      {.chain = "multi-0aaa1111bbb2222cc/x.log"},
      {.chain = "i-0aaa1111bbb2222ccd/x.log"},
      {.chain = "i-12/x.log"},
      {.chain = "ship-10-1-2-3/x.log"},
      {.chain = ""},
      {.chain = "!!//!"},
  };
  for (const Row& row : rows) {
    INFO(row.chain);
    const PathIdentity identity = identity_from_chain(row.chain);
    CHECK(identity.speaker.node == row.node);
    CHECK(identity.instance_group == row.group);
    CHECK(identity.speaker.pod == row.pod);
    CHECK(identity.speaker.container == row.container);
    CHECK(identity.speaker.rank == row.rank);
    CHECK(identity.speaker.local_rank == row.local_rank);
    CHECK(identity.speaker.stream == row.stream);
    CHECK(identity.collection == row.collection);
    CHECK(row.chain.starts_with(identity.collection));
  }
}
