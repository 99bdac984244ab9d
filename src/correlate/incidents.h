#pragma once
// Cuts the episodes of a bundle into incidents: failures that hang together in time or by an edge. A bundle
// usually holds several attempts of a job and old noise.
#include <cstddef>
#include <vector>

#include "correlate/edges.h"
#include "correlate/episodes.h"

namespace faultline::correlate {

/// For one pair: may `cause` explain `symptom` here? Kind edge, place (same node, or a symptom that strikes
/// the whole job) and time (not after it, and within the window) all have to allow it.
struct Link {
  bool allowed = false;
  bool order_known = false;  ///< the cause is known to come first; else order could not be told
};
Link link_between(const Episode& cause, const Episode& symptom, const std::vector<Event>& events,
                  const Edges& edges);

/// Indices into `episodes`, each incident in order of occurrence.
std::vector<std::vector<std::size_t>> cut_incidents(const std::vector<Episode>& episodes,
                                                    const std::vector<Event>& events);

}  // namespace faultline::correlate
