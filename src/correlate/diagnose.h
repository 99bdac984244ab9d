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
  [[nodiscard]] const Event& first_event(std::size_t episode) const {
    return events[episodes[episode].events.front()];
  }
  /// What an episode says, and where: "GPU fell off the bus (Xid 79) (node ip-10-1-0-13, GPU 0000:86:00)".
  [[nodiscard]] std::string sentence(std::size_t episode) const;
};

/// `members`: episodes of the incident, in order of occurrence. nullopt when nothing in it is a failure.
std::optional<Incident> diagnose(const std::vector<std::size_t>& members, const Bundle& bundle);

}  // namespace faultline::correlate
