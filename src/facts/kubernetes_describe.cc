#include "facts/kubernetes_describe.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "facts/columns.h"
#include "facts/kubernetes_container.h"

namespace faultline::facts::kubernetes {
namespace {

// Top-level keys of describe output (kubectl pkg/describe), and what follows them.
enum class Section : std::uint8_t {
  none,
  labels,
  annotations,
  taints,
  lease,
  conditions,
  addresses,
  capacity,
  allocatable,
  info,
  node_pods,
  containers,
  init_containers,
  events,
  other,
};
struct TopKey {
  std::string_view key;
  Section section;
};
constexpr TopKey kTopKeys[] = {
    {"Addresses", Section::addresses},
    {"Allocatable", Section::allocatable},
    {"Allocated resources", Section::other},
    {"Annotations", Section::annotations},
    {"Capacity", Section::capacity},
    {"Conditions", Section::conditions},
    {"Containers", Section::containers},
    {"Controlled By", Section::none},
    {"CreationTimestamp", Section::none},
    {"Ephemeral Containers", Section::init_containers},
    {"Events", Section::events},
    {"IP", Section::none},
    {"IPs", Section::other},
    {"Init Containers", Section::init_containers},
    {"Labels", Section::labels},
    {"Lease", Section::lease},
    {"Message", Section::none},
    {"Namespace", Section::none},
    {"Node", Section::none},
    {"Node-Selectors", Section::other},
    {"Non-terminated Pods", Section::node_pods},
    {"Priority", Section::none},
    {"ProviderID", Section::none},
    {"QoS Class", Section::none},
    {"Reason", Section::none},
    {"Roles", Section::none},
    {"Start Time", Section::none},
    {"Status", Section::none},
    {"System Info", Section::info},
    {"Taints", Section::taints},
    {"Tolerations", Section::other},
    {"Unschedulable", Section::none},
    {"Volumes", Section::other},
};
static_assert(std::is_sorted(std::begin(kTopKeys), std::end(kTopKeys),
                             [](const TopKey& a, const TopKey& b) { return a.key < b.key; }));

const TopKey* top_key(std::string_view key) {
  const auto* at = std::lower_bound(std::begin(kTopKeys), std::end(kTopKeys), key,
                                    [](const TopKey& row, std::string_view k) { return row.key < k; });
  return at != std::end(kTopKeys) && at->key == key ? at : nullptr;
}

bool is_node_key(std::string_view key) {
  return key == "Taints" || key == "Lease" || key == "Roles" || key == "Capacity" || key == "Allocatable" ||
         key == "System Info" || key == "Unschedulable" || key == "Addresses" || key == "ProviderID" ||
         key == "Non-terminated Pods" || key == "Allocated resources";
}

class DescribeReader {
 public:
  DescribeReader(Reading& reading, Picture& picture) : reading_(reading), picture_(picture) {}

  void run() {
    for (number_ = 0; number_ < reading_.lines().size(); ++number_) {
      const std::string_view line = reading_.lines()[number_];
      if (trim(line).empty()) continue;
      if (auto event = try_describe_event(line, number_)) {
        section_ = Section::events;
        add(std::move(*event));
        continue;
      }
      read_line(line);
    }
    finish();
  }

 private:
  enum class Kind : std::uint8_t { none, pod, node, other };

  void read_line(std::string_view line) {
    const std::size_t indent = indent_of(line);
    const auto pair = key_value(line);
    if (pair && pair->key == "Name" && !pair->value.empty() && (indent <= base_ || kind_ == Kind::none) &&
        begins_object(indent)) {
      finish();
      begin_object(indent, pair->value);
      return;
    }
    const TopKey* top = pair ? top_key(pair->key) : nullptr;
    // In an excerpt the first known key tells how deep the paste is indented.
    if (top != nullptr && (indent == base_ || (kind_ == Kind::none && !open_)) && fits_here(*top, *pair)) {
      if (!open_) base_ = indent;
      open_ = true;
      if (kind_ == Kind::none && is_node_key(pair->key)) kind_ = Kind::node;
      read_top(*top, pair->value);
      return;
    }
    if (pair && indent == base_ && open_ && section_ != Section::events) {
      section_ = Section::other;
      return;
    }
    read_nested(line, indent, pair);
  }

  // Reason, Message, Status, IP, Node and the like are common words: without an object they prove nothing.
  bool fits_here(const TopKey& top, const KeyValue& pair) const {
    if (kind_ != Kind::none || open_) return true;
    return top.section != Section::none && (pair.value.empty() || top.section == Section::taints ||
                                            (top.section == Section::events && pair.value == "<none>"));
  }

  bool begins_object(std::size_t indent) const {
    std::size_t seen = 0;
    for (std::size_t i = number_ + 1; i < reading_.lines().size() && seen < 3; ++i) {
      const std::string_view next = reading_.lines()[i];
      if (trim(next).empty()) return false;
      ++seen;
      if (indent_of(next) != indent) continue;
      const auto pair = key_value(next);
      if (pair && (pair->key == "Namespace" || pair->key == "Roles" || pair->key == "Labels")) return true;
    }
    return false;
  }

