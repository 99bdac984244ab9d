#pragma once
// Decides from a stretch of lines what ambiguous heads ("12: ", "node-1: ", "pod container ") are.
#include <string_view>

#include "model/line_batch.h"

namespace faultline::decode {

/// Looks at the first lines of `text`. `unknown` when they do not agree.
Lead sample_lead(std::string_view text, const PeelContext& context);

}  // namespace faultline::decode
