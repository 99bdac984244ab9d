// Nodes: identity, versions, capacity as facts; Ready and problem conditions, taints and HyperPod health
// labels as events. Health labels and conditions: facts of HyperPod, the node problem detector and the EKS
// monitoring agent.
#include <algorithm>

#include "base/text.h"
#include "facts/kubernetes_objects.h"
#include "facts/xid_line.h"

namespace faultline::facts::kubernetes {
namespace {

using Entity = NameJoin::Entity;

constexpr std::string_view kHyperpod = "sagemaker.amazonaws.com/";
constexpr std::string_view kHealthLabel = "sagemaker.amazonaws.com/node-health-status";

/// The instance id inside "hyperpod-i-0abc" or a provider id; "" when there is none.
std::string_view instance_id_in(std::string_view text) {
  for (std::size_t at = text.find("i-"); at != std::string_view::npos; at = text.find("i-", at + 1)) {
    if (at > 0 && text[at - 1] != '-' && text[at - 1] != '/') continue;
    std::size_t end = at + 2;
    while (end < text.size() &&
           ((text[end] >= '0' && text[end] <= '9') || (text[end] >= 'a' && text[end] <= 'f')))
      ++end;
    if ((end - at == 10 || end - at == 19) && (end == text.size() || text[end] == '/'))
      return text.substr(at, end - at);
  }
  return {};
}

// Condition types that are good when True (Ready and *Ready), bad when True (names of trouble), or not
// judged.
enum class Polarity : std::uint8_t { good, bad, unknown };
Polarity polarity(std::string_view type) {
  if (type == "NetworkUnavailable" || type.ends_with("Pressure")) return Polarity::bad;
  if (type.ends_with("Ready")) return Polarity::good;
  for (const std::string_view word :
       {"Error", "Fail", "Problem", "Deadlock", "Unhealthy", "Degraded", "Readonly", "ReadOnly", "Frequent",
        "Corrupt", "Fault", "Hang", "Unreachable", "Shutdown", "Lost", "Fatal"}) {
    if (type.find(word) != std::string_view::npos) return Polarity::bad;
  }
  return Polarity::unknown;
}

struct TaintCondition {
  std::string_view key;
  std::string_view condition;  ///< "" : the node is not ready
};
constexpr TaintCondition kTaints[] = {
    {"node.kubernetes.io/disk-pressure", "DiskPressure"},
    {"node.kubernetes.io/memory-pressure", "MemoryPressure"},
    {"node.kubernetes.io/network-unavailable", "NetworkUnavailable"},
    {"node.kubernetes.io/not-ready", ""},
    {"node.kubernetes.io/pid-pressure", "PIDPressure"},
    {"node.kubernetes.io/unreachable", ""},
};

class NodeJudge {
 public:
  NodeJudge(Reading& reading, const Node& node) : reading_(reading), node_(node) {
    if (node.name.empty()) speaker_ = reading.artifact.speaker;
    // An excerpt without its head is named by its own events: "Node X status is now: ...".
    speaker_.node = node.name.empty() ? name_from_events(speaker_.node) : node.name;
    for (const Condition& condition : node.conditions) {
      if (condition.type == "Ready") ready_ = &condition;
    }
  }

  void run() {
    if (!node_.name.empty()) identity();
    values();
    for (const Condition& condition : node_.conditions) judge(condition);
    for (const Taint& taint : node_.taints) judge(taint);
    judge_labels();
    judge_fault_details();
  }

 private:
  std::string name_from_events(const std::string& otherwise) const {
    for (const Event& event : node_.events) {
      const std::string_view message = event.message;
      const std::size_t end = message.find(" status is now: ");
      if (message.starts_with("Node ") && end != std::string_view::npos && end > 5) {
        return std::string(message.substr(5, end - 5));
      }
    }
    return otherwise;
  }

  void fact(std::string_view key, std::string_view value, std::size_t line) {
    reading_.fact(speaker_, key, value, line);
  }

  const Said* label(std::string_view key) const {
    for (const auto& [name, said] : node_.labels) {
      if (name == key) return &said;
    }
    return nullptr;
  }

  void identity() {
    const std::string& name = node_.name;
    fact("node.name", name, node_.line);
    reading_.join(Entity::node, name, instance_id_in(name), node_.line);
    reading_.join(Entity::node, name, instance_id_in(node_.provider_id), node_.line);
    fact("node.provider_id", node_.provider_id, node_.line);
    for (const auto& [kind, said] : node_.addresses) {
      if (kind == "ExternalIP") continue;
      reading_.join(Entity::node, name, said.value, said.line);
      fact("node.address." + kind, said.value, said.line);
    }
    for (const auto& [pod, line] : node_.pods) {
      Speaker who = speaker_;
      who.pod = pod;
      reading_.fact(who, "pod.node", name, line);
    }
  }

  void values() {
    for (const auto& [key, said] : node_.labels) {
      if (key == "node.kubernetes.io/instance-type") fact("node.instance_type", said.value, said.line);
      if (key == "topology.kubernetes.io/zone") fact("node.zone", said.value, said.line);
      if (key == "sagemaker.amazonaws.com/instance-group-name")
        fact("node.instance_group", said.value, said.line);
      if (key.starts_with(kHyperpod) || key.starts_with("topology.k8s.aws/"))
        fact("node.label." + key, said.value, said.line);
    }
    for (const auto& [key, said] : node_.capacity) {
      if (accelerator(key)) fact("node.capacity." + key, said.value, said.line);
    }
    for (const auto& [key, said] : node_.allocatable) {
      if (accelerator(key)) fact("node.allocatable." + key, said.value, said.line);
    }
    for (const auto& [key, said] : node_.info) {
      if (key == "Kernel Version") fact("version.kernel", said.value, said.line);
      if (key == "Kubelet Version") fact("version.kubelet", said.value, said.line);
      if (key == "Container Runtime Version") fact("version.container_runtime", said.value, said.line);
      if (key == "OS Image") fact("node.os_image", said.value, said.line);
      if (key == "Boot ID") fact("node.boot_id", said.value, said.line);
      if (key == "Machine ID") fact("node.machine_id", said.value, said.line);
    }
    for (const Condition& condition : node_.conditions) {
      reading_.timed_fact(speaker_, "node.condition." + condition.type,
                          trim(condition.status + " " + condition.reason), condition.changed, condition.line);
    }
    for (const Taint& taint : node_.taints) {
      fact("node.taint", taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect,
           taint.line);
    }
    if (node_.unschedulable == "true") fact("node.unschedulable", "true", node_.line);
  }

