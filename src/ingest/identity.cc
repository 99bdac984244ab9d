// Node, group, pod, container, rank and collection from a chain, strongest evidence first
// (facts/artifact-formats 12.4). Nothing here looks at content; a folder that a customer named "node1" says
// nothing.
#include <algorithm>

#include "base/text.h"
#include "ingest/kinds.h"
#include "ingest/line_shape.h"

namespace faultline::ingest {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_hex(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}
bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "i-" and 8 or 17 hex digits, the whole text.
bool is_instance_id(std::string_view text) {
  return text.starts_with("i-") && (text.size() == 10 || text.size() == 19) && is_hex(text.substr(2));
}

/// An instance id anywhere in a component, not as a part of a longer word.
std::string_view find_instance_id(std::string_view text) {
  for (std::size_t at = text.find("i-"); at != kNone; at = text.find("i-", at + 1)) {
    if (at != 0 &&
        ((text[at - 1] >= 'a' && text[at - 1] <= 'z') || (text[at - 1] >= '0' && text[at - 1] <= '9')))
      continue;
    std::size_t end = at + 2;
    while (end < text.size() && is_hex(text.substr(end, 1))) ++end;
    const std::string_view id = text.substr(at, end - at);
    const bool whole = end == text.size() ||
                       !((text[end] >= 'a' && text[end] <= 'z') || (text[end] >= 'A' && text[end] <= 'Z'));
    if (whole && is_instance_id(id)) return id;
  }
  return {};
}

/// "ip-10-1-2-3", with what follows of a DNS name.
std::string_view find_ip_name(std::string_view text) {
  for (std::size_t at = text.find("ip-"); at != kNone; at = text.find("ip-", at + 1)) {
    if (at != 0 && text[at - 1] >= 'a' && text[at - 1] <= 'z') continue;
    std::size_t length = match_picture(text.substr(at), "ip-9-9-9-9");
    if (length == kNone) continue;
    const std::string_view rest = text.substr(at + length);
    for (const std::string_view domain : {".ec2.internal", ".compute.internal"}) {
      if (rest.starts_with(domain)) length += domain.size();
    }
    const std::size_t regional = rest.find(".compute.internal");
    if (rest.starts_with('.') && regional != kNone &&
        rest.substr(1, regional - 1).find_first_of("./ _") == kNone)
      length = length + regional + 17;
    return text.substr(at, length);
  }
  return {};
}

std::string_view strip(std::string_view name, std::initializer_list<std::string_view> suffixes) {
  for (const std::string_view suffix : suffixes) {
    if (name.size() > suffix.size() && name.ends_with(suffix))
      return name.substr(0, name.size() - suffix.size());
  }
  return name;
}

std::string_view without_archive_suffix(std::string_view name) {
  return strip(name, {".tar.gz", ".tgz", ".tar.xz", ".tar.zst", ".tar.bz2", ".tar", ".zip"});
}

/// What one component says, as "<grp>_<iid>" or "<grp>-<iid>": the id from the right, the group before it.
bool group_and_id(std::string_view text, char separator, PathIdentity& out) {
  const std::size_t id_at = text.rfind(std::string(1, separator) + "i-");
  if (id_at == kNone || id_at == 0 || !is_instance_id(text.substr(id_at + 1))) return false;
  out.instance_group = text.substr(0, id_at);
  out.speaker.node = text.substr(id_at + 1);
  return true;
}

struct Part {
  std::string_view text;
  std::size_t end = 0;  ///< offset in the chain behind it
};

std::vector<Part> parts_of(std::string_view chain) {
  std::vector<Part> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= chain.size() && parts.size() < 256; ++i) {
    if (i != chain.size() && chain[i] != '/' && chain[i] != '!' && chain[i] != '\\') continue;
    if (i != begin) parts.push_back({chain.substr(begin, i - begin), i});
    begin = i + 1;
  }
  return parts;
}

