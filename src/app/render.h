#pragma once
// Reports as texts, for the command line: hands the case to the writers of report/.
#include <string>

#include "correlate/correlate.h"
#include "model/case_report.h"

namespace faultline::app {

struct RenderOptions {
  unsigned width = 80;
  bool color = false;
  bool quiet = false;
};

std::string render_text(const CaseReport& report, const RenderOptions& options);
std::string render_timeline(const CaseReport& report, const RenderOptions& options);
std::string render_json(const CaseReport& report);
std::string render_ndjson(const CaseReport& report);
std::string render_events(const correlate::Evidences& evidences);
/// references/report.schema.json
std::string report_schema();

/// Is a finding there that can matter (not benign, progress or context) of this severity or a graver one?
bool has_finding_at_or_above(const CaseReport& report, Severity severity);

}  // namespace faultline::app
