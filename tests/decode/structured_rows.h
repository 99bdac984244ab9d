#pragma once
// Runs a framer over a text in memory and shows what came out, a line a row:
//   <line number> <time> [node pod container stream rank pid] <text>
// with "-" for what is not known. Time as ISO, or "boot 12.345678".
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "decode/framer.h"
#include "decode/structured.h"

namespace faultline::decode {

struct Framed {
  std::vector<LineBatch> batches;
  DecodeSummary summary;
};

inline std::string shown_time(const Instant& time) {
  if (time.wall()) return to_iso(time) + (time.zone == Instant::Zone::assumed ? "?" : "");
  if (!time.known()) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "boot %lld.%06lld", static_cast<long long>(time.ns / kSecond),
                static_cast<long long>(time.ns % kSecond / 1000));
  return text;
}

inline std::string shown_speaker(const Speaker& s) {
  const auto part = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
  std::string out = part(s.node) + " " + part(s.pod) + " " + part(s.container) + " " + part(s.stream);
  if (s.rank >= 0) out += " rank=" + std::to_string(s.rank);
  if (s.pid >= 0) out += " pid=" + std::to_string(s.pid);
  return out;
}

inline Framed framed(Framer framer, std::string_view bytes, const Limits& limits = {}, std::size_t chunk = 0,
                     ArtifactKind kind = ArtifactKind::plain_text) {
  Artifact artifact;
  artifact.kind = kind;
  TimeHints hints;
  hints.reference_ns = std::int64_t{1773100800} * kSecond;  // 2026-03-10
  MemorySource source(bytes, chunk);
  Framed out;
  out.summary =
      framer(artifact, source, limits, hints, [&](LineBatch&& b) { out.batches.push_back(std::move(b)); });
  return out;
}

/// Calls `row(batch, resolved line)` for each core line.
template <class Row>
void for_each_core_line(const Framed& out, Row&& row) {
  for (const LineBatch& batch : out.batches) {
    LineResolver resolver(batch);
    for (std::size_t at = batch.core_begin; at < batch.core_end;) {
      const LineSpan span = line_at(batch, at);
      row(batch, resolver.resolve(span));
      at = span.end + 1;
    }
  }
}

inline std::vector<std::string> rows_of(const Framed& out) {
  std::vector<std::string> rows;
  for_each_core_line(out, [&](const LineBatch&, const ResolvedLine& line) {
    rows.push_back(std::to_string(line.number) + " " + shown_time(line.time) + " [" +
                   shown_speaker(line.speaker) + "] " + std::string(line.text));
  });
  return rows;
}

inline std::vector<std::string> rows(Framer framer, std::string_view bytes,
                                     ArtifactKind kind = ArtifactKind::plain_text) {
  return rows_of(framed(framer, bytes, {}, 0, kind));
}

/// Only the texts.
inline std::vector<std::string> texts_of(const Framed& out) {
  std::vector<std::string> texts;
  for_each_core_line(out, [&](const LineBatch&, const ResolvedLine& line) { texts.emplace_back(line.raw); });
  return texts;
}

}  // namespace faultline::decode
