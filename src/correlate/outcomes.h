#pragma once
// How each episode ended: the job went on after it, it recovered, it ended something, or that cannot be seen.
#include <vector>

#include "correlate/episodes.h"

namespace faultline::correlate {

void judge_outcomes(std::vector<Episode>& episodes, const std::vector<Event>& events);

}  // namespace faultline::correlate
