#include "extract/extractor.h"

#include <catch2/catch.hpp>

#include "base/text.h"
#include "support/engine.h"

using namespace faultline;
using test::batch_of;
using test::events_of;
using test::fields_text;
using test::pattern_of;

namespace {

// Peels "N: " to a rank and "t=N " to a time, enough to see what the extractor does with both.
PeeledLine peel_rank(std::string_view line, const PeelContext&) {
  PeeledLine peeled{line, {}, {}};
  if (line.size() > 3 && line.substr(0, 2) == "t=" && line[3] == ' ') {
    peeled.time.base = Instant::Base::epoch;
    peeled.time.ns = (line[2] - '0') * kSecond;
    peeled.text.remove_prefix(4);
  }
  if (peeled.text.size() > 3 && peeled.text.substr(1, 2) == ": ") {
    peeled.speaker.rank = peeled.text[0] - '0';
    peeled.text.remove_prefix(3);
  }
  return peeled;
}

Pattern with_fields(Pattern p, std::map<std::string, FieldType> fields) {
  p.fields = std::move(fields);
  return p;
}

}  // namespace

TEST_CASE("captures become values of their declared type, as printed") {
  struct Row {
    FieldType type;
    const char* text;
    FieldValue value;
  };
  const Row rows[] = {
      {FieldType::integer, "42", std::int64_t{42}},
      {FieldType::integer, "-9", std::int64_t{-9}},
      {FieldType::integer, "99999999999999999999", std::string("99999999999999999999")},
      {FieldType::hex, "0x1f", std::int64_t{31}},
      {FieldType::hex, "ffffffff", std::int64_t{4294967295}},
      {FieldType::hex, "0xffffffffffffffff", std::string("0xffffffffffffffff")},
      {FieldType::number, "1800000", std::int64_t{1800000}},
      {FieldType::number, "0.5", 0.5},
      {FieldType::number, "1e3", 1000.0},
      {FieldType::number, "nan", std::string("nan")},
      {FieldType::duration, "12.5", 12.5},
      {FieldType::duration, "5m3s", std::string("5m3s")},
      {FieldType::bytes, "1048576", std::int64_t{1048576}},
      {FieldType::bytes, "2.00", std::string("2.00")},
      {FieldType::text, "007", std::string("007")},
      {FieldType::rank, "7", std::int64_t{7}},
      {FieldType::pci, "00000000:9B:00.0", std::string("0000:9b:00")},
      {FieldType::pci, "3b:00.0", std::string("0000:3b:00")},
      {FieldType::pci, "somewhere", std::string("somewhere")},
      {FieldType::pod_uid, "0a1b2c3d_0000_1111_2222_333344445555",
       std::string("0a1b2c3d-0000-1111-2222-333344445555")},
      {FieldType::ip, "192.0.2.7", std::string("192.0.2.7")},
  };
  for (const Row& row : rows) {
    const Pattern p = with_fields(pattern_of("a.b.c", {"value is (?P<x>\\S+)"}), {{"x", row.type}});
    const auto events = events_of({p}, batch_of(std::string("value is ") + row.text + "\n"));
    INFO(row.text);
    REQUIRE(events.size() == 1);
    CHECK(events[0].fields.at("x") == row.value);
  }
}

TEST_CASE("a capture that took no part gives no field, and constants are always there") {
  Pattern p =
      with_fields(pattern_of("a.b.c", {"failed(?: with (?P<code>\\d+))?", "gave up after (?P<seconds>\\d+)"}),
                  {{"code", FieldType::integer}, {"seconds", FieldType::integer}});
  p.constants = {{"where", "torch"}, {"level", "3"}, {"gdr", "true"}};
  const auto events = events_of({p}, batch_of("failed\nfailed with 5\ngave up after 9\n"));
  REQUIRE(events.size() == 3);
  CHECK(fields_text(events[0]) == "gdr=true level=3 where=torch");
  CHECK(fields_text(events[1]) == "code=5 gdr=true level=3 where=torch");
  CHECK(fields_text(events[2]) == "gdr=true level=3 seconds=9 where=torch");
  CHECK(events[0].fields.at("level") == FieldValue(std::int64_t{3}));
  CHECK(events[0].fields.at("gdr") == FieldValue(true));
}

TEST_CASE("the peeled text is asked first, then the raw line") {
  const auto events = events_of({pattern_of("a.b.head", {"^needle"}), pattern_of("a.b.raw", {"3: needle"})},
                                batch_of("3: needle\n3: x needle\n", peel_rank));
  REQUIRE(events.size() == 2);
  CHECK(events[0].pattern == "a.b.head");
  CHECK(events[0].speaker.rank == 3);
  CHECK(events[1].pattern == "a.b.raw");
  CHECK(events[1].evidence.line == 1);
}

