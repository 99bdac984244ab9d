#include "report/wording.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <set>

namespace faultline::report {

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t number, std::string_view noun, std::string_view plural) {
  std::string text = grouped(number) + ' ';
  if (number == 1) return text.append(noun);
  return plural.empty() ? text.append(noun) + 's' : text.append(plural);
}

std::string byte_text(std::uint64_t bytes) {
  if (bytes < 1000) return counted(bytes, "byte");
  constexpr std::array<std::string_view, 6> kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; value >= 999.95 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string time_text(const Instant& time) {
  if (time.base == Instant::Base::boot)
    return fmt::format("boot+{:.3f}s", static_cast<double>(time.ns) / kSecond);
  if (!time.wall()) return "(no time)";
  std::string text = to_iso_ns(time.ns, std::max(time.precision_ns, kMillisecond));  // finer is for programs
  if (time.year_inferred || time.zone == Instant::Zone::assumed) text.insert(0, 1, '~');
  return text;
}

std::string short_place(std::string_view place) {
  constexpr std::size_t kShort = 60;
  if (place.size() <= kShort) return std::string(place);
  const std::size_t inner = place.rfind('!');
  std::string text;
  if (inner != std::string_view::npos) {
    const std::string_view outer = place.substr(0, inner);
    text = outer.substr(outer.find_last_of("!/") + 1);  // npos + 1 is 0
    text += '!';
    place.remove_prefix(inner + 1);
  }
  std::size_t from = place.rfind('/');
  if (from == std::string_view::npos) return text.append(place);
  if (const std::size_t parent = from == 0 ? from : place.rfind('/', from - 1);
      parent != std::string_view::npos && text.size() + place.size() - parent <= kShort) {
    from = parent;
  }
  return text.append("...").append(place.substr(from));
}

std::string folded_ranks(std::vector<std::int32_t> ranks) {
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == static_cast<std::int64_t>(ranks[end - 1]) + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(ranks[i]);
    if (end - i > 1) text += (end - i == 2 ? ',' : '-') + std::to_string(ranks[end - 1]);
    i = end;
  }
  return text;
}

std::string listed(const std::vector<std::string>& items, std::size_t most) {
  std::string text;
  const std::size_t shown = items.size() <= most + 1 ? items.size() : most;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += ", ";
    text += items[i];
  }
  if (shown < items.size()) text += fmt::format(" and {} more", grouped(items.size() - shown));
  return text;
}

std::string reference_text(std::string_view reference) {
  const std::size_t hash = reference.rfind('#');
  if (hash == std::string_view::npos) return std::string(reference);
  return std::string(reference.substr(0, hash)) + " \xc2\xa7 " + std::string(reference.substr(hash + 1));
}

std::string subject_text(std::string_view kind, const Speaker& speaker, std::string_view gpu,
                         std::string_view nic) {
  std::string text;
  const auto add = [&text](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    if (!text.empty()) text += ", ";
    text.append(name).append(" ").append(value);
  };
  add("node", speaker.node);
  add("pod", speaker.pod);
  add("container", speaker.container);
  if (speaker.rank >= 0) add("rank", std::to_string(speaker.rank));
  if (speaker.rank < 0 && speaker.local_rank >= 0) add("local rank", std::to_string(speaker.local_rank));
  if (!gpu.empty()) {
    add(device_word(kind), gpu);
  } else if (speaker.gpu >= 0) {
    add("GPU", std::to_string(speaker.gpu));
  }
  add("NIC", nic);
  if (speaker.pid >= 0 && speaker.rank < 0) add("pid", std::to_string(speaker.pid));
  return text;
}

Tag tag_of(const Finding& finding) {
  if (finding.role == Role::context || finding.role == Role::benign || finding.role == Role::progress)
    return Tag::info;
  if (finding.severity == Severity::p2) return Tag::info;
  const bool passed = finding.outcome == Outcome::recovered || finding.outcome == Outcome::progressed;
  if (finding.severity == Severity::p1 || passed || finding.status == Status::trial) return Tag::warn;
  return Tag::fail;
}

