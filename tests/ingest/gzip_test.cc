#include <catch2/catch.hpp>

#include "ingest/bundle.h"
#include "ingest/filter_source.h"

using namespace faultline;
using namespace faultline::ingest_test;

namespace {

struct Inflated {
  std::string text;
  std::string problem;
  std::vector<std::string> notes;
};
Inflated inflate(std::string_view stored, std::size_t chunk = 0,
                 ingest::StreamFormat format = ingest::StreamFormat::gzip) {
  MemorySource source(stored, chunk);
  const auto filter = ingest::open_filter(format, source);
  Inflated out;
  Problem cut;
  out.text = read_all(*filter, std::uint64_t{1} << 30, &cut).value_or("");
  out.problem = cut.what;
  out.notes = filter->notes();
  return out;
}

}  // namespace

TEST_CASE("a gzip is inflated whole whatever the size of the chunks it comes in") {
  const std::string text = log_text(40'000);
  const std::string stored = gz(text);
  for (const std::size_t chunk :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{4096}}) {
    const Inflated out = inflate(stored, chunk);
    CHECK(out.problem.empty());
    CHECK(out.notes.empty());
    CHECK((out.text == text));
  }
}

TEST_CASE("concatenated gzip members are one stream, padding and garbage behind them are not lost data") {
  std::string stored;
  std::string text;
  for (int i = 0; i < 300; ++i) {
    const std::string part = log_text(static_cast<std::size_t>(i % 17 + 1), "section " + std::to_string(i));
    text += part;
    stored += gz(part);
  }
  for (const std::size_t chunk : {std::size_t{0}, std::size_t{1}, std::size_t{13}}) {
    CHECK((inflate(stored, chunk).text == text));
    const Inflated padded = inflate(stored + std::string(5000, '\0'), chunk);
    CHECK((padded.text == text));
    CHECK(padded.problem.empty());
    CHECK(padded.notes.empty());
    const Inflated garbage = inflate(stored + "not gzip at all", chunk);
    CHECK((garbage.text == text));
    CHECK(garbage.problem.empty());
    CHECK(garbage.notes == std::vector<std::string>{"15 bytes after the last gzip member were ignored"});
  }
}

TEST_CASE("an empty gzip and empty members give nothing and no problem") {
  CHECK(inflate(gz("")).text.empty());
  CHECK(inflate(gz("")).problem.empty());
  CHECK(inflate(gz("") + gz("x") + gz("")).text == "x");
}

