#pragma once
// Where text goes: standard output, or a file that appears under its name only when it is whole.
#include <string>
#include <string_view>

#include "base/result.h"

namespace faultline::cli {

/// "" or "-" is standard output. A file is written beside its place under a temporary name and renamed.
Result<void> write_output(const std::string& file, std::string_view text);

void print_problem(const Problem& problem);

/// Columns of the terminal on standard output; 80 when it is none (COLUMNS, when set, decides).
unsigned terminal_width();
bool stdout_is_terminal();

}  // namespace faultline::cli
