#include "ingest/ingest.h"

namespace faultline::ingest {

bool Budget::spend_bytes(std::uint64_t bytes) {
  const std::uint64_t before = bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return bytes <= limits_.max_expanded_total && before <= limits_.max_expanded_total - bytes;
}

bool Budget::spend_artifact() {
  return artifacts_.fetch_add(1, std::memory_order_relaxed) < limits_.max_artifacts;
}

void Budget::hit(std::string_view limit) {
  const std::lock_guard lock(mutex_);
  const auto row = hits_.find(limit);
  if (row == hits_.end()) {
    hits_.emplace(limit, 1);
  } else {
    ++row->second;
  }
}

std::vector<std::string> Budget::limits_hit() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> lines;
  lines.reserve(hits_.size());
  for (const auto& [limit, count] : hits_) {
    lines.push_back(limit + ": " + std::to_string(count) + (count == 1 ? " artifact" : " artifacts"));
  }
  return lines;
}

}  // namespace faultline::ingest
