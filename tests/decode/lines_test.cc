// Batches of line logs: where they are cut, and that every line keeps its number and offset whatever was done
// to it.
#include <catch2/catch.hpp>

#include "decode/batches.h"
#include "decode/line_window.h"

using namespace faultline;
using namespace faultline::decode;

namespace {

// What the text must become, worked out the slow and plain way.
std::vector<OutLine> expected_lines(std::string_view bytes) {
  std::vector<OutLine> out;
  std::uint64_t number = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    ++number;
    std::string segment;
    std::size_t begin = at;
    const std::size_t before = out.size();
    const auto flush = [&](std::size_t next) {
      if (!segment.empty()) out.push_back({segment, number, begin});
      segment.clear();
      begin = next;
    };
    for (std::size_t i = at; i < end; ++i) {
      const std::string_view rest = bytes.substr(i, end - i);
      if (rest.front() == '\r') {
        flush(i + 1);
      } else if (rest.substr(0, 4) == std::string_view("\0\0\0\0", 4)) {
        std::size_t last = i;
        while (last + 1 < end && bytes[last + 1] == '\0') ++last;
        flush(last + 1);
        i = last;
      } else if (rest.front() == '\0') {
        segment += ' ';
      } else if (rest.substr(0, 2) == "\x1b[") {
        i += rest.find('m');
      } else {
        segment += rest.front();
      }
    }
    flush(end);
    if (out.size() == before) out.push_back({"", number, at});
    at = end + 1;
  }
  return out;
}

std::string mixed_text(std::uint64_t seed, int lines) {
  Dice dice(seed);
  std::string text;
  for (int i = 0; i < lines; ++i) {
    const std::string n = std::to_string(i);
    switch (dice.roll(40)) {
      case 0:
        text += "\r 10%|#  | " + n + "\r 20%|## | " + n + "\r[rank3]: RuntimeError: " + n + "\n";
        break;
      case 1:
        text += "\x1b[31mred " + n + "\x1b[0m tail\n";
        break;
      case 2:
        text += "windows " + n + "\r\n";
        break;
      case 3:
        text += std::string("hole ") + std::string(1 + dice.roll(20), '\0') + "after " + n + "\n";
        break;
      case 4:
        text += "\n";
        break;
      case 5:
        text += std::string(dice.roll(3000), 'x') + n + "\n";
        break;
      case 6:
        text += "\r\r\n";
        break;
      default:
        text += "plain line number " + n + " of the text\n";
    }
  }
  return text;
}

void strip_blanks(std::vector<OutLine>& lines) {
  for (OutLine& line : lines) {
    while (!line.raw.empty() && line.raw.back() == ' ') line.raw.pop_back();
  }
}

void check_shape(const Decoded& decoded) {
  for (const LineBatch& batch : decoded.batches) {
    INFO("batch " << batch.sequence);
    REQUIRE(batch.peel != nullptr);
    CHECK(batch.core_begin < batch.core_end);
    CHECK(batch.core_end <= batch.text.size());
    CHECK(batch.text.back() == '\n');
    CHECK(batch.text.find('\r') == std::string::npos);
    CHECK(batch.text.find('\0') == std::string::npos);
    for (std::size_t i = 1; i < batch.marks.size(); ++i) {
      if (batch.marks[i - 1].begin >= batch.marks[i].begin) FAIL("marks are not sorted");
    }
  }
}

}  // namespace