  void begin_object(std::size_t indent, std::string_view name) {
    base_ = indent;
    open_ = true;
    section_ = Section::none;
    kind_ = Kind::other;
    pod_ = Pod{};
    node_ = Node{};
    pod_.name = node_.name = std::string(name);
    pod_.line = node_.line = number_;
  }

  void finish() {
    if (kind_ == Kind::node) {
      picture_.nodes.push_back(std::move(node_));
    } else if (kind_ == Kind::pod ||
               (kind_ == Kind::none && (!pod_.containers.empty() || !pod_.events.empty()))) {
      picture_.pods.push_back(std::move(pod_));
    } else if (kind_ == Kind::other) {
      // A deployment, job or service: its events name it.
      for (Event& event : pod_.events) {
        event.object_kind = "other";
        event.object = pod_.name;
        picture_.events.push_back(std::move(event));
      }
    }
    kind_ = Kind::none;
    open_ = false;
    base_ = 0;
    section_ = Section::none;
    containers_ = ContainerReader(reading_);
    pod_ = Pod{};
    node_ = Node{};
  }

  void add(Event event) { (kind_ == Kind::node ? node_.events : pod_.events).push_back(std::move(event)); }

  Said said(std::string_view value) const { return Said{std::string(value), number_, std::nullopt}; }

  void read_top(const TopKey& top, std::string_view value) {
    const std::string_view key = top.key;
    section_ = top.section;
    containers_.begin_section(key != "Containers" ? ContainerReader::Role::init
                                                  : ContainerReader::Role::main);
    if (key == "Roles") kind_ = Kind::node;
    if (key == "Containers" || key == "Init Containers") {
      if (kind_ != Kind::node) kind_ = Kind::pod;
      return;
    }
    if (key == "Node" && kind_ != Kind::node) {
      kind_ = Kind::pod;
      if (value != "<none>") {
        const std::size_t slash = value.find('/');
        pod_.node = said(value.substr(0, slash));
        if (slash != std::string_view::npos) pod_.host_ip = std::string(value.substr(slash + 1));
      }
    }
    if (kind_ == Kind::node) {
      if (key == "ProviderID") node_.provider_id = std::string(value);
      if (key == "Unschedulable") node_.unschedulable = std::string(value);
    } else {
      if (key == "Namespace") pod_.name_space = std::string(value);
      if (key == "Priority" && kind_ == Kind::other) kind_ = Kind::pod;
      if (key == "IP" && value != "<none>") pod_.ip = said(value);
      if (key == "Status") pod_.phase = said(value);
      if (key == "Reason") pod_.reason = said(value);
      if (key == "Message") pod_.message = said(value);
      if (key == "Start Time") pod_.start_time = reading_.time_of(value);
    }
    if (section_ == Section::labels || section_ == Section::annotations || section_ == Section::taints)
      read_item(value);
  }

  // One label, annotation or taint a row; the first stands beside the key.
  void read_item(std::string_view item) {
    if (item.empty() || item == "<none>" || kind_ != Kind::node) {
      if (section_ != Section::taints || kind_ == Kind::pod || item.empty() || item == "<none>") return;
    }
    if (section_ == Section::labels) {
      const std::size_t at = item.find('=');
      if (at != std::string_view::npos) {
        node_.labels.emplace_back(std::string(item.substr(0, at)), said(item.substr(at + 1)));
      }
    } else if (section_ == Section::annotations) {
      if (const auto pair = key_value(item)) {
        node_.annotations.emplace_back(std::string(pair->key), said(pair->value));
      }
    } else {
      const std::size_t colon = item.rfind(':');
      if (colon == std::string_view::npos) return;
      Taint taint;
      taint.line = number_;
      taint.effect = std::string(item.substr(colon + 1));
      if (!taint.effect.starts_with("No") && !taint.effect.starts_with("Prefer")) return;
      const std::string_view key = item.substr(0, colon);
      const std::size_t equals = key.find('=');
      taint.key = std::string(key.substr(0, equals));
      if (equals != std::string_view::npos) taint.value = std::string(key.substr(equals + 1));
      node_.taints.push_back(std::move(taint));
    }
  }

