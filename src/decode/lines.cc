// Framing of everything that comes in lines. Clean text is handed on as it is (VERBATIM): one copy and one
// census per byte, nothing per line. What is not clean goes through the Rebuilder (MARKED), a piece at a
// time.
#include <algorithm>
#include <cstring>

#include "decode/framer.h"
#include "decode/lead.h"
#include "decode/line_window.h"
#include "decode/rebuild.h"
#include "decode/stamps.h"
#include "decode/utf16.h"

namespace faultline::decode {
namespace {

// Gives back bytes that were read ahead, then goes on with the source.
class ReplaySource final : public ByteSource {
 public:
  ReplaySource(std::string_view head, ByteSource& rest) : head_(head), rest_(rest) {}
  Result<std::string_view> next() override {
    if (head_.empty()) return rest_.next();
    return std::exchange(head_, {});
  }

 private:
  std::string_view head_;
  ByteSource& rest_;
};

bool has_longer_line(std::string_view text, std::size_t limit) {
  std::size_t at = 0;
  while (text.size() - at > limit) {
    const void* newline = ::memrchr(text.data() + at, '\n', limit + 1);
    if (newline == nullptr) return true;
    at = static_cast<std::size_t>(static_cast<const char*>(newline) - text.data()) + 1;
  }
  return false;
}

// CRLF keeps its length, so that offsets stay true: the CR becomes a trailing blank, which peeling drops.
void blank_returns(std::string& text) {
  for (char& c : text) c = c == '\r' ? ' ' : c;
}

std::uint64_t count_newlines(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

class LineFramer {
 public:
  LineFramer(const Artifact& artifact, const Limits& limits, const TimeHints& hints, const BatchSink& sink)
      : limits_(limits), sink_(sink), rebuilder_(artifact, limits_) {
    context_.hints = hints;
    context_.kind = artifact.kind;
  }
  DecodeSummary run(ByteSource& source);

 private:
  void take(RawPiece& piece);
  void hand_on(RawPiece& piece, const Census& census, std::uint64_t margin_lines, std::uint64_t next_offset);
  void write_notes();

  LineLimits limits_;
  const BatchSink& sink_;
  PeelContext context_;
  Rebuilder rebuilder_;
  Rebuilder::Options options_;
  StampScout scout_;
  DecodeSummary summary_;
  std::string_view encoding_;
  std::uint64_t sequence_ = 0;
  std::uint64_t line_ = 1;    ///< number of the line at the core's begin
  std::uint64_t offset_ = 0;  ///< of the window's first byte in the artifact
};

DecodeSummary LineFramer::run(ByteSource& source) {
  std::string head;
  while (head.size() < 64) {
    const auto chunk = source.next();
    if (!chunk || chunk->empty()) break;
    head.append(*chunk);
  }
  const Encoding encoding = guess_encoding(head);
  offset_ = bom_size(encoding, head);
  ReplaySource bytes(std::string_view(head).substr(offset_), source);
  Utf16Source units(bytes, encoding == Encoding::utf16_be);
  options_.utf16 = encoding == Encoding::utf16_le || encoding == Encoding::utf16_be;
  if (options_.utf16) encoding_ = encoding == Encoding::utf16_le ? "UTF-16LE" : "UTF-16BE";
  ByteSource& text = options_.utf16 ? static_cast<ByteSource&>(units) : bytes;

  LineWindow window(limits_, [this](RawPiece& piece) { take(piece); });
  while (true) {
    const auto chunk = text.next();
    if (!chunk || chunk->empty()) break;
    window.feed(*chunk);
  }
  window.finish();
  scout_.fill(summary_);
  write_notes();
  return std::move(summary_);
}

void LineFramer::take(RawPiece& piece) {
  const std::string_view text = std::string_view(piece.text).substr(0, piece.size);
  if (sequence_ == 0) {
    const std::size_t first = text.find_first_not_of("\r\n");
    const std::string_view rest = first == std::string_view::npos ? std::string_view{} : text.substr(first);
    options_.cri = read_cri_header(rest.substr(0, rest.find('\n'))).has_value();
  }
  // Labels begin when the job does: the first batches are looked at, and later ones now and then.
  if (context_.lead == Lead::unknown && (sequence_ < 4 || sequence_ % 16 == 0)) {
    context_.lead = sample_lead(text.substr(piece.core_begin), context_);
  }
  const Census census = take_census(text);
  const std::uint64_t before = count_newlines(text.substr(0, piece.core_begin));
  const std::uint64_t after = count_newlines(text.substr(piece.core_end));
  const std::uint64_t core_lines = census.newlines - before - after;
  const std::string_view passed = text.substr(0, std::min(piece.next_begin, text.size()));
  const std::uint64_t next_offset = offset_ + (options_.utf16 ? utf16_length(passed) : passed.size());
  summary_.lines += core_lines;
  if (piece.last && text.back() != '\n') ++summary_.lines;
  hand_on(piece, census, before, next_offset);
  line_ += core_lines;
  offset_ = next_offset;
}

void LineFramer::hand_on(RawPiece& piece, const Census& census, std::uint64_t margin_lines,
                         std::uint64_t next_offset) {
  const std::string_view text = std::string_view(piece.text).substr(0, piece.size);
  const bool inside = piece.begins_inside_line || piece.core_inside_line || piece.cut_inside_line;
  const bool traps = census.lone_cr() || census.nul || census.residue || census.escaped_newline;
  const bool joins = options_.cri && (census.partial_cri || rebuilder_.waiting());
  LineBatch batch;
  batch.sequence = sequence_++;
  batch.peel = &peel_line;
  batch.context = context_;
  batch.carried = scout_.carried();
  if (inside || traps || joins || options_.utf16 || has_longer_line(text, limits_.line)) {
    rebuilder_.build(piece, census, options_, line_ - margin_lines, offset_, batch);
  } else {
    batch.first_line = line_ - margin_lines;
    batch.first_offset = offset_;
    batch.core_begin = piece.core_begin;
    batch.core_end = piece.core_end;
    piece.text.resize(piece.size);
    batch.text = std::move(piece.text);
    if (census.crlf > 0) blank_returns(batch.text);
    if (batch.text.back() != '\n') {
      if (batch.core_end == batch.text.size()) ++batch.core_end;
      batch.text.push_back('\n');
    }
  }
  scout_.look(batch, next_offset);
  sink_(std::move(batch));
}

void LineFramer::write_notes() {
  const RebuildCounts& counts = rebuilder_.counts();
  const auto note = [&](std::uint64_t n, const std::string& text) {
    if (n > 0) summary_.notes.push_back(std::to_string(n) + (n == 1 ? " line " : " lines ") + text);
  };
  if (!encoding_.empty()) summary_.notes.emplace_back(encoding_);
  note(counts.cut_lines, "longer than " + std::to_string(limits_.line) + " bytes, matched in pieces");
  note(counts.coded, "with terminal codes, which were taken off");
  note(counts.cr_lines, "split at carriage returns");
  note(counts.joined, "joined to partial lines of the container runtime");
  note(counts.unescaped, "with escaped line ends (#012), split");
  if (counts.holes > 0)
    summary_.notes.push_back(std::to_string(counts.holes) + (counts.holes == 1 ? " hole" : " holes") +
                             " of NUL bytes");
}

}  // namespace

DecodeSummary frame_lines(const Artifact& artifact, ByteSource& source, const Limits& limits,
                          const TimeHints& hints, const BatchSink& sink) {
  return LineFramer(artifact, limits, hints, sink).run(source);
}

}  // namespace faultline::decode