/// hyperpod_report_<grp>_<iid>_<YYYYmmdd_HHMMSS>
bool report_folder(std::string_view part, PathIdentity& out) {
  if (!part.starts_with("hyperpod_report_")) return false;
  part = without_archive_suffix(part.substr(16));
  const std::size_t stamp = part.size() - std::min<std::size_t>(part.size(), 15);
  if (stamp > 0 && part[stamp - 1] == '_' && has_picture(part.substr(stamp, 8), "00000000")) {
    part = part.substr(0, stamp - 1);
  }
  return group_and_id(part, '_', out);
}

// Each takes the parts of a chain and fills in what it knows and is not known yet.

void nodes(const std::vector<Part>& parts, PathIdentity& out, std::string_view chain) {
  for (const Part& part : parts) {
    if (report_folder(part.text, out)) {
      out.collection = chain.substr(0, part.end);
      return;
    }
  }
  // The node tarball, on its own or below instances/ (older: results/).
  for (const Part& part : parts) {
    const std::string_view bare = without_archive_suffix(part.text);
    if (&part == &parts.back() && bare.size() == part.text.size()) continue;
    if (group_and_id(bare, '_', out)) {
      out.collection = chain.substr(0, part.end);
      return;
    }
  }
  for (const Part& part : parts) {
    if (!part.text.starts_with("eks_i-")) continue;
    const std::string_view id = find_instance_id(part.text.substr(4));
    if (id.empty()) continue;
    out.speaker.node = id;
    out.collection = chain.substr(0, part.end);
    return;
  }
}

/// An older Slurm collector: control/<ip-a-b-c-d>/..., worker/<ip-a-b-c-d>/...
void older_report(const std::vector<Part>& parts, PathIdentity& out, std::string_view chain) {
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i - 1].text != "control" && parts[i - 1].text != "worker") continue;
    if (find_ip_name(parts[i].text).size() != parts[i].text.size() || i + 1 == parts.size()) continue;
    if (out.speaker.node.empty()) out.speaker.node = parts[i].text;
    if (out.collection.empty()) out.collection = chain.substr(0, parts[i].end);
    return;
  }
}

bool is_pod_uid(std::string_view text) {
  if (text.size() == 32) return is_hex(text);
  return text.size() == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-';
}

/// [pods/]<ns>_<pod>_<uid>/<ctr>/N.log, and <pod>_<ns>_<ctr>-<64hex>.log.
void pods(const std::vector<Part>& parts, PathIdentity& out) {
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const std::vector<std::string_view> names = split(parts[i].text, '_');
    if (names.size() != 3 || !is_pod_uid(names[2])) continue;
    out.speaker.pod = names[1];
    if (i + 2 < parts.size()) out.speaker.container = parts[i + 1].text;
    return;
  }
  if (parts.empty()) return;
  std::string_view name = strip(parts.back().text, {".log.gz", ".log"});
  // Container Insights streams: <node>-application.var.log.containers.<pod>_<ns>_<ctr>-<64hex>.log
  for (const Part& part : parts) {
    constexpr std::string_view kStream = "-application.var.log.containers.";
    const std::size_t at = part.text.find(kStream);
    if (at == kNone) continue;
    if (out.speaker.node.empty()) out.speaker.node = part.text.substr(0, at);
    name = strip(part.text.substr(at + kStream.size()), {".log.gz", ".log"});
  }
  const std::vector<std::string_view> names = split(name, '_');
  if (names.size() != 3) return;
  const std::size_t dash = names[2].rfind('-');
  if (dash == kNone || names[2].size() - dash != 65 || !is_hex(names[2].substr(dash + 1))) return;
  out.speaker.pod = names[0];
  out.speaker.container = names[2].substr(0, dash);
}

