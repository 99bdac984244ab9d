#pragma once
// The whole story: paths in, a CaseReport out. The only place that names every stage.
#include <vector>

#include "app/engine.h"
#include "app/settings.h"
#include "base/result.h"
#include "correlate/correlate.h"
#include "model/case_report.h"

namespace faultline::app {

/// Reads everything and keeps the evidence; no judgement yet. Fails (rung stop) only when no path could be
/// opened.
Result<correlate::Evidences> collect(const Settings& settings, const Engine& engine,
                                     const Observer& observer);

/// collect(), then identity, incidents and diagnosis.
Result<CaseReport> analyze(const Settings& settings, const Engine& engine, const Observer& observer);

/// Is this file one of the inputs? A report must never take the place of evidence.
bool is_an_input(const Settings& settings, const std::string& file);

/// True when not one artifact could be read: exit code 3.
bool nothing_readable(const Coverage& coverage);

}  // namespace faultline::app
