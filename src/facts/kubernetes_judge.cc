// From a picture of the cluster to facts and events. Kubernetes keeps old states for long: a container's last
// termination stays until the next one, events stay for an hour. A state is an event here when it holds now,
// or when it was the end of something and nothing shows that the container has run well since.
#include <algorithm>

#include "base/text.h"
#include "facts/kubernetes_objects.h"

namespace faultline::facts::kubernetes {
namespace {

// Running for this long after a termination makes that termination history.
constexpr std::int64_t kRecoveredAfterSeconds = 24 * 3600;

void keep_latest(std::optional<std::int64_t>& now, const Instant& time, std::int64_t plus_s) {
  if (!time.wall()) return;
  const std::int64_t at = time.ns + plus_s * kSecond;
  if (!now || *now < at) now = at;
}

// Ages count back from the moment of the command; three pairs of a time and an age in the same output give
// it.
Clock clock_of(const Reading& reading, const Picture& picture) {
  Clock clock;
  for (const Node& node : picture.nodes) {
    const auto ready = std::find_if(node.conditions.begin(), node.conditions.end(),
                                    [](const Condition& c) { return c.type == "Ready"; });
    if (ready == node.conditions.end()) continue;
    if (ready->status == "True") {
      keep_latest(clock.now_ns, node.renewed, 0);
      continue;
    }
    for (const Event& event : node.events) {
      if (event.reason == "NodeNotReady" && event.age_s)
        keep_latest(clock.now_ns, ready->changed, *event.age_s);
    }
  }
  if (clock.now_ns) return clock;
  for (const Pod& pod : picture.pods) {
    for (const Event& event : pod.events) {
      if (event.reason == "Scheduled" && event.age_s) keep_latest(clock.now_ns, pod.start_time, *event.age_s);
    }
  }
  if (!clock.now_ns) clock.now_ns = reading.collected_ns();
  return clock;
}

// The latest moment that the document itself shows.
std::optional<std::int64_t> latest_shown(const Picture& picture) {
  std::optional<std::int64_t> latest;
  for (const Pod& pod : picture.pods) {
    for (const Container& container : pod.containers) {
      for (const ContainerState* state : {&container.state, &container.last}) {
        keep_latest(latest, state->started, 0);
        keep_latest(latest, state->finished, 0);
      }
    }
    for (const Event& event : pod.events) keep_latest(latest, event.last, 0);
  }
  for (const Node& node : picture.nodes) {
    keep_latest(latest, node.renewed, 0);
    for (const Condition& condition : node.conditions) keep_latest(latest, condition.heartbeat, 0);
  }
  for (const Event& event : picture.events) keep_latest(latest, event.last, 0);
  return latest;
}

bool one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool image_reason(std::string_view reason) {
  return one_of(
      reason, {"ErrImagePull", "ImagePullBackOff", "ErrImagePullBackOff", "InvalidImageName",
               "ErrImageNeverPull", "RegistryUnavailable", "ImageInspectError", "SignatureValidationFailed"});
}

bool start_reason(std::string_view reason) {
  return one_of(reason, {"ContainerCannotRun", "StartError", "RunContainerError", "CreateContainerError",
                         "CreateContainerConfigError", "PostStartHookError", "PreCreateHookError",
                         "PreStartHookError"});
}

std::optional<std::int64_t> number(const Said& said) {
  return parse_number<std::int64_t>(said.value);
}

std::size_t line_of(const Said& said, std::size_t otherwise) {
  return said.line == kNoLine ? otherwise : said.line;
}

class PodJudge {
 public:
  PodJudge(Reading& reading, const Pod& pod, const Clock& clock)
      : reading_(reading), pod_(pod), clock_(clock) {
    speaker_ = pod.name.empty() ? reading.artifact.speaker : Speaker{};
    if (!pod.name.empty()) speaker_.pod = pod.name;
    if (!pod.node.empty()) speaker_.node = pod.node.value;
  }

  void run() {
    facts();
    for (const Container& container : pod_.containers) judge_container(container);
    judge_pod_reason();
    for (const Condition& condition : pod_.conditions) judge_condition(condition);
  }

 private:
  void fact(std::string_view key, const Said& said) {
    reading_.fact(speaker_, key, said.value, line_of(said, pod_.line));
  }

