#pragma once
// Cuts a byte stream into pieces of about Limits::batch_bytes at line ends, each with a margin of
// neighbouring lines. Where the cuts fall depends on the bytes alone, never on the chunks they came in. A
// line that is longer than a piece is cut at a lone CR (progress bars), else at a fixed length with an
// overlap.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/limits.h"

namespace faultline::decode {

/// What a batch carries on both sides of its core: as far as near rules look (the report of an OOM kill on a
/// large machine is hundreds of lines).
constexpr std::size_t kMarginBytes = std::size_t{64} << 10;
constexpr std::size_t kMarginLines = 512;

/// Sizes that follow from Limits, made sane whatever the options say.
struct LineLimits {
  explicit LineLimits(const Limits& limits);
  std::size_t batch;    ///< core bytes of a piece
  std::size_t line;     ///< at most `batch`
  std::size_t overlap;  ///< of the pieces of a long line
};

/// A piece of the stream. `text` is borrowed until the callback returns, and may be moved from.
struct RawPiece {
  std::string& text;     ///< margin, core, margin; then bytes beyond `size` that belong to later pieces
  std::size_t size = 0;  ///< bytes of text that belong to this piece
  std::size_t core_begin = 0;
  std::size_t core_end = 0;
  std::size_t next_begin = 0;       ///< where in `text` the next piece will start
  bool begins_inside_line = false;  ///< text[0] is in the middle of a line
  bool core_inside_line = false;    ///< text[core_begin] is
  bool cut_inside_line = false;     ///< text[core_end] is
  bool last = false;
};

class LineWindow {
 public:
  using Sink = std::function<void(RawPiece&)>;
  LineWindow(const LineLimits& limits, Sink sink) : limits_(limits), sink_(std::move(sink)) {}
  void feed(std::string_view chunk);
  void finish();

 private:
  struct Cut {
    std::size_t at;
    enum class Where : std::uint8_t { newline, carriage_return, hard, end } where;
  };
  [[nodiscard]] Cut choose_cut() const;
  [[nodiscard]] std::size_t margin_before(std::size_t at) const;
  [[nodiscard]] std::size_t margin_after(std::size_t at) const;
  void emit(bool at_end);

  LineLimits limits_;
  Sink sink_;
  std::string window_;
  std::size_t core_begin_ = 0;
  bool begins_inside_line_ = false;
  bool core_inside_line_ = false;
};

}  // namespace faultline::decode
