#include "base/byte_source.h"

namespace faultline {

std::string_view PeekSource::peek(std::size_t size) {
  if (handed_out_) return {};
  while (head_.size() < size && !ended_) {
    if (held_.empty()) held_.assign(head_);  // the next call ends the life of a chunk that is not ours
    Result<std::string_view> chunk = inner_.next();
    if (!chunk) {
      pending_ = std::move(chunk);
      broken_ = ended_ = true;
    } else if (chunk->empty()) {
      ended_ = true;
    } else if (held_.empty()) {
      head_ = *chunk;
      continue;
    } else {
      held_.append(*chunk);
    }
    head_ = held_;
  }
  return head_.substr(0, size);
}

Result<std::string_view> PeekSource::next() {
  if (!handed_out_) {
    handed_out_ = true;
    if (!head_.empty()) {
      delivered_ += head_.size();
      return head_;
    }
  }
  if (broken_) {
    broken_ = false;
    return std::move(pending_);
  }
  if (ended_) return std::string_view{};
  Result<std::string_view> chunk = inner_.next();
  if (!chunk || chunk->empty()) ended_ = true;
  if (chunk) delivered_ += chunk->size();
  return chunk;
}

Result<std::string> read_all(ByteSource& source, std::uint64_t limit, Problem* cut) {
  std::string all;
  for (;;) {
    Result<std::string_view> chunk = source.next();
    if (!chunk) {
      if (cut != nullptr) *cut = chunk.error();
      return all;
    }
    if (chunk->empty()) return all;
    if (chunk->size() > limit - all.size()) {
      return fail(Rung::skip, {}, "document is larger than the limit of " + std::to_string(limit) + " bytes",
                  "raise --max-document");
    }
    all.append(*chunk);
  }
}

}  // namespace faultline