TEST_CASE("what is not wanted on the line takes the event away") {
  Pattern p = pattern_of("a.b.c", {"error"});
  p.unless = {"^harmless", "retrying$"};
  const auto events = events_of(
      {p}, batch_of("3: harmless error\nreal error\nerror, retrying\nerror retrying later\n", peel_rank));
  REQUIRE(events.size() == 2);
  CHECK(events[0].evidence.line == 2);
  CHECK(events[1].evidence.line == 4);
}

TEST_CASE("events carry line, offset, time, and what the pattern says of them") {
  Pattern p = pattern_of("a.b.c", {"needle"});
  p.severity = Severity::p0;
  p.role = Role::cause;
  p.scope = Scope::rank;
  LineBatch batch = batch_of("t=5 first\nneedle\nt=7 needle\n", peel_rank);
  batch.first_line = 100;
  batch.first_offset = 5000;
  Artifact artifact;
  artifact.index = 9;
  const auto events = events_of({p}, batch, artifact);
  REQUIRE(events.size() == 2);
  CHECK(events[0].evidence.artifact == 9);
  CHECK(events[0].evidence.line == 101);
  CHECK(events[0].evidence.offset == 5010);
  CHECK(events[0].evidence.text == "needle");
  CHECK(events[0].time.ns == 5 * kSecond);
  CHECK(events[0].time.source == Instant::Source::inherited);
  CHECK(events[1].time.ns == 7 * kSecond);
  CHECK(events[1].time.source == Instant::Source::line);
  CHECK(events[1].evidence.text == "t=7 needle");
  CHECK(events[1].severity == Severity::p0);
  CHECK(events[1].role == Role::cause);
  CHECK(events[1].scope == Scope::rank);
  CHECK(events[1].index == 0);
}

TEST_CASE("the speaker is whom the line names, then who printed it, then whose artifact it is") {
  Pattern p = with_fields(
      pattern_of("a.b.c", {"needle(?: on (?P<host>\\S+))?(?: gpu (?P<pci>\\S+))?(?: nic (?P<nic>\\S+))?"}),
      {{"pci", FieldType::pci}});
  p.who = {{"node", "host"}, {"gpu", "pci"}, {"nic", "nic"}};
  Artifact artifact;
  artifact.speaker.node = "ip-10-1-0-11";
  artifact.speaker.pod = "trainer-0";
  const auto events = events_of(
      {p}, batch_of("3: needle\n3: needle on ip-10-1-0-12 gpu 00000000:3B:00.0 nic rdma3\n", peel_rank),
      artifact);
  REQUIRE(events.size() == 2);
  CHECK(events[0].speaker.node == "ip-10-1-0-11");
  CHECK(events[0].speaker.pod == "trainer-0");
  CHECK(events[0].speaker.rank == 3);
  CHECK(events[0].gpu.empty());
  CHECK(events[1].speaker.node == "ip-10-1-0-12");
  CHECK(events[1].speaker.rank == 3);
  CHECK(events[1].gpu == "0000:3b:00");
  CHECK(events[1].nic == "rdma3");
  CHECK(fields_text(events[1]) == "pci=0000:3b:00");  // `host` names the entity only
}

TEST_CASE("a line that speaks of another rank gives that rank nothing of its printer") {
  Pattern p = pattern_of("a.b.c", {"rank (?P<rank>\\d) is missing"});
  p.who = {{"rank", "rank"}};
  Artifact artifact;
  artifact.speaker.node = "ip-10-1-0-11";
  const auto events = events_of(
      {p}, batch_of("3: rank 5 is missing\n3: rank 3 is missing\nrank 4 is missing\n", peel_rank), artifact);
  REQUIRE(events.size() == 3);
  CHECK(events[0].speaker.rank == 5);
  CHECK(events[0].speaker.node.empty());
  CHECK(events[1].speaker.node == "ip-10-1-0-11");
  CHECK(events[2].speaker.node == "ip-10-1-0-11");
}

TEST_CASE("bytes that are no UTF-8 hide no line from the confirming step") {
  const Pattern p =
      with_fields(pattern_of("a.b.c", {"disk (?P<name>\\S+) full"}), {{"name", FieldType::text}});
  const std::string nul(1, '\0');
  const auto events = events_of({p}, batch_of("\xff\xfe disk sda full\ndisk s\xc3"
                                              "a full\n" +
                                              nul + "disk sdb full\r\n"));
  REQUIRE(events.size() == 3);
  CHECK(fields_text(events[0]) == "name=sda");
  CHECK(fields_text(events[1]) ==
        "name=s\xc3"
        "a");
  CHECK(fields_text(events[2]) == "name=sdb");
}

