#pragma once
// The doors out. Each writer turns a CaseReport into one text; all bytes that came from a bundle are escaped
// here, for the door in question. Output depends on the report alone.
#include <string>

#include "model/case_report.h"

namespace faultline::report {

struct TextOptions {
  unsigned width = 80;  ///< columns; tables fit
  bool color = false;
  bool quiet = false;  ///< verdict and incidents only
};
std::string to_text(const CaseReport& report, const TextOptions& options);

/// `timeline`: every entry in order of time, lanes by node, undated ones last.
std::string timeline_to_text(const CaseReport& report, const TextOptions& options);

/// schema faultline.report/1 (references/report.schema.json)
std::string to_json(const CaseReport& report);

/// One JSON object and its newline, for `scan`.
std::string event_to_ndjson(const Event& event, const Coverage& coverage);
/// One JSON object a line, each with "type": report, coverage_totals, incident, finding, check, artifact (a
/// coverage row), missing_input, suggested_command.
std::string to_ndjson(const CaseReport& report);

}  // namespace faultline::report
