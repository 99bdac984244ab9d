#include "facts/kubernetes_json.h"

#include <algorithm>

#include "base/text.h"
#include "facts/kubernetes_policy.h"

namespace faultline::facts::kubernetes {
namespace {

class TreeReader {
 public:
  TreeReader(Reading& reading, Picture& picture) : reading_(reading), picture_(picture) {}

  bool read(const JsonValue& value, std::string_view kind) {
    if (!value.is_object()) return false;
    if (const std::string_view own = value.text("kind"); !own.empty()) kind = own;
    // --output-watch-events wraps each object.
    if (const JsonValue* inner = value.find("object");
        inner != nullptr && value.find("type") != nullptr && kind.empty()) {
      return read(*inner, {});
    }
    if (const JsonValue* items = value.find("items"); items != nullptr && items->is_array()) {
      if (!kind.ends_with("List")) return false;
      const std::string_view item_kind = kind.substr(0, kind.size() - 4);
      bool any = items->items.empty();
      for (const JsonValue& item : items->items) any = read(item, item_kind) || any;
      return any;
    }
    if (kind == "Pod" || (kind.empty() && value.find("containerStatuses") != nullptr)) return read_pod(value);
    if (kind == "Node") return read_node(value);
    if (kind == "Event") return read_event(value);
    if (kind == "NetworkPolicy") return read_policy(value);
    if (kind == "DaemonSet" || kind == "Service") return read_small(value, kind);
    // Recognised, and nothing in it is asked for: no other reader need try.
    return !kind.empty() && value.find("apiVersion") != nullptr && value.find("metadata") != nullptr;
  }

  /// Policies explain one another: they are judged when all of the document are known.
  void finish() { judge_policies(reading_, policies_); }

 private:
  std::size_t line(const JsonValue& value) const { return reading_.lines().at_offset(value.offset); }

  Said said(const JsonValue* value) const {
    if (value == nullptr || value->is_object() || value->is_array() || value->type == JsonValue::Type::null)
      return {};
    std::string text = value->string;
    if (value->type == JsonValue::Type::boolean) text = value->boolean ? "true" : "false";
    return Said{std::move(text), line(*value), value->offset};
  }
  Said said(const JsonValue& object, std::string_view key) const { return said(object.find(key)); }

  Instant time(const JsonValue& object, std::string_view key) const {
    return reading_.time_of(object.text(key));
  }

  std::vector<std::pair<std::string, Said>> pairs(const JsonValue* object) const {
    std::vector<std::pair<std::string, Said>> out;
    if (object == nullptr) return out;
    for (const auto& [key, value] : object->members) out.emplace_back(key, said(&value));
    return out;
  }

  bool read_pod(const JsonValue& value) {
    Pod pod;
    pod.line = line(value);
    if (const JsonValue* metadata = value.find("metadata")) {
      pod.name = std::string(metadata->text("name"));
      pod.name_space = std::string(metadata->text("namespace"));
      pod.uid = std::string(metadata->text("uid"));
      if (const JsonValue* name = metadata->find("name")) pod.line = line(*name);
    }
    const JsonValue* status = value.find("status");
    if (status == nullptr && value.find("containerStatuses") != nullptr) status = &value;
    if (const JsonValue* spec = value.find("spec")) read_spec(pod, *spec);
    if (status != nullptr) read_status(pod, *status);
    picture_.pods.push_back(std::move(pod));
    return true;
  }

  void read_spec(Pod& pod, const JsonValue& spec) {
    pod.node = said(spec, "nodeName");
    const JsonValue* host_network = spec.find("hostNetwork");
    pod.host_network = host_network != nullptr && host_network->boolean;
    for (const std::string_view list : {"initContainers", "containers"}) {
      const JsonValue* containers = spec.find(list);
      if (containers == nullptr) continue;
      for (const JsonValue& item : containers->items) {
        if (pod.containers.size() >= kMostContainers) break;
        Container container;
        container.name = std::string(item.text("name"));
        container.line = line(item);
        container.init = list == "initContainers";
        container.image = said(item, "image");
        container.limits = pairs(item.at({"resources", "limits"}));
        container.requests = pairs(item.at({"resources", "requests"}));
        if (const JsonValue* env = item.find("env")) {
          for (const JsonValue& variable : env->items) read_variable(container, variable);
        }
        pod.containers.push_back(std::move(container));
      }
    }
  }

