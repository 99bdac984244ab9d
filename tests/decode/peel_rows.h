#pragma once
// Rows "line -> text, time, speaker" for the peeling tests, and how they are compared.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "decode/decode.h"

namespace faultline::decode {

struct PeelRow {
  std::string_view line;
  std::string_view text;
  std::string_view time;     ///< ISO, "boot 12.345678", or "" for none
  std::string_view speaker;  ///< "node=a rank=3", in the order of say()
  ArtifactKind kind = ArtifactKind::plain_text;
  Lead lead = Lead::unknown;
};

inline std::string say(const Speaker& s) {
  std::string out;
  const auto add = [&out](std::string_view name, const std::string& value) {
    if (value.empty() || value == "-1") return;
    if (!out.empty()) out += ' ';
    out.append(name).append("=").append(value);
  };
  add("node", s.node);
  add("pod", s.pod);
  add("container", s.container);
  add("stream", s.stream);
  add("rank", std::to_string(s.rank));
  add("local", std::to_string(s.local_rank));
  add("task", std::to_string(s.task));
  add("gpu", std::to_string(s.gpu));
  add("pid", std::to_string(s.pid));
  return out;
}

inline std::string say(const Instant& time) {
  if (!time.known()) return {};
  if (time.wall()) return to_iso(time);
  const std::string nanos = std::to_string(1'000'000'000 + time.ns % kSecond);
  return "boot " + std::to_string(time.ns / kSecond) + "." + nanos.substr(1, 6);
}

/// 2026-03-10T00:00:00Z: stamps without a year are of 2026 up to that day, else of 2025.
inline PeelContext peel_context(const PeelRow& row) {
  PeelContext context;
  context.hints.reference_ns = std::int64_t{1773100800} * kSecond;
  context.kind = row.kind;
  context.lead = row.lead;
  return context;
}

inline void check_peel(const PeelRow& row) {
  INFO("line: " << row.line);
  const PeeledLine peeled = peel_line(row.line, peel_context(row));
  CHECK(std::string(peeled.text) == std::string(row.text));
  CHECK(say(peeled.time) == std::string(row.time));
  CHECK(say(peeled.speaker) == std::string(row.speaker));
}

}  // namespace faultline::decode
