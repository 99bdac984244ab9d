#pragma once
// What one archive or compressed stream has cost so far: stored bytes in, expanded bytes out. The accounts of
// nested archives form a chain, and an inner stream is charged to all of them, so that a bomb cannot hide its
// ratio by nesting. Not thread-safe: one input is read by one thread.
#include <cstdint>
#include <string>

#include "base/byte_source.h"
#include "base/limits.h"
#include "ingest/ingest.h"

namespace faultline::ingest {

class Expansion {
 public:
  /// `outer` may be null; it must outlive this.
  Expansion(Expansion* outer, const Limits& limits, Budget& budget)
      : outer_(outer), limits_(limits), budget_(budget) {}

  void add_stored(std::uint64_t bytes) { stored_ += bytes; }
  /// Takes `bytes` of every budget that covers this stream; false when one is spent (reason() says which).
  bool spend(std::uint64_t bytes);
  [[nodiscard]] bool spent() const { return !reason_.empty(); }
  /// "expanded more than 1100 times (--max-ratio)"; empty while there is budget left.
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  bool charge(std::uint64_t bytes);
  void forgive(std::uint64_t bytes);

  Expansion* outer_;
  const Limits& limits_;
  Budget& budget_;
  std::uint64_t stored_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint64_t forgiven_ = 0;
  std::uint32_t bombs_ = 0;
  std::string reason_;
};

/// Passes the output of a decompressor on, as long as its account allows.
class ExpandedSource final : public ByteSource {
 public:
  ExpandedSource(ByteSource& inner, Expansion& account) : inner_(inner), account_(account) {}
  Result<std::string_view> next() override;

 private:
  ByteSource& inner_;
  Expansion& account_;
};

}  // namespace faultline::ingest
