#pragma once
// Puts events on one time axis as far as the bundle allows: boot-relative kernel times become wall times
// where the boot moment of the node is known, and years that were inferred from file times are corrected by
// the collection time. What cannot be placed keeps its own base; nothing is guessed.
#include <cstdint>
#include <optional>
#include <vector>

#include "correlate/correlate.h"
#include "correlate/identity.h"

namespace faultline::correlate {

void align_clocks(Evidences& evidences, const Identity& identity);

/// Is a certainly before b? Wall times compare by their intervals; lines of one artifact by their order.
/// nullopt: cannot be told.
std::optional<bool> certainly_before(const Event& a, const Event& b);

/// Seconds from a to b when both have wall time.
std::optional<double> seconds_between(const Instant& a, const Instant& b);

}  // namespace faultline::correlate
