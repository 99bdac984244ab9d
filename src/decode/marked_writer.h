#pragma once
// Collects the lines that a structured dialect yields and hands them on as MARKED batches with margins. Does
// to the text what every framer must: terminal residue off, NUL to blank, CR and LF split, lines beyond
// Limits::max_line cut with an overlap. Memory: one batch and its margins.
#include <string>
#include <string_view>
#include <vector>

#include "decode/decode.h"
#include "decode/line_window.h"
#include "decode/stamps.h"
#include "decode/text_stream.h"

namespace faultline::decode {

/// Where a text came from, when, and by whom.
struct Origin {
  Place place;
  Instant time;
  Speaker speaker;
  /// The text stands in the artifact as it is: each of its lines is one further down there.
  bool verbatim = false;
};

class MarkedWriter {
 public:
  MarkedWriter(const Artifact& artifact, const Limits& limits, const TimeHints& hints, const BatchSink& sink);

  /// Adds a text of one or more lines. Its last line end may be there or not; empty text adds nothing.
  void add(std::string_view text, const Origin& origin);
  /// Hands on what is left, and fills the summary's stamps, lines and notes.
  DecodeSummary finish(std::uint64_t lines);

  void note(std::string note);
  /// A record could not be read; the first one is kept.
  void damage(const Place& place, std::string what);
  /// Bytes of text added so far: for budgets against amplification.
  [[nodiscard]] std::uint64_t written() const { return written_; }
  /// Lines added so far.
  [[nodiscard]] std::uint64_t lines() const { return lines_; }

 private:
  void add_line(std::string_view line, const Origin& origin, std::uint64_t number, std::uint64_t offset);
  void add_piece(std::string_view piece, const Origin& origin, std::uint64_t number, std::uint64_t offset);
  std::uint32_t speaker_index(const Speaker& speaker);
  void emit(bool last);
  [[nodiscard]] std::size_t core_end() const;
  [[nodiscard]] std::size_t mark_after(std::size_t position) const;

  const Artifact& artifact_;
  const BatchSink& sink_;
  LineLimits limits_;
  PeelContext context_;
  LineBatch open_;
  StampScout scout_;
  DecodeSummary summary_;
  std::string clean_;
  std::uint64_t sequence_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t lines_ = 0;
  std::uint64_t cut_lines_ = 0;
  std::uint64_t damaged_ = 0;
};

}  // namespace faultline::decode
