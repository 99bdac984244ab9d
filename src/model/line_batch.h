#pragma once
// Normalised text of a log, about one MiB at a time, with enough beside it to say of any byte: which line, at
// which time, printed by whom.
//
// Two forms share the struct. VERBATIM: `text` is a run of the artifact's own lines; line numbers and offsets
// follow from the position, and time and speaker are peeled off a line only when a hit asks (a gigabyte of
// healthy log is never parsed). MARKED: the framer had to build the text (JSON escapes, CRI joins, ANSI, CR),
// and `marks` has one row a line.
//
// Around the core [core_begin, core_end) the text may carry a margin of the neighbouring lines, so that an
// extractor can look a few lines back and ahead. Hits are reported for the core only.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/artifact.h"

namespace faultline {

/// A line without its prefixes: the innermost text, the best time, and what the prefixes say of the speaker.
struct PeeledLine {
  std::string_view text;  ///< a part of the line that was peeled
  Instant time;           ///< none when the line carries no stamp of its own
  Speaker speaker;        ///< only what the line itself says
};

/// What bare words or numbers at the head of most lines are: one line alone cannot tell, a stretch of them
/// can.
enum class Lead : std::uint8_t {
  unknown,        ///< nothing ambiguous is peeled
  line_numbers,   ///< "12: text" of grep -n or an editor
  task_labels,    ///< "12: text" of srun -l
  host_labels,    ///< "node-1: text" of pdsh, also without a telling rest of the line
  pod_container,  ///< "pod container text" of stern
};

/// What peeling needs to know of the artifact.
struct PeelContext {
  TimeHints hints;
  ArtifactKind kind = ArtifactKind::plain_text;
  Lead lead = Lead::unknown;  ///< as sampled by the framer
};
using PeelFunction = PeeledLine (*)(std::string_view line, const PeelContext& context);

struct LineMark {
  std::uint32_t begin = 0;    ///< offset of the line in `text`
  std::uint32_t speaker = 0;  ///< index into `speakers`
  std::uint64_t number = 0;   ///< line of the artifact, from 1
  std::uint64_t offset = 0;   ///< byte of the artifact (as decompressed)
  Instant time;               ///< from the framing; a stamp inside the line that says no less is preferred
};

struct LineBatch {
  std::uint64_t sequence = 0;  ///< of this artifact, from 0
  std::string text;            ///< lines, each ended by '\n'; no CR, no NUL
  std::size_t core_begin = 0;
  std::size_t core_end = 0;

  // VERBATIM only: number and offset of the line at text[0].
  std::uint64_t first_line = 1;
  std::uint64_t first_offset = 0;

  std::vector<LineMark> marks;    ///< MARKED only; sorted by begin
  std::vector<Speaker> speakers;  ///< MARKED only; [0] is the artifact's own speaker

  PeelFunction peel = nullptr;  ///< never null in a batch that left decode
  PeelContext context;
  Instant carried;  ///< last stamp seen before text[0]: inherited by unstamped lines

  [[nodiscard]] bool marked() const { return !marks.empty(); }
};

/// The line around text[position].
struct LineSpan {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< without the '\n'
};
LineSpan line_at(const LineBatch& batch, std::size_t position);

/// Everything known of one line. Unstamped lines inherit the time of the last stamped line before them
/// (at most 256 lines back, else `carried`), marked as inherited.
struct ResolvedLine {
  std::string_view raw;   ///< as in the batch
  std::string_view text;  ///< peeled
  std::uint64_t number = 0;
  std::uint64_t offset = 0;
  Instant time;
  Speaker speaker;  ///< framing and prefixes joined; not yet the artifact's own
};
ResolvedLine resolve_line(const LineBatch& batch, LineSpan span);

/// The cheap half of it, for lines that are only looked at: peeled text, own stamp, and speaker; nothing
/// inherited.
PeeledLine peeled_line(const LineBatch& batch, LineSpan span);

/// The outer speaker fills what the inner one leaves open.
Speaker joined(const Speaker& outer, const Speaker& inner);

/// Resolves lines of one batch in ascending order, without counting newlines from the start each time and
/// without walking back over the same unstamped lines for each of them.
class LineResolver {
 public:
  explicit LineResolver(const LineBatch& batch) : batch_(batch), counted_line_(batch.first_line) {}
  ResolvedLine resolve(LineSpan span);

 private:
  struct Known {  // the line resolved last, and what a later line may inherit through it
    std::size_t begin = 0;
    int lines_back = 0;  // from that line to the stamped one, or to the start of the text
    Instant time;
    bool valid = false;
  };
  Known inherit(std::size_t begin);

  const LineBatch& batch_;
  std::size_t counted_to_ = 0;
  std::uint64_t counted_line_;
  Known last_;
};

using BatchSink = std::function<void(LineBatch&&)>;

}  // namespace faultline
