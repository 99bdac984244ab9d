// JSON documents and JSON lines, told apart by their keys (facts/artifact-formats 12).
#include <algorithm>
#include <iterator>

#include "ingest/json_keys.h"
#include "ingest/sample.h"

namespace faultline::ingest {
namespace {

using K = ArtifactKind;

struct Document {
  const JsonKeys& keys;
  const Sample& sample;
  [[nodiscard]] bool has(std::string_view key) const { return keys.has(key); }
  [[nodiscard]] bool nested(std::string_view key) const { return keys.nested(key); }
};

/// Earlier reports and other diagnostics in JSON.
std::optional<KindGuess> reports(const Document& d) {
  const bool events = d.has("type") && d.has("pattern") && d.has("role") && d.has("artifact");  // of a scan
  if (d.keys.schema.starts_with("faultline.") || events ||
      (d.has("verdict") && d.has("incidents") && d.has("coverage"))) {
    return narrow(K::diagnostic_report);
  }
  if (d.has("versions") && (d.nested("nvidia_driver") || d.nested("aws_ofi_nccl")))
    return narrow(K::version_report);
  return std::nullopt;
}

std::optional<KindGuess> journals(const Document& d) {
  if (d.has("__REALTIME_TIMESTAMP") || (d.has("__CURSOR") && d.has("_BOOT_ID")) ||
      (d.has("MESSAGE") && (d.has("_HOSTNAME") || d.has("SYSLOG_IDENTIFIER")))) {
    return narrow(K::journal_json);
  }
  if (d.has("dmesg")) return wide(K::dmesg);
  return std::nullopt;
}

std::optional<KindGuess> cloudwatch(const Document& d) {
  if (d.has("messageType") && d.has("logEvents")) return narrow(K::cloudwatch_json);
  if (d.has("events") && (d.has("searchedLogStreams") || d.has("nextForwardToken") ||
                          d.has("nextBackwardToken") || d.nested("ingestionTime"))) {
    return narrow(K::cloudwatch_json);
  }
  if (d.has("message") && (d.has("ingestionTime") || (d.has("eventId") && d.has("logStreamName"))))
    return narrow(K::cloudwatch_json);
  if (d.has("results") && d.nested("field") && d.nested("value")) return narrow(K::cloudwatch_json);
  if (d.has("awslogs")) return narrow(K::cloudwatch_json);
  const bool record = d.has("log") || d.has("log_processed") || d.has("message") || d.has("MESSAGE");
  if (d.has("kubernetes") && (record || d.nested("pod_name"))) return narrow(K::container_insights);
  if (d.has("CloudWatchMetrics") ||
      (d.has("Type") && d.has("Timestamp") && (d.has("NodeName") || d.has("PodName")))) {
    return narrow(K::container_insights);
  }
  if (d.has("@message") || d.has("@logStream") || d.has("@ptr")) return narrow(K::cloudwatch_json);
  return std::nullopt;
}

std::optional<KindGuess> containers(const Document& d) {
  if (d.has("log") && d.has("stream") && d.has("time")) return narrow(K::docker_json_log);
  if (d.has("message") && (d.has("podName") || d.has("pod")) &&
      (d.has("containerName") || d.has("container")))
    return narrow(K::pod_log);
  return std::nullopt;
}

std::optional<KindGuess> kubernetes(const Document& d) {
  if (d.keys.api_version.starts_with("audit.k8s.io")) return KindGuess{};
  if (d.has("cniVersion") || d.keys.kind.ends_with("Configuration") || d.keys.kind == "Config")
    return narrow(K::config_file);
  if (!d.keys.kind.empty() && !d.keys.api_version.empty()) return narrow(K::kubectl_json);
  if (d.has("type") && d.has("object") && d.nested("apiVersion")) return narrow(K::kubectl_json);
  if (d.has("items") && d.nested("metadata")) return narrow(K::kubectl_json);
  if (d.has("metadata") && (d.has("spec") || d.has("status") || d.has("involvedObject")))
    return narrow(K::kubectl_json);
  return std::nullopt;
}

std::optional<KindGuess> identities(const Document& d) {
  if (d.has("ClusterConfig") && (d.has("InstanceGroups") || d.nested("ClusterArn")))
    return narrow(K::resource_config);
  if (d.has("cluster_id") && d.has("report_id")) return narrow(K::issue_summary);
  if (d.has("results") && d.has("successful") && d.has("total_nodes")) return narrow(K::issue_summary);
  return std::nullopt;
}

std::optional<KindGuess> jobs(const Document& d) {
  if (d.has("message") && (d.nested("extraInfo") || d.nested("py_callstack")))
    return narrow(K::torchrun_error);
  if (d.has("message") && d.sample.name == "error.json") return narrow(K::torchrun_error);
  if (d.has("pg_config") || d.has("pg_status") || d.has("nccl_comm_state") ||
      (d.has("version") && d.has("entries")) || (d.has("record_id") && d.has("profiling_name"))) {
    return narrow(K::flight_recorder);
  }
  if (d.has("communicators") && (d.has("nccl_version") || d.has("communicators_count")))
    return narrow(K::nccl_ras);
  if (d.has("DCGM Diagnostic") || d.has("DCGM GPU Diagnostic") || d.nested("test_categories") ||
      d.has("DCGM Version"))
    return narrow(K::dcgm);
  if (d.has("traceEvents")) return opaque(K::binary, "profiler trace: not read");
  if (d.has("architectures") || d.has("model_type") || d.has("added_tokens") || d.has("weight_map") ||
      d.has("zero_optimization") || d.has("train_micro_batch_size_per_gpu")) {
    return narrow(K::config_file);
  }
  return std::nullopt;
}

// Sorted. Keys of answers of AWS services, and of their parts when --query has taken them out.
constexpr std::string_view kAwsKeys[] = {"AttachedPolicies",
                                         "AvailabilityZones",
                                         "ClusterArn",
                                         "ClusterEventDetails",
                                         "ClusterEvents",
                                         "ClusterNodeSummaries",
                                         "ClusterSchedulerConfigSummaries",
                                         "ClusterSummaries",
                                         "Datapoints",
                                         "EventDetails",
                                         "FailedNodeLogicalIds",
                                         "FileSystems",
                                         "GroupId",
                                         "InstanceGroupName",
                                         "InstanceGroups",
                                         "InstanceTypes",
                                         "IpPermissions",
                                         "IpPermissionsEgress",
                                         "IpProtocol",
                                         "MetricAlarms",
                                         "MetricDataResults",
                                         "MountTargets",
                                         "NetworkAcls",
                                         "NetworkInterfaces",
                                         "NodeDetails",
                                         "ReferencedGroupInfo",
                                         "Reservations",
                                         "RouteTables",
                                         "SecurityGroupRuleId",
                                         "SecurityGroupRules",
                                         "SecurityGroups",
                                         "Subnets",
                                         "UserIdGroupPairs",
                                         "VpcEndpoints",
                                         "Vpcs",
                                         "addon",
                                         "detail-type",
                                         "imageDetails",
                                         "logGroups",
                                         "logStreams",
                                         "nodegroup",
                                         "repositories"};
static_assert(std::is_sorted(std::begin(kAwsKeys), std::end(kAwsKeys)));

std::optional<KindGuess> aws(const Document& d) {
  if (d.has("level") || d.has("msg") || d.has("message"))
    return std::nullopt;  // a logger's line about such things
  for (const std::string_view key : kAwsKeys) {
    if (d.has(key)) return narrow(K::aws_json);
  }
  if (d.has("Events") && (d.nested("EventId") || d.nested("ResourceType"))) return narrow(K::aws_json);
  if (d.has("EventId") && d.has("ResourceType")) return narrow(K::aws_json);
  if (d.has("Statement") && d.has("Version")) return narrow(K::aws_json);
  if (d.has("cluster") && (d.nested("arn") || d.nested("platformVersion"))) return narrow(K::aws_json);
  if (d.has("ResponseMetadata")) return narrow(K::aws_json);
  return std::nullopt;
}

std::optional<KindGuess> host(const Document& d) {
  if (d.has("ifname") || d.has("eni") || d.has("ENIs")) return narrow(K::network_config);
  if (d.has("blockdevices") || d.has("lscpu") || d.has("filesystems")) return wide(K::command_output);
  return std::nullopt;
}

/// Lines of structured loggers: the health agent, the CNI, operators, and anyone else.
std::optional<KindGuess> loggers(const Document& d) {
  const Sample& s = d.sample;
  if (d.has("HealthMonitoringAgentDetectionEvent") || s.has("HealthMonitoringAgentDetectionEvent") ||
      s.has("NPD caught event") || s.has("Encountered FaultyInstance")) {
    return narrow(K::hyperpod_agent_log);
  }
  const bool lines = d.has("msg") || d.has("message");
  if (!lines || !(d.has("level") || d.has("severity") || d.has("lvl"))) return std::nullopt;
  if (s.in_path("sagemaker") || s.in_path("hyperpod-") || s.in_path("health-check") ||
      s.in_path("deephealthcheck") || s.in_path("health-monitoring")) {
    return narrow(K::hyperpod_agent_log);
  }
  if (d.has("ts") && d.has("caller")) return wide(K::klog);
  return KindGuess{};
}

using Rule = std::optional<KindGuess> (*)(const Document&);
// Identities before AWS: resource_config.json has InstanceGroups too. Journals and CloudWatch before loggers,
// as their records carry the keys of any logger inside.
constexpr Rule kRules[] = {reports,    journals, cloudwatch, containers, identities,
                           kubernetes, jobs,     aws,        host,       loggers};

std::size_t start_of_json(std::string_view text) {
  // Up to five lines of shell noise: "Found credentials in ...", kubectl warnings.
  std::size_t at = 0;
  for (int noise = 0; noise <= 5; ++noise) {
    const std::size_t first = text.find_first_not_of(" \t\r\n\x1e", at);
    if (first == std::string_view::npos) return first;
    if (text[first] == '{' || text[first] == '[') return first;
    at = text.find('\n', first);
    if (at == std::string_view::npos) return at;
  }
  return std::string_view::npos;
}

std::size_t lines_in(std::string_view text) {
  std::size_t lines = 0;
  while (true) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return lines;
    ++lines;
    const std::size_t end = text.find('\n', first);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end);
  }
}