  void read_nested(std::string_view line, std::size_t indent, const std::optional<KeyValue>& pair) {
    if (is_condition_header(line)) {
      section_ = Section::conditions;
      if (kind_ == Kind::none) kind_ = Kind::node;
      return;
    }
    switch (section_) {
      case Section::labels:
      case Section::annotations:
      case Section::taints:
        read_item(trim(line));
        return;
      case Section::conditions:
        read_condition(line);
        return;
      case Section::lease:
        if (pair && pair->key == "HolderIdentity" && node_.name.empty())
          node_.name = std::string(pair->value);
        if (pair && pair->key == "RenewTime") node_.renewed = reading_.time_of(pair->value);
        return;
      case Section::addresses:
        if (pair) node_.addresses.emplace_back(std::string(pair->key), said(pair->value));
        return;
      case Section::capacity:
        if (pair) node_.capacity.emplace_back(std::string(pair->key), said(pair->value));
        return;
      case Section::allocatable:
        if (pair) node_.allocatable.emplace_back(std::string(pair->key), said(pair->value));
        return;
      case Section::info:
        if (pair) node_.info.emplace_back(std::string(pair->key), said(pair->value));
        return;
      case Section::node_pods: {
        const auto cells = split_columns(line);
        if (cells.size() >= 6 && cells[0] != "Namespace" && !cells[0].starts_with("---")) {
          node_.pods.emplace_back(std::string(cells[1]), number_);
        }
        return;
      }
      case Section::events:
        if (kind_ != Kind::none || open_) return;
        break;
      case Section::none:
      case Section::containers:
      case Section::init_containers:
        break;
      case Section::other:
        return;
    }
    read_container_line(indent, pair);
  }

  static bool is_condition_header(std::string_view line) {
    const auto words = split_words(line);
    return words.size() == 6 && words[0] == "Type" && words[1] == "Status" && words[2] == "LastHeartbeatTime";
  }

  void read_condition(std::string_view line) {
    const auto cells = split_columns(line, 6);
    if (cells.size() < 2 || cells[0] == "Type" || cells[0].starts_with("---")) return;
    if (cells[1] != "True" && cells[1] != "False" && cells[1] != "Unknown") return;
    Condition condition;
    condition.type = std::string(cells[0]);
    condition.status = std::string(cells[1]);
    condition.line = number_;
    if (cells.size() >= 5) {
      condition.heartbeat = reading_.time_of(cells[2]);
      condition.changed = reading_.time_of(cells[3]);
      condition.reason = std::string(cells[4]);
      if (cells.size() == 6) condition.message = std::string(cells[5]);
      condition.message_line = number_;
    }
    auto& conditions = kind_ == Kind::node ? node_.conditions : pod_.conditions;
    if (conditions.size() < kMostConditions) conditions.push_back(std::move(condition));
  }

  // An excerpt may begin in the middle of a container.
  void read_container_line(std::size_t indent, const std::optional<KeyValue>& pair) {
    if (!pair) return;
    if (section_ != Section::containers && section_ != Section::init_containers) {
      if (!ContainerReader::begins_excerpt(*pair)) return;
      section_ = Section::containers;
      const std::string_view above = number_ > 0 ? reading_.lines()[number_ - 1] : std::string_view{};
      const auto header = key_value(above);
      const bool known = header && top_key(header->key) != nullptr;
      containers_.begin_excerpt(pod_, indent, known ? std::string_view{} : above, number_);
    }
    containers_.read(pod_, indent, *pair, number_);
  }

  Reading& reading_;
  Picture& picture_;
  std::size_t number_ = 0;
  Kind kind_ = Kind::none;
  bool open_ = false;
  std::size_t base_ = 0;
  Section section_ = Section::none;
  Pod pod_;
  Node node_;
  ContainerReader containers_{reading_};
};

}  // namespace

bool read_age(std::string_view cell, Event& event) {
  cell = trim(cell);
  const std::size_t bracket = cell.find(" (x");
  const auto age = parse_age(trim(cell.substr(0, bracket)));
  if (!age && cell != "<unknown>" && cell != "<invalid>") return false;
  if (age) {
    event.age_s = age->seconds;
    event.age_unit_s = age->unit;
  }
  if (bracket != std::string_view::npos) {
    const std::string_view rest = cell.substr(bracket + 3);
    const std::size_t end = rest.find(" over ");
    if (end == std::string_view::npos || rest.back() != ')') return false;
    const auto count = parse_number<std::uint64_t>(rest.substr(0, end));
    if (!count) return false;
    event.count = *count;
  }
  return true;
}

std::optional<Event> try_describe_event(std::string_view line, std::size_t number) {
  const std::string_view body = trim(line);
  if (!body.starts_with("Normal ") && !body.starts_with("Warning ")) return std::nullopt;
  const auto cells = split_columns(body, 5);
  if (cells.size() < 4) return std::nullopt;
  Event event;
  event.type = std::string(cells[0]);
  event.reason = std::string(cells[1]);
  if (event.reason.find(' ') != std::string::npos || !read_age(cells[2], event)) return std::nullopt;
  event.source = std::string(cells[3]);
  event.line = number;
  std::string_view message = cells.size() == 5 ? cells[4] : std::string_view{};
  // Events of one container begin with its field path.
  if (message.starts_with("spec.")) {
    const std::size_t open = message.find('{');
    const std::size_t close = message.find("}: ");
    if (open != std::string_view::npos && close != std::string_view::npos && open < close) {
      event.container = std::string(message.substr(open + 1, close - open - 1));
      message = message.substr(close + 3);
    }
  }
  event.message = std::string(message);
  return event;
}

void read_describe(Reading& reading, Picture& picture) {
  DescribeReader(reading, picture).run();
}

}  // namespace faultline::facts::kubernetes
