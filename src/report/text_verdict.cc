// The first screen: what was read, then what happened, by incident.
#include <algorithm>

#include "report/text_parts.h"

namespace faultline::report {
namespace {

constexpr std::size_t kLabel = 15;       // column of the values
constexpr std::size_t kChainLinks = 12;  // of one incident on the first screen; the rest is counted

Style style_of(Confidence confidence) {
  constexpr Style kStyles[] = {Style::fail, Style::fail, Style::warn, Style::unknown};
  return kStyles[static_cast<std::size_t>(confidence)];
}

std::string culprit_text(const Culprit& culprit) {
  std::string text;
  const auto add = [&text](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    if (!text.empty()) text += ", ";
    text.append(name).append(" ").append(value);
  };
  add("node", culprit.node);
  add("GPU", culprit.gpu);
  if (culprit.rank) add("rank", std::to_string(*culprit.rank));
  add("pod", culprit.pod);
  return text.empty() ? "not known" : text;
}

// "1 2026-01-01T00:00:00Z cause  text" would not fit 80 columns with its evidence: a link takes two or three
// lines.
void write_chain(const Incident& incident, const CaseReport& report, Page& page) {
  if (incident.chain.empty()) return;
  page.item(2, "Chain", kLabel, "(first to last; ~ an assumed year or zone; full paths below)", Style::strong,
            Style::dim);
  const std::size_t shown = std::min(incident.chain.size(), kChainLinks);
  for (std::size_t i = 0; i < shown; ++i) {
    const ChainLink& link = incident.chain[i];
    page.item(4, std::to_string(i + 1) + ". " + std::string(role_name(link.role)), 17, time_text(link.time),
              Style::strong);
    page.paragraph(7, link.label);
    if (!link.ranks.empty()) page.paragraph(7, "ranks " + folded_ranks(link.ranks));
    const std::string place = short_place(where(report.coverage, link.evidence));
    if (!place.empty()) page.paragraph(7, place, Style::dim);
  }
  if (shown < incident.chain.size())
    page.paragraph(4, counted(incident.chain.size() - shown, "further link") + ": see --format json",
                   Style::dim);
}

void write_numbered(std::string_view label, const std::vector<std::string>& lines, Page& page) {
  if (lines.empty()) return;
  page.paragraph(2, label, Style::strong);
  for (std::size_t i = 0; i < lines.size(); ++i) page.item(4, std::to_string(i + 1) + ".", 3, lines[i]);
}

// Bare numbers say what they are.
std::vector<std::string> named_aliases(std::vector<std::string> aliases) {
  for (std::string& alias : aliases) {
    if (alias.empty() || alias.find_first_not_of("0123456789") != std::string::npos) continue;
    alias.insert(0, alias.size() <= 3 ? "GPU index " : "GPU serial ");
  }
  return aliases;
}

void write_incident(const Incident& incident, const CaseReport& report, Page& page) {
  page.blank();
  std::string title = "Incident " + std::to_string(incident.id);
  if (incident.primary && report.incidents.size() > 1) title += " (the one this report is about)";
  if (!incident.job.empty()) title += ": job " + incident.job;
  page.paragraph(0, title, Style::strong);
  if (incident.cause) {
    const Cause& cause = *incident.cause;
    page.item(2, "Cause", kLabel,
              cause.text + " [" + (cause.pattern.empty() ? cause.kind : cause.pattern) + "]", Style::strong);
  } else {
    page.item(2, "Cause", kLabel, "undecided", Style::strong, Style::unknown);
  }
  page.item(2, incident.cause ? "Culprit" : "Look first at", kLabel,
            incident.culprit ? culprit_text(*incident.culprit) : "not known", Style::strong);
  if (incident.culprit && !incident.culprit->aliases.empty())
    page.item(2, "", kLabel, "also: " + listed(named_aliases(incident.culprit->aliases), 8));
  if (incident.stall_start.known())
    page.item(2, "Stall began", kLabel, time_text(incident.stall_start), Style::strong);
  if (incident.begin.known() || incident.end.known())
    page.item(2, "Window", kLabel, time_text(incident.begin) + " to " + time_text(incident.end),
              Style::strong);
  page.item(2, "Confidence", kLabel, confidence_name(incident.confidence), Style::strong,
            style_of(incident.confidence));
  write_numbered("Why (" + counted(incident.reasons.size(), "reason") + ")", incident.reasons, page);
  write_chain(incident, report, page);
  if (!incident.alternatives.empty()) {
    page.paragraph(2, incident.cause ? "Other explanations" : "Competing explanations", Style::strong);
    for (const Alternative& other : incident.alternatives)
      page.item(4, "-", 2, other.kind + ": " + other.why);
  }
  write_numbered(incident.cause ? "Would make this surer" : "Would decide it", incident.missing, page);
}

std::string span_text(const Looked& looked) {
  if (!looked.first.wall()) return {};
  return ", " + time_text(looked.first) + " to " + time_text(looked.last);
}

// Absence means something only beside what was looked at.
void write_ground(const CaseReport& report, Page& page) {
  page.blank();
  page.paragraph(0, "This is not a clean bill of health. It rests on what was looked at, and only on that:");
  std::string absent;
  for (const Looked& looked : looked_at(report.coverage)) {
    if (looked.artifacts == 0 && looked.lost == 0) {
      absent += (absent.empty() ? "" : ", ") + looked.what;
      continue;
    }
    std::string text = counted(looked.artifacts, "artifact") + ", " + byte_text(looked.bytes);
    if (looked.cut > 0) text += ", " + grouped(looked.cut) + " cut";
    if (looked.lost > 0) text += ", " + grouped(looked.lost) + " skipped";
    if (!looked.nodes.empty()) text += ", " + counted(looked.nodes.size(), "node");
    page.item(2, looked.what, 22, text + span_text(looked));
  }
  if (!absent.empty()) page.item(2, "not in this input", 22, absent, Style::strong);
  if (!report.coverage.missing.empty()) {
    std::vector<std::string> missing;
    for (const MissingInput& input : report.coverage.missing) missing.push_back(input.what);
    page.item(2, "known to be missing", 22, listed(missing, 8), Style::strong);
  }
}

bool has_fault(const CaseReport& report) {
  return std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
    const Tag tag = tag_of(finding);
    return tag == Tag::fail || tag == Tag::warn;
  });
}

}  // namespace

void write_coverage_line(const CaseReport& report, Page& page) {
  page.item(0, "COVERAGE", 10, coverage_line(report.coverage), Style::heading);
}

void write_verdict(const CaseReport& report, Page& page) {
  std::string verdict = report.verdict;
  if (verdict.empty()) {
    const CoverageTotals& totals = report.coverage.totals;
    verdict = totals.scanned + totals.partial == 0 ? "nothing was read, so nothing can be said"
              : !report.incidents.empty()          ? "see the incidents below"
              : has_fault(report)                  ? "findings, but no incident was made out of them"
                                                   : "no event that points to a fault was found";
  }
  page.item(0, "VERDICT", 10, verdict, Style::heading, Style::strong);
  for (const Incident& incident : report.incidents) write_incident(incident, report, page);
  if (report.incidents.empty()) write_ground(report, page);
}

}  // namespace faultline::report
