#pragma once
// The parts of the text report, in the order in which they are printed. Each writes nothing when it has
// nothing to say, except coverage and verdict, which always speak.
#include "model/case_report.h"
#include "report/page.h"
#include "report/wording.h"

namespace faultline::report {

Style style_of(Tag tag);

// text_verdict.cc
void write_coverage_line(const CaseReport& report, Page& page);
void write_verdict(const CaseReport& report, Page& page);
// text_findings.cc
void write_findings(const CaseReport& report, Page& page);
void write_checks(const CaseReport& report, Page& page);
void write_versions(const CaseReport& report, Page& page);
// text_rest.cc
void write_timeline(const CaseReport& report, Page& page);
void write_coverage(const CaseReport& report, Page& page);
void write_collect(const CaseReport& report, Page& page);
void write_commands(const CaseReport& report, Page& page);

}  // namespace faultline::report