TEST_CASE("a cut gzip gives a true prefix at every place of the cut, and says that it is cut") {
  const std::string text = log_text(3000);
  const std::string stored = gz(text.substr(0, 60'000)) + gz(text.substr(60'000));
  std::size_t longest = 0;
  for (std::size_t cut = 1; cut < stored.size(); cut += stored.size() / 97 + 1) {
    for (const std::size_t chunk : {std::size_t{0}, std::size_t{11}}) {
      const Inflated out = inflate(std::string_view(stored).substr(0, cut), chunk);
      CHECK((text.compare(0, out.text.size(), out.text) == 0));
      CHECK(out.text.size() >= longest);
      if (cut != gz(text.substr(0, 60'000)).size()) CHECK_FALSE(out.problem.empty());
      longest = out.text.size();
    }
  }
  CHECK(longest > text.size() * 9 / 10);
}

TEST_CASE("after a damaged member the next one is found, the reader is told, and lines do not run together") {
  std::vector<std::string> parts;
  std::vector<std::string> members;
  for (int i = 0; i < 20; ++i) {
    parts.push_back(log_text(400, "member " + std::to_string(i)));
    members.push_back(gz(parts.back()));
  }
  for (const std::size_t chunk : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
    std::string stored;
    for (int i = 0; i < 20; ++i) {
      std::string member = members[static_cast<std::size_t>(i)];
      if (i == 7) {
        for (std::size_t at = 1000; at < 1064; ++at) member[at] = static_cast<char>(~member[at]);
      }
      stored += member;
    }
    const Inflated out = inflate(stored, chunk);
    CHECK(out.problem.find("gzip member 8 is damaged") != std::string::npos);
    for (int i = 0; i < 20; ++i) {
      if (i != 7) CHECK(out.text.find(parts[static_cast<std::size_t>(i)]) != std::string::npos);
    }
    // What follows the hole starts on a line of its own.
    const std::size_t next = out.text.find(parts[8]);
    REQUIRE(next != std::string::npos);
    CHECK(out.text[next - 1] == '\n');
  }
}

TEST_CASE("bytes that were overwritten between members, and a lost header, cost only that member") {
  const std::string a = log_text(50, "a");
  const std::string b = log_text(50, "b");
  const std::string c = log_text(50, "c");
  const Inflated hole = inflate(gz(a) + std::string(3000, 'x') + gz(c));
  CHECK((hole.text == a + c));
  CHECK(hole.problem.find("3000 bytes before gzip member 2 are no gzip data") != std::string::npos);

  std::string headless = gz(b);
  headless[0] = 'X';
  const Inflated out = inflate(gz(a) + headless + gz(c));
  CHECK((out.text == a + c));
  CHECK_FALSE(out.problem.empty());
}

TEST_CASE("a wrong checksum is told though all bytes were delivered") {
  std::string stored = gz("some text\n");
  stored[stored.size() - 6] = static_cast<char>(stored[stored.size() - 6] + 1);
  const Inflated out = inflate(stored + gz("more\n"));
  CHECK(out.text == "some text\nmore\n");
  CHECK(out.problem == "checksum of gzip member 1 does not fit its data");
}

TEST_CASE("magics in garbage are no members, and garbage made of magics ends in bounded time") {
  std::string evil = gz(log_text(20));
  evil[30] = static_cast<char>(~evil[30]);
  std::string stored = evil;
  for (int i = 0; i < 200'000; ++i) stored += std::string("\x1f\x8b\x08\0\0\0\0\0\0\3\1\0\0\xff\xff", 15);
  stored += gz("the end\n");
  const Inflated out = inflate(stored);
  CHECK_FALSE(out.problem.empty());
  CHECK(out.text.size() < log_text(20).size() + 100);
  CHECK(out.text.ends_with("the end\n"));
}

TEST_CASE("damage at any byte never crashes and never takes away what stood before it") {
  const std::string text = log_text(2000);
  const std::string stored = gz(text);
  for (std::size_t at = 0; at < stored.size(); at += 37) {
    std::string broken = stored;
    broken[at] = static_cast<char>(broken[at] ^ 0x5a);
    const Inflated out = inflate(broken, 997);
    if (at > 10 && at + 8 < stored.size()) CHECK_FALSE((out.text == text && out.problem.empty()));
  }
}

TEST_CASE("a problem of the stream below is passed on with what was inflated before") {
  class Breaking final : public ByteSource {
   public:
    explicit Breaking(std::string_view bytes) : bytes_(bytes) {}
    Result<std::string_view> next() override {
      if (given_) return fail(Rung::note, {}, "the disk is on fire");
      given_ = true;
      return bytes_;
    }

   private:
    std::string_view bytes_;
    bool given_ = false;
  };
  const std::string text = log_text(5000);
  const std::string stored = gz(text);
  for (const std::string& name :
       {std::string("gzip"), std::string("xz"), std::string("zstd"), std::string("bzip2")}) {
    const std::string bytes = compressed(text, name);
    Breaking source(std::string_view(bytes).substr(0, bytes.size() / 2));
    const auto filter = ingest::open_filter(ingest::compression_of(bytes), source);
    Problem cut;
    const std::string out = read_all(*filter, 1 << 30, &cut).value_or("");
    CHECK((text.compare(0, out.size(), out) == 0));
    CHECK(cut.what.find("the disk is on fire") != std::string::npos);
  }
}
