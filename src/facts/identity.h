#pragma once
// Who a collection is about and when it was made: the one-line files of collectors, resource_config.json,
// summary.json of an issue report, provisioning_parameters.json.
#include "base/json.h"
#include "facts/reading.h"

namespace faultline::facts {

void read_identity_file(Reading& reading);
void read_timestamp_file(Reading& reading);
/// False when the value is none of the documents above.
bool read_identity_document(Reading& reading, const JsonValue& value);

/// "i-0abc..." with 8 or 17 hex digits and nothing else.
bool is_instance_id(std::string_view text);

}  // namespace faultline::facts
