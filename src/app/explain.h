#pragma once
// `faultline explain`: what a pattern, a kind or a runbook section means, from the embedded packs and
// runbooks.
#include <string>

#include "base/result.h"
#include "model/pattern.h"

namespace faultline::app {

/// `id`: a pattern id, a kind, a reader's event id, or "references/debugging-guide.md#7". Unknown: rung stop
/// with the nearest ids.
Result<std::string> explain(const PatternSet& patterns, const std::string& id);

/// The text of one numbered section of an embedded runbook; empty when there is none.
std::string runbook_section(std::string_view reference);

}  // namespace faultline::app
