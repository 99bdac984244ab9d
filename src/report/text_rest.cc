// Timeline by node, coverage in detail, what to collect, and commands for a person to run.
#include <algorithm>
#include <map>

#include "report/text_parts.h"

namespace faultline::report {
namespace {

constexpr std::size_t kNodeEntries = 16;  // of one node in text; the first half and the last half of them
constexpr std::size_t kRows = 400;        // coverage rows named one by one

using Entries = std::vector<const TimelineEntry*>;

void write_entry(const TimelineEntry& entry, Page& page) {
  page.item(2, time_text(entry.time), 26, std::string(severity_name(entry.severity)) + "  " + entry.text,
            Style::plain, entry.severity == Severity::p0 ? Style::strong : Style::plain);
}

void write_node(const std::string& node, const Entries& entries, Page& page) {
  page.paragraph(0, node.empty() ? "no node known" : "node " + node, Style::strong);
  const std::size_t half = kNodeEntries / 2;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries.size() > kNodeEntries && i == half) {
      const std::size_t left_out = entries.size() - kNodeEntries;
      page.paragraph(2, "... " + counted(left_out, "entry", "entries") + " between: see --format json",
                     Style::dim);
      i = entries.size() - half;
    }
    write_entry(*entries[i], page);
  }
}

// Rows of one state under their reasons, so that 500 skipped scripts are one line of reason and a list.
void write_rows(const CaseReport& report, CoverageRow::State state, std::string_view title, Page& page) {
  std::map<std::string, std::vector<const CoverageRow*>> by_reason;
  for (const CoverageRow& row : report.coverage.rows) {
    if (row.state == state)
      by_reason[row.reason.empty() ? "no reason was given" : row.reason].push_back(&row);
  }
  if (by_reason.empty()) return;
  page.paragraph(0, title, Style::strong);
  std::size_t shown = 0;
  std::size_t left_out = 0;
  for (const auto& [reason, rows] : by_reason) {
    page.paragraph(2, reason);
    for (const CoverageRow* row : rows) {
      if (++shown > kRows) {
        ++left_out;
        continue;
      }
      std::string text = row->chain + "  (" + std::string(kind_name(row->kind));
      if (row->bytes > 0) text += ", " + byte_text(row->bytes) + " read";
      page.item(4, "-", 2, text + ")");
    }
  }
  if (left_out > 0) page.paragraph(2, counted(left_out, "further row") + ": see --format json", Style::dim);
}

void write_notes(const CaseReport& report, Page& page) {
  std::map<std::string, std::vector<std::string>> by_note;
  for (const CoverageRow& row : report.coverage.rows) {
    for (const std::string& note : row.notes) by_note[note].push_back(row.chain);
  }
  if (by_note.empty()) return;
  page.paragraph(0, "Repaired or odd, without loss", Style::strong);
  for (const auto& [note, chains] : by_note) {
    page.paragraph(2, note + " (" + grouped(chains.size()) + ")");
    page.paragraph(4, listed(chains, 3), Style::dim);
  }
}

void write_looked(const CaseReport& report, Page& page) {
  for (const Looked& looked : looked_at(report.coverage)) {
    if (looked.artifacts == 0 && looked.lost == 0) {
      page.item(0, looked.what, 22, "none in this input", Style::plain, Style::dim);
      continue;
    }
    std::string text = counted(looked.artifacts, "artifact") + ", " + byte_text(looked.bytes);
    if (looked.cut > 0) text += ", " + grouped(looked.cut) + " cut";
    if (looked.lost > 0) text += ", " + grouped(looked.lost) + " skipped";
    if (looked.first.wall()) text += ", " + time_text(looked.first) + " to " + time_text(looked.last);
    if (!looked.nodes.empty()) text += "; nodes " + listed(looked.nodes, 8);
    page.item(0, looked.what, 22, text);
  }
}

// One way of collecting serves many questions: what it is for stands together above it, in the order of first
// use.
struct Wanted {
  std::string how;
  bool is_command = false;
  std::vector<std::string> what;
};

