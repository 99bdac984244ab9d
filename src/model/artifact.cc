#include "model/artifact.h"

#include <algorithm>
#include <iterator>

namespace faultline {
namespace {

struct FamilyRow {
  Family family;
  std::string_view name;
  std::uint16_t includes;  // bit set over Family
};

constexpr std::uint16_t bit(Family f) {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(f));
}
constexpr std::uint16_t kAll = 0xFF;

// A syslog or journal holds the kernel and every daemon. Job output holds what launchers, Slurm steps and
// people print into it, dmesg and nvidia-smi excerpts included. A kernel ring holds only the kernel.
constexpr FamilyRow kFamilies[] = {
    {Family::kernel, "kernel", bit(Family::kernel)},
    {Family::system, "system", static_cast<std::uint16_t>(kAll & ~bit(Family::training))},
    {Family::training, "training", kAll},
    {Family::kubernetes, "kubernetes",
     static_cast<std::uint16_t>(bit(Family::kubernetes) | bit(Family::system) | bit(Family::kernel) |
                                bit(Family::agent))},
    {Family::slurm, "slurm", static_cast<std::uint16_t>(bit(Family::slurm) | bit(Family::system))},
    {Family::gpu, "gpu",
     static_cast<std::uint16_t>(bit(Family::gpu) | bit(Family::kernel) | bit(Family::system))},
    {Family::agent, "agent", kAll},
    {Family::any, "any", kAll},
};
static_assert(std::size(kFamilies) == kFamilyCount);

using K = ArtifactKind;
using F = Family;
using T = Treatment;
constexpr KindInfo kKinds[] = {
    {K::dmesg, "kernel ring (dmesg)", F::kernel, T::log},
    {K::kmsg, "kernel ring (/dev/kmsg)", F::kernel, T::log},
    {K::kernel_log, "kernel log", F::kernel, T::log},
    {K::syslog, "syslog", F::system, T::log},
    {K::journal_text, "journal (text)", F::system, T::log},
    {K::journal_json, "journal (JSON)", F::system, T::log},
    {K::journal_export, "journal (export)", F::system, T::log},
    {K::journal_binary, "journal (binary)", F::system, T::log},
    {K::klog, "Kubernetes daemon log", F::kubernetes, T::log},
    {K::systemd_status, "systemctl status", F::system, T::both},
    {K::cri_log, "container log (CRI)", F::training, T::log},
    {K::docker_json_log, "container log (docker)", F::training, T::log},
    {K::pod_log, "pod log", F::training, T::log},
    {K::training_log, "training log", F::training, T::log},
    {K::nccl_debug_log, "NCCL debug log", F::training, T::log},
    {K::nccl_tests, "nccl-tests output", F::training, T::both},
    {K::nccl_ras, "NCCL RAS output", F::training, T::both},
    {K::stack_dump, "stack dump", F::training, T::log},
    {K::cloudwatch_export, "CloudWatch export", F::any, T::log},
    {K::cloudwatch_json, "CloudWatch events (JSON)", F::any, T::log},
    {K::cloudwatch_csv, "CloudWatch table (CSV)", F::any, T::log},
    {K::cloudwatch_tail, "CloudWatch tail", F::any, T::log},
    {K::container_insights, "Container Insights records", F::any, T::log},
    {K::hyperpod_agent_log, "HyperPod agent log", F::agent, T::log},
    {K::lifecycle_log, "lifecycle script log", F::agent, T::log},
    {K::slurm_daemon_log, "Slurm daemon log", F::slurm, T::log},
    {K::fabric_manager_log, "fabric manager log", F::gpu, T::log},
    {K::plain_text, "text", F::any, T::log},
    {K::kubectl_table, "kubectl table", F::kubernetes, T::both},
    {K::kubectl_describe, "kubectl describe", F::kubernetes, T::both},
    {K::kubectl_events, "kubectl events", F::kubernetes, T::both},
    {K::kubectl_json, "Kubernetes JSON", F::kubernetes, T::state},
    {K::kubectl_yaml, "Kubernetes YAML", F::kubernetes, T::state},
    {K::slurm_command, "Slurm command output", F::slurm, T::both},
    {K::slurm_config, "Slurm configuration", F::slurm, T::state},
    {K::nvidia_smi, "nvidia-smi", F::gpu, T::both},
    {K::nvidia_smi_query, "nvidia-smi -q", F::gpu, T::both},
    {K::dcgm, "DCGM", F::gpu, T::both},
    {K::nvidia_bug_report, "nvidia-bug-report", F::gpu, T::both},
    {K::nvidia_module_version, "NVIDIA module version", F::gpu, T::state},
    {K::identity, "identity", F::any, T::state},
    {K::timestamp, "collection time", F::any, T::state},
    {K::resource_config, "resource_config.json", F::any, T::state},
    {K::issue_summary, "issue report summary", F::any, T::state},
    {K::aws_json, "AWS document", F::any, T::state},
    {K::torchrun_error, "torchrun error.json", F::training, T::state},
    {K::flight_recorder, "flight recorder dump", F::training, T::state},
    {K::nccl_topology, "NCCL topology XML", F::training, T::state},
    {K::environment, "environment", F::any, T::state},
    {K::efa_packages, "EFA installed packages", F::any, T::state},
    {K::fabric_info, "fabric information", F::any, T::state},
    {K::package_list, "package list", F::any, T::state},
    {K::version_report, "version checker report", F::any, T::state},
    {K::disk_usage, "disk usage", F::any, T::state},
    {K::network_config, "network configuration", F::any, T::state},
    {K::process_list, "process list", F::any, T::state},
    {K::pci_list, "PCI list", F::any, T::state},
    {K::limits, "limits", F::any, T::state},
    {K::command_output, "command output", F::any, T::both},
    {K::config_file, "configuration file", F::any, T::state},
    {K::diagnostic_report, "report of another diagnostic", F::any, T::state},
    {K::script, "script", F::any, T::opaque},
    {K::markup, "markup", F::any, T::opaque},
    {K::base64, "base64", F::any, T::opaque},
    {K::image, "image", F::any, T::opaque},
    {K::executable, "executable or core file", F::any, T::opaque},
    {K::model_checkpoint, "model checkpoint", F::any, T::opaque},
    {K::database, "database", F::any, T::opaque},
    {K::binary, "binary", F::any, T::opaque},
    {K::empty, "empty", F::any, T::opaque},
    {K::archive, "archive", F::any, T::archive},
};

constexpr bool rows_follow_the_enum() {
  for (std::size_t i = 0; i < std::size(kKinds); ++i) {
    if (static_cast<std::size_t>(kKinds[i].kind) != i) return false;
  }
  return std::size(kKinds) == static_cast<std::size_t>(K::archive) + 1;
}
static_assert(rows_follow_the_enum());

}  // namespace

std::string_view family_name(Family family) {
  return kFamilies[static_cast<std::size_t>(family)].name;
}

std::optional<Family> family_from_name(std::string_view name) {
  const auto* row = std::find_if(std::begin(kFamilies), std::end(kFamilies),
                                 [&](const FamilyRow& r) { return r.name == name; });
  if (row == std::end(kFamilies)) return std::nullopt;
  return row->family;
}

bool family_includes(Family family, Family wanted) {
  if (wanted == Family::any) return true;
  return (kFamilies[static_cast<std::size_t>(family)].includes & bit(wanted)) != 0;
}

const KindInfo& kind_info(ArtifactKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

std::string_view Artifact::name() const {
  const std::size_t cut = chain.find_last_of("/!");
  return cut == std::string::npos ? std::string_view(chain) : std::string_view(chain).substr(cut + 1);
}

}  // namespace faultline
