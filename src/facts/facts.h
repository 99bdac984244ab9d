#pragma once
// One small reader per state file. A reader takes a whole document and gives facts (values), events (states
// that are worth a finding: an OOMKilled container, a remap pending), name joins, and notes on what it could
// not read. A reader that does not recognise its input gives nothing; it never guesses.
#include <span>
#include <string_view>

#include "base/limits.h"
#include "base/time.h"
#include "model/event.h"

namespace faultline::facts {

/// `text`: the decoded document, at most Limits::max_document. Evidence lines count from 1 in it.
ReadResult read_state(const Artifact& artifact, std::string_view text, const TimeHints& hints,
                      const Limits& limits);

/// Texts of the events that readers make; sorted by id.
std::span<const ReaderEventInfo> reader_events();

}  // namespace faultline::facts
