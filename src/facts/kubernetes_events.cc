// Events of Kubernetes by their reason: a sorted table of reasons, one judge each. An event that a later one
// of the same object undoes (NodeReady after NodeNotReady, Scheduled after FailedScheduling) is no failure
// any more.
#include <algorithm>
#include <iterator>
#include <map>

#include "base/text.h"
#include "facts/columns.h"
#include "facts/kubernetes_objects.h"
#include "facts/xid_line.h"

namespace faultline::facts::kubernetes {
namespace {

/// The text between `begin` and the next `end`; "" when they do not occur in this order.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t at = text.find(begin);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + begin.size());
  const std::size_t stop = rest.find(end);
  return stop == std::string_view::npos ? std::string_view{} : rest.substr(0, stop);
}

/// The same, to the end of the text when `end` does not follow.
std::string_view after(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t at = text.find(begin);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + begin.size());
  return rest.substr(0, rest.find(end));
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

class Judge {
 public:
  Judge(Reading& reading, const std::vector<Event>& events, const Pod* pod, const Node* node,
        const Clock& clock)
      : reading_(reading), events_(events), pod_(pod), node_(node), clock_(clock) {
    for (std::size_t i = 0; i < events.size(); ++i) remember(i);
    if (pod == nullptr) return;
    for (const Container& container : pod->containers) {
      const bool ran = container.state.kind == ContainerState::Kind::running ||
                       container.state.kind == ContainerState::Kind::terminated ||
                       container.last.kind == ContainerState::Kind::terminated;
      any_container_started_ = any_container_started_ || ran;
      any_restart_ = any_restart_ || container.restarts.value != "0";
    }
  }

  void run();

