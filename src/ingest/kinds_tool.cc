// Output of host and GPU tools. Most are state files that only a fact reader sees, so a log that merely
// quotes one must not land here: each asks for most of the lines.
#include <algorithm>

#include "base/text.h"
#include "ingest/sample.h"

namespace faultline::ingest {
namespace {

using K = ArtifactKind;

bool quoted_in_a_log(const Sample& s) {
  if (has_training_words(s) || log_lines(s) * 10 > s.lines.size()) return true;
  for (const std::string_view word : {"Traceback (", "Segmentation fault", "Exception", "Killed",
                                      "core dumped", "Bus error", "exited with", "exit code", "Aborted"}) {
    if (s.has(word)) return true;
  }
  return false;
}

KindGuess narrow_unless_mixed(const Sample& s, K k) {
  return {.kind = k, .family = quoted_in_a_log(s) || s.bare_kernel != 0 ? Family::any : kind_info(k).family};
}

template <class Test>
bool most(const Sample& s, std::size_t percent, Test&& test) {
  return s.percent(test) >= percent;
}

std::optional<KindGuess> sniff_environment(const Sample& s) {
  if (s.lines.size() < 3) return std::nullopt;
  const std::size_t declared = s.count(Shape::declared);
  const std::size_t assigned = s.count(Shape::assignment);
  if ((declared + assigned) * 100 < s.lines.size() * 80) return std::nullopt;
  // A job that prints its environment and then fails is a log: one line of another kind is enough to say so.
  if (s.count(Shape::nccl) + s.count(Shape::torch_log) + s.count(Shape::tagged) + s.count(Shape::dmesg) != 0)
    return std::nullopt;
  for (std::size_t i = 0; i < s.lines.size(); ++i) {
    if (s.shapes[i] != Shape::other) continue;
    for (const std::string_view word : {"Traceback (", "Error", "ERROR", "error: ", "WARN", "Killed",
                                        "srun: ", "slurmstepd", "failed", "NCCL version", "it/s]"}) {
      if (s.lines[i].find(word) != std::string_view::npos) return std::nullopt;
    }
  }
  if (s.cut && (declared + assigned) * 100 < s.lines.size() * 97) return std::nullopt;
  std::size_t known = 0;
  for (const std::string_view name :
       {"PATH=",         "HOME=",       "PWD=",        "USER=",        "SHLVL=",
        "HOSTNAME=",     "LANG=",       "SHELL=",      "TERM=",        "LD_LIBRARY_PATH=",
        "SLURM_JOB_ID=", "RANK=",       "WORLD_SIZE=", "MASTER_ADDR=", "NCCL_",
        "FI_",           "KUBERNETES_", "AWS_",        "CUDA_",        "PYTHON",
        "OMPI_",         "PET_",        "SLURM_"}) {
    known += s.has(name) ? 1 : 0;
  }
  if (known < 2) return std::nullopt;
  return narrow(K::environment);
}

std::optional<KindGuess> sniff_efa_packages(const Sample& s) {
  if (!s.text.starts_with("# EFA installer version:") &&
      !(s.lines.size() <= 6 && s.has("# EFA installer version:")))
    return std::nullopt;
  return narrow(K::efa_packages);
}

std::optional<KindGuess> sniff_nvidia_smi_query(const Sample& s) {
  const bool head = s.has("NVSMI LOG=") || (s.has("Attached GPUs ") && s.has("Driver Version ")) ||
                    (s.has("\nGPU 0000") && (s.has("Product Name ") || s.has("ECC Errors") ||
                                             s.has("Remapped Rows") || s.has("Bus Id  ")));
  if (!head || !most(s, 50, [](std::string_view line) {
        return line.find(" : ") != std::string_view::npos || line.starts_with("    ") ||
               line.starts_with("GPU 0");
      })) {
    return std::nullopt;
  }
  return narrow_unless_mixed(s, K::nvidia_smi_query);
}

std::optional<KindGuess> sniff_nvidia_smi(const Sample& s) {
  const bool failure = s.lines.size() <= 12 &&
                       (s.has("NVIDIA-SMI has failed") || s.has("Failed to initialize NVML") ||
                        s.has("No devices were found") || s.has("Unable to determine the device handle") ||
                        s.has("nvidia-smi: command not found"));
  const auto panel_line = [](std::string_view line) {
    return line.starts_with("|") || line.starts_with("+");
  };
  const bool panel = (s.has("| NVIDIA-SMI ") || s.has("Persistence-M") || s.has("Volatile Uncorr. ECC")) &&
                     most(s, 60, panel_line);
  const auto link_line = [](std::string_view line) {
    const std::string_view bare = trim(line);
    return has_picture(bare, "Link 9") || has_picture(line, "GPU 9: ");
  };
  const bool links = most(s, 60, link_line) && (s.has("(UUID: GPU-") || s.has("Link 0"));
  const auto topology_line = [](std::string_view line) {
    const std::string_view bare = trim(line);
    return has_picture(bare, "GPU9_") || has_picture(bare, "NIC9_") || has_picture(bare, "NIC9:") ||
           bare.starts_with("mlx5_") || bare.find(" = ") != std::string_view::npos;
  };
  const bool topology =
      (s.has("CPU Affinity") || s.has("NUMA Affinity")) && s.has("GPU0") && most(s, 60, topology_line);
  const std::string first = s.lines.empty() ? std::string() : lower(s.lines[0]);
  const bool csv =
      first.find(',') != std::string::npos &&
      (first.find("driver_version") != std::string::npos || first.find("memory.used") != std::string::npos ||
       first.find("temperature.gpu") != std::string::npos ||
       first.find("clocks_throttle") != std::string::npos ||
       first.find("utilization.gpu") != std::string::npos || first.find("ecc.errors") != std::string::npos ||
       first.find("gpu_uuid") != std::string::npos || first.find("clocks.sm") != std::string::npos);
  if (!failure && !panel && !links && !topology && !csv) return std::nullopt;
  return narrow_unless_mixed(s, K::nvidia_smi);
}

std::optional<KindGuess> sniff_module_version(const Sample& s) {
  if (s.lines.size() > 6 || !s.text.starts_with("NVRM version: NVIDIA UNIX")) return std::nullopt;
  return narrow(K::nvidia_module_version);
}

std::optional<KindGuess> sniff_dcgm(const Sample& s) {
  const bool diag =
      s.has("Successfully ran diagnostic for group") || s.has("| Diagnostic  ") || s.has("DCGM Version") ||
      s.has("Health Monitor Report") ||
      (s.has("+===") && (s.has("| Overall Health") || s.has("Deployment  -----") || s.has("DCGM")));
  const bool nvvs =
      (s.name.starts_with("nvvs") || s.name.find("dcgm") != std::string_view::npos) && !has_training_words(s);
  const bool dmon = s.has("#Entity ") &&
                    most(s, 50, [](std::string_view line) { return has_picture(trim(line), "GPU 9"); });
  if (!diag && !nvvs && !dmon) return std::nullopt;
  return narrow_unless_mixed(s, K::dcgm);
}

std::optional<KindGuess> sniff_fabric(const Sample& s) {
  if (quoted_in_a_log(s)) return std::nullopt;
  const bool info = s.has("provider: ") && s.has("fabric: ") && s.has("domain: ") && s.has("protocol: ");
  const bool failed = s.lines.size() <= 4 && (s.has("fi_getinfo: ") || s.has("fi_info: command not found"));
  const bool version = s.lines.size() <= 6 && s.has("libfabric api: ");
  const bool verbs = s.has("hca_id:") && s.has("state:");
  const bool links = most(s, 60, [](std::string_view line) {
    return line.starts_with("link ") && line.find(" state ") != std::string_view::npos;
  });
  const bool stat = s.text.starts_with("CA '") && s.has("Port 1:");
  if (!info && !failed && !version && !verbs && !links && !stat) return std::nullopt;
  return narrow(K::fabric_info);
}

std::optional<KindGuess> sniff_disk(const Sample& s) {
  if (quoted_in_a_log(s)) return std::nullopt;
  const bool header = std::any_of(s.lines.begin(), s.lines.end(), [](std::string_view line) {
    return (line.starts_with("Filesystem ") || line.starts_with("UUID ")) &&
           line.find("Mounted on") != std::string_view::npos;
  });
  // `mount` often stands in the same file; lfs df wraps at the width of a terminal.
  const auto row = [](std::string_view line) {
    return line.find('%') != std::string_view::npos || line.find(" type ") != std::string_view::npos ||
           line.size() < 12 || line.starts_with("filesystem_summary");
  };
  if (!header || !most(s, 60, row)) return std::nullopt;
  return narrow(K::disk_usage);
}

std::optional<KindGuess> sniff_network(const Sample& s) {
  if (quoted_in_a_log(s)) return std::nullopt;
  const bool addresses =
      s.has(": <BROADCAST,") || s.has(": lo: <LOOPBACK") || s.has("flags=4163<") || s.has("flags=73<");
  const bool routes = most(s, 60, [](std::string_view line) {
    return line.find(" dev ") != std::string_view::npos || line.find("lookup ") != std::string_view::npos;
  });
  const bool rules = s.has("Chain INPUT (") || s.has("*filter\n") || s.has("Total Number of Rules:") ||
                     s.has("table inet ") || s.has("table ip filter");
  const bool counters = s.has("NIC statistics:") || (s.has("Settings for ") && s.has("Speed:"));
  const bool sockets = s.has("Netid ") || s.has("Active Internet connections");
  if (!addresses && !routes && !rules && !counters && !sockets) return std::nullopt;
  return narrow(K::network_config);
}

std::optional<KindGuess> sniff_processes(const Sample& s) {
  if (s.lines.size() < 2) return std::nullopt;
  const std::vector<std::string_view> words = split_words(s.lines[0]);
  const auto has_word = [&](std::string_view w) {
    return std::find(words.begin(), words.end(), w) != words.end();
  };
  const bool ps = has_word("PID") && (has_word("CMD") || has_word("COMMAND") || has_word("%CPU"));
  const bool top = s.text.starts_with("top - ") || s.has("\nTasks: ");
  if (!ps && !top) return std::nullopt;
  // A listing names training processes on every line; a log that follows one has lines of a log's shape.
  if (s.count(Shape::nccl) + s.count(Shape::torch_log) + s.bare_kernel != 0 ||
      s.has("Traceback (most recent"))
    return std::nullopt;
  const auto row = [](std::string_view line) {
    const std::vector<std::string_view> cells = split_words(line);
    return cells.size() >= 4 && std::any_of(cells.begin(), cells.begin() + 3, [](std::string_view c) {
             return parse_number<std::uint64_t>(c).has_value();
           });
  };
  if (!top && !most(s, 60, row)) return std::nullopt;
  return narrow(K::process_list);
}

std::optional<KindGuess> sniff_pci(const Sample& s) {
  std::size_t heads = 0;
  std::size_t plain = 0;
  for (const std::string_view line : s.lines) {
    if (line[0] == ' ' || line[0] == '\t') continue;
    ++plain;
    const std::size_t domain = line.find(':');
    const bool short_form = domain == 2 && line.size() > 8 && line[5] == '.';
    const bool long_form = (domain == 4 || domain == 8) && line.size() > domain + 8 &&
                           line[domain + 3] == ':' && line[domain + 6] == '.';
    heads += (short_form || long_form) && line.find(": ") != std::string_view::npos ? 1 : 0;
  }
  const bool tree = s.text.starts_with("-[0000:");
  if (!tree && (heads == 0 || heads * 100 < plain * 60)) return std::nullopt;
  return narrow(K::pci_list);
}

std::optional<KindGuess> sniff_limits(const Sample& s) {
  const bool shell = s.has("(blocks, -c)") || s.has("(kbytes, -l)") || s.has("max locked memory");
  const bool process = s.has("Soft Limit") && s.has("Hard Limit");
  if ((!shell && !process) || quoted_in_a_log(s) || s.lines.size() > 60) return std::nullopt;
  return narrow(K::limits);
}

std::optional<KindGuess> sniff_packages(const Sample& s) {
  if (s.has("||/ Name") || s.has("Desired=Unknown/Install/Remove/Purge/Hold")) return narrow(K::package_list);
  if (s.lines.size() < 3) return std::nullopt;
  const auto rpm = [](std::string_view line) {
    line = trim(line);
    return line.find(' ') == std::string_view::npos &&
           (line.ends_with(".x86_64") || line.ends_with(".noarch") || line.ends_with(".aarch64") ||
            line.starts_with("gpg-pubkey-"));
  };
  const auto pip = [](std::string_view line) {
    line = trim(line);
    return line.find("==") != std::string_view::npos && line.find(' ') == std::string_view::npos;
  };
  const auto dpkg = [](std::string_view line) {
    return line.starts_with("ii  ") || line.starts_with("rc  ") || line.starts_with("hi  ");
  };
  const std::vector<std::string_view> head = split_words(s.lines[0]);
  const bool pip_table = head.size() == 2 && head[0] == "Package" && head[1] == "Version";
  if (most(s, 80, rpm) || most(s, 80, pip) || most(s, 80, dpkg) || pip_table) return narrow(K::package_list);
  if (s.has("PyTorch version:") && s.has("CUDA used to build PyTorch:") && !quoted_in_a_log(s))
    return narrow(K::package_list);
  return std::nullopt;
}

// The panel of nvidia-smi ends with processes, nvidia-smi -q holds limits: GPU tools first.
constexpr Sniffer kSniffers[] = {sniff_efa_packages,
                                 sniff_module_version,
                                 sniff_nvidia_smi_query,
                                 sniff_dcgm,
                                 sniff_nvidia_smi,
                                 sniff_environment,
                                 sniff_fabric,
                                 sniff_disk,
                                 sniff_limits,
                                 sniff_network,
                                 sniff_pci,
                                 sniff_packages,
                                 sniff_processes};

}  // namespace

Sniffers tool_sniffers() {
  return {kSniffers, std::size(kSniffers)};
}

}  // namespace faultline::ingest