std::optional<KindGuess> sniff_json(const Sample& s) {
  std::string_view text = s.text;
  // journalctl -o json-sse
  if (text.starts_with("data: {")) text.remove_prefix(6);
  const std::size_t start = start_of_json(text);
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view body = text.substr(start);
  const JsonKeys keys = scan_json_keys(body);
  if (keys.top.empty()) return std::nullopt;
  const bool json_lines = s.mostly(80, Shape::json);
  // One JSON line in a log is not a document: after it nothing but a few lines of noise may follow, and
  // before it neither if the rest is text.
  if (!keys.complete && !json_lines) {
    const bool broken_inside =
        keys.documents == 0;  // a trailing comma, a comment: still a document if its keys say so
    if (!broken_inside && lines_in(body.substr(keys.consumed)) > 5) return std::nullopt;
    if (broken_inside && (start != 0 || keys.top.size() + keys.second.size() < 3)) return std::nullopt;
  }
  const Document document{keys, s};
  for (const Rule rule : kRules) {
    if (std::optional<KindGuess> guess = rule(document)) return guess;
  }
  return KindGuess{};  // unknown documents are matched line by line: a message may stand in any of them
}

constexpr Sniffer kSniffers[] = {sniff_json};

}  // namespace

Sniffers json_sniffers() {
  return {kSniffers, std::size(kSniffers)};
}

}  // namespace faultline::ingest
