#include <catch2/catch.hpp>

#include "ingest/bundle.h"

using namespace faultline;
using namespace faultline::ingest_test;
using State = CoverageRow::State;

namespace {

const std::string kText = log_text(100);

Recorder counting_only() {
  Recorder recorder;
  recorder.keep = 1024;
  return recorder;
}

bool was_hit(const Run& run, std::string_view limit) {
  for (const std::string& line : run.limits_hit) {
    if (line.starts_with(limit)) return true;
  }
  return false;
}

std::string nest(std::string bytes, int times) {
  for (int i = 0; i < times; ++i) bytes = tar_of({{"in.tar", bytes}});
  return bytes;
}

}  // namespace

TEST_CASE("a gzip of zeros is stopped by its ratio after the grace, its neighbours are read") {
  // gzip ends at 1032:1, so the bomb is a gzip of a gzip.
  const std::string bomb = gz(gz(std::string(std::size_t{96} << 20, '0')));
  Limits limits;
  limits.ratio_grace = std::uint64_t{8} << 20;
  const Run run =
      read_bytes("x.tar", tar_of({{"bomb.log.gz", bomb}, {"good.log", kText}, {"good.log.gz", gz(kText)}}),
                 limits, counting_only());
  const CoverageRow* row = run.seen.row("x.tar!bomb.log.gz");
  CHECK(row->state == State::partial);
  CHECK(row->reason.find("--max-ratio") != std::string::npos);
  CHECK(row->bytes >= limits.ratio_grace / 2);
  CHECK(row->bytes <= limits.ratio_grace * 2);
  CHECK(was_hit(run, "max-ratio: 1 artifact"));
  CHECK(run.seen.row("x.tar!good.log")->state == State::scanned);
  CHECK(run.seen.row("x.tar!good.log.gz")->state == State::scanned);
  CHECK(run.seen.row("x.tar")->state == State::scanned);
}

TEST_CASE("repeated log lines that compress a thousand times are no bomb") {
  std::string text;
  while (text.size() < (std::size_t{80} << 20)) text.append(1000, 'x').append("\n");
  const Run run = read_bytes("x.log.gz", gz(text), {}, counting_only());
  CHECK(run.seen.row("x.log.gz")->state == State::scanned);
  CHECK(run.seen.row("x.log.gz")->bytes == text.size());
}

TEST_CASE("bombs hidden in nested archives are charged to the archives around them") {
  // Each layer is innocent; together they would expand a million times.
  const std::string zeros = gz(std::string(std::size_t{32} << 20, '0'));
  std::vector<Entry> many;
  for (int i = 0; i < 64; ++i) many.push_back({"part" + std::to_string(i) + ".gz", zeros});
  const std::string outer = gz(tar_of(many));
  Limits limits;
  limits.ratio_grace = std::uint64_t{16} << 20;
  const Run run = read_bytes("x.tar.gz", outer, limits, counting_only());
  CHECK(run.seen.row("x.tar.gz")->state == State::partial);
  CHECK(run.seen.row("x.tar.gz")->reason.find("--max-ratio") != std::string::npos);
  CHECK(was_hit(run, "max-ratio"));
  CHECK(run.seen.seen < outer.size() * limits.max_ratio + 64 * limits.ratio_grace);
}