  void read_variable(Container& container, const JsonValue& variable) const {
    const std::string_view name = variable.text("name");
    if (name.empty()) return;
    Said value = said(variable, "value");
    if (const JsonValue* from = variable.find("valueFrom"); from != nullptr && !from->members.empty()) {
      const auto& [kind, reference] = from->members.front();
      std::string what = kind;
      for (const std::string_view part : {"name", "key", "fieldPath", "resource"}) {
        if (!reference.text(part).empty()) what += " " + std::string(reference.text(part));
      }
      value = Said{"<from " + what + ">", line(variable), variable.offset};
    }
    if (value.line == kNoLine) value.line = line(variable);
    container.env.emplace_back(std::string(name), std::move(value));
  }

  void read_status(Pod& pod, const JsonValue& status) {
    pod.phase = said(status, "phase");
    pod.reason = said(status, "reason");
    pod.message = said(status, "message");
    pod.host_ip = std::string(status.text("hostIP"));
    pod.ip = said(status, "podIP");
    pod.start_time = time(status, "startTime");
    pod.conditions = conditions(status);
    for (const std::string_view list : {"initContainerStatuses", "containerStatuses"}) {
      const JsonValue* statuses = status.find(list);
      if (statuses == nullptr) continue;
      for (const JsonValue& item : statuses->items) {
        Container* named = container_named(pod, item.text("name"), line(item));
        if (named == nullptr) break;
        Container& container = *named;
        container.init = list == "initContainerStatuses";
        if (container.image.empty()) container.image = said(item, "image");
        container.image_id = std::string(item.text("imageID"));
        container.restarts = said(item, "restartCount");
        if (const JsonValue* ready = item.find("ready")) container.ready = ready->boolean;
        if (const JsonValue* state = item.find("state")) container.state = container_state(*state);
        if (const JsonValue* state = item.find("lastState")) container.last = container_state(*state);
      }
    }
  }

  /// Null beyond what a pod can hold.
  static Container* container_named(Pod& pod, std::string_view name, std::size_t at) {
    for (Container& container : pod.containers) {
      if (container.name == name) return &container;
    }
    if (pod.containers.size() >= kMostContainers) return nullptr;
    Container container;
    container.name = std::string(name);
    container.line = at;
    pod.containers.push_back(std::move(container));
    return &pod.containers.back();
  }

  ContainerState container_state(const JsonValue& value) const {
    using Kind = ContainerState::Kind;
    ContainerState state;
    if (value.members.empty()) return state;
    const auto& [name, body] = value.members.front();
    state.kind = name == "waiting"      ? Kind::waiting
                 : name == "running"    ? Kind::running
                 : name == "terminated" ? Kind::terminated
                                        : Kind::none;
    state.line = line(body);
    state.reason = said(body, "reason");
    state.message = said(body, "message");
    state.exit_code = said(body, "exitCode");
    state.signal = said(body, "signal");
    state.started = time(body, "startedAt");
    state.finished = time(body, "finishedAt");
    return state;
  }

  std::vector<Condition> conditions(const JsonValue& status) const {
    std::vector<Condition> out;
    const JsonValue* list = status.find("conditions");
    if (list == nullptr) return out;
    for (const JsonValue& item : list->items) {
      if (out.size() >= kMostConditions) break;
      Condition condition;
      condition.type = std::string(item.text("type"));
      condition.status = std::string(item.text("status"));
      condition.reason = std::string(item.text("reason"));
      condition.message = std::string(item.text("message"));
      condition.heartbeat = time(item, "lastHeartbeatTime");
      condition.changed = time(item, "lastTransitionTime");
      // The status is the telling line; a long one-line document needs the byte.
      const JsonValue* telling = item.find("reason") != nullptr ? item.find("reason") : item.find("status");
      condition.line = line(telling != nullptr ? *telling : item);
      condition.offset = telling != nullptr ? telling->offset : item.offset;
      if (const JsonValue* message = item.find("message")) condition.message_line = line(*message);
      out.push_back(std::move(condition));
    }
    return out;
  }