  // The rows of the table below.
  void back_off(const Event& e) {
    if (has(e.message, "Back-off pulling image")) {
      image(e);
    } else if (has(e.message, "Back-off restarting failed container") && !container_runs(e)) {
      // describe prints the waiting state itself, with exit code and restarts.
      const Container* container = container_of(e);
      if (container != nullptr && container->state.reason.value == "CrashLoopBackOff") return;
      std::string_view name = e.container;
      if (name.empty()) name = after(e.message, "failed container ", " ");
      if (name == "in") name = {};
      event(ReaderEvent::kubernetes_crash_loop, e).container(name);
    }
  }
  void driver_upgrade(const Event& e) {
    if (!has(e.message, "[upgrade-failed]")) return;
    const bool done = undone(e, {"GPUDriverUpgrade"},
                             [](const Event& after_it) { return has(after_it.message, "[upgrade-done]"); });
    if (!done) event(ReaderEvent::kubernetes_driver_upgrade, e);
  }
  void evicted(const Event& e) {
    const std::string resource = evicted_resource(e.message);
    event(ReaderEvent::kubernetes_evicted, e).field("resource", resource).field("reason", e.reason);
  }
  void failed(const Event& e) {
    if (has(e.message, "Failed to pull image") || has(e.message, "ErrImagePull") ||
        has(e.message, "ImagePullBackOff") || has(e.message, "InvalidImageName") ||
        has(e.message, "ErrImageNeverPull") || has(e.message, "Failed to inspect image")) {
      image(e);
    } else if (e.message.starts_with("Error: ") && !container_runs(e) && !undone(e, {"Started"})) {
      event(ReaderEvent::kubernetes_start_failure, e)
          .field("reason", e.message.substr(7))
          .container(e.container);
    }
  }
  void image(const Event& e) {
    if (container_runs(e)) return;
    if (undone(e, {"Started"})) return;
    if (undone(e, {"Pulled"}, [](const Event& pulled) { return !has(pulled.message, "already present"); }))
      return;
    std::string_view name = between(e.message, "image \"", "\"");
    if (name.empty() && container_of(e) != nullptr) name = container_of(e)->image.value;
    event(ReaderEvent::kubernetes_image_pull, e)
        .field("image", name)
        .field("reason", image_reason(e.message));
  }
  void killing(const Event& e) {
    for (const std::string_view probe : {"liveness", "startup", "readiness"}) {
      if (!has(e.message, "failed " + std::string(probe) + " probe")) continue;
      std::string_view container = e.container;
      if (container.empty()) container = between(e.message, "Container ", " failed");
      event(ReaderEvent::kubernetes_probe, e).field("probe", probe).container(container);
    }
  }
  void mount(const Event& e) {
    if (any_container_started_ ||
        undone(e, {"Pulling", "Pulled", "Created", "Started", "SuccessfulMountVolume"}))
      return;
    std::string_view volume = between(e.message, "for volume \"", "\"");
    if (volume.empty()) volume = between(e.message, "unmounted volumes=[", "]");
    event(ReaderEvent::kubernetes_mount, e).field("volume", volume);
  }
  void network(const Event& e) {
    if (any_container_started_ || undone(e, {"Pulling", "Pulled", "Created", "Started"})) return;
    const bool cni = has(e.message, "network") || has(e.message, "cni") || has(e.message, "CNI");
    if (!cni) {
      event(ReaderEvent::kubernetes_start_failure, e).field("reason", e.reason);
      return;
    }
    std::string_view plugin = between(e.message, "plugin type=\"", "\"");
    if (plugin.empty()) plugin = between(e.message, "networkPlugin ", " ");
    event(ReaderEvent::kubernetes_cni, e).field("plugin", plugin);
  }
  void node_condition(const Event& e) {
    constexpr std::pair<std::string_view, std::string_view> kRows[] = {
        {"NodeHasDiskPressure", "DiskPressure"},
        {"NodeHasInsufficientMemory", "MemoryPressure"},
        {"NodeHasInsufficientPID", "PIDPressure"},
    };
    constexpr std::string_view kGood[] = {"NodeHasNoDiskPressure", "NodeHasSufficientMemory",
                                          "NodeHasSufficientPID"};
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
      if (e.reason != kRows[i].first) continue;
      if (undone(e, {kGood[i]})) return;
      if (node_is(kRows[i].second, "False")) return;
      event(ReaderEvent::kubernetes_condition, e)
          .field("condition", kRows[i].second)
          .field("reason", e.reason);
    }
  }
  void node_not_ready(const Event& e) {
    if (e.object_kind == "pod") return;  // "Node is not ready" beside each of its pods
    if (undone(e, {"NodeReady"}) || node_is("Ready", "True")) return;
    event(ReaderEvent::kubernetes_node_not_ready, e).field("reason", e.reason);
  }
  void npd_oom(const Event& e) {
    const bool cgroup = has(e.message, "emory cgroup out of memory");
    if (!cgroup && !has(e.message, "Out of memory")) return;
    const std::string_view victim = after(e.message, "Kill", "\n");
    const auto pid = parse_number<std::int64_t>(between(victim, "process ", " "));
    const std::string_view rss = between(e.message, "anon-rss:", "kB");
    event(cgroup ? ReaderEvent::kubernetes_npd_oom_cgroup : ReaderEvent::kubernetes_npd_oom_host, e)
        .field("process", between(victim, "(", ")"))
        .field("pid", pid)
        .field("anon_rss_kb", parse_number<std::int64_t>(rss));
  }
  void pending(const Event& e) {
    if (undone(e, {"Scheduled"})) return;
    if (pod_ != nullptr && !pod_->node.empty()) return;
    // The pod's own condition says the same, with a time.
    if (pod_ != nullptr &&
        std::any_of(pod_->conditions.begin(), pod_->conditions.end(), [](const Condition& c) {
          return c.type == "PodScheduled" && c.reason == "Unschedulable";
        })) {
      return;
    }
    event(ReaderEvent::kubernetes_pending, e).field("reason", pending_reason(e.message));
  }
  void preempted(const Event& e) { event(ReaderEvent::kubernetes_preempted, e).field("reason", e.reason); }
  void rebooted(const Event& e) { event(ReaderEvent::kubernetes_node_reboot, e); }
  void system_oom(const Event& e) {
    const std::string_view process = after(e.message, "victim process: ", ",");
    const auto pid = parse_number<std::int64_t>(trim(after(e.message, ", pid: ", "\n")));
    event(ReaderEvent::kubernetes_system_oom, e).field("process", process).field("pid", pid);
  }
  void taint_eviction(const Event& e) {
    if (has(e.message, "Marking for deletion"))
      event(ReaderEvent::kubernetes_evicted, e).field("reason", e.reason);
  }
  void unhealthy(const Event& e) {
    // Only startup and liveness make the kubelet act, by default at the third failure in a row; where it says
    // so itself (Killing), that line is the one.
    const std::string_view probe = e.message.starts_with("Liveness probe ")  ? "liveness"
                                   : e.message.starts_with("Startup probe ") ? "startup"
                                                                             : "";
    if (probe.empty() || e.count < 3 || container_runs(e)) return;
    const bool never_restarted = pod_ != nullptr && !pod_->containers.empty() && !any_restart_;
    if (!never_restarted)
      event(ReaderEvent::kubernetes_probe, e).field("probe", probe).container(e.container);
  }

