#pragma once
// Decodes a text in memory and lists what came out, line by line.
#include <string>
#include <string_view>
#include <vector>

#include "decode/decode.h"

namespace faultline::decode {

struct OutLine {
  std::string raw;
  std::uint64_t number = 0;
  std::uint64_t offset = 0;
  friend bool operator==(const OutLine&, const OutLine&) = default;
};

struct Decoded {
  std::vector<LineBatch> batches;
  DecodeSummary summary;
  /// Lines of the cores, in order. A line whose head lies before its core (a piece of a long line) counts.
  [[nodiscard]] std::vector<OutLine> lines() const {
    std::vector<OutLine> out;
    for (const LineBatch& batch : batches) {
      LineResolver resolver(batch);
      for (std::size_t at = batch.core_begin; at < batch.core_end;) {
        const LineSpan span = line_at(batch, at);
        const ResolvedLine line = resolver.resolve(span);
        out.push_back({std::string(line.raw), line.number, line.offset});
        at = span.end + 1;
      }
    }
    return out;
  }
};

inline Decoded decode_text(std::string_view bytes, const Limits& limits = {}, std::size_t chunk = 0,
                           ArtifactKind kind = ArtifactKind::plain_text) {
  Artifact artifact;
  artifact.kind = kind;
  TimeHints hints;
  hints.reference_ns = std::int64_t{1773100800} * kSecond;  // 2026-03-10
  MemorySource source(bytes, chunk);
  Decoded decoded;
  decoded.summary = decode_log(artifact, source, limits, hints,
                               [&](LineBatch&& batch) { decoded.batches.push_back(std::move(batch)); });
  return decoded;
}

inline Limits small_batches(std::uint64_t batch, std::uint64_t line) {
  Limits limits;
  limits.batch_bytes = batch;
  limits.max_line = line;
  return limits;
}

/// All that a batch says, in one string, to compare and to print.
inline std::string dump(const LineBatch& batch) {
  std::string out = std::to_string(batch.sequence) + " " + std::to_string(batch.core_begin) + ".." +
                    std::to_string(batch.core_end) + " line " + std::to_string(batch.first_line) + " at " +
                    std::to_string(batch.first_offset) + " carried " + std::to_string(batch.carried.ns) +
                    " lead " + std::to_string(static_cast<int>(batch.context.lead)) + "\n";
  for (const LineMark& mark : batch.marks) {
    out += std::to_string(mark.begin) + ":" + std::to_string(mark.number) + ":" +
           std::to_string(mark.offset) + ":" + std::to_string(mark.speaker) + ":" +
           std::to_string(mark.time.ns) + " ";
  }
  return out + "\n" + batch.text;
}

/// A small generator that gives the same numbers everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t roll(std::uint64_t sides) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state_ >> 33) % sides;
  }

 private:
  std::uint64_t state_;
};

}  // namespace faultline::decode