/// LifecycleConfig/<grp>/<iid>, in S3 exports LifecycleConfig-<grp>-<iid>; the same for the health agent.
void cloudwatch_streams(const std::vector<Part>& parts, PathIdentity& out) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const std::string_view stream :
         {"LifecycleConfig", "SagemakerHealthMonitoringAgent", "DeepHealthCheckResults"}) {
      const std::string_view text = parts[i].text;
      if (!text.starts_with(stream)) continue;
      PathIdentity found;
      if (text.size() > stream.size() + 1 && text[stream.size()] == '-') {
        const std::string_view rest =
            strip(text.substr(stream.size() + 1), {".log.gz", ".log", ".gz", ".txt", ".json"});
        if (!group_and_id(rest, '-', found) && is_instance_id(rest)) found.speaker.node = rest;
        found.speaker.stream = text;
      } else if (text == stream && i + 2 < parts.size() &&
                 is_instance_id(strip(parts[i + 2].text, {".log.gz", ".log", ".gz", ".txt", ".json"}))) {
        found.instance_group = parts[i + 1].text;
        found.speaker.node = strip(parts[i + 2].text, {".log.gz", ".log", ".gz", ".txt", ".json"});
        found.speaker.stream = std::string(stream) + "/" + found.instance_group + "/" + found.speaker.node;
      } else {
        continue;
      }
      if (out.speaker.node.empty()) out.speaker.node = found.speaker.node;
      if (out.instance_group.empty()) out.instance_group = found.instance_group;
      out.speaker.stream = found.speaker.stream;
      return;
    }
  }
}

/// <node>-logs.tar.gz, nvidia-bug-report_<node>.log.gz, nvidia-bug-report-<host>.log.gz,
/// sosreport-<host>-..., component_versions_<host>_<date>
void named_archives(const std::vector<Part>& parts, PathIdentity& out, std::string_view chain) {
  if (!out.speaker.node.empty()) return;
  for (const Part& part : parts) {
    std::string_view text = part.text;
    std::string_view node;
    const bool archive = without_archive_suffix(text).size() != text.size();
    if (archive && without_archive_suffix(text).ends_with("-logs")) {
      node = strip(without_archive_suffix(text), {"-logs"});
      // Anyone may call an archive "training-logs": the name has to be one that nodes have.
      if (find_instance_id(node).empty() && find_ip_name(node).empty()) node = {};
    } else if (text.starts_with("nvidia-bug-report_") || text.starts_with("nvidia-bug-report-")) {
      node = strip(text.substr(18), {".log.gz", ".log.old.gz", ".log.old", ".log"});
      if (node == "exec") node = {};
    } else if (text.starts_with("sosreport-")) {
      text = strip(without_archive_suffix(text.substr(10)), {"-obfuscated"});
      // <host>[-<label>][-<case>]-<YYYY-MM-DD>-<7 letters>; older <host>[.<case>]-<14 digits>
      for (std::size_t at = text.find('-'); at != kNone; at = text.find('-', at + 1)) {
        if (!has_picture(text.substr(at + 1), "0000-00-00") &&
            !has_picture(text.substr(at + 1), "00000000000000"))
          continue;
        node = text.substr(0, at);
        break;
      }
    } else if (text.starts_with("component_versions_")) {
      text = text.substr(19);
      const std::size_t at = text.find('_');
      if (at != kNone && has_picture(text.substr(at + 1), "00000000")) node = text.substr(0, at);
    } else {
      continue;
    }
    if (node.empty()) continue;
    out.speaker.node = node;
    if (archive || &part != &parts.back()) out.collection = chain.substr(0, part.end);
    return;
  }
}

