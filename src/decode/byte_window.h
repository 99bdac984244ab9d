#pragma once
// Pulls a byte source into a buffer that a reader looks at and consumes. Holds as much as was asked for and
// one chunk more. A broken source looks like its end: the caller's PeekSource keeps the Problem.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/byte_source.h"

namespace faultline::decode {

class ByteWindow {
 public:
  explicit ByteWindow(ByteSource& source) : source_(source) {}
  /// Makes at least `size` bytes visible; false when the source has no so many left (view() holds the rest).
  bool fill(std::size_t size);
  [[nodiscard]] std::string_view view() const { return std::string_view(buffer_).substr(begin_); }
  /// Of view()[0] in the source.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  /// Nothing will come behind what view() shows.
  [[nodiscard]] bool ended() const { return ended_; }
  /// `size` bytes of view() are done with.
  void consume(std::size_t size);
  /// Passes over bytes that need not be seen; returns how many there were.
  std::uint64_t skip(std::uint64_t size);

 private:
  bool pull();
  ByteSource& source_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::uint64_t offset_ = 0;
  bool ended_ = false;
};

}  // namespace faultline::decode
