#pragma once
// Episodes: repeats of one event on one entity, folded. Causes, symptoms and incidents are judged over
// episodes, so that sixteen lines of one Xid 13 burst count as one failure.
#include <cstdint>
#include <string>
#include <vector>

#include "correlate/clocks.h"
#include "model/case_report.h"

namespace faultline::correlate {

struct Episode {
  std::vector<std::size_t> events;  ///< indices, in time or line order
  std::string pattern;
  std::string kind;
  Severity severity = Severity::p2;
  Role role = Role::context;
  Scope scope = Scope::node;
  std::string node;
  std::string pod;
  std::string gpu;
  std::int32_t rank = -1;
  Outcome outcome = Outcome::unresolved;
  bool needs_symptom = false;  ///< no cause with nothing that hangs on it
};

/// Order of occurrence: wall time where both have it, else artifact and line.
bool occurs_before(const Event& a, const Event& b);

/// Events of roles benign and progress make no episodes.
std::vector<Episode> make_episodes(const std::vector<Event>& events, const PatternSet& patterns);

/// When the thing that a line reports began: a watchdog line speaks of an operation that started `ran_ms`
/// before it.
Instant effective_start(const Event& event);

/// Marks kernel lines that were collected several times (dmesg, kern.log, journal of one node): the later
/// copies.
std::vector<bool> duplicate_copies(const std::vector<Event>& events);

}  // namespace faultline::correlate
