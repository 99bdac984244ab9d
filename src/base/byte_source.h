#pragma once
// The one interface through which bytes come. A source is pulled; it owns its buffer and never seeks.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace faultline {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// The next chunk, valid until the next call; empty at the end. A Problem of rung `note` means that the
  /// stream was cut or damaged here: all bytes before it were good and delivered, none will follow. `skip`:
  /// the stream ends by a budget or cannot be read on. After a Problem, next() returns the empty chunk.
  virtual Result<std::string_view> next() = 0;
};

/// Text or bytes in memory, in chunks of `chunk` bytes (0: all at once). Does not own them. For tests and for
/// documents that were already buffered.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes, std::size_t chunk = 0) : rest_(bytes), chunk_(chunk) {}
  Result<std::string_view> next() override {
    const std::size_t n = chunk_ == 0 ? rest_.size() : (chunk_ < rest_.size() ? chunk_ : rest_.size());
    const std::string_view head = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return head;
  }

 private:
  std::string_view rest_;
  std::size_t chunk_;
};

/// Lets a reader look at the first bytes before it decides who reads them. Borrows the inner source, which
/// must outlive it. Copies only when the look spans chunks. Counts the bytes that passed.
class PeekSource final : public ByteSource {
 public:
  explicit PeekSource(ByteSource& inner) : inner_(inner) {}
  /// Up to `size` first bytes; fewer only when the stream is shorter or breaks. Valid until the next call.
  /// Empty after the first next().
  std::string_view peek(std::size_t size);
  Result<std::string_view> next() override;
  /// Bytes handed out by next() so far.
  [[nodiscard]] std::uint64_t delivered() const { return delivered_; }

 private:
  ByteSource& inner_;
  std::string held_;  ///< the head, when it had to be put together from several chunks
  std::string_view
      head_;  ///< what was read and not yet handed out: in `held_`, or the inner source's own chunk
  Result<std::string_view> pending_ = std::string_view{};
  bool broken_ = false;
  bool ended_ = false;
  bool handed_out_ = false;
  std::uint64_t delivered_ = 0;
};

/// Reads a source to its end into one string, at most `limit` bytes. A cut stream gives what came before the
/// cut, and the Problem in `cut` when that is not null. More than `limit` bytes: Problem of rung skip.
Result<std::string> read_all(ByteSource& source, std::uint64_t limit, Problem* cut = nullptr);

}  // namespace faultline
