#include "correlate/meanings.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace faultline::correlate {
namespace {

constexpr std::array<std::string_view, 4> kSchedulerEnds = {"node_failure", "preempted",
                                                            "scheduler_cancelled", "scheduler_time_limit"};
static_assert(std::is_sorted(kSchedulerEnds.begin(), kSchedulerEnds.end()));

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
}

}  // namespace faultline::correlate
