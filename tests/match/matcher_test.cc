#include "match/matcher.h"

#include <catch2/catch.hpp>

#include "support/line_batches.h"

using namespace faultline;
using test::batch_of;
using test::pattern_of;

namespace {

PatternSet set_of(std::vector<Pattern> patterns) {
  PatternSet set;
  set.patterns = std::move(patterns);
  return set;
}

// (pattern, line number from 0) of every hit.
using Lines = std::vector<std::pair<PatternIndex, std::size_t>>;
Lines scanned(const PatternSet& set, const LineBatch& batch, Family family = Family::any) {
  const auto matcher = match::Matcher::make(set);
  REQUIRE(matcher);
  const auto scratch = (*matcher)->make_scratch();
  std::vector<Hit> hits;
  REQUIRE((*matcher)->scan(family, batch, *scratch, hits));
  Lines lines;
  for (const Hit& hit : hits) {
    lines.emplace_back(hit.pattern, static_cast<std::size_t>(std::count(
                                        batch.text.begin(), batch.text.begin() + hit.position, '\n')));
  }
  return lines;
}

}  // namespace

TEST_CASE("a pattern hits each of its lines once, however often it matches in them") {
  const PatternSet set = set_of({pattern_of("a.b.c", {"error: \\w+"}), pattern_of("a.b.d", {"fatal"})});
  const LineBatch batch = batch_of(
      "error: one error: two\n"
      "nothing\n"
      "error: three, fatal and fatal\n"
      "error: four\n");
  CHECK(scanned(set, batch) == Lines{{0, 0}, {0, 2}, {1, 2}, {0, 3}});
}

TEST_CASE("alternatives of one pattern are one hit a line") {
  const PatternSet set = set_of({pattern_of("a.b.c", {"first way", "second way"})});
  CHECK(scanned(set, batch_of("first way, second way\nsecond way\n")) == Lines{{0, 0}, {0, 1}});
}

TEST_CASE("of an expression with wide repeats the stretch that asks for most is proposed") {
  const std::pair<const char*, Lines> cases[] = {
      {"rank.*fell off", {{0, 1}, {0, 3}}},               // "fell off" asks for more than "rank"
      {"[A-Z]\\w+Err: \\d+", {{0, 2}}},                   // no name before it is looked for
      {"(?:ran[^x]*Err: 7|ran.*off)", {{0, 2}, {0, 3}}},  // of each branch its own; "off" alone is too little
  };
  for (const auto& [expression, lines] : cases) {
    INFO(expression);
    CHECK(scanned(set_of({pattern_of("a.b.c", {expression})}),
                  batch_of("rank\nfell off\nFooErr: 7\nrank fell off\n")) == lines);
  }
}

TEST_CASE("no match crosses a line") {
  const std::pair<const char*, const char*> attacks[] = {
      {"error:\\s+fatal", "error:\nfatal\n"},        {"error:\\s*fatal", "error: \n fatal\n"},
      {"error:[^x]fatal", "error:\nfatal\n"},        {"error:\\Wfatal", "error:\nfatal\n"},
      {"error:\\Dfatal", "error:\nfatal\n"},         {"(?s:error:.fatal)", "error:\nfatal\n"},
      {"error:[[:space:]]fatal", "error:\nfatal\n"}, {"error:[\\x00-\\xff]fatal", "error:\nfatal\n"},
      {"(?m)error:$\\s^fatal", "error:\nfatal\n"},   {"error:(?:[^a]|b){1,8}fatal", "error:\n\nfatal\n"},
  };
  for (const auto& [expression, text] : attacks) {
    INFO(expression);
    CHECK(scanned(set_of({pattern_of("a.b.c", {expression})}), batch_of(text)).empty());
  }
  // The same expressions still match on one line.
  CHECK(scanned(set_of({pattern_of("a.b.c", {"error:\\s+fatal"})}), batch_of("error: \t fatal\n")).size() ==
        1);
  CHECK(
      scanned(set_of({pattern_of("a.b.c", {"(?s)error:.*fatal"})}), batch_of("error: very fatal\n")).size() ==
      1);
}

TEST_CASE("bytes that are no text hide nothing") {
  const PatternSet set = set_of({pattern_of("a.b.c", {"disk.{0,4}full"})});
  const std::string nul(1, '\0');
  const std::string texts[] = {
      "disk \xff\xfe"
      " full\n",
      "\xc3"
      "disk " +
          nul +
          " full\xe2\x82"
          "\n",
      "disk full\r\n",
      "\x80\x80"
      " disk\rfull\n"};
  for (const std::string& text : texts) CHECK(scanned(set, batch_of(text)) == Lines{{0, 0}});
}

