// Binary journals (facts/artifact-formats 5.4): written here byte by byte, then damaged.
#include <lz4.h>
#include <lzma.h>
#include <zstd.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "decode/journal_builder.h"
#include "decode/structured_rows.h"

using namespace faultline;
using namespace faultline::decode;

namespace {

using Rows = std::vector<std::string>;
using Layout = JournalBuilder::Layout;
constexpr std::uint64_t kStart = 1767225600000000;  // 2026-01-01T00:00:00Z

std::string packed(std::string_view text, std::uint8_t flag) {
  std::string out(text.size() + 1024, '\0');
  std::size_t size = 0;
  if (flag == JournalBuilder::kZstd) {
    size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1);
  } else if (flag == JournalBuilder::kLz4) {
    JournalBuilder::poke(out, 0, text.size());
    size = 8 +
           static_cast<std::size_t>(LZ4_compress_default(
               text.data(), out.data() + 8, static_cast<int>(text.size()), static_cast<int>(out.size() - 8)));
  } else {
    REQUIRE(lzma_easy_buffer_encode(
                0, LZMA_CHECK_NONE, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()) == LZMA_OK);
  }
  out.resize(size);
  return out;
}

/// Three entries; the host's data object is shared, the second message is compressed.
std::string sample(Layout layout, std::uint8_t flag = JournalBuilder::kZstd) {
  JournalBuilder journal(layout, flag == JournalBuilder::kZstd ? 8u | 4u : flag);
  const std::uint64_t host = journal.data("_HOSTNAME=ip-10-1-0-11");
  const std::uint64_t ident = journal.data("SYSLOG_IDENTIFIER=kubelet");
  journal.object(2, 0, std::string(24, '\0') + "_HOSTNAME");  // a field object, passed over
  const std::uint64_t first = journal.data("MESSAGE=first message");
  journal.entry(kStart, {host, ident, first, journal.data("_PID=12")});
  journal.object(6, 0, std::string(8 + 8 * 16, '\0'));  // an entry array
  const std::string text = "MESSAGE=second " + std::string(2000, 'x') + "\nNVRM: on its second line";
  journal.entry(kStart + 1, {host, ident,
                             flag == JournalBuilder::kPlain ? journal.data(text)
                                                            : journal.data(packed(text, flag), flag)});
  journal.entry(kStart + 2, {first, host, journal.data("PRIORITY=6")});  // the first message again
  return journal.file();
}

const Rows& sample_rows() {
  static const Rows rows = {
      "1 2026-01-01T00:00:00.000000Z [ip-10-1-0-11 - - kubelet pid=12] first message",
      "2 2026-01-01T00:00:00.000001Z [ip-10-1-0-11 - - kubelet] second " + std::string(2000, 'x'),
      "2 2026-01-01T00:00:00.000001Z [ip-10-1-0-11 - - kubelet] NVRM: on its second line",
      "4 2026-01-01T00:00:00.000002Z [ip-10-1-0-11 - - -] first message",
  };
  return rows;
}

