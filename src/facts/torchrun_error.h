#pragma once
// error.json, which the record decorator of TorchElastic leaves for each worker that ended with an exception.
#include "base/json.h"
#include "facts/reading.h"

namespace faultline::facts {

bool read_torchrun_error(Reading& reading, const JsonValue& value);

}  // namespace faultline::facts