/// Ranks: attempt_<k>/<local rank>/stdout.log, rank.<n>/stdout, <prefix>_rank_<n>.
void ranks(const std::vector<Part>& parts, PathIdentity& out) {
  for (std::size_t i = 0; i + 2 < parts.size(); ++i) {
    if (!parts[i].text.starts_with("attempt_") || !is_digits(parts[i].text.substr(8)) ||
        !is_digits(parts[i + 1].text))
      continue;
    out.speaker.local_rank = parse_number<std::int32_t>(parts[i + 1].text).value_or(-1);
    const std::string_view file = parts[i + 2].text;
    if (file.starts_with("stdout") || file.starts_with("stderr")) out.speaker.stream = file.substr(0, 6);
    return;
  }
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (!parts[i].text.starts_with("rank.")) continue;
    out.speaker.rank = parse_number<std::int32_t>(parts[i].text.substr(5)).value_or(-1);
    if (out.speaker.rank >= 0 && (parts[i + 1].text == "stdout" || parts[i + 1].text == "stderr"))
      out.speaker.stream = parts[i + 1].text;
    return;
  }
  if (parts.empty()) return;
  const std::string_view name =
      strip(parts.back().text, {".json", ".pickle", ".pkl", ".gz", ".log", ".txt", ".out", ".err"});
  for (const std::string_view mark : {"_rank_", "-rank-", "_rank", "-rank", "rank_", "rank-", "rank"}) {
    const std::size_t at = name.rfind(mark);
    if (at == kNone || (at != 0 && !mark.starts_with('_') && !mark.starts_with('-'))) continue;
    const std::string_view digits = name.substr(at + mark.size());
    const std::size_t end = std::min(digits.size(), digits.find_first_not_of("0123456789"));
    // Only at the end of the name, so that rank3_of_8 and rank0-restart are not guessed at.
    if (end != digits.size() || digits.empty() || digits.size() > 7) continue;
    const std::int32_t rank = parse_number<std::int32_t>(digits).value_or(-1);
    if (at >= 6 && name.substr(at - 6, 6) == "_local") {
      out.speaker.local_rank = rank;
    } else {
      out.speaker.rank = rank;
    }
    return;
  }
}

/// NCCL_DEBUG_FILE names: nccl_debug.<host>.<pid>[.log|.txt]
void nccl_file(const std::vector<Part>& parts, PathIdentity& out) {
  if (parts.empty() ||
      !(parts.back().text.starts_with("nccl_debug.") || parts.back().text.starts_with("nccl-debug.")))
    return;
  const std::string_view rest = strip(parts.back().text.substr(11), {".log", ".txt"});
  const std::size_t dot = rest.rfind('.');
  if (dot == kNone || !is_digits(rest.substr(dot + 1))) return;
  out.speaker.pid = parse_number<std::int64_t>(rest.substr(dot + 1)).value_or(-1);
  if (out.speaker.node.empty() && out.speaker.pod.empty()) out.speaker.node = rest.substr(0, dot);
}

/// Weakest: an id or a private DNS name in any part, the innermost first.
void loose(const std::vector<Part>& parts, PathIdentity& out) {
  if (!out.speaker.node.empty()) return;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const std::string_view id = find_instance_id(part->text);
    const std::string_view ip = id.empty() ? find_ip_name(part->text) : std::string_view();
    if (id.empty() && ip.empty()) continue;
    out.speaker.node = id.empty() ? ip : id;
    if (!id.empty() && out.instance_group.empty()) {
      PathIdentity found;
      const std::string_view bare = strip(without_archive_suffix(part->text), {".log", ".txt"});
      if (group_and_id(bare, '_', found)) out.instance_group = found.instance_group;
    }
    return;
  }
}

/// Where no node has its own collection: the top folder of an issue report is none, but an archive of one
/// node is.
void kubectl_collection(const std::vector<Part>& parts, PathIdentity& out, std::string_view chain) {
  if (!out.collection.empty()) return;
  for (const Part& part : parts) {
    if (part.text == "kubectl_resources.tar.gz" || part.text == "kubectl_resources" ||
        part.text.starts_with("support-bundle-") || part.text.starts_with("nvidia-gpu-operator_") ||
        part.text == "bottlerocket-logs" || part.text == "eks-logs") {
      if (&part == &parts.back()) return;
      out.collection = chain.substr(0, part.end);
      return;
    }
  }
}

}  // namespace

PathIdentity identity_from_chain(std::string_view chain) {
  PathIdentity out;
  const std::vector<Part> parts = parts_of(chain);
  nodes(parts, out, chain);
  older_report(parts, out, chain);
  pods(parts, out);
  cloudwatch_streams(parts, out);
  named_archives(parts, out, chain);
  ranks(parts, out);
  nccl_file(parts, out);
  loose(parts, out);
  kubectl_collection(parts, out, chain);
  return out;
}

}  // namespace faultline::ingest