TEST_CASE("secrets are masked in evidence and in fields, also when the capture lost its context") {
  const std::string secret = std::string("wJalr") + "XUtnFEMI/K7MDENG/bPxRfiCY" + "abcdefgh12";
  const Pattern p =
      with_fields(pattern_of("a.b.c", {"login failed: (?P<reason>.*)", "secret_access_key=(?P<value>\\S+)"}),
                  {{"reason", FieldType::text}, {"value", FieldType::text}});
  const auto events = events_of({p}, batch_of("login failed: aws_secret_access_key=" + secret +
                                              " rejected\nx aws_secret_access_key=" + secret + "\n"));
  REQUIRE(events.size() == 2);
  for (const Event& e : events) {
    CHECK(e.evidence.text.find(secret) == std::string::npos);
    CHECK(e.evidence.text.find("<masked:") != std::string::npos);
    CHECK(fields_text(e).find(secret) == std::string::npos);
    CHECK(fields_text(e).find("<masked:") != std::string::npos);
  }
}

TEST_CASE("evidence of a long line is cut around what matched, at borders of characters") {
  Limits limits;
  limits.max_excerpt = 64;
  const std::string umlauts = [] {
    std::string s;
    for (int i = 0; i < 100; ++i) s += "\xC3\xA4";
    return s;
  }();
  const Pattern p = pattern_of("a.b.c", {"needle \\d+"});
  const std::string lines[] = {"needle 7 " + umlauts, umlauts + " needle 7", umlauts + "needle 7" + umlauts};
  for (const std::string& line : lines) {
    const auto events = events_of({p}, batch_of(line + "\n"), {}, limits);
    REQUIRE(events.size() == 1);
    const std::string& text = events[0].evidence.text;
    CHECK(text.size() <= 64);
    CHECK(text.size() > 50);
    CHECK(text.find("needle 7") != std::string::npos);
    CHECK(is_valid_utf8(text));
    CHECK(text.find("\xE2\x80\xA6") != std::string::npos);
  }
  CHECK(events_of({p}, batch_of("short needle 7\n"), {}, limits)[0].evidence.text == "short needle 7");
}

TEST_CASE("a secret before the match does not push it out of the excerpt") {
  Limits limits;
  limits.max_excerpt = 64;
  const std::string filler(300, '.');
  const std::string secret = std::string("AK") + "IA" + "IOSFODNN7EXAMPLE";
  const auto events =
      events_of({pattern_of("a.b.c", {"needle \\d+"})},
                batch_of(filler + " " + secret + " " + filler + " needle 7 " + filler + "\n"), {}, limits);
  REQUIRE(events.size() == 1);
  CHECK(events[0].evidence.text.find("needle 7") != std::string::npos);
}

TEST_CASE("equal events of a batch fold into the last one, different ones do not") {
  const Pattern p =
      with_fields(pattern_of("a.b.c", {"error (?P<code>\\d+)"}), {{"code", FieldType::integer}});
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "error 5\n";
  text += "error 6\n";
  const auto events = events_of({p}, batch_of(text));
  REQUIRE(events.size() == 17);
  std::uint64_t fives = 0;
  for (const Event& e : events) {
    if (fields_text(e) == "code=5") fives += e.repeats;
  }
  CHECK(fives == 1000);
  CHECK(events[14].evidence.line == 15);
  CHECK(events[14].repeats == 1);
  CHECK(events[15].evidence.line == 1000);  // the last one is kept whole
  CHECK(events[15].repeats == 985);
  CHECK(events[16].evidence.line == 1001);
}

TEST_CASE("equal events of different ranks do not fold") {
  std::string text;
  for (int i = 0; i < 400; ++i) text += std::to_string(i % 4) + ": error\n";
  const auto events = events_of({pattern_of("a.b.c", {"error"})}, batch_of(text, peel_rank));
  CHECK(events.size() == 4 * 16);
  for (std::size_t i = 1; i < events.size(); ++i)
    CHECK(events[i - 1].evidence.line <= events[i].evidence.line);
}

TEST_CASE("progress that the matcher folded is counted by the next confirmed event") {
  Pattern p = with_fields(pattern_of("a.b.c", {"^step (?P<step>\\d+)"}), {{"step", FieldType::integer}});
  p.role = Role::progress;
  std::string text;
  for (int i = 0; i < 100; ++i) text += "step " + std::to_string(i) + "\n";
  std::uint64_t total = 0;
  for (const Event& e : events_of({p}, batch_of(text))) total += e.repeats;
  CHECK(total == 100);
  // The line that carries the count is a proposal only: its count moves on.
  std::string tricky;
  for (int i = 0; i < 100; ++i) tricky += (i == 7 ? "no step " : "step ") + std::to_string(i) + "\n";
  total = 0;
  for (const Event& e : events_of({p}, batch_of(tricky))) total += e.repeats;
  CHECK(total == 99);
}
