#include <cstdio>
#include <exception>

#include "cli/output.h"
#include "cli/run.h"

// The one place where an exception can still arrive; none should.
int main(int argc, char** argv) {
  using namespace faultline::cli;
  try {
    const Parsed parsed = parse_command_line(argc, argv);
    if (parsed.run) return run(parsed.options);
    if (parsed.to_stderr) {
      std::fputs(parsed.text.c_str(), stderr);
    } else if (const auto written = write_output("", parsed.text); !written) {
      print_problem(written.error());
      return kUsage;
    }
    return parsed.exit_code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "faultline: internal error: %s\n", error.what());
    return kInternal;
  }
}