TEST_CASE("batches do not depend on the chunks that the source gives") {
  for (const auto& [batch, line] : {std::pair<int, int>{4096, 1024}, {4096, 4096}, {70'000, 2000}}) {
    const Limits limits = small_batches(static_cast<std::uint64_t>(batch), static_cast<std::uint64_t>(line));
    const std::string text = mixed_text(static_cast<std::uint64_t>(batch + line), 6000);
    const Decoded whole = decode_text(text, limits);
    check_shape(whole);
    REQUIRE(whole.batches.size() > 2);
    for (const std::size_t chunk : {1, 7, 4096}) {
      const Decoded parts = decode_text(text, limits, chunk);
      REQUIRE(parts.batches.size() == whole.batches.size());
      for (std::size_t i = 0; i < whole.batches.size(); ++i) {
        REQUIRE(dump(parts.batches[i]) == dump(whole.batches[i]));
      }
      CHECK(parts.summary.lines == whole.summary.lines);
      CHECK(parts.summary.notes == whole.summary.notes);
    }
  }
}

TEST_CASE("every line of mixed text keeps its number and its offset") {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const std::string text = mixed_text(seed, 4000);
    std::vector<OutLine> want = expected_lines(text);
    for (const std::uint64_t batch : {4096, 50'000, 1 << 20}) {
      INFO("seed " << seed << " batch " << batch);
      const Decoded decoded = decode_text(text, small_batches(batch, 1 << 20));
      std::vector<OutLine> got = decoded.lines();
      strip_blanks(got);
      strip_blanks(want);
      REQUIRE(got.size() == want.size());
      for (std::size_t i = 0; i < want.size(); ++i) {
        INFO("line " << want[i].number << " at " << want[i].offset << ": " << want[i].raw);
        REQUIRE(got[i].raw == want[i].raw);
        REQUIRE(got[i].number == want[i].number);
        REQUIRE(got[i].offset == want[i].offset);
      }
      CHECK(decoded.summary.lines == 4000);
    }
  }
}

TEST_CASE("clean text is handed on verbatim, CRLF too") {
  std::string unix_text;
  std::string windows_text;
  for (int i = 0; i < 100'000; ++i) {
    unix_text += "line " + std::to_string(i) + " [33[1] -> 3[3]]\n";
    windows_text += "line " + std::to_string(i) + "\r\n";
  }
  for (const std::string* text : {&unix_text, &windows_text}) {
    const Decoded decoded = decode_text(*text);
    REQUIRE(decoded.batches.size() > 1);
    for (const LineBatch& batch : decoded.batches) CHECK_FALSE(batch.marked());
    CHECK(decoded.summary.lines == 100'000);
    std::vector<OutLine> got = decoded.lines();
    strip_blanks(got);
    CHECK(got == expected_lines(*text));
    CHECK(decoded.summary.notes.empty());
  }
}

TEST_CASE("one bad spot rebuilds its own batch only") {
  std::string text;
  for (int i = 0; i < 100'000; ++i)
    text += "line " + std::to_string(i) + (i == 50'000 ? "\x1b[1m bold\n" : " plain\n");
  const Decoded decoded = decode_text(text);
  std::size_t marked = 0;
  for (const LineBatch& batch : decoded.batches) marked += batch.marked() ? 1 : 0;
  CHECK(marked == 1);
  CHECK(decoded.batches.size() == 2);
  CHECK(decoded.lines() == expected_lines(text));
}

TEST_CASE("a batch carries neighbouring lines around its core") {
  std::string text;
  for (int i = 1; i <= 20000; ++i) text += "line " + std::to_string(i) + "\n";
  const Decoded decoded = decode_text(text, small_batches(16384, 16384));
  REQUIRE(decoded.batches.size() > 5);
  for (std::size_t i = 0; i < decoded.batches.size(); ++i) {
    const LineBatch& batch = decoded.batches[i];
    const auto lines = [&](std::size_t from, std::size_t to) {
      return std::count(batch.text.begin() + static_cast<std::ptrdiff_t>(from),
                        batch.text.begin() + static_cast<std::ptrdiff_t>(to), '\n');
    };
    const std::string first = batch.text.substr(0, batch.text.find('\n'));
    CHECK(first == "line " + std::to_string(batch.first_line));
    if (i > 0) CHECK(lines(0, batch.core_begin) == decode::kMarginLines);
    if (i + 2 < decoded.batches.size())
      CHECK(lines(batch.core_end, batch.text.size()) == decode::kMarginLines);
  }
  // Long lines: the margin is bounded in bytes.
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += std::string(3000, 'a') + "\n";
  for (const LineBatch& batch : decode_text(wide, small_batches(20'000, 20'000)).batches) {
    CHECK(batch.core_begin <= decode::kMarginBytes);
    CHECK(batch.text.size() - batch.core_end <= decode::kMarginBytes);
  }
}

TEST_CASE("texts without a line, without a last line end, and of line ends alone") {
  CHECK(decode_text("").batches.empty());
  CHECK(decode_text("").summary.lines == 0);
  struct Row {
    std::string_view text;
    std::vector<OutLine> lines;
  };
  const Row rows[] = {
      {"a", {{"a", 1, 0}}},
      {"a\nb", {{"a", 1, 0}, {"b", 2, 2}}},
      {"\n", {{"", 1, 0}}},
      {"\n\n\n", {{"", 1, 0}, {"", 2, 1}, {"", 3, 2}}},
      {"\r\n\r\n", {{" ", 1, 0}, {" ", 2, 2}}},
      {"\r", {{"", 1, 0}}},
      {"a\rb", {{"a", 1, 0}, {"b", 1, 2}}},
      {"a\r", {{"a", 1, 0}}},
      {std::string_view("\0", 1), {{" ", 1, 0}}},
      {std::string_view("\0\0\0\0\0\0", 6), {{"", 1, 0}}},
      {"\xef\xbb\xbfx\ny", {{"x", 1, 3}, {"y", 2, 5}}},
      {"\xef\xbb\xbf", {}},
  };
  for (const Row& row : rows) {
    for (const std::size_t chunk : {0, 1}) {
      INFO("text of " << row.text.size() << ": " << row.text);
      const Decoded decoded = decode_text(row.text, {}, chunk);
      CHECK(decoded.lines() == row.lines);
      CHECK(decoded.summary.lines == (row.lines.empty() ? 0 : row.lines.back().number));
    }
  }
}

TEST_CASE("UTF-16 of both orders is read, with a byte order mark and without") {
  const auto wide = [](std::string_view ascii, bool big) {
    std::string out;
    for (const char c : ascii) {
      if (big) out += '\0';
      out += c;
      if (!big) out += '\0';
    }
    return out;
  };
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "line " + std::to_string(i) + (i % 3 == 0 ? "\r\n" : "\n");
  for (const bool big : {false, true}) {
    for (const bool bom : {false, true}) {
      const std::string bytes = (bom ? (big ? "\xfe\xff" : "\xff\xfe") : "") + wide(text, big);
      for (const std::size_t chunk : {0, 1, 7}) {
        const Decoded decoded = decode_text(bytes, small_batches(4096, 4096), chunk);
        check_shape(decoded);
        std::vector<OutLine> want = expected_lines(text);
        for (OutLine& line : want) line.offset = 2 * line.offset + (bom ? 2 : 0);
        REQUIRE(decoded.lines() == want);
        CHECK(decoded.summary.notes == std::vector<std::string>{big ? "UTF-16BE" : "UTF-16LE"});
      }
    }
  }
  // A character of two units, and an odd last byte.
  const std::string pair("\xff\xfe\x61\x00\x3d\xd8\x00\xde\x0a\x00\x62\x00\x63", 13);
  const std::vector<OutLine> want = {{"a\xf0\x9f\x98\x80", 1, 2}, {"b", 2, 10}};
  for (const std::size_t chunk : {0, 1, 3}) CHECK(decode_text(pair, {}, chunk).lines() == want);
}

TEST_CASE("a line beyond the limit is matched in overlapping pieces") {
  std::string line(10'000, 'a');
  for (std::size_t at = 0; at + 4 <= line.size(); at += 4) {
    const std::string n = std::to_string(10'000 + at / 4).substr(1);
    line.replace(at, 4, n);
  }
  const std::string text = "before\n" + line + "\nafter\n";
  for (const std::uint64_t batch : {1024, 5000, 1 << 20}) {
    INFO("batch " << batch);
    const Decoded decoded = decode_text(text, small_batches(batch, 1024));
    check_shape(decoded);
    CHECK(decoded.summary.lines == 3);
    CHECK(decoded.summary.notes ==
          std::vector<std::string>{"1 line longer than 1024 bytes, matched in pieces"});
    const std::vector<OutLine> lines = decoded.lines();
    CHECK(lines.front().raw == "before");
    CHECK(lines.back() == OutLine{"after", 3, text.size() - 6});
    // Any hundred bytes in a row stand whole in one piece, at the offset it says.
    constexpr std::size_t kSpan = 100;
    std::vector<bool> seen(line.size() - kSpan);
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
      CHECK(lines[i].number == 2);
      CHECK(lines[i].raw.size() <= 1024);
      REQUIRE(text.compare(lines[i].offset, lines[i].raw.size(), lines[i].raw) == 0);
      for (std::size_t k = lines[i].offset - 7;
           k + kSpan <= lines[i].offset - 7 + lines[i].raw.size() && k < seen.size(); ++k)
        seen[k] = true;
    }
    CHECK(std::all_of(seen.begin(), seen.end(), [](bool s) { return s; }));
  }
}

TEST_CASE("what lies across the cut of a long line between batches stands whole in a core") {
  std::string text(100'000, 'q');
  for (std::size_t at = 0; at + 20 <= text.size(); at += 20) {
    text.replace(at, 8, "<" + std::to_string(100'000 + at / 20) + ">");
  }
  const Decoded decoded = decode_text(text, small_batches(4096, 4096));
  REQUIRE(decoded.batches.size() > 20);
  std::string cores;
  for (const LineBatch& batch : decoded.batches) {
    CHECK((batch.core_begin == 0 || batch.text[batch.core_begin - 1] == '\n'));
    cores.append(batch.text, batch.core_begin, batch.core_end - batch.core_begin);
  }
  std::size_t missing = 0;
  for (std::size_t at = 0; at + 20 <= text.size(); at += 20) {
    missing += cores.find(text.substr(at, 8)) == std::string::npos ? 1 : 0;
  }
  CHECK(missing == 0);
}

TEST_CASE("a line of 100 MB is read in bounded memory, and its last words are found") {
  class Endless final : public ByteSource {
   public:
    Result<std::string_view> next() override {
      if (chunks_ == 0) return std::exchange(tail_, {});
      --chunks_;
      return std::string_view(chunk_);
    }

   private:
    std::string chunk_ = std::string(100'000, 'z');
    int chunks_ = 1000;
    std::string_view tail_ = " the end\nlast";
  };
  Endless source;
  std::size_t largest = 0;
  std::size_t batches = 0;
  std::string last;
  std::uint64_t end_line = 0;
  const Limits limits;
  const DecodeSummary summary = decode_log({}, source, limits, {}, [&](LineBatch&& batch) {
    largest = std::max(largest, batch.text.capacity());
    ++batches;
    if (batch.text.find(" the end\n") != std::string::npos)
      end_line = batch.marked() ? batch.marks.front().number : 0;
    last = batch.text.substr(batch.core_end - 5);
  });
  CHECK(largest < 3 * limits.batch_bytes);
  CHECK(batches > 90);
  CHECK(end_line == 1);
  CHECK(last == "last\n");
  CHECK(summary.lines == 2);
}

TEST_CASE("a progress bar of megabytes is cut between its states") {
  std::string text = "start\n";
  for (int i = 0; i < 20'000; ++i) text += "\r " + std::to_string(i) + "/20000 [00:01<00:03, 2.3it/s]";
  text += "[rank9]: RuntimeError: glued\nend\n";
  const Decoded decoded = decode_text(text, small_batches(65'536, 65'536));
  check_shape(decoded);
  CHECK(decoded.batches.size() > 5);
  const std::vector<OutLine> lines = decoded.lines();
  CHECK(lines == expected_lines(text));
  CHECK(lines.back() == OutLine{"end", 3, text.size() - 4});
  CHECK(decoded.summary.lines == 3);
}

TEST_CASE("a cut source gives what came before the cut") {
  class Broken final : public ByteSource {
   public:
    Result<std::string_view> next() override {
      switch (calls_++) {
        case 0:
          return std::string_view("one\ntwo\nthr");
        case 1:
          return fail(Rung::note, "x", "truncated");
        default:
          return std::string_view{};
      }
    }

   private:
    int calls_ = 0;
  };
  Broken source;
  std::string text;
  const DecodeSummary summary =
      decode_log({}, source, {}, {}, [&](LineBatch&& batch) { text += batch.text; });
  CHECK(text == "one\ntwo\nthr\n");
  CHECK(summary.lines == 3);
}