 private:
  static std::string key(const Event& event) { return event.object_kind + "/" + event.object; }

  Draft event(ReaderEvent id, const Event& e) {
    Draft draft = reading_.event(id, e.message_line == kNoLine ? e.line : e.message_line, e.offset);
    Speaker who =
        e.object.empty() && pod_name_.empty() && node_name_.empty() ? reading_.artifact.speaker : Speaker{};
    const bool about_node = e.object_kind == "node" || (node_ != nullptr && e.object_kind.empty());
    if (e.object_kind == "pod") who.pod = e.object;
    if (e.object_kind == "node") who.node = e.object;
    if (e.object_kind.empty()) {
      if (!about_node) who.pod = pod_name_;
      who.node = node_name_;
    }
    // "Node X status is now: NodeNotReady"
    if (const auto named = between(e.message, "Node ", " status is now: ");
        !named.empty() && e.message.starts_with("Node ")) {
      who.node = std::string(named);
    }
    if (who.node.empty() && e.object_kind == "pod") {
      if (const auto at = scheduled_to_.find(e.object); at != scheduled_to_.end()) who.node = at->second;
    }
    draft.speaker(who).time(time_of_event(e, clock_)).repeats(e.count);
    return draft;
  }

  static bool later(const Event& a, std::size_t ia, const Event& b, std::size_t ib) {
    if (a.age_s && b.age_s && *a.age_s != *b.age_s) return *b.age_s < *a.age_s;
    if (a.last.wall() && b.last.wall() && a.last.ns != b.last.ns) return b.last.ns > a.last.ns;
    return ib > ia;
  }

  // Of the events that can undo others the latest few of each reason and object are enough.
  void remember(std::size_t i) {
    constexpr std::string_view kUndoing[] = {
        "Created",
        "GPUDriverUpgrade",
        "NodeHasNoDiskPressure",
        "NodeHasSufficientMemory",
        "NodeHasSufficientPID",
        "NodeReady",
        "Pulled",
        "Pulling",
        "Scheduled",
        "Started",
        "SuccessfulMountVolume",
    };
    if (!std::binary_search(std::begin(kUndoing), std::end(kUndoing), events_[i].reason)) return;
    constexpr std::size_t kKept = 8;
    auto& kept = undoing_[key(events_[i]) + " " + events_[i].reason];
    kept.push_back(i);
    std::sort(kept.begin(), kept.end(),
              [&](std::size_t a, std::size_t b) { return later(events_[b], b, events_[a], a); });
    if (kept.size() > kKept) kept.pop_back();
  }

