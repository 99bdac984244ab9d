// The census of a block must see each trap wherever it stands, with wide vectors and with narrow ones.
#include "decode/census.h"

#include <catch2/catch.hpp>
#include <string>

using namespace faultline::decode;

namespace {

struct Trap {
  std::string_view text;
  bool Census::*flag;
};

}  // namespace

TEST_CASE("a trap is seen at every place of a block") {
  const Trap traps[] = {
      {std::string_view("\0", 1), &Census::nul},
      {"\x1b[31m", &Census::residue},
      {"\x1b]0;title\x07", &Census::residue},
      {"^[[31m", &Census::residue},
      {"#033[31m", &Census::residue},
      {"\\033[31m", &Census::residue},
      {"\\x1b[31m", &Census::residue},
      {"\\x1B[31m", &Census::residue},
      {"\\u001b[31m", &Census::residue},
      {"a#012b", &Census::escaped_newline},
      {"2026 stdout P x", &Census::partial_cri},
      {"2026 stderr P:tag x", &Census::partial_cri},
  };
  for (const bool wide : {false, true}) {
    for (const Trap& trap : traps) {
      for (std::size_t at = 0; at < 200; ++at) {
        std::string text(at, 'a');
        text.append(trap.text).append(200, 'b').push_back('\n');
        INFO(trap.text << " at " << at << " wide " << wide);
        const Census census = take_census(text, wide);
        REQUIRE(census.*trap.flag);
        REQUIRE(census.newlines == 1);
      }
    }
  }
}

TEST_CASE("what only looks like a trap leaves the text as it is") {
  for (const std::string_view line :
       {"33[1] -> 34[2] via P2P/CUMEM", "a[[1, 2], [3]]", "C:\\xampp\\under\\0", "issue #02 and CPU#0",
        "grep '^[a-z]'", "stdout F x", "stdin P x", "^^^^^^", "tab\tand \x7f", "caf\xc3\xa9"}) {
    for (const bool wide : {false, true}) {
      std::string text(100, 'x');
      text.append(line).append(100, 'y');
      const Census census = take_census(text, wide);
      INFO(line);
      CHECK_FALSE(
          (census.nul || census.residue || census.escaped_newline || census.partial_cri || census.lone_cr()));
    }
  }
}

TEST_CASE("line ends are counted in long texts, CRLF apart from lone CR") {
  for (const bool wide : {false, true}) {
    for (const std::size_t length : {0, 1, 62, 63, 64, 255, 4096, 70'000}) {
      std::string text;
      std::uint64_t newlines = 0, returns = 0, pairs = 0;
      for (std::size_t i = 0; i < length; ++i) {
        const std::size_t turn = i * 2654435761U >> 7;
        const char c = turn % 5 == 0 ? '\n' : turn % 5 == 1 ? '\r' : 'a';
        newlines += c == '\n' ? 1 : 0;
        returns += c == '\r' ? 1 : 0;
        pairs += c == '\n' && !text.empty() && text.back() == '\r' ? 1 : 0;
        text.push_back(c);
      }
      const Census census = take_census(text, wide);
      CHECK(census.newlines == newlines);
      CHECK(census.carriage_returns == returns);
      CHECK(census.crlf == pairs);
    }
  }
}
