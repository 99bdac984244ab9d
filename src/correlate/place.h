#pragma once
// Whom an incident points at: nodes, pods, ranks and GPUs in words and as a Culprit, and when a stall began.
#include <optional>
#include <string>
#include <vector>

#include "correlate/episodes.h"
#include "correlate/identity.h"
#include "model/case_report.h"

namespace faultline::correlate {

/// "node ip-10-1-0-12, GPU 0000:3b:00, rank 5"; empty when nothing is known.
std::string place_text(const Episode& episode, const Identity& identity);

/// "0-6,8": sorted, folded.
std::string fold_ranks(std::vector<std::int32_t> ranks);

/// Whom the cause points at. `heads`: the episodes that are the cause; what they name alike is taken.
/// `witnesses`: what the cause brought down, first first; asked when the heads do not say where they were
/// printed. `neighbours`: the whole incident, asked last. nullopt when nothing is known.
std::optional<Culprit> make_culprit(const std::vector<std::size_t>& heads,
                                    const std::vector<std::size_t>& witnesses,
                                    const std::vector<std::size_t>& neighbours,
                                    const std::vector<Event>& events, const std::vector<Episode>& episodes,
                                    const Identity& identity);

/// For an undecided incident: the peer that symptoms accuse, or the one node that all of them are about. Adds
/// the reason. Where to look next, never a proven fault.
std::optional<Culprit> where_to_look(const std::vector<std::size_t>& members,
                                     const std::vector<Event>& events, const std::vector<Episode>& episodes,
                                     const Identity& identity, std::vector<std::string>& reasons);

/// When the hang began: line time minus elapsed over the watchdog lines of the incident. The median over
/// ranks of the earliest stalled operations; precision is their spread.
Instant stall_start(const std::vector<std::size_t>& members, const std::vector<Event>& events,
                    const std::vector<Episode>& episodes);

}  // namespace faultline::correlate