  /// Did one of these reasons, in an event that passes the test, come after `e` on the same object?
  template <class Test>
  bool undone(const Event& e, std::initializer_list<std::string_view> reasons, Test&& test) const {
    const auto index = static_cast<std::size_t>(&e - events_.data());
    for (const std::string_view reason : reasons) {
      const auto kept = undoing_.find(key(e) + " " + std::string(reason));
      if (kept == undoing_.end()) continue;
      for (const std::size_t i : kept->second) {
        if (i != index && later(e, index, events_[i], i) && test(events_[i])) return true;
      }
    }
    return false;
  }
  bool undone(const Event& e, std::initializer_list<std::string_view> reasons) const {
    return undone(e, reasons, [](const Event&) { return true; });
  }
  const Container* container_of(const Event& e) const {
    constexpr std::size_t kMany = 64;  // no honest pod has so many, and each event would ask all
    if (pod_ == nullptr || pod_->containers.size() > kMany) return nullptr;
    if (pod_->containers.size() == 1 && e.container.empty()) return &pod_->containers.front();
    for (const Container& container : pod_->containers) {
      if (!container.name.empty() &&
          (container.name == e.container ||
           (e.container.empty() && (has(e.message + " ", " container " + container.name + " "))))) {
        return &container;
      }
    }
    return nullptr;
  }
  bool container_runs(const Event& e) const {
    const Container* container = container_of(e);
    return container != nullptr && container->state.kind == ContainerState::Kind::running &&
           container->ready == true;
  }
  bool node_is(std::string_view condition, std::string_view status) const {
    return node_ != nullptr &&
           std::any_of(node_->conditions.begin(), node_->conditions.end(),
                       [&](const Condition& c) { return c.type == condition && c.status == status; });
  }

  // "... manifests/1.2.1: 403 Forbidden", "...: 429 Too Many Requests - Server message: ...", "Error:
  // ErrImagePull"
  static std::string image_reason(std::string_view message) {
    if (message.starts_with("Error: ")) return std::string(message.substr(7));
    if (has(message, "Back-off pulling image")) return "ImagePullBackOff";
    for (std::size_t at = message.rfind(": "); at != std::string_view::npos && at > 0;
         at = message.rfind(": ", at - 1)) {
      const std::string_view tail = message.substr(at + 2);
      const bool code = tail.size() > 4 && tail[0] >= '4' && tail[0] <= '5' && tail[3] == ' ' &&
                        parse_number<int>(tail.substr(0, 3)).has_value();
      if (code) return std::string(trim(tail.substr(0, tail.find(" - "))));
    }
    const std::size_t last = message.rfind(": ");
    return std::string(trim(last == std::string_view::npos ? message : message.substr(last + 2)));
  }

  void names();

  Reading& reading_;
  const std::vector<Event>& events_;
  const Pod* pod_;
  const Node* node_;
  const Clock& clock_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> undoing_;  ///< "object reason" -> latest first
  bool any_container_started_ = false;
  bool any_restart_ = false;
  std::map<std::string, std::string, std::less<>> scheduled_to_;
  std::string pod_name_;  ///< of the object that the rows stand under
  std::string node_name_;
};

struct Row {
  std::string_view reason;
  void (Judge::*judge)(const Event&);
};
constexpr Row kRows[] = {
    {"BackOff", &Judge::back_off},
    {"Evicted", &Judge::evicted},
    {"EvictionThresholdMet", &Judge::evicted},
    {"Failed", &Judge::failed},
    {"FailedAttachVolume", &Judge::mount},
    {"FailedCreatePodSandBox", &Judge::network},
    {"FailedMapVolume", &Judge::mount},
    {"FailedMount", &Judge::mount},
    {"FailedScheduling", &Judge::pending},
    {"GPUDriverUpgrade", &Judge::driver_upgrade},
    {"InspectFailed", &Judge::image},
    {"Killing", &Judge::killing},
    {"NetworkNotReady", &Judge::network},
    {"NodeHasDiskPressure", &Judge::node_condition},
    {"NodeHasInsufficientMemory", &Judge::node_condition},
    {"NodeHasInsufficientPID", &Judge::node_condition},
    {"NodeNotReady", &Judge::node_not_ready},
    {"OOMKilling", &Judge::npd_oom},
    {"OutOfcpu", &Judge::evicted},
    {"OutOfmemory", &Judge::evicted},
    {"OutOfnvidia.com/gpu", &Judge::evicted},
    {"OutOfpods", &Judge::evicted},
    {"Preempted", &Judge::preempted},
    {"Rebooted", &Judge::rebooted},
    {"SystemOOM", &Judge::system_oom},
    {"TaintManagerEviction", &Judge::taint_eviction},
    {"UnexpectedAdmissionError", &Judge::evicted},
    {"Unhealthy", &Judge::unhealthy},
};
static_assert(std::is_sorted(std::begin(kRows), std::end(kRows),
                             [](const Row& a, const Row& b) { return a.reason < b.reason; }));

