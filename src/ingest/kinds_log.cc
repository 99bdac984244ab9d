// Logs by the shapes of their lines. A family is narrowed only when nearly all lines agree; mixed text keeps
// the kind of its majority, for the framer, and is matched with everything.
#include <algorithm>

#include "base/text.h"
#include "ingest/sample.h"

namespace faultline::ingest {
namespace {

using K = ArtifactKind;

// Where the kind of a line is certain enough to read the artifact as such, and where nothing else can be in
// it.
constexpr std::size_t kMajority = 55;
constexpr std::size_t kPure = 92;

KindGuess guess(K k, bool pure) {
  return pure ? narrow(k) : wide(k);
}

/// Lines that belong to the line above: indented, or a kernel's register dump.
std::size_t continuations(const Sample& s) {
  std::size_t lines = 0;
  for (std::size_t i = 0; i < s.lines.size(); ++i) {
    if (s.shapes[i] == Shape::other && (s.lines[i][0] == ' ' || s.lines[i][0] == '\t')) ++lines;
  }
  return lines;
}

/// As Sample::mostly, but continuation lines do not vote.
template <class... Shapes>
bool share(const Sample& s, std::size_t percent, Shapes... shapes) {
  const std::size_t votes = s.lines.size() - continuations(s);
  const std::size_t hits = (s.count(shapes) + ...);
  return hits != 0 && votes != 0 && hits * 100 >= votes * percent;
}

bool tag_in_lines(const Sample& s, std::string_view tag) {
  return s.percent([&](std::string_view line) {
    return line.substr(0, 120).find(tag) != std::string_view::npos;
  }) >= 50;
}

std::optional<KindGuess> sniff_verbose_journal(const Sample& s) {
  // Thu 2026-01-01 00:00:00.123456 UTC [s=...;i=...;b=...;m=...;t=...;x=...], then indented fields.
  if (s.lines.empty() || !s.has(";b=") || !s.has(" [s=")) return std::nullopt;
  const std::size_t heads = s.percent([](std::string_view line) {
    return line.find(" [s=") != std::string_view::npos && line.find(";b=") != std::string_view::npos;
  });
  const std::size_t fields = s.percent([](std::string_view line) {
    return line.starts_with("    ") && line.find('=') != std::string_view::npos;
  });
  if (heads + fields < kMajority) return std::nullopt;
  return narrow(K::journal_text);
}

std::optional<KindGuess> sniff_container_log(const Sample& s) {
  if (share(s, kMajority, Shape::cri)) return narrow(K::cri_log);
  if (share(s, 50, Shape::pod_prefix)) return narrow(K::pod_log);
  return std::nullopt;
}

/// S3 exports carry the same stamp as many programs: the tree, or the agents' payload, has to agree.
std::optional<KindGuess> sniff_cloudwatch(const Sample& s) {
  if (share(s, 50, Shape::tail_detailed)) return narrow(K::cloudwatch_tail);
  const std::size_t stamped =
      s.count(Shape::iso_millis) + s.count(Shape::iso_syslog) + s.count(Shape::iso_kernel);
  const bool tree = s.in_path("/exportedlogs/") || s.in_path("lifecycleconfig-") ||
                    s.in_path("sagemakerhealthmonitoringagent") || s.in_path("deephealthcheckresults") ||
                    s.name.starts_with("00000");
  const auto exported = [](std::string_view line) {
    return has_picture(line, "0000-00-00T00:00:00.000Z ") ||
           (has_picture(line, "9 ") && line.find(' ') == 13);
  };
  if (tree && !s.lines.empty() && exported(s.lines[0]) && s.percent(exported) != 0)
    return narrow(K::cloudwatch_export);
  if (s.lines.empty() || stamped * 2 < s.lines.size()) return std::nullopt;
  const std::size_t agents = s.percent([](std::string_view line) {
    return has_picture(line, "0000-00-00T00:00:00.000Z {\"") ||
           line.find("\"HealthMonitoringAgentDetectionEvent\"") != std::string_view::npos;
  });
  if (agents >= 50) return narrow(K::cloudwatch_export);
  return std::nullopt;
}

std::optional<KindGuess> sniff_stamped_pod_log(const Sample& s) {
  if (!share(s, kMajority, Shape::iso_nanos)) return std::nullopt;
  return narrow(K::pod_log);
}

std::optional<KindGuess> sniff_syslog(const Sample& s) {
  const std::size_t kernel = s.count(Shape::month_kernel) + s.count(Shape::iso_kernel);
  const std::size_t programs =
      s.count(Shape::month_syslog) + s.count(Shape::iso_syslog) + s.count(Shape::rfc5424);
  if (!share(s, kMajority, Shape::month_kernel, Shape::iso_kernel, Shape::month_syslog, Shape::iso_syslog,
             Shape::rfc5424))
    return std::nullopt;
  const bool pure = share(s, kPure, Shape::month_kernel, Shape::iso_kernel, Shape::month_syslog,
                          Shape::iso_syslog, Shape::rfc5424);
  if (programs == 0 && kernel >= 1) {
    // A syslog whose head happens to be all kernel (a boot) goes on with daemons.
    const bool all_kernel =
        pure && (!s.cut || s.name.starts_with("kern") || s.name.find("dmesg") != std::string_view::npos ||
                 s.name.find("journalctl_-k") != std::string_view::npos ||
                 s.name.find("journalctl_k") != std::string_view::npos);
    return all_kernel ? narrow(K::kernel_log)
           : pure     ? KindGuess{.kind = K::syslog, .family = Family::system}
                      : wide(K::kernel_log);
  }
  const bool journal = s.has("-- Boot ") || s.has("-- Journal begins") || s.has("-- Logs begin") ||
                       s.has("-- Reboot --") || s.in_path("journal") || s.in_path("/kubelet/") ||
                       s.in_path("/containerd/") || s.in_path("/nodeadm/") || s.has("\n-- No entries --");
  // A job's output that went through syslog, or was pasted below it, is more than the system's.
  const bool training = has_training_words(s);
  return guess(journal ? K::journal_text : K::syslog, pure && !training);
}

std::optional<KindGuess> sniff_journal_forms(const Sample& s) {
  // short-full, short-unix, short-monotonic: "Thu 2026-01-01 00:00:00 UTC host tag[1]: ", "1767225600.123456
  // host tag: ".
  const std::size_t full =
      s.percent([](std::string_view line) { return has_picture(line, "Aaa 0000-00-00 00:00:00"); });
  const std::size_t unix_time = s.percent([](std::string_view line) {
    return has_picture(line, "9.000000 ~ ~") && line.find('.') == 10 &&
           line.find(": ") != std::string_view::npos;
  });
  if (full < kMajority && unix_time < kMajority) return std::nullopt;
  return guess(K::journal_text, full >= kPure || unix_time >= kPure);
}

std::optional<KindGuess> sniff_slurm_daemon(const Sample& s) {
  if (!share(s, kMajority, Shape::bracket_iso)) return std::nullopt;
  const bool name = s.name.find("slurm") != std::string_view::npos && !s.name.ends_with(".out");
  const bool words = s.has("slurmctld") || s.has("slurmd") || s.has("_slurm_rpc") || s.has("sched: ") ||
                     s.has("JobId=") || s.has("error: Nodes ") || s.has("slurmdbd") ||
                     s.has("launch task StepId=") || s.has("_job_complete");
  if (!name && !words) return std::nullopt;
  return guess(K::slurm_daemon_log, share(s, kPure, Shape::bracket_iso) && !has_training_words(s));
}

std::optional<KindGuess> sniff_kernel_ring(const Sample& s) {
  if (share(s, kMajority, Shape::kmsg)) return guess(K::kmsg, share(s, kPure, Shape::kmsg));
  const bool majority = share(s, kMajority, Shape::dmesg, Shape::iso_dmesg);
  if (majority) {
    // journalctl -o short-monotonic has dmesg's stamp and then a host and a tag.
    if (s.percent([](std::string_view line) {
          return line.find("] ") != std::string_view::npos &&
                 line.find(" kernel: ") != std::string_view::npos;
        }) >= 30) {
      return guess(K::journal_text, share(s, kPure, Shape::dmesg));
    }
    return guess(K::dmesg, share(s, kPure, Shape::dmesg, Shape::iso_dmesg) && !has_training_words(s));
  }
  // Kernel text without stamps: dmesg -t, grep -o, a pasted Xid.
  const std::size_t kernel = s.bare_kernel + s.count(Shape::dmesg) + s.count(Shape::iso_dmesg);
  if (kernel != 0 && kernel * 100 >= (s.lines.size() - continuations(s)) * 40 && !has_training_words(s))
    return wide(K::dmesg);
  return std::nullopt;
}

std::optional<KindGuess> sniff_fabric_manager(const Sample& s) {
  if (s.count(Shape::fabric_manager) * 100 < s.lines.size() * 40) return std::nullopt;
  return narrow(K::fabric_manager_log);
}

std::optional<KindGuess> sniff_daemon_log(const Sample& s) {
  if (share(s, kMajority, Shape::klog))
    return guess(K::klog, share(s, kPure, Shape::klog) && !has_training_words(s));
  if (!share(s, kMajority, Shape::logfmt)) return std::nullopt;
  return guess(K::klog, s.has("containerd") || s.has("sandbox") || s.in_path("containerd"));
}

std::optional<KindGuess> sniff_nccl_tests(const Sample& s) {
  const bool header = s.has("# nThread ") || s.has("# Avg bus bandwidth") || s.has("# Out of bounds values");
  const bool table = s.has("algbw   busbw") || s.has("algbw  busbw");
  if (!header && !table) return std::nullopt;
  return narrow(K::nccl_tests);
}

std::optional<KindGuess> sniff_nccl(const Sample& s) {
  if (s.has("\nCommunicators...") && (s.has("Job summary") || s.has("Group     Comms")))
    return narrow(K::nccl_ras);
  if (s.has("Job summary\n===========") && s.has("NCCL version")) return narrow(K::nccl_ras);
  if (!share(s, 70, Shape::nccl)) return std::nullopt;
  return narrow(K::nccl_debug_log);
}

std::optional<KindGuess> sniff_stack_dump(const Sample& s) {
  const std::size_t frames = s.percent([](std::string_view line) {
    const std::string_view bare = trim(line);
    return has_picture(bare, "#9_0x") || has_picture(bare, "#9  ") ||
           (bare.starts_with("File \"") && bare.find(", line ") != std::string_view::npos) ||
           (bare.starts_with("Thread ") && bare.ends_with(':')) ||
           (bare.starts_with("Thread ") && bare.find("): \"") != std::string_view::npos) ||
           (line.starts_with("    ") && bare.ends_with(')') && bare.find(".py:") != std::string_view::npos);
  });
  const bool head = s.has("Process ") || s.has("Thread ") || s.has("Fatal Python error") || s.has("(gdb)") ||
                    s.has("[New LWP");
  if (frames < 60 || !head) return std::nullopt;
  return narrow(K::stack_dump);
}

std::optional<KindGuess> sniff_agent(const Sample& s) {
  if (s.has("HealthMonitoringAgentDetectionEvent") && tag_in_lines(s, "{"))
    return narrow(K::hyperpod_agent_log);
  if (s.in_path("/provision/provisioning.log") || s.in_path("lifecycleconfig") ||
      s.in_path("lifecycle_script"))
    return narrow(K::lifecycle_log);
  if (s.in_path("/aws/clusters/") || s.in_path("cluster_logs/") || s.name.starts_with("sagemaker-") ||
      s.name.starts_with("hyperpod-")) {
    if (s.name.find("agent") != std::string_view::npos ||
        s.name.find("health-check") != std::string_view::npos ||
        s.name.find("autoresume") != std::string_view::npos ||
        s.name.find("auto-resume") != std::string_view::npos) {
      return narrow(K::hyperpod_agent_log);
    }
  }
  return std::nullopt;
}

// Containers and CloudWatch first: what they carry has any other shape inside. Syslog before the kernel ring:
// a kern.log line holds a ring stamp after its own.
constexpr Sniffer kSniffers[] = {
    sniff_verbose_journal, sniff_container_log, sniff_cloudwatch,   sniff_agent,       sniff_syslog,
    sniff_stamped_pod_log, sniff_journal_forms, sniff_slurm_daemon, sniff_kernel_ring, sniff_fabric_manager,
    sniff_daemon_log,      sniff_nccl_tests,    sniff_nccl,         sniff_stack_dump};

}  // namespace

Sniffers log_sniffers() {
  return {kSniffers, std::size(kSniffers)};
}

}  // namespace faultline::ingest
