#include "decode/byte_window.h"

#include <algorithm>

namespace faultline::decode {

bool ByteWindow::pull() {
  if (ended_) return false;
  const auto chunk = source_.next();
  if (!chunk || chunk->empty()) {
    ended_ = true;
    return false;
  }
  // Moving what is left to the front costs at most what is being added, so that the whole stays linear.
  if (begin_ > 0 && begin_ >= buffer_.size() - begin_) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  buffer_.append(*chunk);
  return true;
}

bool ByteWindow::fill(std::size_t size) {
  while (buffer_.size() - begin_ < size) {
    if (!pull()) return false;
  }
  return true;
}

void ByteWindow::consume(std::size_t size) {
  size = std::min(size, buffer_.size() - begin_);
  begin_ += size;
  offset_ += size;
}

std::uint64_t ByteWindow::skip(std::uint64_t size) {
  std::uint64_t skipped = 0;
  while (skipped < size) {
    if (buffer_.size() == begin_ && !pull()) break;
    const std::size_t part =
        static_cast<std::size_t>(std::min<std::uint64_t>(size - skipped, buffer_.size() - begin_));
    consume(part);
    skipped += part;
  }
  return skipped;
}

}  // namespace faultline::decode
