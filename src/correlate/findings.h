#pragma once
// Groups events into findings: one a pattern, with bounded instances that show every entity before any
// repeats.
#include <span>
#include <vector>

#include "model/case_report.h"

namespace faultline::correlate {

inline constexpr std::size_t kMaxInstances = 64;

/// `copies[i]`: event i is a later copy of a line collected twice; it is shown but not counted.
std::vector<Finding> make_findings(const std::vector<Event>& events, const std::vector<bool>& copies,
                                   const PatternSet& patterns,
                                   std::span<const ReaderEventInfo> reader_events);

}  // namespace faultline::correlate
