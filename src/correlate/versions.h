#pragma once
// Versions over hosts and containers apart; the minority is the finding. Unknown stays a value of its own: a
// subject without a version is not in the row.
#include <vector>

#include "correlate/correlate.h"
#include "correlate/identity.h"

namespace faultline::correlate {

std::vector<VersionRow> collect_versions(const Evidences& evidences, const Identity& identity);

}  // namespace faultline::correlate
