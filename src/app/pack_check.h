#pragma once
// What `packs check`, `packs list` and `packs test` do: structure is linted by packs/; here every example
// line goes through the same stages as a real log (framing, Hyperscan, RE2), and every pattern is tried on
// every other's hits.
#include <string>
#include <vector>

#include "app/engine.h"

namespace faultline::app {

struct PackCheck {
  std::vector<Problem> problems;  ///< with file:line of the pattern
  std::string summary;
};
PackCheck check_packs(const std::vector<std::string>& pack_directories, const Limits& limits);

std::string pack_list(const PatternSet& patterns);
/// Number of patterns, kinds, hits and misses, by pack.
std::string pack_stats(const PatternSet& patterns);

/// Which patterns match which lines of the files, and with which fields.
Result<std::string> test_files(const Engine& engine, const std::vector<std::string>& files,
                               const Limits& limits);

/// Events that one text yields, as a log of unknown origin would.
std::vector<Event> events_of_text(const Engine& engine, std::string_view text, Family family,
                                  const Limits& limits);

}  // namespace faultline::app
