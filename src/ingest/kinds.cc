// The order of the questions. Magic before text; reports, scripts and markup before logs, since they quote
// logs; JSON before tables and logs, since its strings hold both; logs before tools, since jobs print the
// output of tools; names last.
#include "ingest/kinds.h"

#include "ingest/sample.h"

namespace faultline::ingest {
namespace {

std::optional<KindGuess> ask(const Sniffers& sniffers, const Sample& sample) {
  for (std::size_t i = 0; i < sniffers.size; ++i) {
    if (std::optional<KindGuess> guess = sniffers.first[i](sample)) return guess;
  }
  return std::nullopt;
}

}  // namespace

namespace {

struct NameWords {
  ArtifactKind kind;
  std::string_view words[8];
};
// What files of a kind are called. In the order of the enum.
constexpr NameWords kNameWords[] = {
    {ArtifactKind::dmesg, {"dmesg", "kern", "kmsg", "console"}},
    {ArtifactKind::kmsg, {"kmsg", "dmesg"}},
    {ArtifactKind::kernel_log, {"kern", "dmesg", "journalctl_-k", "journalctl_k"}},
    {ArtifactKind::syslog, {"syslog", "messages", "journal", "kern", "daemon", "secure", "auth", "cron"}},
    {ArtifactKind::journal_text,
     {"journal", "kubelet", "containerd", "nodeadm", "messages", "syslog", "_service"}},
    {ArtifactKind::journal_json, {"journal"}},
    {ArtifactKind::journal_export, {"journal"}},
    {ArtifactKind::klog,
     {"kube", "containerd", "plugin", "coredns", "controller", "operator", "scheduler", "ipamd"}},
    {ArtifactKind::slurm_daemon_log, {"slurm"}},
    {ArtifactKind::fabric_manager_log, {"fabric", "nv-fm"}},
    {ArtifactKind::kubectl_table,
     {"pods", "nodes", "events", "kubectl", "_all_namespaces", "get", "services"}},
    {ArtifactKind::kubectl_describe, {"describe", "descr", "nodes", "pods"}},
    {ArtifactKind::kubectl_events, {"event", "describe"}},
    {ArtifactKind::slurm_command, {"sinfo", "squeue", "sacct", "scontrol", "slurm", "sdiag"}},
    {ArtifactKind::nvidia_smi, {"nvidia", "smi", "gpu", "topo"}},
    {ArtifactKind::nvidia_smi_query, {"nvidia", "smi", "gpu"}},
    {ArtifactKind::dcgm, {"dcgm", "nvvs", "diag"}},
    {ArtifactKind::nvidia_bug_report, {"nvidia", "bug"}},
};

bool name_agrees(ArtifactKind kind, std::string_view path) {
  for (const NameWords& row : kNameWords) {
    if (row.kind != kind) continue;
    for (const std::string_view word : row.words) {
      if (!word.empty() && path.find(word) != std::string_view::npos) return true;
    }
  }
  return false;
}

/// A head is all that was looked at. People append a dmesg, a table and a job's output to one file: where
/// more follows and the name does not promise more of the same, all patterns apply.
KindGuess doubt_the_rest(KindGuess guess, const Sample& sample) {
  const bool narrowed =
      guess.family != Family::any && guess.family != Family::training && guess.family != Family::agent;
  const std::size_t folder = sample.path.rfind('/', sample.path.size() - sample.name.size() - 2);
  const std::string_view near =
      std::string_view(sample.path).substr(folder == std::string::npos ? 0 : folder);
  if (narrowed && sample.cut && guess.kind != ArtifactKind::journal_binary &&
      !name_agrees(guess.kind, near)) {
    guess.family = Family::any;
  }
  return guess;
}

}  // namespace

KindGuess guess_kind(std::string_view chain, std::string_view head) {
  if (head.empty()) return {.kind = ArtifactKind::empty, .family = Family::any, .reason = "empty"};
  Sample sample(chain, head);
  if (const std::optional<KindGuess> guess = ask(magic_sniffers(), sample)) return *guess;
  sample.count_lines();
  if (sample.lines.empty()) return {};
  for (const Sniffers& sniffers : {document_sniffers(), json_sniffers(), log_sniffers(), table_sniffers(),
                                   tool_sniffers(), path_sniffers()}) {
    if (const std::optional<KindGuess> guess = ask(sniffers, sample)) return doubt_the_rest(*guess, sample);
  }
  return {};
}

}  // namespace faultline::ingest
