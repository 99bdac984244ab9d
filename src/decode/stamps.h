#pragma once
// First and last stamp of an artifact, and the stamp that a batch inherits, from the first and last lines of
// each batch alone: no line in between is looked at.
#include "decode/decode.h"
#include "model/line_batch.h"

namespace faultline::decode {

class StampScout {
 public:
  /// To be called with each batch in order, before it leaves. `next_offset`: artifact offset of the next
  /// batch's first line.
  void look(const LineBatch& batch, std::uint64_t next_offset);
  /// The last stamp before the line that the next batch starts with.
  [[nodiscard]] const Instant& carried() const { return carried_; }
  void fill(DecodeSummary& summary) const;

 private:
  void widen(const Instant& time);
  [[nodiscard]] Instant last_before(const LineBatch& batch, std::size_t end, std::size_t from);

  struct Range {
    Instant first;
    Instant last;
    void widen(const Instant& time);
  };
  Range wall_;
  Range boot_;
  Instant carried_;
  std::size_t patience_ = 256;  ///< lines to look at; less in a text that shows no stamps
};

}  // namespace faultline::decode
