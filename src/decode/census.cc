#include "decode/census.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace faultline::decode {
namespace {

// Sixteen bytes at a time with the compilers' vector extension: SSE2 and NEON alike, no dispatch needed.
// Wider vectors gained nothing here, the loop is bound by memory.
using Bytes = std::uint8_t __attribute__((vector_size(16)));
constexpr std::size_t kLanes = 16;
constexpr std::size_t kBlock = 4 * kLanes;
constexpr std::size_t kBlocksPerSum = 60;  // 8-bit lane counters overflow after 255 vectors

Bytes load(const char* at) {
  Bytes v;
  std::memcpy(&v, at, sizeof v);
  return v;
}

Bytes every(char c) {
  return Bytes{} + static_cast<std::uint8_t>(c);
}

Bytes equal(Bytes v, char c) {
  return reinterpret_cast<Bytes>(v == every(c));
}

bool any(Bytes v) {
  std::array<std::uint64_t, 2> halves;
  std::memcpy(halves.data(), &v, sizeof v);
  return (halves[0] | halves[1]) != 0;
}

std::uint64_t sum(Bytes v) {
  std::array<std::uint8_t, kLanes> lanes;
  std::memcpy(lanes.data(), &v, sizeof v);
  std::uint64_t total = 0;
  for (const std::uint8_t lane : lanes) total += lane;
  return total;
}

bool ends_with_any(std::string_view head, std::initializer_list<std::string_view> tails) {
  return std::any_of(tails.begin(), tails.end(), [&](std::string_view tail) {
    return head.size() >= tail.size() && head.substr(head.size() - tail.size()) == tail;
  });
}

// The escape before a '[' at text[at]: ^[[  #033[  \033[  \x1b[  \u001b[
bool escaped_bracket(std::string_view text, std::size_t at) {
  return ends_with_any(text.substr(0, at), {"^[", "#033", "\\033", "\\x1b", "\\x1B", "\\u001b", "\\u001B"});
}

void judge(std::string_view text, std::size_t at, Census& census) {
  switch (text[at]) {
    case '\0':
      census.nul = true;
      break;
    case '\x1b':
      census.residue = true;
      break;
    case '[':
      if (!census.residue && escaped_bracket(text, at)) census.residue = true;
      break;
    case '0':
      if (text.substr(at, 3) == "012" && at > 0 && text[at - 1] == '#') census.escaped_newline = true;
      break;
    case ' ':
    case ':':
      if (ends_with_any(text.substr(0, at), {" stdout P", " stderr P"})) census.partial_cri = true;
      break;
    default:
      break;
  }
}

void take_slowly(std::string_view text, std::size_t from, std::size_t to, Census& census) {
  for (std::size_t i = from; i < to; ++i) {
    if (text[i] == '\n') {
      ++census.newlines;
      if (i > 0 && text[i - 1] == '\r') ++census.crlf;
    } else if (text[i] == '\r') {
      ++census.carriage_returns;
    }
    judge(text, i, census);
  }
}

}  // namespace

Census take_census(std::string_view text) {
  Census census;
  std::size_t at = std::min<std::size_t>(text.size(), kLanes);  // so that two bytes back always exist
  take_slowly(text, 0, at, census);
  while (text.size() - at >= kBlock) {
    Bytes newlines{};
    Bytes returns{};
    Bytes pairs{};
    for (std::size_t blocks = 0; blocks < kBlocksPerSum && text.size() - at >= kBlock;
         ++blocks, at += kBlock) {
      Bytes suspects{};
      for (std::size_t i = 0; i < kBlock; i += kLanes) {
        const char* here = text.data() + at + i;
        const Bytes c = load(here);
        const Bytes b = load(here - 1);
        const Bytes a = load(here - 2);
        const Bytes newline = equal(c, '\n');
        newlines -= newline;
        returns -= equal(c, '\r');
        pairs -= newline & equal(b, '\r');
        const Bytes bracket = (equal(b, '[') & equal(a, '^')) | (equal(b, '3') & equal(a, '3')) |
                              (equal(b | every(' '), 'b') & equal(a, '1'));
        suspects |= equal(c, '\0') | equal(c, '\x1b') | (equal(c, '[') & bracket) |
                    (equal(c, '0') & equal(b, '#')) |
                    (equal(a, ' ') & equal(b, 'P') & (equal(c, ' ') | equal(c, ':')));
      }
      if (any(suspects)) {
        for (std::size_t i = 0; i < kBlock; ++i) judge(text, at + i, census);
      }
    }
    census.newlines += sum(newlines);
    census.carriage_returns += sum(returns);
    census.crlf += sum(pairs);
  }
  take_slowly(text, at, text.size(), census);
  return census;
}

bool has_residue(std::string_view text) {
  if (std::memchr(text.data(), '\x1b', text.size()) != nullptr) return true;
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    if (escaped_bracket(text, at)) return true;
  }
  return false;
}

}  // namespace faultline::decode
