#include "correlate/outcomes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace faultline::correlate {
namespace {

// Kinds that end a process, a job or a machine.
constexpr std::array<std::string_view, 12> kTerminal = {
    "container_killed_137", "container_oom_killed", "kernel_panic",
    "launcher_failure",     "node_failure",         "preempted",
    "process_aborted",      "process_killed",       "process_segfault",
    "scheduler_cancelled",  "scheduler_time_limit", "slurm_oom_kill"};
static_assert(std::is_sorted(kTerminal.begin(), kTerminal.end()));

struct Recovery {
  std::string_view fault;
  std::string_view sign;
};
constexpr std::array kRecoveries = {Recovery{"lustre_connection_lost", "lustre_recovered"},
                                    Recovery{"lustre_eviction", "lustre_recovered"}};

bool same_place(const Episode& e, const Event& event) {
  if (!e.node.empty() && !event.speaker.node.empty() && e.node != event.speaker.node) return false;
  return e.pod.empty() || event.speaker.pod.empty() || e.pod == event.speaker.pod;
}

}  // namespace

void judge_outcomes(std::vector<Episode>& episodes, const std::vector<Event>& events) {
  std::vector<const Event*> progress, recoveries, ends;
  for (const Event& event : events) {
    if (event.kind == "training_progress" || event.kind == "job_succeeded") progress.push_back(&event);
    if (event.kind == "lustre_recovered") recoveries.push_back(&event);
    if (std::binary_search(kTerminal.begin(), kTerminal.end(), event.kind)) ends.push_back(&event);
  }
  for (Episode& e : episodes) {
    const Event& last = events[e.events.back()];
    if (std::binary_search(kTerminal.begin(), kTerminal.end(), e.kind)) {
      e.outcome = Outcome::terminal;
      continue;
    }
    const auto follows = [&](const Event* event) { return certainly_before(last, *event).value_or(false); };
    const bool ended_after = std::any_of(ends.begin(), ends.end(), follows);
    if (ended_after) e.outcome = Outcome::terminal;
    if (std::any_of(recoveries.begin(), recoveries.end(), [&](const Event* event) {
          const bool is_sign = std::any_of(kRecoveries.begin(), kRecoveries.end(), [&](const Recovery& r) {
            return r.fault == e.kind && r.sign == event->kind;
          });
          return is_sign && same_place(e, *event) && follows(event);
        })) {
      e.outcome = Outcome::recovered;
    }
    // Steps that go on in the log of the same speaker after the fault: the job outlived it, unless something
    // ended it later.
    if (!ended_after && std::any_of(progress.begin(), progress.end(), [&](const Event* event) {
          return same_place(e, *event) && follows(event);
        })) {
      e.outcome = Outcome::progressed;
    }
  }
}

}  // namespace faultline::correlate
