#pragma once
// Commands that a person may run: investigate, then reboot, then replace, with the real names filled in.
// Printed, never executed; replace is never suggested for a Slurm controller.
#include <vector>

#include "correlate/correlate.h"
#include "correlate/identity.h"

namespace faultline::correlate {

std::vector<SuggestedCommand> suggest_commands(const Incident& incident, const Evidences& evidences,
                                               const Identity& identity);

}  // namespace faultline::correlate
