#include "correlate/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace faultline::correlate {
namespace {

// Kinds whose cure is the machine: a driver or device state that a reboot clears, or broken silicon.
constexpr std::array<std::string_view, 13> kMachineKinds = {"gpu_ecc_uncorrected",
                                                            "gpu_fabric_not_initialized",
                                                            "gpu_init_failed",
                                                            "gpu_lost",
                                                            "gpu_row_remap_failed",
                                                            "gpu_row_remap_pending",
                                                            "gpu_sxid",
                                                            "gpu_xid",
                                                            "gsp_timeout",
                                                            "kernel_panic",
                                                            "mce",
                                                            "nvlink_inactive",
                                                            "nvme_failure"};
static_assert(std::is_sorted(kMachineKinds.begin(), kMachineKinds.end()));

// A name that is safe inside a shell word; anything else is not turned into a command at all.
bool is_plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == ':';
  });
}

struct NodeNames {
  std::string slurm, kubernetes, instance, group;
};

NodeNames names_of(const Culprit& culprit) {
  NodeNames names;
  std::vector<std::string> all = culprit.aliases;
  all.insert(all.begin(), culprit.node);
  for (const std::string& name : all) {
    if (!is_plain(name)) continue;
    if (name.starts_with("hyperpod-i-"))
      names.kubernetes = name;
    else if (name.starts_with("i-"))
      names.instance = name;
    else if (name.find('.') == std::string::npos && names.slurm.empty())
      names.slurm = name;
  }
  if (names.kubernetes.empty() && !names.instance.empty()) names.kubernetes = "hyperpod-" + names.instance;
  return names;
}

bool is_kubernetes(const Evidences& evidences) {
  for (const Fact& fact : evidences.facts) {
    if (fact.key == "cluster.type") return fact.value == "eks";
  }
  return std::any_of(
      evidences.coverage.rows.begin(), evidences.coverage.rows.end(), [](const CoverageRow& row) {
        return row.kind == ArtifactKind::kubectl_describe || row.kind == ArtifactKind::kubectl_table ||
               row.kind == ArtifactKind::kubectl_json || row.kind == ArtifactKind::kubectl_events;
      });
}

bool is_controller(const Evidences& evidences, const Identity& identity, const std::string& node) {
  return std::any_of(evidences.facts.begin(), evidences.facts.end(), [&](const Fact& fact) {
    return (fact.key == "node.instance_group" || fact.key == "node.role") &&
           fact.value.find("controller") != std::string::npos && identity.same_node(fact.subject.node, node);
  });
}

}  // namespace

std::vector<SuggestedCommand> suggest_commands(const Incident& incident, const Evidences& evidences,
                                               const Identity& identity) {
  std::vector<SuggestedCommand> commands;
  if (!incident.cause || !incident.culprit || incident.culprit->node.empty()) return commands;
  if (incident.confidence != Confidence::high && incident.confidence != Confidence::medium) return commands;
  if (!std::binary_search(kMachineKinds.begin(), kMachineKinds.end(), incident.cause->kind)) return commands;
  const NodeNames names = names_of(*incident.culprit);
  const bool kubernetes = is_kubernetes(evidences);
  const std::string host = kubernetes ? names.kubernetes : names.slurm;
  if (host.empty()) return commands;

  SuggestedCommand look;
  look.title = "Investigate: GPU state and kernel log of the node";
  const std::string gpu =
      is_plain(incident.culprit->gpu) && incident.culprit->gpu.find(':') != std::string::npos
          ? " -i " + incident.culprit->gpu + ".0"
          : "";
  look.command =
      kubernetes ? fmt::format("kubectl describe node {}", host)
                 : fmt::format("srun -w {} --overlap bash -c 'nvidia-smi -q{}; sudo dmesg -T | tail -n 200'",
                               host, gpu);
  look.blast_radius = "none";
  commands.push_back(std::move(look));

  SuggestedCommand reboot;
  reboot.title = "Reboot the node";
  reboot.changes_state = true;
  reboot.preconditions = {"the investigation confirms the fault is still there",
                          "no other job that matters runs on the node"};
  reboot.blast_radius = "every process on the node ends; its volumes stay";
  reboot.command =
      kubernetes ? fmt::format(
                       "kubectl label node {} "
                       "sagemaker.amazonaws.com/node-health-status=UnschedulablePendingReboot --overwrite",
                       host)
                 : fmt::format("sudo scontrol update nodename={} state=fail reason=\"Action:Reboot\"", host);
  commands.push_back(reboot);

  if (!kubernetes && is_controller(evidences, identity, incident.culprit->node)) return commands;
  SuggestedCommand replace;
  replace.title = "Replace the node";
  replace.changes_state = true;
  replace.preconditions = {"the fault came back after a reboot",
                           "logs of the node have been saved: replacing destroys its volumes"};
  replace.blast_radius =
      "the instance and all its local volumes are destroyed; a new instance takes its place";
  replace.command =
      kubernetes
          ? fmt::format(
                "kubectl label node {} "
                "sagemaker.amazonaws.com/node-health-status=UnschedulablePendingReplacement --overwrite",
                host)
          : fmt::format("sudo scontrol update nodename={} state=fail reason=\"Action:Replace\"", host);
  commands.push_back(std::move(replace));
  return commands;
}

}  // namespace faultline::correlate
