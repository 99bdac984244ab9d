#pragma once
// The events that readers of this folder make, by name. The texts are in reader_events.cc, one row each, in
// the order of this enum, which is the order of the ids.
#include <cstdint>

#include "model/event.h"

namespace faultline::facts {

enum class ReaderEvent : std::uint8_t {
  aws_group_lacks_rule,
  aws_group_lacks_self,
  dcgm_fabric_not_ready,
  dcgm_health_failed,
  dcgm_test_failed,
  disk_full,
  kubernetes_aborted,
  kubernetes_cni,
  kubernetes_condition,
  kubernetes_crash_loop,
  kubernetes_driver_upgrade,
  kubernetes_evicted,
  kubernetes_image_pull,
  kubernetes_killed_137,
  kubernetes_mount,
  kubernetes_network_policy,
  kubernetes_node_not_ready,
  kubernetes_node_reboot,
  kubernetes_npd_oom_cgroup,
  kubernetes_npd_oom_host,
  kubernetes_oom_killed,
  kubernetes_pending,
  kubernetes_preempted,
  kubernetes_probe,
  kubernetes_segfault,
  kubernetes_start_failure,
  kubernetes_system_oom,
  kubernetes_xid,
  nccl_ras_mismatch,
  nccl_ras_missing,
  nccl_tests_passed,
  nccl_tests_slow,
  nvidia_smi_ecc,
  nvidia_smi_fabric,
  nvidia_smi_lost,
  nvidia_smi_nvlink_errors,
  nvidia_smi_nvlink_inactive,
  nvidia_smi_nvml,
  nvidia_smi_pcie,
  nvidia_smi_remap_failed,
  nvidia_smi_remap_pending,
  nvidia_smi_thermal,
  slurm_cancelled,
  slurm_config,
  slurm_gres,
  slurm_node_down,
  slurm_node_drained,
  slurm_node_fail,
  slurm_oom,
  slurm_preempted,
  slurm_prolog,
  slurm_time_limit,
  torchrun_cuda_oom,
  torchrun_exception,
};

const ReaderEventInfo& reader_event(ReaderEvent event);

}  // namespace faultline::facts
