#pragma once
// What Kubernetes says of pods, nodes and events, in one form, however it was written: describe text, tables,
// JSON or YAML. The readers fill these; kubernetes_judge.cc decides what deserves an event. Lines are
// 0-based; kNoLine: the document does not say it.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "facts/reading.h"

namespace faultline::facts::kubernetes {

inline constexpr std::size_t kNoLine = SIZE_MAX;
// Parts of one object that are kept: far beyond honest ones, and small enough that each event may look at
// all.
inline constexpr std::size_t kMostContainers = 1024;
inline constexpr std::size_t kMostConditions = 256;

/// A value with the line (and byte, for documents on one line) that says it.
struct Said {
  std::string value;
  std::size_t line = kNoLine;
  std::optional<std::uint64_t> offset;
  [[nodiscard]] bool empty() const { return value.empty(); }
};

struct ContainerState {
  enum class Kind : std::uint8_t { none, waiting, running, terminated };
  Kind kind = Kind::none;
  Said reason;
  Said message;
  Said exit_code;
  Said signal;
  Instant started;
  Instant finished;
  std::size_t line = kNoLine;
};

struct Container {
  std::string name;
  Said image;
  std::string image_id;
  ContainerState state;
  ContainerState last;
  Said restarts;
  std::optional<bool> ready;
  bool init = false;
  std::vector<std::pair<std::string, Said>> env;
  std::vector<std::pair<std::string, Said>> limits;
  std::vector<std::pair<std::string, Said>> requests;
  std::size_t line = 0;
};

struct Condition {
  std::string type;
  std::string status;  ///< True, False, Unknown
  std::string reason;
  std::string message;
  Instant heartbeat;
  Instant changed;
  std::size_t line = 0;
  std::optional<std::uint64_t> offset;
  std::size_t message_line = kNoLine;
};

struct Event {
  std::string type;  ///< Normal, Warning
  std::string reason;
  std::string message;      ///< without the field path of a container
  std::string source;       ///< component
  std::string object_kind;  ///< lower case: pod, node; "" in describe output
  std::string object;
  std::string container;
  std::uint64_t count = 1;
  std::optional<std::int64_t> age_s;  ///< of the last occurrence, when printed as an age
  std::int64_t age_unit_s = 1;        ///< precision of that age
  Instant last;                       ///< when printed as a time
  std::size_t line = 0;
  std::size_t message_line = kNoLine;
  std::optional<std::uint64_t> offset;
};

struct Pod {
  std::string name;
  std::string name_space;
  std::string uid;
  Said node;
  std::string host_ip;
  Said ip;
  Said phase;
  Said reason;
  Said message;
  Instant start_time;
  bool host_network = false;
  std::vector<Container> containers;
  std::vector<Condition> conditions;
  std::vector<Event> events;
  std::size_t line = 0;
};

struct Taint {
  std::string key;
  std::string value;
  std::string effect;
  std::size_t line = 0;
  std::optional<std::uint64_t> offset;
};

struct Node {
  std::string name;
  std::string provider_id;
  std::vector<std::pair<std::string, Said>> labels;
  std::vector<std::pair<std::string, Said>> annotations;
  std::vector<std::pair<std::string, Said>> addresses;  ///< InternalIP, Hostname, InternalDNS
  std::vector<std::pair<std::string, Said>> capacity;
  std::vector<std::pair<std::string, Said>> allocatable;
  std::vector<std::pair<std::string, Said>>
      info;  ///< by describe's names: Kernel Version, Kubelet Version, Boot ID
  std::vector<Taint> taints;
  std::vector<Condition> conditions;
  std::vector<Event> events;
  Instant renewed;  ///< lease: about the time of collection while the kubelet lives
  std::string unschedulable;
  std::vector<std::pair<std::string, std::size_t>> pods;  ///< names that the node lists as its own
  std::size_t line = 0;
};

/// All that one document says; judged as a whole, since one object explains another.
struct Picture {
  std::vector<Pod> pods;
  std::vector<Node> nodes;
  std::vector<Event> events;  ///< of a list: each names its object
};

/// Facts and joins of everything, events of what is a failure now or was one at a known time.
void judge(Reading& reading, const Picture& picture);

// The parts of judge(), one file each.
struct Clock {
  std::optional<std::int64_t> now_ns;  ///< when the document was made, as far as it shows
};
void judge_pod(Reading& reading, const Pod& pod, const Clock& clock);
void judge_node(Reading& reading, const Node& node, const Clock& clock);
/// `events` of one document or object, in printed order. `pod`: whose describe output they stand in, or null.
void judge_events(Reading& reading, const std::vector<Event>& events, const Pod* pod, const Node* node,
                  const Clock& clock);
Instant time_of_event(const Event& event, const Clock& clock);
/// What the scheduler misses, from its message: "Insufficient nvidia.com/gpu".
std::string pending_reason(std::string_view message);
/// The resource that an eviction names, as printed; "" when it names none.
std::string evicted_resource(std::string_view message);

/// "3m12s", "2d8h", "110d"; also the smallest unit printed, in seconds.
struct Age {
  std::int64_t seconds = 0;
  std::int64_t unit = 1;
};
std::optional<Age> parse_age(std::string_view text);

}  // namespace faultline::facts::kubernetes