// Who the rows are about, where the output does not head them, and which pod went to which node.
void Judge::names() {
  if (pod_ != nullptr) pod_name_ = pod_->name;
  if (pod_ != nullptr) node_name_ = pod_->node.value;
  if (node_ != nullptr) node_name_ = node_->name;
  for (const Event& e : events_) {
    if (e.reason == "Scheduled" && e.message.starts_with("Successfully assigned ")) {
      const std::string_view target = std::string_view(e.message).substr(22);
      const std::size_t to = target.find(" to ");
      if (to == std::string_view::npos) continue;
      const std::string_view pod =
          target.substr(target.find('/') == std::string_view::npos ? 0 : target.find('/') + 1);
      const std::string pod_name(pod.substr(0, pod.find(' ')));
      const std::string node_name(trim(target.substr(to + 4)));
      Speaker who;
      who.pod = pod_name;
      who.node = node_name;
      reading_.fact(who, "pod.node", node_name, e.line);
      scheduled_to_[pod_name] = node_name;
      if (e.object_kind.empty()) {
        if (pod_name_.empty()) pod_name_ = pod_name;
        if (node_name_.empty()) node_name_ = node_name;
      }
    } else if (e.object_kind.empty() && pod_ != nullptr && pod_name_.empty()) {
      // "Back-off restarting failed container main in pod web-0_default(uid)"
      const std::string_view pod = between(e.message, " in pod ", "_");
      if (!pod.empty() && !has(pod, " ")) pod_name_ = std::string(pod);
    }
    if (e.object_kind.empty() && node_name_.empty() && e.message.starts_with("Node ")) {
      node_name_ = std::string(between(e.message, "Node ", " status is now: "));
    }
  }
}

void Judge::run() {
  names();
  for (const Event& e : events_) {
    const auto* row =
        std::lower_bound(std::begin(kRows), std::end(kRows), e.reason,
                         [](const Row& r, std::string_view reason) { return r.reason < reason; });
    if (row != std::end(kRows) && row->reason == e.reason) (this->*row->judge)(e);
    if (const auto quoted = find_xid(e.message)) {
      event(ReaderEvent::kubernetes_xid, e)
          .field("xid", quoted->xid)
          .field("pci", quoted->pci)
          .gpu(quoted->pci);
    }
  }
}

}  // namespace

Instant time_of_event(const Event& event, const Clock& clock) {
  if (event.last.known()) return event.last;
  if (!event.age_s || !clock.now_ns) return {};
  Instant time;
  time.base = Instant::Base::epoch;
  // The age was cut, not rounded: the event is up to one unit older.
  time.precision_ns = event.age_unit_s * kSecond;
  time.ns = *clock.now_ns - *event.age_s * kSecond - time.precision_ns;
  time.source = Instant::Source::inherited;
  return time;
}

void judge_events(Reading& reading, const std::vector<Event>& events, const Pod* pod, const Node* node,
                  const Clock& clock) {
  Judge(reading, events, pod, node, clock).run();
}

}  // namespace faultline::facts::kubernetes
