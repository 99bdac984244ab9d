#pragma once
// From the episodes of one incident to its cause, culprit and confidence. See the head of diagnose.cc.
#include <vector>

#include "correlate/edges.h"
#include "correlate/episodes.h"
#include "correlate/identity.h"
#include "model/case_report.h"

namespace faultline::correlate {

struct Bundle {
  const std::vector<Event>& events;
  std::vector<Episode>& episodes;
  const Edges& edges;
  const Identity& identity;
  const Coverage& coverage;
  const std::vector<Finding>& findings;  ///< sorted by id
  [[nodiscard]] const Finding* finding_of(const Episode& episode) const;
};

/// `members`: episodes of the incident, in order of occurrence. nullopt when nothing in it is a failure.
std::optional<Incident> diagnose(const std::vector<std::size_t>& members, const Bundle& bundle);

}  // namespace faultline::correlate
