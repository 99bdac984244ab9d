#pragma once
// Carries out one parsed command line and gives the exit code. The only code beside report/ that prints.
#include "cli/options.h"

namespace faultline::cli {

enum ExitCode : int { kClean = 0, kFindings = 1, kUsage = 2, kNothingReadable = 3, kInternal = 4 };

int run(const Options& options);

}  // namespace faultline::cli
