#pragma once
// The command line, resolved. CLI11 is known only in options.cc.
#include <string>
#include <vector>

#include "app/settings.h"
#include "base/result.h"

namespace faultline::cli {

enum class Verb : std::uint8_t {
  analyze,
  scan,
  timeline,
  explain,
  packs_list,
  packs_check,
  packs_test,
  schema
};
enum class Format : std::uint8_t { text, json, ndjson };
enum class Color : std::uint8_t { automatic, always, never };
enum class FailOn : std::uint8_t { p0, p1, p2, never };

struct Output {
  Format format = Format::text;
  std::string file;  ///< "" or "-": stdout
};

struct Options {
  Verb verb = Verb::analyze;
  app::Settings settings;
  std::vector<Output> outputs;  ///< never empty
  Color color = Color::automatic;
  FailOn fail_on = FailOn::p1;
  bool strict = false;
  bool quiet = false;
  bool stats = false;                   ///< packs list --stats
  std::string id;                       ///< explain
  std::vector<std::string> pack_files;  ///< packs check|test of files that are not installed
};

/// What main has to do: run with the options, or print `text` and leave with `exit_code` (help, version,
/// mistakes).
struct Parsed {
  bool run = false;
  Options options;
  std::string text;
  bool to_stderr = false;
  int exit_code = 0;
};
Parsed parse_command_line(int argc, const char* const* argv);

}  // namespace faultline::cli
