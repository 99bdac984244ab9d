#pragma once
// NCCL RAS reports (NVIDIA/nccl src/ras/client_support.cc), text and JSON (2.28 and later).
#include "base/json.h"
#include "facts/reading.h"

namespace faultline::facts {

bool read_ras_document(Reading& reading, const JsonValue& value);

/// A rank as both forms name it. Numbers are -1 and texts empty where the report has none.
struct RasRank {
  std::int32_t rank = -1;
  std::string gpu;
  std::int64_t pid = -1;
  std::string node;
};
/// "Rank 12 -- GPU 4 managed by process 399374 on node 10.1.0.7", "Rank 3 has launched up to operation 41 --
/// GPU 3 ...", "Process 11 on node 10.1.0.7 managing GPU 3".
std::optional<RasRank> ras_rank_in(std::string_view line);
void tell_rank(Draft draft, const RasRank& rank);

}  // namespace faultline::facts