void add_wanted(std::vector<Wanted>& list, const std::string& what, const std::string& how, bool is_command) {
  auto same = std::find_if(list.begin(), list.end(), [&](const Wanted& w) { return w.how == how; });
  if (same == list.end()) same = list.insert(list.end(), {how, is_command, {}});
  if (std::find(same->what.begin(), same->what.end(), what) == same->what.end()) same->what.push_back(what);
}

}  // namespace

void write_timeline(const CaseReport& report, Page& page) {
  if (report.timeline.empty()) return;
  page.heading("TIMELINE BY NODE");
  std::map<std::string, Entries> by_node;
  for (const TimelineEntry& entry : report.timeline) by_node[entry.node].push_back(&entry);
  for (const auto& [node, entries] : by_node) write_node(node, entries, page);
  if (report.timeline_total > report.timeline.size())
    page.paragraph(0,
                   grouped(report.timeline.size()) + " of " + counted(report.timeline_total, "event") +
                       " were kept for the timeline.",
                   Style::dim);
}

void write_coverage(const CaseReport& report, Page& page) {
  const Coverage& coverage = report.coverage;
  page.heading("COVERAGE IN DETAIL");
  if (coverage.interrupted)
    page.paragraph(0, "The run was interrupted: what comes after is not in this report.", Style::warn);
  write_looked(report, page);
  if (!coverage.missing.empty()) {
    page.paragraph(0, "Missing", Style::strong);
    for (const MissingInput& input : coverage.missing) {
      std::string text = input.what + (input.why.empty() ? "" : ": " + input.why);
      if (!input.where.empty()) text += " (" + input.where + ")";
      page.item(2, "-", 2, text);
    }
  }
  write_rows(report, CoverageRow::State::partial, "Read in part", page);
  write_rows(report, CoverageRow::State::skipped, "Skipped", page);
  if (!coverage.limits_hit.empty()) {
    page.paragraph(0, "Limits hit (each can be raised by the option of that name)", Style::strong);
    for (const std::string& limit : coverage.limits_hit) page.item(2, "-", 2, limit);
  }
  write_notes(report, page);
  if (!report.entities.contradictions.empty()) {
    page.paragraph(0, "Names that contradict one another", Style::strong);
    for (const std::string& contradiction : report.entities.contradictions)
      page.item(2, "-", 2, contradiction);
  }
}

void write_collect(const CaseReport& report, Page& page) {
  std::vector<Wanted> wanted;
  for (const MissingInput& input : report.coverage.missing)
    add_wanted(wanted, input.what, input.collect, false);
  for (const Incident& incident : report.incidents) {
    for (const std::string& missing : incident.missing) add_wanted(wanted, missing, "", false);
  }
  for (const CheckResult& check : report.checks) {
    if (check.verdict == Verdict::unknown && !check.collect.empty())
      add_wanted(wanted, "for check " + check.id, check.collect, true);
  }
  if (wanted.empty()) return;
  page.heading("WHAT TO COLLECT NEXT (read-only)");
  for (const Wanted& entry : wanted) {
    for (const std::string& what : entry.what) page.item(0, "-", 2, what);
    if (entry.is_command) {
      page.command(4, entry.how);
    } else if (!entry.how.empty()) {
      page.paragraph(4, entry.how);
    }
  }
}

void write_commands(const CaseReport& report, Page& page) {
  if (report.suggested.empty()) return;
  page.heading("Suggested command (run this yourself)");
  page.paragraph(
      0,
      "faultline runs nothing. Check each id and precondition; the order is investigate, reboot, replace.");
  for (const SuggestedCommand& command : report.suggested) {
    page.blank();
    page.item(0, command.changes_state ? "[changes state]" : "[read-only]", 16, command.title,
              command.changes_state ? Style::warn : Style::pass, Style::strong);
    page.command(4, command.command);
    for (const std::string& precondition : command.preconditions)
      page.item(2, "Precondition", 14, precondition);
    if (!command.blast_radius.empty()) page.item(2, "Blast radius", 14, command.blast_radius);
  }
}

}  // namespace faultline::report
