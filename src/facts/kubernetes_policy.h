#pragma once
// NetworkPolicies of one document, judged together: policies add up, so one alone blocks only when no other
// of its namespace admits.
#include <vector>

#include "base/json.h"
#include "facts/reading.h"

namespace faultline::facts::kubernetes {

void judge_policies(Reading& reading, const std::vector<const JsonValue*>& policies);

}  // namespace faultline::facts::kubernetes