  bool read_node(const JsonValue& value) {
    Node node;
    node.line = line(value);
    if (const JsonValue* metadata = value.find("metadata")) {
      node.name = std::string(metadata->text("name"));
      if (const JsonValue* name = metadata->find("name")) node.line = line(*name);
      node.labels = pairs(metadata->find("labels"));
      node.annotations = pairs(metadata->find("annotations"));
    }
    node.provider_id = std::string(value.text_at({"spec", "providerID"}));
    if (const JsonValue* off = value.at({"spec", "unschedulable"}); off != nullptr && off->boolean) {
      node.unschedulable = "true";
    }
    if (const JsonValue* taints = value.at({"spec", "taints"})) {
      for (const JsonValue& item : taints->items) {
        const JsonValue* key = item.find("key");
        node.taints.push_back(Taint{std::string(item.text("key")), std::string(item.text("value")),
                                    std::string(item.text("effect")), line(key != nullptr ? *key : item),
                                    key != nullptr ? key->offset : item.offset});
      }
    }
    if (const JsonValue* status = value.find("status")) {
      node.conditions = conditions(*status);
      node.capacity = pairs(status->find("capacity"));
      node.allocatable = pairs(status->find("allocatable"));
      if (const JsonValue* addresses = status->find("addresses")) {
        for (const JsonValue& item : addresses->items) {
          node.addresses.emplace_back(std::string(item.text("type")), said(item, "address"));
        }
      }
      read_node_info(node, status->find("nodeInfo"));
    }
    picture_.nodes.push_back(std::move(node));
    return true;
  }

  void read_node_info(Node& node, const JsonValue* info) const {
    if (info == nullptr) return;
    constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"bootID", "Boot ID"},
        {"containerRuntimeVersion", "Container Runtime Version"},
        {"kernelVersion", "Kernel Version"},
        {"kubeletVersion", "Kubelet Version"},
        {"machineID", "Machine ID"},
        {"osImage", "OS Image"},
    };
    for (const auto& [from, to] : kNames) {
      if (Said value = said(*info, from); !value.empty())
        node.info.emplace_back(std::string(to), std::move(value));
    }
  }

  bool read_event(const JsonValue& value) {
    // core/v1 says involvedObject and message, events.k8s.io regarding and note.
    const JsonValue* object = value.find("involvedObject");
    if (object == nullptr) object = value.find("regarding");
    const JsonValue* message = value.find("message");
    if (message == nullptr) message = value.find("note");
    if (object == nullptr) return false;
    Event event;
    event.type = std::string(value.text("type"));
    event.reason = std::string(value.text("reason"));
    if (message != nullptr) event.message = message->string;
    event.source = std::string(value.text_at({"source", "component"}));
    event.object_kind = lower(object->text("kind"));
    event.object = std::string(object->text("name"));
    const std::string_view path = object->text("fieldPath");
    if (const std::size_t open = path.find('{'); open != std::string_view::npos && path.back() == '}') {
      event.container = std::string(path.substr(open + 1, path.size() - open - 2));
    }
    const JsonValue* count = value.find("count");
    if (count == nullptr || count->type != JsonValue::Type::integer) count = value.at({"series", "count"});
    if (count != nullptr && count->integer > 0) event.count = static_cast<std::uint64_t>(count->integer);
    for (const Instant& when :
         {reading_.time_of(value.text_at({"series", "lastObservedTime"})), time(value, "lastTimestamp"),
          time(value, "deprecatedLastTimestamp"), time(value, "eventTime"), time(value, "firstTimestamp")}) {
      if (!event.last.known()) event.last = when;
    }
    const JsonValue* telling = message != nullptr ? message : value.find("reason");
    event.line = line(telling != nullptr ? *telling : value);
    event.offset = telling != nullptr ? telling->offset : value.offset;
    picture_.events.push_back(std::move(event));
    return true;
  }

  bool read_policy(const JsonValue& value) {
    policies_.push_back(&value);
    return true;
  }

  bool read_small(const JsonValue& value, std::string_view kind) {
    const std::string name = std::string(value.text_at({"metadata", "namespace"})) + "/" +
                             std::string(value.text_at({"metadata", "name"}));
    const Speaker nobody;
    const auto tell = [&](const std::string& key, const JsonValue* from) {
      const Said value_said = said(from);
      if (value_said.line != kNoLine) reading_.fact(nobody, key, value_said.value, value_said.line);
    };
    if (kind == "DaemonSet") {
      tell("daemonset." + name + ".desired", value.at({"status", "desiredNumberScheduled"}));
      tell("daemonset." + name + ".ready", value.at({"status", "numberReady"}));
    } else {
      tell("service." + name + ".cluster_ip", value.at({"spec", "clusterIP"}));
    }
    return true;
  }

  Reading& reading_;
  Picture& picture_;
  std::vector<const JsonValue*> policies_;
};

}  // namespace

bool read_tree(Reading& reading, const JsonValue& value, Picture& picture) {
  TreeReader reader(reading, picture);
  const bool known = reader.read(value, {});
  reader.finish();
  return known;
}

}  // namespace faultline::facts::kubernetes