bool has(const Rows& rows, std::string_view part) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const std::string& row) { return row.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("a journal is read in both layouts, with every compression") {
  for (const Layout layout : {Layout::regular, Layout::compact}) {
    for (const std::uint8_t flag :
         {JournalBuilder::kPlain, JournalBuilder::kXz, JournalBuilder::kLz4, JournalBuilder::kZstd}) {
      INFO("layout " << static_cast<int>(layout) << ", compression " << static_cast<int>(flag));
      const std::string file = sample(layout, flag);
      const Framed out = framed(&frame_journal_binary, file);
      CHECK(rows_of(out) == sample_rows());
      CHECK_FALSE(out.summary.damaged);
      CHECK(out.summary.notes.empty());
      CHECK(out.summary.lines == 4);
      for (const std::size_t chunk : {std::size_t{1}, std::size_t{100}})
        CHECK(rows_of(framed(&frame_journal_binary, file, {}, chunk)) == sample_rows());
    }
  }
}

TEST_CASE("kernel lines get the time at which they were printed") {
  JournalBuilder journal(Layout::regular);
  const std::uint64_t text = journal.data("MESSAGE=NVRM: demo");
  const std::uint64_t source = journal.data("_SOURCE_MONOTONIC_TIMESTAMP=4000000");
  journal.entry(kStart + 5000000, {text, source}, 9000000);
  journal.entry(kStart + 6000000,
                {text, journal.data("_SOURCE_REALTIME_TIMESTAMP=" + std::to_string(kStart + 7))}, 9000001);
  CHECK(rows(&frame_journal_binary, journal.file()) ==
        Rows{"1 2026-01-01T00:00:00.000000Z [- - - -] NVRM: demo",
             "2 2026-01-01T00:00:00.000007Z [- - - -] NVRM: demo"});
}

TEST_CASE("a journal that is cut anywhere gives the entries before the cut") {
  const std::string file = sample(Layout::regular);
  const Rows whole = sample_rows();
  std::size_t seen = 0;
  for (std::size_t cut = 0; cut <= file.size(); ++cut) {
    const Framed out = framed(&frame_journal_binary, std::string_view(file).substr(0, cut));
    const Rows found = rows_of(out);
    REQUIRE(found.size() <= whole.size());
    REQUIRE(std::equal(found.begin(), found.end(), whole.begin()));
    REQUIRE(found.size() >= seen);  // never less with more bytes
    seen = found.size();
    if (found.size() < whole.size()) REQUIRE((out.summary.damaged || !out.summary.notes.empty()));
  }
  CHECK(seen == whole.size());
}

TEST_CASE("every byte may be wrong") {
  const std::string file = sample(Layout::compact);
  for (std::size_t at = 8; at < file.size() - 4096; ++at) {
    for (const char c : {'\0', '\x01', '\x03', '\x7f', '\xff'}) {
      std::string changed = file;
      changed[at] = c;
      const Framed out = framed(&frame_journal_binary, changed);
      if (texts_of(out).size() > 100) FAIL("byte " << at);
    }
  }
}

TEST_CASE("a broken object costs itself, and the next one is found") {
  JournalBuilder journal(Layout::regular);
  journal.entry_of(kStart, {"MESSAGE=before", "_HOSTNAME=h"});
  const std::uint64_t broken = journal.data("MESSAGE=broken one");
  for (int i = 0; i < 20; ++i)
    journal.entry_of(kStart + 10 + static_cast<std::uint64_t>(i), {"MESSAGE=after " + std::to_string(i)});
  const std::string file = journal.file();
  const std::uint64_t sizes[] = {0, 1, 17, UINT64_MAX, std::uint64_t{1} << 62};
  for (const std::uint64_t size : sizes) {
    INFO(size);
    std::string changed = file;
    JournalBuilder::poke(changed, broken + 8, size);
    const Framed out = framed(&frame_journal_binary, changed);
    const Rows found = texts_of(out);
    CHECK(found.front() == "before");
    CHECK(found.size() == 21);
    CHECK(found.back() == "after 19");
    CHECK(out.summary.damaged);
  }
  // A hole of zeros in the middle, as after a crash.
  std::string hole = file;
  std::fill(hole.begin() + static_cast<std::ptrdiff_t>(broken),
            hole.begin() + static_cast<std::ptrdiff_t>(broken) + 300, '\0');
  CHECK(has(texts_of(framed(&frame_journal_binary, hole)), "after 19"));
}

TEST_CASE("links in a circle are never followed, items that point nowhere are nothing") {
  JournalBuilder journal(Layout::regular);
  const std::uint64_t text = journal.data("MESSAGE=text");
  // An entry array that links to itself, and to the entry's own object.
  const std::string self(8, '\0');
  const std::uint64_t array = journal.object(6, 0, self + std::string(64, '\0'));
  journal.entry(kStart, {text, array, 0, UINT64_MAX, 3, text, text});
  std::string file = journal.file();
  JournalBuilder::poke(file, array + 16, array);
  JournalBuilder::poke(file, array + 24, array);
  JournalBuilder::poke(file, text + 24, text);  // the data's hash chain
  JournalBuilder::poke(file, text + 40, text);
  CHECK(rows(&frame_journal_binary, file) == Rows{"1 2026-01-01T00:00:00.000000Z [- - - -] text"});
}

TEST_CASE("headers that lie are said to lie") {
  const std::string file = sample(Layout::regular);
  std::string unknown = file;
  unknown[12] = 64;
  const Framed flags = framed(&frame_journal_binary, unknown);
  CHECK(flags.batches.empty());
  CHECK(flags.summary.damaged);
  CHECK(flags.summary.damage.what.find("layout") != std::string::npos);
  std::string size = file;
  JournalBuilder::poke(size, 88, 1 << 30);
  CHECK(rows(&frame_journal_binary, size) == sample_rows());
  CHECK(framed(&frame_journal_binary, "LPKSHHRH").summary.damaged);
  CHECK(framed(&frame_journal_binary, "text").summary.damaged);
  std::string online = file;
  online[16] = 1;
  const Framed open = framed(&frame_journal_binary, online);
  CHECK(rows_of(open) == sample_rows());
  CHECK(open.summary.notes ==
        std::vector<std::string>{"the journal was open for writing when it was copied"});
}

TEST_CASE("compressed bombs and repeated messages are held to a budget") {
  JournalBuilder bomb(Layout::regular, 8);
  const std::string text = packed("MESSAGE=" + std::string(64 << 20, 'x'), JournalBuilder::kZstd);
  bomb.entry(kStart, {bomb.data(text, JournalBuilder::kZstd)});
  const Framed inflated = framed(&frame_journal_binary, bomb.file());
  std::size_t bytes = 0;
  for (const std::string& line : texts_of(inflated)) bytes += line.size();
  CHECK(bytes <= (std::size_t{5} << 20));
  CHECK(has(inflated.summary.notes, "were cut"));

  JournalBuilder echo(Layout::compact, 8);
  const std::uint64_t message =
      echo.data(packed("MESSAGE=" + std::string(1 << 20, 'y'), JournalBuilder::kZstd), JournalBuilder::kZstd);
  for (int i = 0; i < 2000; ++i) echo.entry(kStart, {message});
  const std::string file = echo.file();
  Artifact artifact;
  std::uint64_t out = 0;
  MemorySource source(file);
  const DecodeSummary summary =
      frame_journal_binary(artifact, source, Limits{}, TimeHints{},
                           [&](LineBatch&& batch) { out += batch.core_end - batch.core_begin; });
  CHECK(summary.damaged);
  CHECK(summary.damage.what.find("max-ratio") != std::string::npos);
  CHECK(out < (std::uint64_t{200} << 20));

  JournalBuilder garbage(Layout::regular, 8);
  garbage.entry(kStart, {garbage.data("no zstd at all", JournalBuilder::kZstd), garbage.data("_HOSTNAME=h")});
  garbage.entry_of(kStart, {"MESSAGE=next"});
  const Framed out2 = framed(&frame_journal_binary, garbage.file());
  CHECK(texts_of(out2) == Rows{"next"});
  CHECK(out2.summary.damaged);
}

TEST_CASE("memory for messages is bounded, and what was dropped is said") {
  Limits limits;
  limits.max_document = 64 << 10;
  JournalBuilder journal(Layout::regular);
  const std::uint64_t host = journal.data("_HOSTNAME=h");
  const std::uint64_t early = journal.data("MESSAGE=early");
  journal.entry(kStart, {host, early});
  for (int i = 0; i < 1000; ++i)
    journal.entry(kStart, {host, journal.data("MESSAGE=" + std::to_string(i) + std::string(200, 'm'))});
  journal.entry(kStart + 9, {host, early});
  const Framed out = framed(&frame_journal_binary, journal.file(), limits);
  const Rows found = rows_of(out);
  CHECK(found.size() == 1001);
  // What is used often is kept.
  CHECK(std::all_of(found.begin(), found.end(),
                    [](const std::string& row) { return row.find("[h ") != std::string::npos; }));
  CHECK(has(out.summary.notes, "too far back"));
}