  void facts() {
    using Entity = NameJoin::Entity;
    if (!pod_.name.empty()) {
      reading_.fact(speaker_, "pod.namespace", pod_.name_space, pod_.line);
      fact("pod.node", pod_.node);
      fact("pod.phase", pod_.phase);
      fact("pod.ip", pod_.ip);
      reading_.join(Entity::pod, pod_.name, pod_.uid, pod_.line);
      // Pods of the host's network share its address: it would join them all.
      if (pod_.ip.value != pod_.host_ip && !pod_.host_network) {
        reading_.join(Entity::pod, pod_.name, pod_.ip.value, line_of(pod_.ip, pod_.line));
      }
      reading_.join(Entity::node, pod_.node.value, pod_.host_ip, line_of(pod_.node, pod_.line));
    }
    for (const Container& container : pod_.containers) {
      Speaker who = speaker_;
      who.container = container.name;
      reading_.fact(who, "container.image", container.image.value, line_of(container.image, container.line));
      reading_.fact(who, "container.image_id", container.image_id, line_of(container.image, container.line));
      reading_.fact(who, "container.restarts", container.restarts.value,
                    line_of(container.restarts, container.line));
      for (const auto& [name, said] : container.limits)
        reading_.fact(who, "container.limit." + name, said.value, said.line);
      for (const auto& [name, said] : container.requests) {
        reading_.fact(who, "container.request." + name, said.value, said.line);
      }
      for (const auto& [name, said] : container.env) reading_.env_fact(who, name, said.value, said.line);
      for (const ContainerState* state : {&container.state, &container.last}) {
        if (state->kind != ContainerState::Kind::terminated) continue;
        const std::string head = state == &container.state ? "container.exit_" : "container.last_exit_";
        reading_.timed_fact(who, head + "code", state->exit_code.value, state->finished,
                            line_of(state->exit_code, state->line));
        reading_.timed_fact(who, head + "reason", state->reason.value, state->finished,
                            line_of(state->reason, state->line));
      }
    }
  }

  Draft event(ReaderEvent id, const Container& container, const Said& evidence, std::size_t otherwise) {
    Draft draft = reading_.event(id, line_of(evidence, otherwise), evidence.offset);
    draft.speaker(speaker_).container(container.name);
    return draft;
  }

  void judge_container(const Container& container) {
    const ContainerState& now = container.state;
    const bool waiting = now.kind == ContainerState::Kind::waiting;
    bool start_told = false;
    if (waiting && image_reason(now.reason.value)) {
      event(ReaderEvent::kubernetes_image_pull, container, now.reason, now.line)
          .field("reason", now.reason.value)
          .field("image", container.image.value);
    } else if (waiting && start_reason(now.reason.value)) {
      const bool same = start_reason(container.last.reason.value);
      event(ReaderEvent::kubernetes_start_failure, container, now.reason, now.line)
          .field("reason", now.reason.value)
          .field("exit_code", same ? number(container.last.exit_code) : std::nullopt)
          .time(same ? container.last.finished : Instant{});
      start_told = true;
    } else if (waiting && now.reason.value == "CrashLoopBackOff") {
      event(ReaderEvent::kubernetes_crash_loop, container, now.reason, now.line)
          .field("exit_code", number(container.last.exit_code))
          .field("restarts", number(container.restarts))
          .time(container.last.finished);
    }
    if (now.kind == ContainerState::Kind::terminated) judge_end(container, now, start_told);
    if (container.last.kind != ContainerState::Kind::terminated) return;
    if (runs_well_since(container)) {
      const std::string text = "pod " + pod_.name + ", container " + container.name + ": its last end (" +
                               container.last.reason.value + ") is more than a day old and it runs since";
      if (container.last.reason.value != "Completed") reading_.note(text);
      return;
    }
    judge_end(container, container.last, start_told);
  }

  bool runs_well_since(const Container& container) const {
    if (container.state.kind != ContainerState::Kind::running || container.ready != true) return false;
    if (!container.state.started.wall() || !clock_.now_ns) return false;
    return *clock_.now_ns - container.state.started.ns >= kRecoveredAfterSeconds * kSecond;
  }

  void judge_end(const Container& container, const ContainerState& end, bool start_told) {
    const auto code = number(end.exit_code);
    const std::string& reason = end.reason.value;
    const Said& evidence = end.reason.empty() ? end.exit_code : end.reason;
    std::optional<ReaderEvent> id;
    if (reason == "OOMKilled") {
      id = ReaderEvent::kubernetes_oom_killed;
    } else if (start_reason(reason)) {
      if (start_told) return;
      id = ReaderEvent::kubernetes_start_failure;
    } else if (code == 137 && reason != "ContainerStatusUnknown") {
      // ContainerStatusUnknown comes with a 137 that the kubelet made up.
      id = ReaderEvent::kubernetes_killed_137;
    } else if (code == 139) {
      id = ReaderEvent::kubernetes_segfault;
    } else if (code == 134) {
      id = ReaderEvent::kubernetes_aborted;
    }
    if (!id) return;
    Draft draft = event(*id, container, evidence, end.line);
    draft.field("exit_code", code).field("reason", reason).time(end.finished);
    if (!end.signal.empty()) draft.field("signal", end.signal.value);
  }

  void judge_pod_reason() {
    const std::string& reason = pod_.reason.value;
    const bool rejected =
        reason.starts_with("OutOf") || one_of(reason, {"UnexpectedAdmissionError", "NodeAffinity",
                                                       "NodeShutdown", "Shutdown", "Terminated"});
    if (reason != "Evicted" && !rejected) return;
    Draft draft =
        reading_.event(ReaderEvent::kubernetes_evicted, line_of(pod_.reason, pod_.line), pod_.reason.offset);
    draft.speaker(speaker_).field("resource", evicted_resource(pod_.message.value)).field("reason", reason);
  }

