// kubectl and Slurm output: tables by their header row, describe text, YAML, and CSV of CloudWatch.
#include <algorithm>

#include "base/text.h"
#include "ingest/sample.h"

namespace faultline::ingest {
namespace {

using K = ArtifactKind;

/// Tables and describe text are often pasted beside logs: then all patterns apply.
KindGuess narrow_unless_mixed(const Sample& s, K k) {
  const bool mixed = has_training_words(s) || s.bare_kernel != 0 || log_lines(s) * 20 > s.lines.size() ||
                     s.has("$ ") || s.has("# kubectl") || s.has("bash-");
  return {.kind = k, .family = mixed ? Family::any : kind_info(k).family};
}

bool upper_words(std::string_view line) {
  const std::vector<std::string_view> words = split_words(line);
  return words.size() >= 2 && std::all_of(words.begin(), words.end(), [](std::string_view word) {
           return std::all_of(word.begin(), word.end(),
                              [](char c) {
                                return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                                       std::string_view("-_()%/#*:.|").find(c) != std::string_view::npos;
                              }) &&
                  word.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string_view::npos;
         });
}

bool has_words(std::string_view line, std::initializer_list<std::string_view> wanted) {
  const std::vector<std::string_view> words = split_words(line);
  return std::all_of(wanted.begin(), wanted.end(), [&](std::string_view w) {
    return std::find(words.begin(), words.end(), w) != words.end();
  });
}

struct Header {
  std::initializer_list<std::string_view> words;
  K kind;
};

std::optional<K> header_kind(std::string_view line) {
  // First match wins: sinfo -R before users' own tables, events before any other table of kubectl.
  static const Header kHeaders[] = {
      {{"LAST", "SEEN", "TYPE", "REASON"}, K::kubectl_events},
      {{"TYPE", "REASON", "OBJECT", "MESSAGE"}, K::kubectl_events},
      {{"FIRST", "SEEN", "COUNT"}, K::kubectl_events},
      {{"PARTITION", "AVAIL"}, K::slurm_command},
      {{"REASON", "USER", "TIMESTAMP"}, K::slurm_command},
      {{"JOBID", "PARTITION"}, K::slurm_command},
      {{"NODELIST", "STATE"}, K::slurm_command},
      {{"NODELIST", "NODES"}, K::slurm_command},
      {{"HOSTNAMES", "STATE"}, K::slurm_command},
      {{"NAME", "STATUS", "AGE"}, K::kubectl_table},
      {{"NAME", "READY"}, K::kubectl_table},
      {{"NAME", "AGE"}, K::kubectl_table},
      {{"NAME", "CPU(cores)"}, K::kubectl_table},
      {{"NAMESPACE", "NAME"}, K::kubectl_table},
      {{"NAME", "STATUS", "ROLES"}, K::kubectl_table},
      {{"POD", "NODE"}, K::kubectl_table},
      {{"UNIT", "LOAD", "ACTIVE", "SUB"}, K::systemd_status},
  };
  for (const Header& header : kHeaders) {
    if (has_words(line, header.words)) return header.kind;
  }
  if (has_words(line, {"JobID", "State"}) || line.starts_with("JobID|") ||
      has_words(line, {"JobID", "JobName"}))
    return K::slurm_command;
  if (line.find("|State|") != std::string_view::npos && line.find("JobID") != std::string_view::npos)
    return K::slurm_command;
  // kubectl -o custom-columns: any words, NAME among them, and nothing else on the line.
  if (upper_words(line) && line.starts_with("NAME ") && line.find("MAJ:MIN") == std::string_view::npos &&
      line.find("FSTYPE") == std::string_view::npos) {
    return K::kubectl_table;
  }
  return std::nullopt;
}

std::optional<KindGuess> sniff_header(const Sample& s) {
  // The header stands first, or behind a prompt, a date, an error line; a log that prints a table later is a
  // log.
  for (std::size_t i = 0; i < std::min<std::size_t>(s.lines.size(), 6); ++i) {
    if (s.shapes[i] != Shape::other && s.shapes[i] != Shape::bracket_iso) return std::nullopt;
    if (const std::optional<K> found = header_kind(s.lines[i])) return narrow_unless_mixed(s, *found);
  }
  return std::nullopt;
}

bool column_zero_key(std::string_view line, std::string_view key) {
  return line.starts_with(key) && line.size() > key.size() && line[key.size()] == ':';
}

bool event_row(std::string_view line) {
  line = trim(line);
  for (const std::string_view type : {"Normal", "Warning"}) {
    if (!line.starts_with(type) || line.size() < type.size() + 2 ||
        (line[type.size()] != ' ' && line[type.size()] != '\t'))
      continue;
    const std::vector<std::string_view> words = split_words(line);
    return words.size() >= 4 && words[1][0] >= 'A' && words[1][0] <= 'Z' && words[2][0] >= '0' &&
           words[2][0] <= '9';
  }
  return false;
}

std::optional<KindGuess> sniff_describe(const Sample& s) {
  std::size_t names = 0;
  std::size_t keys = 0;
  std::size_t rows = 0;
  bool events = false;
  for (const std::string_view line : s.lines) {
    names += column_zero_key(line, "Name") ? 1 : 0;
    for (const std::string_view key :
         {"Namespace",           "Roles",    "Labels",         "Annotations",    "Taints",      "Conditions",
          "Containers",          "Lease",    "System Info",    "Node-Selectors", "Tolerations", "QoS Class",
          "Unschedulable",       "Capacity", "Allocatable",    "Spec",           "Status",      "Selector",
          "Non-terminated Pods", "PodCIDR",  "Init Containers"}) {
      keys += column_zero_key(line, key) ? 1 : 0;
    }
    events = events || column_zero_key(line, "Events") || line == "Events:";
    rows += event_row(line) ? 1 : 0;
  }
  // A whole object, or a part of one that someone cut out: conditions, taints, the table of events.
  if ((names != 0 && keys >= 1) || keys >= 2) return narrow_unless_mixed(s, K::kubectl_describe);
  if (keys == 1 && s.lines.size() <= 5 && s.has("kubernetes.io/"))
    return narrow_unless_mixed(s, K::kubectl_describe);
  if (events && (rows != 0 || s.has("<none>"))) return narrow_unless_mixed(s, K::kubectl_describe);
  if (s.has("\n    State: ") && s.has("Restart Count:")) return narrow_unless_mixed(s, K::kubectl_describe);
  if (rows != 0 && rows * 100 >= s.lines.size() * 40) return narrow_unless_mixed(s, K::kubectl_events);
  return std::nullopt;
}

std::optional<KindGuess> sniff_yaml(const Sample& s) {
  bool version = false;
  bool object = false;
  for (std::size_t i = 0; i < std::min<std::size_t>(s.lines.size(), 400); ++i) {
    const std::string_view line = trim(s.lines[i]);
    version = version || line.starts_with("apiVersion: ") || line.starts_with("- apiVersion: ");
    object = object || line.starts_with("kind: ");
  }
  if (!version || !object) return std::nullopt;
  const std::size_t pairs = s.percent([](std::string_view line) {
    const std::string_view bare = trim(line);
    return bare.starts_with("- ") || bare == "---" || bare.find(": ") != std::string_view::npos ||
           bare.ends_with(':') || bare.starts_with('#');
  });
  if (pairs < 60) return std::nullopt;
  return narrow(K::kubectl_yaml);
}

std::optional<KindGuess> sniff_csv(const Sample& s) {
  if (s.lines.empty()) return std::nullopt;
  std::string header = lower(s.lines[0]);
  std::erase(header, '"');
  if (header.find(',') == std::string::npos || header.size() > 500) return std::nullopt;
  if (header == "timestamp,message" || header.starts_with("timestamp,message,") ||
      header.find("@timestamp") != std::string::npos || header.find("@message") != std::string::npos ||
      header.find("@logstream") != std::string::npos) {
    return narrow(K::cloudwatch_csv);
  }
  return std::nullopt;
}

std::optional<KindGuess> sniff_slurm_records(const Sample& s) {
  std::size_t nodes = 0;
  std::size_t jobs = 0;
  std::size_t config = 0;
  for (const std::string_view raw : s.lines) {
    const std::string_view line = trim(raw);
    nodes += line.starts_with("NodeName=") && (line.find(" Arch=") != std::string_view::npos ||
                                               line.find("CoresPerSocket") != std::string_view::npos ||
                                               line.find(" State=") == std::string_view::npos)
                 ? 1
                 : 0;
    nodes += line.starts_with("State=") || line.starts_with("CfgTRES=") || line.starts_with("Reason=") ||
                     line.starts_with("BootTime=")
                 ? 1
                 : 0;
    jobs +=
        line.starts_with("JobId=") || line.starts_with("JobState=") || line.starts_with("ReservationName=")
            ? 1
            : 0;
    for (const std::string_view key : {"ClusterName=",    "SlurmctldHost=", "SlurmctldHost(",
                                       "ControlMachine=", "SlurmUser=",     "PartitionName=",
                                       "SwitchName=",     "SelectType=",    "ProctrackType=",
                                       "TaskPlugin=",     "GresTypes=",     "ConstrainRAMSpace",
                                       "CgroupPlugin=",   "AutoDetect=",    "Name=gpu",
                                       "StorageHost=",    "DbdHost=",       "AccountingStorageType=",
                                       "SlurmdLogFile=",  "include "}) {
      config += line.starts_with(key) ? 1 : 0;
    }
  }
  // `scontrol show partition` and slurm.conf both say PartitionName=; the file says more.
  if (config >= 2 || (config != 0 && s.name.ends_with(".conf"))) {
    if (!has_training_words(s)) return narrow(K::slurm_config);
  }
  if (s.has("Slurmctld(primary) at ") || s.has("Slurmctld(backup"))
    return narrow_unless_mixed(s, K::slurm_command);
  if (nodes + jobs >= 2 && (jobs != 0 || s.has("NodeName="))) {
    const std::size_t share = s.percent([](std::string_view line) {
      return line.find('=') != std::string_view::npos && line.find(' ') != 0;
    });
    if (share + s.percent([](std::string_view line) {
          return line.starts_with("   ") && line.find('=') != std::string_view::npos;
        }) >=
        60) {
      return narrow_unless_mixed(s, K::slurm_command);
    }
  }
  return std::nullopt;
}

std::optional<KindGuess> sniff_systemd_status(const Sample& s) {
  if (!s.has("Loaded: ") || !s.has("Active: ")) return std::nullopt;
  bool unit = false;
  for (std::size_t i = 0; i < std::min<std::size_t>(s.lines.size(), 200) && !unit; ++i) {
    unit = s.lines[i].find(".service - ") != std::string_view::npos ||
           s.lines[i].find(".service ") != std::string_view::npos ||
           s.lines[i].find(".mount - ") != std::string_view::npos;
  }
  if (!unit) return std::nullopt;
  return has_training_words(s) ? wide(K::systemd_status) : narrow(K::systemd_status);
}

std::optional<KindGuess> sniff_nothing_found(const Sample& s) {
  if (s.lines.size() > 3 || !s.text.starts_with("No resources found")) return std::nullopt;
  return narrow(K::kubectl_table);
}

constexpr Sniffer kSniffers[] = {sniff_csv,  sniff_nothing_found, sniff_systemd_status, sniff_header,
                                 sniff_yaml, sniff_slurm_records, sniff_describe};

}  // namespace

Sniffers table_sniffers() {
  return {kSniffers, std::size(kSniffers)};
}

}  // namespace faultline::ingest
