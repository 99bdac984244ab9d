#pragma once
// From events and facts to incidents with a cause, a culprit and a confidence. See the head of diagnose.cc.
#include <span>
#include <vector>

#include "model/case_report.h"
#include "model/event.h"
#include "model/pattern.h"

namespace faultline::correlate {

struct Evidences {
  std::vector<Event> events;  ///< in artifact order, then line order
  std::vector<Fact> facts;
  std::vector<NameJoin> joins;
  Coverage coverage;
};

/// Fills incidents, findings, entities, versions, timeline, verdict and suggested commands; coverage is moved
/// in.
CaseReport correlate(Evidences evidences, const PatternSet& patterns,
                     std::span<const ReaderEventInfo> reader_events);

}  // namespace faultline::correlate
