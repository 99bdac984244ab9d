#pragma once
// Words of Slurm: node states with their suffixes and flags, job states, reasons; what each means here.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "facts/reader_events.h"
#include "model/pattern.h"

namespace faultline::facts::slurm {

enum class NodeState : std::uint8_t { fine, down, drained, planned };
/// "down*", "drng", "IDLE+DRAIN", "DOWN*+CLOUD"; planned: rebooting, powered down, in maintenance.
NodeState node_state(std::string_view word);

/// A reason that sinfo -R lists: says by itself that the node is down ("Not responding"), or that it was
/// drained.
bool reason_says_down(std::string_view reason);
/// P2 for planned work that a person or the reboot machinery wrote down, P1 for the rest.
Severity severity_of_reason(std::string_view reason);

/// The finding that a reason names by itself, beside the node's being down or drained. Reasons may be cut at
/// 20 characters.
std::optional<ReaderEvent> cause_in_reason(std::string_view reason);

/// The event of a job's or step's end state, none for COMPLETED, FAILED and running ones. Words may be cut
/// ("OUT_OF_ME+").
std::optional<ReaderEvent> end_of_job(std::string_view state);

/// "6914208.0", "6914208_3", "12+1.batch" -> 6914208, 12.
std::optional<std::int64_t> job_number(std::string_view id);

}  // namespace faultline::facts::slurm