  void judge_condition(const Condition& condition) {
    if (condition.type == "DisruptionTarget" && condition.status == "True") {
      const bool preempted = condition.reason == "PreemptionByScheduler";
      reading_
          .event(preempted ? ReaderEvent::kubernetes_preempted : ReaderEvent::kubernetes_evicted,
                 condition.line, condition.offset)
          .speaker(speaker_)
          .field("reason", condition.reason)
          .time(condition.changed);
    }
    if (condition.type == "PodScheduled" && condition.status == "False" && pod_.node.empty() &&
        condition.reason == "Unschedulable") {
      const std::size_t line = condition.message_line == kNoLine ? condition.line : condition.message_line;
      reading_.event(ReaderEvent::kubernetes_pending, line)
          .speaker(speaker_)
          .field("reason", pending_reason(condition.message))
          .time(condition.changed);
    }
  }

  Reading& reading_;
  const Pod& pod_;
  const Clock& clock_;
  Speaker speaker_;
};

}  // namespace

std::optional<Age> parse_age(std::string_view text) {
  struct Unit {
    char letter;
    std::int64_t seconds;
  };
  constexpr Unit kUnits[] = {{'y', 365 * 86400}, {'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
  Age age;
  std::size_t next_unit = 0;
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    std::size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
    if (digits == 0 || digits > 9 || digits == text.size()) return std::nullopt;
    const auto value = parse_number<std::int64_t>(text.substr(0, digits));
    while (next_unit < std::size(kUnits) && kUnits[next_unit].letter != text[digits]) ++next_unit;
    if (!value || next_unit == std::size(kUnits)) return std::nullopt;
    age.seconds += *value * kUnits[next_unit].seconds;
    age.unit = kUnits[next_unit].seconds;
    ++next_unit;
    text.remove_prefix(digits + 1);
  }
  return age;
}

std::string pending_reason(std::string_view message) {
  // "0/4 nodes are available: 1 Insufficient nvidia.com/gpu, 3 node(s) had ... preemption: 0/4 ..."
  const std::size_t begin = message.find(" nodes are available: ");
  if (begin == std::string_view::npos) return std::string(message.substr(0, message.find(". ")));
  std::string_view counts = message.substr(begin + 22);
  for (const std::string_view tail : {" preemption: ", " no new claims to deallocate"}) {
    counts = counts.substr(0, counts.find(tail));
  }
  counts = trim(counts);
  while (!counts.empty() && counts.back() == '.') counts.remove_suffix(1);
  // One reason alone needs no count of nodes.
  const std::size_t blank = counts.find(' ');
  if (counts.find(", ") == std::string_view::npos && blank != std::string_view::npos &&
      parse_number<std::int64_t>(counts.substr(0, blank))) {
    counts = counts.substr(blank + 1);
  }
  return std::string(counts);
}

std::string evicted_resource(std::string_view message) {
  // "The node was low on resource: ephemeral-storage. Threshold ...", "The node had condition:
  // [DiskPressure]."
  for (const std::string_view head :
       {"low on resource: ", "had condition: [", "Attempting to reclaim ", "OutOf"}) {
    const std::size_t at = message.find(head);
    if (at == std::string_view::npos) continue;
    std::string_view rest = message.substr(at + head.size());
    rest = rest.substr(0, rest.find_first_of(" ,]\n"));
    while (!rest.empty() && rest.back() == '.') rest.remove_suffix(1);
    return std::string(rest);
  }
  for (const std::string_view head :
       {"ephemeral local storage usage exceeds", "exceeds the limit", "local ephemeral storage limit"}) {
    if (message.find(head) != std::string_view::npos) return "ephemeral-storage";
  }
  return {};
}

void judge_pod(Reading& reading, const Pod& pod, const Clock& clock) {
  PodJudge(reading, pod, clock).run();
}

void judge(Reading& reading, const Picture& picture) {
  Clock clock = clock_of(reading, picture);
  // Without an age to count back from, what the document shows is the earliest it can be made.
  Clock at_least = clock;
  if (const auto latest = latest_shown(picture); latest && (!at_least.now_ns || *at_least.now_ns < *latest)) {
    at_least.now_ns = latest;
  }
  for (const Node& node : picture.nodes) {
    judge_node(reading, node, clock);
    judge_events(reading, node.events, nullptr, &node, clock);
  }
  for (const Pod& pod : picture.pods) {
    judge_pod(reading, pod, at_least);
    judge_events(reading, pod.events, &pod, nullptr, clock);
  }
  judge_events(reading, picture.events, nullptr, nullptr, clock);
}

}  // namespace faultline::facts::kubernetes
