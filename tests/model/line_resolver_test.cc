#include <catch2/catch.hpp>

#include "support/line_batches.h"

using namespace faultline;

namespace {

// "N: " is a stamp of N seconds.
PeeledLine peel_stamp(std::string_view line, const PeelContext&) {
  PeeledLine peeled{line, {}, {}};
  if (line.size() > 2 && line[1] == ':' && line[0] >= '0' && line[0] <= '9') {
    peeled.time.base = Instant::Base::epoch;
    peeled.time.ns = (line[0] - '0') * kSecond;
    peeled.text.remove_prefix(3);
  }
  return peeled;
}

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

std::vector<LineSpan> spans_of(const LineBatch& batch) {
  std::vector<LineSpan> spans;
  for (std::size_t at = 0; at < batch.text.size(); at = spans.back().end + 1)
    spans.push_back(line_at(batch, at));
  return spans;
}

}  // namespace

TEST_CASE(
    "an unstamped line inherits from at most 256 lines before it, else what was carried into the batch") {
  LineBatch batch = test::batch_of("1: first\n" + repeated("x\n", 300), peel_stamp);
  const auto spans = spans_of(batch);
  CHECK(resolve_line(batch, spans[1]).time.ns == 1 * kSecond);
  CHECK(resolve_line(batch, spans[1]).time.source == Instant::Source::inherited);
  CHECK(resolve_line(batch, spans[256]).time.ns == 1 * kSecond);
  CHECK_FALSE(resolve_line(batch, spans[257]).time.known());

  LineBatch plain = test::batch_of(repeated("x\n", 300), peel_stamp);
  plain.carried.base = Instant::Base::epoch;
  plain.carried.ns = 9 * kSecond;
  CHECK(resolve_line(plain, {0, 1}).time.ns == 9 * kSecond);
  CHECK(resolve_line(plain, {2 * 256, 2 * 256 + 1}).time.ns == 9 * kSecond);
  CHECK_FALSE(resolve_line(plain, {2 * 257, 2 * 257 + 1}).time.known());
}

TEST_CASE("a resolver that remembers gives what one that does not gives") {
  std::uint64_t state = 5;
  const auto below = [&](std::uint64_t n) {
    return state = state * 6364136223846793005ULL + 1442695040888963407ULL, (state >> 33) % n;
  };
  for (int round = 0; round < 60; ++round) {
    std::string text;
    const std::uint64_t stamps = 1 + below(400);
    for (int i = 0; i < 600; ++i)
      text += below(stamps) == 0 ? std::to_string(below(10)) + ": stamped\n" : "plain\n";
    LineBatch batch = test::batch_of(text, peel_stamp);
    batch.first_line = 1 + below(1000);
    batch.first_offset = below(100000);
    if (below(2) == 0) {
      batch.carried.base = Instant::Base::epoch;
      batch.carried.ns = 77;
    }
    LineResolver resolver(batch);
    const std::uint64_t skip = 1 + below(50);
    for (const LineSpan span : spans_of(batch)) {
      if (below(skip) != 0) continue;
      const ResolvedLine fast = resolver.resolve(span);
      const ResolvedLine slow = resolve_line(batch, span);
      REQUIRE(fast.time == slow.time);
      REQUIRE(fast.number == slow.number);
      REQUIRE(fast.offset == slow.offset);
      REQUIRE(fast.text == slow.text);
    }
  }
}

TEST_CASE("a marked batch gives number, offset, time and speaker of its framing, and peeling adds to them") {
  LineBatch batch = test::batch_of("plain\n3: stamped\n", peel_stamp);
  batch.speakers.resize(2);
  batch.speakers[1].pod = "trainer-0";
  Instant framed;
  framed.base = Instant::Base::epoch;
  framed.ns = 100;
  batch.marks = {{0, 0, 10, 1000, framed}, {6, 1, 12, 2000, framed}};
  const ResolvedLine first = resolve_line(batch, {0, 5});
  CHECK(first.number == 10);
  CHECK(first.offset == 1000);
  CHECK(first.time.ns == 100);
  CHECK(first.speaker.pod.empty());
  const ResolvedLine second = resolve_line(batch, line_at(batch, 8));
  CHECK(second.number == 12);
  CHECK(second.time.ns == 3 * kSecond);
  CHECK(second.speaker.pod == "trainer-0");
  CHECK(second.text == "stamped");
}