  static bool accelerator(std::string_view key) {
    return key.starts_with("nvidia.com/") || key == "vpc.amazonaws.com/efa" ||
           key.starts_with("hugepages-") || key == "memory" || key == "ephemeral-storage" ||
           key == "aws.amazon.com/neuron";
  }

  void judge(const Condition& condition) {
    if (condition.type == "Ready") {
      if (condition.status == "True") return;
      reading_.event(ReaderEvent::kubernetes_node_not_ready, condition.line, condition.offset)
          .speaker(speaker_)
          .field("reason", condition.reason)
          .time(condition.changed);
      return;
    }
    const Polarity kind = polarity(condition.type);
    const bool bad = (kind == Polarity::bad && condition.status == "True") ||
                     (kind == Polarity::good && condition.status == "False");
    if (!bad) return;
    reading_.event(ReaderEvent::kubernetes_condition, condition.line, condition.offset)
        .speaker(speaker_)
        .field("condition", condition.type)
        .field("reason", condition.reason)
        .time(condition.changed);
    xid(condition.message, condition.message_line == kNoLine ? condition.line : condition.message_line,
        condition.changed);
  }

  bool has_bad_condition(std::string_view type) const {
    return std::any_of(node_.conditions.begin(), node_.conditions.end(),
                       [&](const Condition& c) { return c.type == type && c.status == "True"; });
  }

  void judge(const Taint& taint) {
    const auto* row = std::find_if(std::begin(kTaints), std::end(kTaints),
                                   [&](const TaintCondition& t) { return t.key == taint.key; });
    if (row != std::end(kTaints)) {
      if (row->condition.empty()) {
        // The conditions, where shown, say it better.
        if (ready_ != nullptr || not_ready_told_) return;
        not_ready_told_ = true;
        reading_.event(ReaderEvent::kubernetes_node_not_ready, taint.line, taint.offset)
            .speaker(speaker_)
            .field("reason", taint.key);
      } else if (!has_bad_condition(row->condition)) {
        reading_.event(ReaderEvent::kubernetes_condition, taint.line, taint.offset)
            .speaker(speaker_)
            .field("condition", row->condition)
            .field("reason", taint.key);
      }
      return;
    }
    if (taint.key == kHealthLabel && taint.value == "Unschedulable" && label(kHealthLabel) == nullptr) {
      fault(taint.value, taint.line, taint.offset);
    }
  }

  void judge_labels() {
    if (const Said* upgrade = label("nvidia.com/gpu-driver-upgrade-state");
        upgrade != nullptr && upgrade->value == "upgrade-failed") {
      reading_.event(ReaderEvent::kubernetes_driver_upgrade, upgrade->line, upgrade->offset)
          .speaker(speaker_);
    }
    const Said* health = label(kHealthLabel);
    if (health == nullptr || health->value == "Schedulable") return;
    fault(health->value, health->line, health->offset);
  }

  void fault(std::string_view status, std::size_t line, std::optional<std::uint64_t> offset) {
    // A node is Unschedulable while its deep health check runs, too: that is no fault.
    const Said* deep = label("sagemaker.amazonaws.com/deep-health-check-status");
    const bool checking = deep != nullptr && deep->value == "InProgress";
    const Said* type =
        first_label({"sagemaker.amazonaws.com/fault-types", "sagemaker.amazonaws.com/fault-type"});
    const Said* reason =
        first_label({"sagemaker.amazonaws.com/fault-reasons", "sagemaker.amazonaws.com/fault-reason"});
    if (checking && type == nullptr) return;
    reading_.event(ReaderEvent::kubernetes_condition, line, offset)
        .speaker(speaker_)
        .field("condition", type != nullptr ? std::string_view(type->value) : "node-health-status")
        .field("reason", reason != nullptr ? std::string_view(reason->value) : status)
        .field("status", status);
  }

  const Said* first_label(std::initializer_list<std::string_view> keys) const {
    for (const std::string_view key : keys) {
      if (const Said* found = label(key); found != nullptr && !found->value.empty()) return found;
    }
    return nullptr;
  }

  void judge_fault_details() {
    for (const auto& [key, said] : node_.annotations) {
      if (key == "sagemaker.amazonaws.com/fault-details") xid(said.value, said.line, {});
    }
  }

  void xid(std::string_view message, std::size_t line, const Instant& when) {
    const auto found = find_xid(message);
    if (!found) return;
    reading_.event(ReaderEvent::kubernetes_xid, line)
        .speaker(speaker_)
        .field("xid", found->xid)
        .field("pci", found->pci)
        .gpu(found->pci)
        .time(when);
  }

  Reading& reading_;
  const Node& node_;
  Speaker speaker_;
  const Condition* ready_ = nullptr;
  bool not_ready_told_ = false;
};

}  // namespace

void judge_node(Reading& reading, const Node& node, const Clock&) {
  NodeJudge(reading, node).run();
}

}  // namespace faultline::facts::kubernetes
