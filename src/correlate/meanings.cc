#include "correlate/meanings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace faultline::correlate {
namespace {

constexpr std::array<std::string_view, 4> kSchedulerEnds = {"node_failure", "preempted",
                                                            "scheduler_cancelled", "scheduler_time_limit"};
static_assert(std::is_sorted(kSchedulerEnds.begin(), kSchedulerEnds.end()));

// What a run prints when it does not survive, or begins again: steps behind it prove nothing.
constexpr std::array<std::string_view, 10> kEndsOrStartsRun = {
    "container_killed_137", "launcher_failure",  "launcher_stopped_peers", "nccl_communicator_aborted",
    "nccl_init_complete",   "nccl_init_failed",  "process_aborted",        "process_killed",
    "process_segfault",     "rendezvous_failure"};
static_assert(std::is_sorted(kEndsOrStartsRun.begin(), kEndsOrStartsRun.end()));

// One step may still come from another rank whose output is merged in.
constexpr std::size_t kStepsThatProve = 3;

struct Run {
  std::map<std::uint64_t, std::int64_t> steps;  // line -> step
  std::uint64_t last_break = 0;                 // last line that ends or starts a run
};

std::map<ArtifactIndex, Run> runs_of(const std::vector<Event>& events) {
  std::map<ArtifactIndex, Run> runs;
  for (const Event& event : events) {
    Run& run = runs[event.evidence.artifact];
    if (std::binary_search(kEndsOrStartsRun.begin(), kEndsOrStartsRun.end(), event.kind))
      run.last_break = std::max(run.last_break, event.evidence.line);
    if (event.kind != "training_progress") continue;
    const auto step = event.fields.find("step");
    if (step == event.fields.end()) continue;
    if (const auto* n = std::get_if<std::int64_t>(&step->second)) run.steps[event.evidence.line] = *n;
  }
  return runs;
}

// The steps count on behind the line from where they stood before it.
bool outlived(const Event& event, const Run& run) {
  if (event.speaker.rank > 0 || run.last_break >= event.evidence.line) return false;
  const auto after = run.steps.upper_bound(event.evidence.line);
  if (after == run.steps.begin() || after == run.steps.end()) return false;
  std::int64_t step = std::prev(after)->second;
  std::size_t counted = 0;
  for (auto it = after; it != run.steps.end(); ++it) {
    if (it->second < step) return false;
    counted += it->second > step ? 1U : 0U;
    step = it->second;
  }
  return counted >= kStepsThatProve;
}

}  // namespace

void settle_meanings(std::vector<Event>& events) {
  std::set<ArtifactIndex> ended_by_scheduler;
  for (const Event& event : events) {
    if (std::binary_search(kSchedulerEnds.begin(), kSchedulerEnds.end(), event.kind)) {
      ended_by_scheduler.insert(event.evidence.artifact);
    }
  }
  for (Event& event : events) {
    // Output of many processes is merged without order: the scheduler's own line may stand behind.
    if (event.kind == "terminated_by_signal" && ended_by_scheduler.contains(event.evidence.artifact)) {
      event.kind = "launcher_stopped_peers";
      event.role = Role::cascade;
    }
  }
  const auto runs = runs_of(events);
  for (Event& event : events) {
    if (event.kind != "python_exception" || !outlived(event, runs.at(event.evidence.artifact))) continue;
    event.severity = Severity::p2;
    event.role = Role::context;
  }
}

}  // namespace faultline::correlate
