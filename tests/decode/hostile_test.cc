// Bytes that nobody meant as a log, and prefixes that were damaged: nothing is lost, nothing breaks.
#include <catch2/catch.hpp>

#include "decode/batches.h"

using namespace faultline;
using namespace faultline::decode;

namespace {

constexpr std::string_view kPieces[] = {
    "\n",
    "\r",
    "\r\n",
    "\x1b[31m",
    "\x1b",
    "^[[",
    "#012",
    "#033[",
    "[",
    "]",
    ": ",
    "<6>",
    "<165>1 ",
    "2026-01-01T00:00:00.123456789Z ",
    "2026-01-01 00:00:00,123",
    "stdout P ",
    "stderr F ",
    "Jan  1 00:00:00 ",
    "host-1 ",
    "kernel: ",
    "app[12]: ",
    "[   12.345678]",
    "[ T12]",
    "6,1,2,-;",
    "[pod/a/b] ",
    "[default3]:",
    "[rank3]:",
    "[1,3]<stdout>:",
    "(W pid=1, ip=10.0.0.1) ",
    "10.0.0.1: ",
    "12: ",
    "  7  ",
    "[E101 00:00:00.123456789 a.cpp:1] ",
    "[E a.cpp:1] ",
    "I0101 00:00:00.123456 1 a.go:2] ",
    "h:1:2 [3] NCCL INFO ",
    "[Rank 3] ",
    "[PG ID 0 PG GUID 0 Rank 3]",
    "kern  :err   : ",
    " - INFO - ",
    "{\"ts\":\"2026-01-01T00:00:00Z\"",
    "libfabric:1:1767225600:",
    "x",
    "text ",
    "\xc3\xa9",
    "\xff\xfe",
    "| ",
    "a-1 | ",
};

std::string random_text(Dice& dice, std::size_t pieces) {
  std::string text;
  for (std::size_t i = 0; i < pieces; ++i) {
    if (dice.roll(12) == 0) {
      text.append(1 + dice.roll(9), static_cast<char>(dice.roll(256)));
    } else {
      text.append(kPieces[dice.roll(std::size(kPieces))]);
    }
  }
  return text;
}

bool part_of(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

}  // namespace

TEST_CASE("peeling random stacks leaves the end of the line, whole, and is done once") {
  Dice dice(7);
  for (int round = 0; round < 60'000; ++round) {
    std::string line = random_text(dice, 1 + dice.roll(9));
    std::erase(line, '\n');
    PeelContext context;
    context.kind = static_cast<ArtifactKind>(dice.roll(30));
    context.lead = static_cast<Lead>(dice.roll(5));
    const PeeledLine peeled = peel_line(line, context);
    INFO("line: " << line << "\ntext: " << peeled.text);
    REQUIRE(part_of(peeled.text, line));
    const std::string_view behind = std::string_view(line).substr(
        static_cast<std::size_t>(peeled.text.data() + peeled.text.size() - line.data()));
    REQUIRE(behind.find_first_not_of(" \t\r") == std::string_view::npos);
    for (const std::int32_t n : {peeled.speaker.rank, peeled.speaker.local_rank, peeled.speaker.gpu})
      REQUIRE(n >= -1);
  }
}

TEST_CASE("random bytes become the same batches in any chunks, and every byte of text is in a core") {
  Dice dice(11);
  for (int round = 0; round < 60; ++round) {
    const std::string text = random_text(dice, 3000);
    const Limits limits = small_batches(256 + dice.roll(3000), 128 + dice.roll(2000));
    const auto kind = dice.roll(2) == 0 ? ArtifactKind::plain_text : ArtifactKind::cri_log;
    const Decoded whole = decode_text(text, limits, 0, kind);
    for (const std::size_t chunk : {1, 13}) {
      const Decoded parts = decode_text(text, limits, chunk, kind);
      REQUIRE(parts.batches.size() == whole.batches.size());
      for (std::size_t i = 0; i < whole.batches.size(); ++i)
        REQUIRE(dump(parts.batches[i]) == dump(whole.batches[i]));
    }
    std::uint64_t last = 1;
    for (const OutLine& line : whole.lines()) {
      REQUIRE(line.offset <= text.size());
      REQUIRE(line.number <= whole.summary.lines);
      if (kind == ArtifactKind::plain_text) {
        REQUIRE(line.number >= last);
        last = line.number;
      }
    }
    if (!whole.batches.empty()) CHECK(last <= whole.summary.lines);
  }
}

TEST_CASE("a line of prefixes alone ends") {
  std::string line;
  for (int i = 0; i < 10'000; ++i) line += "[default3]:";
  const PeeledLine peeled = peel_line(line, {});
  CHECK(part_of(peeled.text, line));
  std::string numbers;
  for (int i = 0; i < 10'000; ++i) numbers += "1: ";
  CHECK(peel_line(numbers, {}).text.size() > 100);
}