Tag tag_of(Verdict verdict) {
  constexpr Tag kTags[] = {Tag::fail, Tag::warn, Tag::pass, Tag::info, Tag::unknown};
  return kTags[static_cast<std::size_t>(verdict)];
}

std::string_view tag_text(Tag tag) {
  constexpr std::string_view kTexts[] = {"[FAIL]", "[WARN]", "[PASS]", "[INFO]", "[UNKNOWN]"};
  return kTexts[static_cast<std::size_t>(tag)];
}

std::string coverage_line(const Coverage& coverage) {
  const CoverageTotals& totals = coverage.totals;
  std::uint64_t read = 0;
  std::uint64_t never_read = 0;
  for (const CoverageRow& row : coverage.rows) {
    const Treatment treatment = kind_info(row.kind).treatment;
    const bool skipped = row.state == CoverageRow::State::skipped;
    read += !skipped && treatment != Treatment::archive ? 1 : 0;
    // `empty` is also the kind of what broke or was locked before its first byte: no kind of its own.
    never_read += skipped && treatment == Treatment::opaque && row.kind != ArtifactKind::empty ? 1 : 0;
  }
  std::string text = fmt::format("read {} of {}", grouped(read), counted(totals.artifacts, "artifact"));
  if (totals.archives > 0) text += " in " + counted(totals.archives, "archive");
  text += fmt::format(" ({}, {})", byte_text(totals.bytes), counted(totals.lines, "line"));
  text += fmt::format("; {} cut, {} skipped", grouped(totals.partial), grouped(totals.skipped));
  if (never_read > 0) text += fmt::format(" ({} of kinds that are never read)", grouped(never_read));
  if (totals.archives_cut > 0) {
    text += fmt::format(", {} not read to the end", counted(totals.archives_cut, "archive"));
  }
  text += coverage.missing.empty() ? std::string(", no input known to be missing")
                                   : ", " + counted(coverage.missing.size(), "input") + " missing";
  if (!coverage.limits_hit.empty()) text += ", " + counted(coverage.limits_hit.size(), "limit") + " hit";
  if (coverage.interrupted) text += "; INTERRUPTED before the end";
  return text;
}

namespace {

struct Group {
  std::string_view what;
  Family family;
};
// Families as people name them.
constexpr Group kGroups[] = {
    {"job and pod logs", Family::training}, {"kernel logs", Family::kernel},
    {"system logs", Family::system},        {"GPU tools", Family::gpu},
    {"Kubernetes", Family::kubernetes},     {"Slurm", Family::slurm},
    {"HyperPod agents", Family::agent},     {"other text and state", Family::any},
};

void widen(Looked& looked, const Instant& first, const Instant& last) {
  if (first.wall() && (!looked.first.wall() || first.ns < looked.first.ns)) looked.first = first;
  if (last.wall() && (!looked.last.wall() || last.ns > looked.last.ns)) looked.last = last;
}

}  // namespace

std::vector<Looked> looked_at(const Coverage& coverage) {
  std::vector<Looked> rows;
  for (const Group& group : kGroups) {
    Looked looked;
    looked.what = group.what;
    std::set<std::string> nodes;
    for (const CoverageRow& row : coverage.rows) {
      const KindInfo& kind = kind_info(row.kind);
      if (kind.treatment == Treatment::archive || kind.treatment == Treatment::opaque) continue;
      if (kind.family != group.family) continue;
      if (row.state == CoverageRow::State::skipped) {
        ++looked.lost;
        continue;
      }
      ++looked.artifacts;
      looked.cut += row.state == CoverageRow::State::partial ? 1 : 0;
      looked.bytes += row.bytes;
      if (!row.node.empty()) nodes.insert(row.node);
      widen(looked, row.first, row.last);
    }
    looked.nodes.assign(nodes.begin(), nodes.end());
    rows.push_back(std::move(looked));
  }
  return rows;
}

}  // namespace faultline::report
