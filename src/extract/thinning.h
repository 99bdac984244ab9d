#pragma once
// Progress lines come by the million, and all but the first and the last say nothing that those do not. They
// are counted as they were proposed, without being confirmed.
#include <cstdint>
#include <functional>
#include <vector>

#include "model/event.h"
#include "model/pattern.h"

namespace faultline::extract {

struct Proposed {
  Hit hit;
  std::uint64_t folded = 0;  ///< lines of the same pattern behind this one that are only counted
};

/// All hits in their order, but of each pattern of role progress only the first 8 and the last 8 that may
/// match. `may_match` is asked about hits of such patterns only, from both ends, until it has said yes to
/// enough.
std::vector<Proposed> thinned(const std::vector<Hit>& hits, const std::vector<Pattern>& patterns,
                              const std::function<bool(const Hit&)>& may_match);

}  // namespace faultline::extract
