#include "correlate/correlate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "correlate/clocks.h"
#include "correlate/commands.h"
#include "correlate/diagnose.h"
#include "correlate/edges.h"
#include "correlate/episodes.h"
#include "correlate/findings.h"
#include "correlate/identity.h"
#include "correlate/incidents.h"
#include "correlate/meanings.h"
#include "correlate/outcomes.h"
#include "correlate/place.h"
#include "correlate/versions.h"

namespace faultline::correlate {
namespace {

constexpr std::size_t kMaxTimeline = 5000;
constexpr std::size_t kMaxIncidents = 50;

// Nodes that should have delivered and did not.
void list_missing_nodes(const Evidences& evidences, Coverage& coverage) {
  for (const Fact& fact : evidences.facts) {
    if (fact.key != "collection.failed" || fact.subject.node.empty()) continue;
    MissingInput missing;
    missing.what = "node " + fact.subject.node;
    missing.why = "collection failed: " + fact.value;
    missing.collect = "collect from this node again, or its CloudWatch log streams";
    missing.where = where(coverage, fact.evidence);
    coverage.missing.push_back(std::move(missing));
  }
}

std::vector<TimelineEntry> make_timeline(const std::vector<Event>& events, const std::vector<bool>& copies,
                                         const std::vector<Finding>& findings, std::uint64_t& total) {
  std::map<std::pair<std::string, std::string>, const Finding*> by_pattern;
  for (const Finding& finding : findings) by_pattern[{finding.pattern, finding.kind}] = &finding;
  std::vector<TimelineEntry> entries;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (copies[i] || event.role == Role::benign || event.kind == "software_version") continue;
    const Finding* finding = by_pattern.at({event.pattern, event.kind});
    TimelineEntry entry;
    entry.time = event.time;
    entry.node = !event.speaker.node.empty() ? event.speaker.node : event.speaker.pod;
    entry.severity = event.severity;
    entry.kind = event.kind;
    entry.finding = finding->id;
    entry.text = finding->title;
    if (event.speaker.rank >= 0) entry.text += fmt::format(" (rank {})", event.speaker.rank);
    if (!event.gpu.empty()) entry.text += fmt::format(" ({} {})", device_word(event.kind), event.gpu);
    if (event.repeats > 1) entry.text += fmt::format(" x{}", event.repeats);
    entries.push_back(std::move(entry));
  }
  std::stable_sort(entries.begin(), entries.end(), [](const TimelineEntry& a, const TimelineEntry& b) {
    const auto key = [](const TimelineEntry& e) {
      return std::tuple(!e.time.wall(), e.time.wall() ? e.time.ns : 0, e.node);
    };
    return key(a) < key(b);
  });
  total = entries.size();
  if (entries.size() > kMaxTimeline) {
    // What is least grave goes first; the order of the rest stays.
    std::vector<std::size_t> order(entries.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return entries[a].severity < entries[b].severity; });
    order.resize(kMaxTimeline);
    std::sort(order.begin(), order.end());
    std::vector<TimelineEntry> kept;
    kept.reserve(order.size());
    for (const std::size_t i : order) kept.push_back(std::move(entries[i]));
    entries = std::move(kept);
  }
  return entries;
}

std::string culprit_text(const Culprit& c) {
  std::vector<std::string> parts;
  if (!c.node.empty()) parts.push_back("node " + c.node);
  if (!c.pod.empty()) parts.push_back("pod " + c.pod);
  if (!c.gpu.empty()) parts.push_back("GPU " + c.gpu);
  if (c.rank) parts.push_back(fmt::format("rank {}", *c.rank));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string verdict_of(const CaseReport& report) {
  const CoverageTotals& totals = report.coverage.totals;
  if (report.incidents.empty() && totals.scanned + totals.partial == 0)
    return "nothing could be read: nothing can be said about this input";
  if (report.incidents.empty()) {
    return fmt::format(
        "no failure found in the {} of {} artifacts that could be read; this is no clean bill of health",
        totals.scanned + totals.partial, totals.artifacts);
  }
  const Incident& incident = report.incidents.front();
  std::string text;
  if (incident.cause) {
    text = incident.cause->text;
    if (incident.culprit && text.find('(') == std::string::npos)
      text += ": " + culprit_text(*incident.culprit);
    const std::string when = to_iso(incident.chain.empty() ? incident.begin : incident.chain.front().time);
    if (!when.empty()) text += ", first seen " + when;
    text += fmt::format("; confidence {}", confidence_name(incident.confidence));
  } else {
    text = "undecided: ";
    text += incident.chain.empty() ? "symptoms only" : incident.chain.front().label;
    if (incident.culprit) text += "; look next at " + culprit_text(*incident.culprit);
  }
  if (report.incidents.size() > 1)
    text += fmt::format(" (and {} other incident(s))", report.incidents.size() - 1);
  return text;
}

// The incident the report is about: one with a named cause, the surer the better, then the last in time (a
// bundle is collected because of what happened last).
void order_incidents(std::vector<Incident>& incidents) {
  std::stable_sort(incidents.begin(), incidents.end(), [](const Incident& a, const Incident& b) {
    const auto key = [](const Incident& i) {
      const bool named = i.cause && i.confidence <= Confidence::medium;
      return std::tuple(!named, -(i.end.wall() ? i.end.ns : INT64_MIN / 2));
    };
    return key(a) < key(b);
  });
  if (incidents.size() > kMaxIncidents) incidents.resize(kMaxIncidents);
  for (std::size_t i = 0; i < incidents.size(); ++i) {
    incidents[i].id = static_cast<std::uint32_t>(i + 1);
    incidents[i].primary = i == 0;
  }
}

void copy_outcomes(const std::vector<Episode>& episodes, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    for (const Episode& e : episodes) {
      if (e.pattern == finding.pattern && e.kind == finding.kind)
        finding.outcome = e.outcome;  // of the last episode
    }
  }
}

}  // namespace

CaseReport correlate(Evidences evidences, const PatternSet& patterns,
                     std::span<const ReaderEventInfo> reader_events) {
  CaseReport report;
  const Identity identity(evidences);
  for (Event& event : evidences.events) identity.settle(event);
  for (CoverageRow& row : evidences.coverage.rows) {
    if (!row.node.empty()) row.node = identity.node_name(row.node);
  }
  align_clocks(evidences, identity);
  settle_meanings(evidences.events);

  const std::vector<bool> copies = duplicate_copies(evidences.events);
  report.findings = make_findings(evidences.events, copies, patterns, reader_events);
  std::vector<Episode> episodes = make_episodes(evidences.events, patterns);
  judge_outcomes(episodes, evidences.events);
  copy_outcomes(episodes, report.findings);

  list_missing_nodes(evidences, evidences.coverage);
  const Edges edges(patterns);
  const Bundle bundle{evidences.events, episodes, edges, identity, evidences.coverage, report.findings};
  for (const auto& members : cut_incidents(episodes, evidences.events)) {
    if (auto incident = diagnose(members, bundle)) report.incidents.push_back(std::move(*incident));
  }
  order_incidents(report.incidents);

  report.versions = collect_versions(evidences, identity);
  report.entities = identity.entities();
  report.timeline = make_timeline(evidences.events, copies, report.findings, report.timeline_total);
  if (!report.incidents.empty())
    report.suggested = suggest_commands(report.incidents.front(), evidences, identity);
  report.coverage = std::move(evidences.coverage);
  report.verdict = verdict_of(report);
  return report;
}

}  // namespace faultline::correlate