TEST_CASE("hits are reported for lines that begin in the core, and for no other") {
  const PatternSet set = set_of({pattern_of("a.b.c", {"needle"})});
  LineBatch batch = batch_of("needle 0\nneedle 1\nneedle 2\nneedle 3");
  batch.core_begin = 9;
  batch.core_end = 27;
  CHECK(scanned(set, batch) == Lines{{0, 1}, {0, 2}});
  SECTION("a border inside a line gives the line to the core that holds its first byte") {
    batch.core_begin = 10;
    batch.core_end = 20;
    CHECK(scanned(set, batch) == Lines{{0, 2}});
    batch.core_begin = 8;
    CHECK(scanned(set, batch) == Lines{{0, 1}, {0, 2}});
  }
  SECTION("the last line needs no line end") {
    batch.core_begin = 27;
    batch.core_end = batch.text.size();
    CHECK(scanned(set, batch) == Lines{{0, 3}});
  }
  SECTION("an empty core has no hits") {
    batch.core_begin = batch.core_end = 9;
    CHECK(scanned(set, batch).empty());
  }
}

TEST_CASE("a family tries the patterns of the families that it includes") {
  const PatternSet set = set_of({pattern_of("a.b.kernel", {"needle"}, {Family::kernel}),
                                 pattern_of("a.b.training", {"needle"}, {Family::training}),
                                 pattern_of("a.b.any", {"needle"}, {Family::any})});
  const LineBatch batch = batch_of("needle\n");
  CHECK(scanned(set, batch, Family::kernel) == Lines{{0, 0}, {2, 0}});
  CHECK(scanned(set, batch, Family::system) == Lines{{0, 0}, {2, 0}});
  CHECK(scanned(set, batch, Family::training) == Lines{{0, 0}, {1, 0}, {2, 0}});
  CHECK(scanned(set, batch, Family::any) == Lines{{0, 0}, {1, 0}, {2, 0}});
  CHECK(scanned(set, batch, Family::slurm) == Lines{{2, 0}});
  const auto matcher = match::Matcher::make(set);
  CHECK((*matcher)->pattern_count(Family::kernel) == 2);
  CHECK((*matcher)->pattern_count(Family::training) == 3);
}

TEST_CASE("a family without patterns has no hits and no error") {
  CHECK(scanned(set_of({pattern_of("a.b.c", {"needle"}, {Family::kernel})}), batch_of("needle\n"),
                Family::slurm)
            .empty());
  CHECK(scanned(set_of({}), batch_of("needle\n")).empty());
}

TEST_CASE("a scratch serves families in turn, and hits are appended") {
  const PatternSet set = set_of({pattern_of("a.b.c", {"needle"}, {Family::kernel}),
                                 pattern_of("a.b.d", {"thread"}, {Family::training})});
  const auto matcher = match::Matcher::make(set);
  const Family families[] = {Family::kernel, Family::training, Family::any};
  REQUIRE((*matcher)->prepare(families));
  CHECK((*matcher)->database_bytes(Family::kernel) > 0);
  CHECK((*matcher)->database_bytes(Family::system) > 0);  // the same patterns as the kernel: shared
  const auto scratch = (*matcher)->make_scratch();
  const LineBatch batch = batch_of("needle and thread\n");
  std::vector<Hit> hits;
  REQUIRE((*matcher)->scan(Family::kernel, batch, *scratch, hits));
  REQUIRE((*matcher)->scan(Family::training, batch, *scratch, hits));
  CHECK(hits.size() == 3);
}

TEST_CASE("a bad expression stops with the place of its pattern") {
  Pattern bad = pattern_of("a.b.c", {"fine text", "broken (text"});
  const auto matcher = match::Matcher::make(set_of({bad}));
  REQUIRE_FALSE(matcher);
  CHECK(matcher.error().rung == Rung::stop);
  CHECK(matcher.error().where == "test.toml:7");
  CHECK(matcher.error().what == "a.b.c: any[1]: missing ) for this ( at byte 8 of the expression");
}

TEST_CASE("an expression that is too large for the scanner is proposed by its literals") {
  // Nested counting makes far more states than Hyperscan accepts.
  const PatternSet set =
      set_of({pattern_of("a.b.c", {"begin(?:[ab]{1,16}c[^q]{1,15}d){16}(?:x[^y]{1,15}){16}end"}),
              pattern_of("a.b.d", {"other"})});
  const LineBatch batch = batch_of("nothing\nbegin abcd end\nother\n");
  const Lines found = scanned(set, batch);
  CHECK(std::find(found.begin(), found.end(), std::pair<PatternIndex, std::size_t>{1, 2}) != found.end());
}