TEST_CASE("the limits on expanded bytes, of one archive and of all, end the reading with a reason") {
  const std::string text = log_text(60'000);
  Limits limits;
  limits.max_expanded_archive = std::uint64_t{1} << 20;
  const Run one = read_bytes("x.tar", tar_of({{"big.log.gz", gz(text)}, {"good.log", kText}}), limits);
  CHECK(one.seen.row("x.tar!big.log.gz")->state == State::partial);
  CHECK(one.seen.row("x.tar!big.log.gz")->reason.find("--max-expanded-archive") != std::string::npos);
  CHECK(was_hit(one, "max-expanded-archive: "));

  Limits total;
  total.max_expanded_total = std::uint64_t{4} << 20;
  const Scratch scratch;
  const Run all = read_paths({scratch.write("a.log.gz", gz(text)), scratch.write("b.log.gz", gz(text)),
                              scratch.write("c.log", kText)},
                             total);
  CHECK(all.seen.row("a.log.gz")->state == State::scanned);
  CHECK(all.seen.row("b.log.gz")->state == State::partial);
  CHECK(all.seen.row("b.log.gz")->reason.find("--max-expanded-total") != std::string::npos);
  CHECK(all.seen.row("c.log")->state == State::scanned);
  CHECK(was_hit(all, "max-expanded-total"));
}

TEST_CASE("archives nested deeper than the limit get a row and are not opened") {
  Limits limits;
  limits.max_depth = 3;
  const Run run = read_bytes("x.tar", nest(tar_of({{"a.log", kText}}), 4), limits);
  CHECK(run.seen.artifacts.empty());
  CHECK(run.seen.row("x.tar!in.tar!in.tar!in.tar")->state == State::skipped);
  CHECK(run.seen.row("x.tar!in.tar!in.tar!in.tar")->reason.find("--max-depth") != std::string::npos);
  CHECK(run.seen.row("x.tar!in.tar!in.tar")->state == State::scanned);
  CHECK(was_hit(run, "max-depth: 1 artifact"));
  const Run within = read_bytes("x.tar", nest(tar_of({{"a.log", kText}}), 2), limits);
  CHECK(within.seen.text.at("x.tar!in.tar!in.tar!a.log") == kText);
}

TEST_CASE("a file that is compressed over and over is given up at the limit") {
  std::string bytes = kText;
  for (int i = 0; i < 20; ++i) bytes = gz(bytes);
  const Run run = read_bytes("x.gz", bytes);
  REQUIRE(run.seen.rows.size() == 1);
  CHECK(run.seen.rows[0].state == State::skipped);
  CHECK(run.seen.rows[0].reason.find("--max-depth") != std::string::npos);
}

TEST_CASE("a tar of a million members is read up to the limit and says that there are more") {
  // A thousand gzip members of a thousand tar members each.
  std::string thousand;
  for (int i = 0; i < 1000; ++i) thousand += tar_entry({.name = "tiny.log", .bytes = "x\n"});
  const std::string stored = gz(thousand);
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += stored;
  Limits limits;
  limits.max_members = 5000;
  const Run run = read_bytes("x.tar", bytes, limits);
  CHECK(run.seen.rows.size() == 5001);
  CHECK(run.seen.row("x.tar")->state == State::partial);
  CHECK(run.seen.row("x.tar")->reason.find("--max-members") != std::string::npos);
  CHECK(was_hit(run, "max-members: 1 artifact"));
}

TEST_CASE("the number of artifacts in the whole bundle is bounded, each file on disk still has its row") {
  Limits limits;
  limits.max_artifacts = 6;
  std::vector<Entry> many;
  for (int i = 0; i < 50; ++i) many.push_back({"f" + std::to_string(i) + ".log", kText});
  const Scratch scratch;
  const Run run =
      read_paths({scratch.write("a.tar", tar_of(many)), scratch.write("b.tar", tar_of(many))}, limits);
  CHECK(run.seen.row("a.tar")->state == State::partial);
  CHECK(run.seen.row("a.tar")->reason.find("--max-artifacts") != std::string::npos);
  CHECK(run.seen.row("b.tar")->state == State::partial);
  CHECK(run.seen.rows.size() <= 12);
  CHECK(was_hit(run, "max-artifacts"));
}

TEST_CASE("the same limits hit in two artifacts are counted, in sorted order") {
  const Limits limits;
  ingest::Budget budget(limits);
  budget.hit("max-ratio");
  budget.hit("max-depth");
  budget.hit("max-ratio");
  CHECK(budget.limits_hit() == std::vector<std::string>{"max-depth: 1 artifact", "max-ratio: 2 artifacts"});
}

TEST_CASE("an interrupt ends the reading between chunks, and rows say so") {
  const std::string text = log_text(400'000);
  Recorder impatient;
  impatient.interrupt_after = std::uint64_t{2} << 20;
  const Run run = read_bytes("x.tar", tar_of({{"a.log", text}, {"b.log", text}}), {}, std::move(impatient));
  CHECK(run.seen.row("x.tar!a.log")->state == State::partial);
  CHECK(run.seen.row("x.tar!a.log")->reason.find("interrupted") != std::string::npos);
  CHECK(run.seen.row("x.tar!b.log") == nullptr);
  CHECK(run.seen.row("x.tar")->state == State::partial);
  CHECK(run.seen.row("x.tar")->reason == "interrupted");
}
