#pragma once
// Runs the whole road on a folder and checks the invariants that hold after every run (DESIGN: coverage
// closes, JSON reads back, output depends on the input alone). Used by the corpus tests and by everything
// that builds bundles.
#include <string>
#include <vector>

#include "app/analyze.h"
#include "model/case_report.h"

namespace faultline::test {

/// One engine for the whole test program: packs are compiled once.
const app::Engine& engine();

/// Analyzes with one thread and with four, and fails the test when the two reports differ, when coverage does
/// not close, or when the JSON report does not read back.
CaseReport run_and_check(const std::vector<std::string>& paths);
CaseReport run_and_check(const std::vector<std::string>& paths, app::Settings settings);

/// The invariants of one report.
void check_invariants(const CaseReport& report);

}  // namespace faultline::test
