#include "ingest/expansion.h"

namespace faultline::ingest {
namespace {

// An archive may hold this many bombs before they count against its own ratio: one bad member must not end
// the reading of its neighbours, a thousand of them must.
constexpr std::uint32_t kForgivenBombs = 16;

}  // namespace

bool Expansion::charge(std::uint64_t bytes) {
  if (spent()) return false;
  expanded_ += bytes;
  if (expanded_ > limits_.max_expanded_archive) {
    reason_ =
        "expanded beyond " + std::to_string(limits_.max_expanded_archive) + " bytes (--max-expanded-archive)";
    budget_.hit("max-expanded-archive");
    return false;
  }
  const std::uint64_t judged = expanded_ - forgiven_;
  if (judged > limits_.ratio_grace && judged / limits_.max_ratio > stored_) {
    reason_ = "expanded more than " + std::to_string(limits_.max_ratio) + " times (--max-ratio)";
    budget_.hit("max-ratio");
    return false;
  }
  return true;
}

void Expansion::forgive(std::uint64_t bytes) {
  if (bombs_ == kForgivenBombs) return;
  ++bombs_;
  forgiven_ += bytes;
}

bool Expansion::spend(std::uint64_t bytes) {
  if (spent()) return false;
  if (!budget_.spend_bytes(bytes)) {
    for (Expansion* each = this; each != nullptr; each = each->outer_) {
      if (each->reason_.empty()) each->reason_ = "the input expanded beyond --max-expanded-total";
    }
    budget_.hit("max-expanded-total");
    return false;
  }
  const bool own = charge(bytes);
  if (!own) {
    // Only what was charged outside before this call: the chunk at hand is not charged there.
    for (Expansion* each = outer_; each != nullptr; each = each->outer_) each->forgive(expanded_ - bytes);
    return false;
  }
  for (Expansion* each = outer_; each != nullptr; each = each->outer_) {
    if (!each->charge(bytes)) {
      reason_ = "an archive around it " + each->reason_;
      return false;
    }
  }
  return true;
}

Result<std::string_view> ExpandedSource::next() {
  if (account_.spent()) return std::string_view{};
  Result<std::string_view> chunk = inner_.next();
  if (!chunk || chunk->empty()) return chunk;
  if (!account_.spend(chunk->size())) {
    return fail(Rung::skip, {}, account_.reason(), "if the file is trusted, raise the limit");
  }
  return chunk;
}

}  // namespace faultline::ingest
