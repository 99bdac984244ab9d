#pragma once
// expect.json of a corpus case (corpus/README.md), and what a report gets wrong against it.
#include <string>
#include <vector>

#include "base/json.h"
#include "model/case_report.h"

namespace faultline::test {

/// One sentence for each thing the report gets wrong; empty when all is right.
std::vector<std::string> shortfalls(const JsonValue& expect, const CaseReport& report);

}  // namespace faultline::test
