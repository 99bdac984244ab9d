#pragma once
// Values of records that several dialects share: times in their many spellings, and the names that CloudWatch
// streams, log files of containers and Docker's container names give to a speaker.
#include <cstdint>
#include <string_view>

#include "base/json.h"
#include "base/time.h"
#include "model/artifact.h"

namespace faultline::decode {

/// ISO, epoch in s, ms, us or ns, as number or text. None when it is no time. Source: container.
Instant time_of(const JsonValue* value, const TimeHints& hints);
Instant time_of(std::string_view text, const TimeHints& hints);

/// Epoch microseconds, as the journal prints them. None when absurd.
Instant time_from_us(std::uint64_t epoch_us);

/// Like time_of, but a stamp without a zone is UTC (CloudWatch Insights).
Instant utc_time_of(std::string_view text, const TimeHints& hints);

/// Adds what a log stream's name says: the instance id at its end, or node, pod and container of Container
/// Insights (`<node>-application.var.log.containers.<pod>_<ns>_<ctr>-<64hex>.log`, `<pod>_<ns>_<ctr>`).
void add_log_stream(std::string_view stream, Speaker& speaker);

/// `k8s_<container>_<pod>_<namespace>_<uid>_<attempt>` of the Docker shim; any other name is the container's
/// own.
void add_container_name(std::string_view name, Speaker& speaker);

/// Text of the first of these members that is a non-empty string.
std::string_view first_text(const JsonValue& object, std::initializer_list<std::string_view> keys);

}  // namespace faultline::decode
