// `faultline timeline`: all nodes on one axis. Runs of equal entries fold, so that a storm of 512 ranks is
// one row; entries whose time is not known stand last, under a heading that says so.
#include "report/report.h"
#include "report/text_parts.h"

namespace faultline::report {
namespace {

struct Run {
  const TimelineEntry* first = nullptr;
  const TimelineEntry* last = nullptr;
  std::size_t count = 0;
};

bool folds(const Run& run, const TimelineEntry& entry) {
  return run.first != nullptr && run.first->finding == entry.finding && run.first->node == entry.node;
}

Style style_of_severity(Severity severity) {
  constexpr Style kStyles[] = {Style::fail, Style::warn, Style::dim};
  return kStyles[static_cast<std::size_t>(severity)];
}

void write_run(const Run& run, std::size_t time_width, std::size_t node_width, Page& page) {
  const TimelineEntry& entry = *run.first;
  std::string label = time_text(entry.time);
  label.resize(std::max(label.size(), time_width), ' ');
  std::string node = entry.node.empty() ? "-" : entry.node;
  if (display_width(node) > node_width) node = node.substr(0, node_width - 1) + "+";
  label += "  " + node;
  std::string text(severity_name(entry.severity));
  text += " " + entry.text;
  if (run.count > 1) {
    text += ", and " + grouped(run.count - 1) + " more";
    if (run.last->time.wall() && run.last->time.ns != entry.time.ns)
      text += " to " + time_text(run.last->time);
  }
  page.item(0, label, time_width + node_width + 4, text, Style::plain, style_of_severity(entry.severity));
}

}  // namespace

std::string timeline_to_text(const CaseReport& report, const TextOptions& options) {
  Page page(options.width, options.color);
  write_coverage_line(report, page);
  if (report.timeline.empty()) {
    page.blank();
    page.paragraph(0, "No events to place in time. What was read is above; it is no clean bill of health.");
    return page.take();
  }
  page.heading("TIMELINE");
  std::size_t time_width = 0;
  std::size_t node_width = 4;
  for (const TimelineEntry& entry : report.timeline) {
    time_width = std::max(time_width, time_text(entry.time).size());
    node_width = std::max(node_width, display_width(entry.node));
  }
  node_width = std::min<std::size_t>(node_width, options.width >= 120 ? 40 : 18);
  Run run;
  bool undated = false;
  const auto flush = [&] {
    if (run.first != nullptr) write_run(run, time_width, node_width, page);
    run = {};
  };
  for (const TimelineEntry& entry : report.timeline) {
    if (!entry.time.wall() && !undated) {
      flush();
      undated = true;
      page.blank();
      page.paragraph(0, "Without a place on the axis (no time, or time since a boot that is not known)",
                     Style::strong);
    }
    if (!folds(run, entry)) flush();
    if (run.first == nullptr) run.first = &entry;
    run.last = &entry;
    ++run.count;
  }
  flush();
  if (report.timeline_total > report.timeline.size()) {
    page.paragraph(
        0, grouped(report.timeline.size()) + " of " + counted(report.timeline_total, "event") + " are shown.",
        Style::dim);
  }
  return page.take();
}

}  // namespace faultline::report
