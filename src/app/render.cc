#include "app/render.h"

#include <algorithm>

#include "packs/embedded.h"
#include "report/report.h"

namespace faultline::app {
namespace {
report::TextOptions text_options(const RenderOptions& options) {
  return {options.width, options.color, options.quiet};
}
}  // namespace

std::string render_text(const CaseReport& report, const RenderOptions& options) {
  return report::to_text(report, text_options(options));
}

std::string render_timeline(const CaseReport& report, const RenderOptions& options) {
  return report::timeline_to_text(report, text_options(options));
}

std::string render_json(const CaseReport& report) {
  return report::to_json(report);
}
std::string render_ndjson(const CaseReport& report) {
  return report::to_ndjson(report);
}

std::string render_events(const correlate::Evidences& evidences) {
  std::string text;
  for (const Event& event : evidences.events) text += report::event_to_ndjson(event, evidences.coverage);
  return text;
}

std::string report_schema() {
  const auto files = packs::embedded_files();
  const auto schema = std::find_if(files.begin(), files.end(),
                                   [](const auto& f) { return f.path == "references/report.schema.json"; });
  return schema == files.end() ? std::string() : std::string(schema->content);
}

bool has_finding_at_or_above(const CaseReport& report, Severity severity) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
    return finding.severity <= severity && finding.role != Role::benign && finding.role != Role::progress &&
           finding.role != Role::context;
  });
}

}  // namespace faultline::app
