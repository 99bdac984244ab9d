#pragma once
// Builds a MARKED batch out of raw lines that cannot be handed on as they are: CR progress bars, terminal
// codes, NULs, UTF-16, CRI partial lines, `#012` records, lines beyond Limits::max_line. Each line of the
// batch keeps the number and the offset of the artifact's line it came from.
#include <string_view>

#include "decode/census.h"
#include "decode/cri.h"
#include "decode/line_window.h"
#include "model/line_batch.h"

namespace faultline::decode {

struct RebuildCounts {
  std::uint64_t cut_lines = 0;  ///< longer than max_line
  std::uint64_t cr_lines = 0;   ///< split at CR
  std::uint64_t holes = 0;      ///< runs of NUL
  std::uint64_t coded = 0;      ///< with terminal codes that were taken off
  std::uint64_t joined = 0;     ///< CRI lines put together
  std::uint64_t unescaped = 0;  ///< records with `#012`
};

class Rebuilder {
 public:
  struct Options {
    bool utf16 = false;  ///< offsets are counted in UTF-16 bytes
    bool cri = false;    ///< join partial lines
  };
  Rebuilder(const Artifact& artifact, const LineLimits& limits) : artifact_(artifact), limits_(limits) {}

  /// Fills text, core and marks of `batch`, whose peel and context are set. `number` and `offset` belong to
  /// text[0] of the piece.
  void build(const RawPiece& piece, const Census& census, Options options, std::uint64_t number,
             std::uint64_t offset, LineBatch& batch);
  /// Partial CRI lines wait for their end: the next batch must be built too.
  [[nodiscard]] bool waiting() const { return pending_.open(); }
  [[nodiscard]] const RebuildCounts& counts() const { return counts_; }

 private:
  // Where a stretch of text came from. Text that was joined has one offset for all of it.
  struct Origin {
    std::uint64_t number = 0;
    std::uint64_t offset = 0;
    bool linear = true;
  };
  // What the head of a line says for the parts of it that come without a head.
  struct Carry {
    Instant time;
    Speaker speaker;
  };
  void begin_core();
  void end_core(bool last);
  void add_line(std::string_view line, std::size_t position, bool continued);
  bool join_cri(std::string_view line, const Origin& origin);
  void flush(CriPending::Line& line);
  void split_line(std::string_view line, const Origin& origin, bool continued);
  void add_segment(std::string_view line, std::size_t begin, std::size_t end, const Origin& origin,
                   bool carried);
  void add_text(std::string_view text, std::uint64_t number, std::uint64_t offset, bool carried);
  void expand_newlines(std::size_t begin, const LineMark& mark);
  void take_carry(std::size_t begin);
  [[nodiscard]] std::uint32_t carried_speaker();
  [[nodiscard]] std::uint64_t length(std::string_view text) const;

  const Artifact& artifact_;
  LineLimits limits_;
  RebuildCounts counts_;
  CriPending pending_;  ///< at the end of the last core
  Carry carry_;

  // of the batch being built
  LineBatch* batch_ = nullptr;
  Census census_;
  Options options_;
  bool in_core_ = false;
  CriPending open_;
  std::string_view raw_;
  std::size_t core_begin_ = 0;
  bool core_mapped_ = false;
  std::uint64_t counted_line_ = 0;
};

}  // namespace faultline::decode
