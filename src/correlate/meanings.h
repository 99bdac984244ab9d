#pragma once
// Lines whose meaning other lines decide: a SIGTERM in the log of a job that its scheduler ended is the
// scheduler's doing, not an end from outside; a traceback after which the same run counts on was handled.
#include <vector>

#include "model/event.h"

namespace faultline::correlate {

void settle_meanings(std::vector<Event>& events);

}  // namespace faultline::correlate
