#pragma once
// Dumps of environment variables: env, /proc/PID/environ, declare -x, export -p, set, Python's os.environ.
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "facts/reading.h"

namespace faultline::facts {

struct Variable {
  std::string name;
  std::string value;
  std::size_t line = 0;
};
/// Variables in the order of the text; nothing when the text has not the form of such a dump.
std::vector<Variable> parse_environment(std::string_view text);
void read_environment(Reading& reading);

}  // namespace faultline::facts
