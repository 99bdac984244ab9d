// Names of files in the bundles that collectors make (facts/artifact-formats 1). Asked last: a name decides
// only where the content neither says what it is nor speaks against it.
#include <algorithm>

#include "base/text.h"
#include "ingest/sample.h"

namespace faultline::ingest {
namespace {

using K = ArtifactKind;

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool short_text(const Sample& s, std::size_t lines) {
  return s.lines.size() <= lines && s.text.size() <= 4096;
}

std::optional<KindGuess> sniff_identity(const Sample& s) {
  if (one_of(s.name,
             {"instance_group.txt", "instance_id.txt", "cluster_type.txt", "hostname.txt", "instance-id.txt",
              "region.txt", "availability-zone.txt", "instance-type.txt", "hostname", "machine-id"}) &&
      short_text(s, 3)) {
    return narrow(K::identity);
  }
  if (one_of(s.name, {"timestamp.txt", "date.txt", "date"}) && short_text(s, 3)) return narrow(K::timestamp);
  return std::nullopt;
}

/// A configuration has none of a log's lines, whatever it is called.
bool without_log_lines(const Sample& s) {
  return std::all_of(s.shapes.begin(), s.shapes.end(),
                     [](Shape shape) {
                       return shape == Shape::other || shape == Shape::assignment || shape == Shape::json ||
                              shape == Shape::declared;
                     }) &&
         s.bare_kernel == 0 && !s.has("Traceback (most recent");
}

std::optional<KindGuess> sniff_config(const Sample& s) {
  if (!without_log_lines(s)) return std::nullopt;
  if (one_of(s.name, {"slurm.conf", "slurmdbd.conf", "gres.conf", "topology.conf", "topology.yaml",
                      "cgroup.conf", "plugstack.conf", "acct_gather.conf", "job_container.conf"}) ||
      s.in_path("/opt_slurm_etc/") || s.in_path("/slurm/etc/")) {
    if (s.name.ends_with(".conf") || s.name.ends_with(".yaml")) return narrow(K::slurm_config);
  }
  constexpr std::string_view kSuffixes[] = {".conf",    ".cfg",  ".ini",   ".toml",       ".yaml",    ".yml",
                                            ".service", ".repo", ".rules", ".properties", ".network", ".env"};
  const bool suffix = std::any_of(std::begin(kSuffixes), std::end(kSuffixes),
                                  [&](std::string_view x) { return s.name.ends_with(x); });
  const bool folder =
      s.in_path("/etc/") || s.in_path("/sysctls/") || s.in_path("/cni/") || s.in_path("config.json.d/");
  if (!suffix && !folder &&
      !one_of(s.name, {"fstab.txt", "resolv.conf", "hosts", "kubeconfig.yaml", "containerd-config.txt",
                       "settings.json"}))
    return std::nullopt;
  const std::size_t pairs = s.percent([](std::string_view line) {
    const std::string_view bare = trim(line);
    return bare.find('=') != std::string_view::npos || bare.find(": ") != std::string_view::npos ||
           bare.ends_with(':') || bare.starts_with('#') || bare.starts_with('[') || bare.starts_with("- ") ||
           bare.starts_with(';') || bare.starts_with("nameserver ") || bare.starts_with("search ");
  });
  if (pairs < 70 && !folder) return std::nullopt;
  return narrow(K::config_file);
}

std::optional<KindGuess> sniff_logs(const Sample& s) {
  if (s.name.starts_with("slurmctld") || s.name.starts_with("slurmdbd") || s.name == "slurmd.log" ||
      s.name.starts_with("slurmd_") || s.name.starts_with("slurmd-")) {
    return wide(K::slurm_daemon_log);
  }
  if (s.name.starts_with("fabricmanager")) return wide(K::fabric_manager_log);
  if (one_of(s.name, {"user-data.log", "cloud-init.log", "cloud-init-output.log", "provisioning.log"}) ||
      s.in_path("lifecycle"))
    return wide(K::lifecycle_log);
  if (s.name.starts_with("dmesg") || s.name == "vmcore-dmesg.txt" || s.in_path("/pstore/"))
    return wide(K::dmesg);
  if (s.name.starts_with("kern.log")) return wide(K::kernel_log);
  if (one_of(s.name, {"messages", "syslog", "syslog.txt"})) return wide(K::syslog);
  if (s.name.find("journalctl") != std::string_view::npos) return wide(K::journal_text);
  if (s.name.starts_with("nccl_debug") || s.name.starts_with("nccl-debug")) return wide(K::nccl_debug_log);
  return std::nullopt;
}

std::optional<KindGuess> sniff_commands(const Sample& s) {
  if (s.name.starts_with("command_")) return wide(K::command_output);
  if (s.in_path("/sos_commands/")) return wide(K::command_output);
  constexpr std::string_view kCollectorFolders[] = {
      "/system/", "/networking/",    "/storage/", "/modinfo/", "/ipamd/",          "/containerd/",
      "/kernel/", "/sandbox-image/", "/docker/",  "/nodeadm/", "/host-collectors/"};
  const bool folder = std::any_of(std::begin(kCollectorFolders), std::end(kCollectorFolders),
                                  [&](std::string_view x) { return s.in_path(x); });
  if (folder && s.name.ends_with(".txt")) return wide(K::command_output);
  return std::nullopt;
}

std::optional<KindGuess> sniff_job_output(const Sample& s) {
  if (has_training_words(s)) return narrow(K::training_log);
  const bool slurm_output =
      s.name.starts_with("slurm-") && (s.name.ends_with(".out") || s.name.ends_with(".err"));
  const bool rank_stream =
      one_of(s.name, {"stdout.log", "stderr.log", "stdout", "stderr", "std.out", "std.err"});
  if (slurm_output || rank_stream) return narrow(K::training_log);
  if (s.in_path("/logs.txt") || s.in_path("/podlogs/") || s.in_path("/pods/logs/") ||
      s.has("==== START logs for container "))
    return wide(K::pod_log);
  return std::nullopt;
}

constexpr Sniffer kSniffers[] = {sniff_identity, sniff_config, sniff_logs, sniff_job_output, sniff_commands};

}  // namespace

Sniffers path_sniffers() {
  return {kSniffers, std::size(kSniffers)};
}

}  // namespace faultline::ingest
