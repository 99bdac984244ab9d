#include <catch2/catch.hpp>

#include "ingest/bundle.h"
#include "ingest/filter_source.h"

using namespace faultline;
using namespace faultline::ingest;
using namespace faultline::ingest_test;

namespace {

std::string expand(std::string_view stored, std::size_t chunk, Problem* cut = nullptr) {
  MemorySource source(stored, chunk);
  const auto filter = open_filter(compression_of(stored), source);
  Problem ignored;
  return read_all(*filter, std::uint64_t{1} << 30, cut == nullptr ? &ignored : cut).value_or("?");
}

const std::vector<std::pair<std::string, StreamFormat>> kFilters = {
    {"gzip", StreamFormat::gzip},        {"zstd", StreamFormat::zstd}, {"xz", StreamFormat::xz},
    {"lzma", StreamFormat::lzma},        {"lz4", StreamFormat::lz4},   {"bzip2", StreamFormat::bzip2},
    {"compress", StreamFormat::compress}};

}  // namespace

TEST_CASE("each compression is known by its first bytes and read back") {
  const std::string text = log_text(30'000);
  for (const auto& [name, format] : kFilters) {
    INFO(name);
    const std::string stored = compressed(text, name);
    CHECK(compression_of(stored) == format);
    CHECK((expand(stored, 0) == text));
    CHECK((expand(stored, 1009) == text));
  }
}

TEST_CASE("each compression gives a true prefix when it is cut") {
  const std::string text = log_text(20'000);
  for (const auto& [name, format] : kFilters) {
    INFO(name);
    const std::string stored = compressed(text, name);
    for (int sixteenth = 1; sixteenth < 16; ++sixteenth) {
      Problem cut;
      const std::string out =
          expand(std::string_view(stored).substr(0, stored.size() * static_cast<std::size_t>(sixteenth) / 16),
                 4096, &cut);
      CHECK((text.compare(0, out.size(), out) == 0));
      // compress has no end mark: a cut one cannot be told from a whole one.
      if (format != StreamFormat::compress) CHECK_FALSE(cut.what.empty());
      // lz4 and bzip2 are decoded by blocks of up to 4 MiB and 900 kB: the one at the cut is lost.
      if (sixteenth >= 12 && format != StreamFormat::lz4 && format != StreamFormat::bzip2)
        CHECK(out.size() > text.size() / 16);
    }
  }
}

TEST_CASE("concatenated zstd frames, skippable ones among them, are one stream") {
  const std::string skippable("\x52\x2a\x4d\x18\x05\x00\x00\x00hello", 13);
  const std::string stored =
      skippable + compressed("one\n", "zstd") + skippable + compressed("two\n", "zstd");
  CHECK(compression_of(stored) == StreamFormat::zstd);
  CHECK(expand(stored, 0) == "one\ntwo\n");
  CHECK(expand(stored, 1) == "one\ntwo\n");
  MemorySource source(std::string_view(stored), 0);
  const std::string tail = stored + "garbage";
  MemorySource with_tail(tail, 0);
  const auto filter = open_zstd(with_tail);
  Problem cut;
  CHECK(read_all(*filter, 1 << 20, &cut).value_or("") == "one\ntwo\n");
  CHECK(cut.what.empty());
  CHECK(filter->notes().size() == 1);
}

TEST_CASE("concatenated xz and bzip2 streams are one stream") {
  CHECK(expand(compressed("one\n", "xz") + compressed("two\n", "xz"), 0) == "one\ntwo\n");
  CHECK(expand(compressed("one\n", "bzip2") + compressed("two\n", "bzip2"), 0) == "one\ntwo\n");
}

TEST_CASE("text that starts like a magic is text") {
  for (const std::string& text :
       {std::string("BZh9 is what bzip2 files start with\n"), std::string("PK is a prefix\n"),
        std::string("]\0\0 no lzma", 11), std::string("\x1f\x8b"), std::string("\x1f\x8b\x07 no deflate"),
        std::string("070701 is not cpio here, as no hex follows "
                    "........................................................................"),
        std::string("7z is not an archive"), std::string("Rar! no")}) {
    INFO(text);
    CHECK(compression_of(text) == StreamFormat::none);
    CHECK(container_of(text) == StreamFormat::none);
  }
}
