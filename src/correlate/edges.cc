#include "correlate/edges.h"

#include <algorithm>
#include <array>

namespace faultline::correlate {
namespace {

struct KindEdge {
  std::string_view from;
  std::string_view to;
  std::int64_t within_s;
};

constexpr std::int64_t kHour = 3600;
// States that documents show: the document has no order of lines, so the windows are wide.
constexpr std::array kKindEdges = {
    KindEdge{"cgroup_oom", "container_oom_killed", kHour},
    KindEdge{"cgroup_oom", "system_oom_event", kHour},
    KindEdge{"container_oom_killed", "crash_loop", 24 * kHour},
    KindEdge{"container_oom_killed", "process_killed", kHour},
    KindEdge{"container_start_failure", "crash_loop", 24 * kHour},
    KindEdge{"disk_full", "container_start_failure", 24 * kHour},
    KindEdge{"disk_full", "eviction", 24 * kHour},
    KindEdge{"disk_full", "node_condition", 24 * kHour},
    KindEdge{"disk_full", "pod_pending", 24 * kHour},
    KindEdge{"gpu_fabric_not_initialized", "dcgm_failure", 24 * kHour},
    KindEdge{"gpu_lost", "dcgm_failure", 24 * kHour},
    KindEdge{"gpu_row_remap_failed", "dcgm_failure", 24 * kHour},
    KindEdge{"gpu_row_remap_failed", "gpu_ecc_uncorrected", 24 * kHour},
    KindEdge{"gpu_row_remap_pending", "dcgm_failure", 24 * kHour},
    KindEdge{"gpu_row_remap_pending", "gpu_ecc_uncorrected", 24 * kHour},
    KindEdge{"gpu_xid", "gpu_ecc_uncorrected", 24 * kHour},
    KindEdge{"gpu_xid", "gpu_row_remap_pending", 24 * kHour},
    KindEdge{"host_oom", "container_oom_killed", kHour},
    KindEdge{"host_oom", "node_not_ready", kHour},
    KindEdge{"host_oom", "system_oom_event", kHour},
    KindEdge{"node_condition", "eviction", 24 * kHour},
    KindEdge{"node_condition", "pod_pending", 24 * kHour},
    KindEdge{"node_not_ready", "eviction", 24 * kHour},
    KindEdge{"probe_failure", "container_killed_137", 24 * kHour},
    KindEdge{"probe_failure", "crash_loop", 24 * kHour},
    KindEdge{"security_group_blocking", "mount_failure", 24 * kHour},
    KindEdge{"slurm_config_mismatch", "slurm_node_drained", 24 * kHour},
    KindEdge{"system_oom_event", "node_not_ready", kHour},
};

constexpr std::array<std::string_view, 25> kJobWide = {
    "collective_timeout",
    "connection_refused",
    "connection_timeout",
    "container_killed_137",
    "efa_provider_error",
    "first_collective_hang",
    "heartbeat_timeout",
    "ib_transport_error",
    "launcher_failure",
    "launcher_stopped_peers",
    "nccl_communicator_aborted",
    "nccl_cuda_error",
    "nccl_init_failed",
    "nccl_internal_error",
    "nccl_invalid_usage",
    "nccl_remote_error",
    "nccl_system_error",
    "node_failure",
    "peer_closed",
    "process_aborted",
    "process_killed",
    "rendezvous_failure",
    "store_timeout",
    "store_unreachable",
    "terminated_by_signal",
};
static_assert(std::is_sorted(kJobWide.begin(), kJobWide.end()));

}  // namespace

bool strikes_whole_job(std::string_view kind) {
  return std::binary_search(kJobWide.begin(), kJobWide.end(), kind);
}

void Edges::add(const std::string& from, const std::string& to, std::int64_t within_s) {
  std::int64_t& window = targets_[from][to];
  window = std::max(window, within_s);
}

Edges::Edges(const PatternSet& patterns) {
  for (const Pattern& pattern : patterns.patterns) {
    kind_of_pattern_[pattern.id] = pattern.kind;
    for (const std::string& target : pattern.explains) add(pattern.id, target, pattern.within_s);
  }
  for (const KindEdge& edge : kKindEdges) add(std::string(edge.from), std::string(edge.to), edge.within_s);
}

std::optional<std::int64_t> Edges::within(std::string_view cause_pattern, std::string_view cause_kind,
                                          std::string_view symptom_pattern,
                                          std::string_view symptom_kind) const {
  std::optional<std::int64_t> best;
  for (const std::string_view from : {cause_pattern, cause_kind}) {
    const auto row = targets_.find(from);
    if (row == targets_.end()) continue;
    for (const std::string_view to : {symptom_pattern, symptom_kind}) {
      if (const auto edge = row->second.find(to); edge != row->second.end())
        best = std::max(best.value_or(0), edge->second);
    }
  }
  return best;
}

std::set<std::string> Edges::possible_causes(std::string_view symptom_kind) const {
  std::set<std::string> kinds;
  for (const auto& [from, row] : targets_) {
    for (const auto& [to, window] : row) {
      const auto target = kind_of_pattern_.find(to);
      if (to != symptom_kind && (target == kind_of_pattern_.end() || target->second != symptom_kind))
        continue;
      const auto source = kind_of_pattern_.find(from);
      kinds.insert(source == kind_of_pattern_.end() ? from : source->second);
    }
  }
  return kinds;
}

}  // namespace faultline::correlate
