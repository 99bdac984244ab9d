#include "decode/census.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace faultline::decode {
namespace {

// The fast loop is written once over the compilers' vector extension and compiled for 16-byte vectors (SSE2,
// NEON) and for AVX2. Vectors go by reference: by value they would change the ABI of a build without AVX.
constexpr std::size_t kBlock = 64;
constexpr std::size_t kBlocksPerSum = 60;  // 8-bit lane counters overflow after 255 vectors

bool ends_with_any(std::string_view head, std::initializer_list<std::string_view> tails) {
  return std::any_of(tails.begin(), tails.end(), [&](std::string_view tail) {
    return head.size() >= tail.size() && head.substr(head.size() - tail.size()) == tail;
  });
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> heads) {
  return std::any_of(heads.begin(), heads.end(),
                     [&](std::string_view head) { return text.substr(0, head.size()) == head; });
}

// ESC as loggers spell it, followed by what opens a colour code.
bool spelt_escape(std::string_view text) {
  return starts_with_any(text, {"^[[", "#033[", "\\033[", "\\x1b[", "\\x1B[", "\\u001b[", "\\u001B["});
}

// A byte that the census stops at. In its fast loop that is the second byte of what is looked for.
void judge(std::string_view text, std::size_t at, Census& census) {
  switch (text[at]) {
    case '\0':
      census.nul = true;
      return;
    case '\x1b':
      census.residue = true;
      return;
    case '[':
    case '0':
    case 'x':
    case 'u': {
      if (at == 0) return;
      const std::string_view here = text.substr(at - 1);
      if (here.substr(0, 4) == "#012") census.escaped_newline = true;
      if (spelt_escape(here)) census.residue = true;
      return;
    }
    case ' ':
    case ':':
      if (ends_with_any(text.substr(0, at), {" stdout P", " stderr P"})) census.partial_cri = true;
      return;
    default:
      return;
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

// `marks`: a byte for each of `size` bytes of text, not 0 where judge() is to look.
void judge_marked(std::string_view text, std::size_t at, const char* marks, std::size_t size,
                  Census& census) {
  for (std::size_t i = 0; i < size; ++i) {
    if (marks[i] != 0) judge(text, at + i, census);
  }
}

template <class Vector>
[[gnu::always_inline]] inline void load(const char* at, Vector& v) {
  std::memcpy(&v, at, sizeof v);
}

template <class Vector>
[[gnu::always_inline]] inline bool any(const Vector& v) {
  std::array<std::uint64_t, sizeof(Vector) / 8> words;
  std::memcpy(words.data(), &v, sizeof v);
  std::uint64_t all = 0;
  for (const std::uint64_t word : words) all |= word;
  return all != 0;
}

template <class Vector>
[[gnu::always_inline]] inline std::uint64_t sum(const Vector& v) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < sizeof(Vector); ++i) total += v[i];
  return total;
}

// A byte, the one before it, and the one before that.
template <class Vector>
struct Three {
  [[gnu::always_inline]] explicit inline Three(const char* here) {
    load(here, c);
    load(here - 1, b);
    load(here - 2, a);
  }
  Vector c, b, a;
};

// Where judge() is to look: NUL, ESC, or the second byte of ^[ #0 \0 \x \u, or what follows " P".
template <class Vector>
[[gnu::always_inline]] inline void find_suspects(const Three<Vector>& t, Vector& found) {
  const Vector zero = Vector(t.c == '0');
  found |= Vector(t.c == 0) | Vector(t.c == 0x1b) | (Vector(t.b == '^') & Vector(t.c == '[')) |
           (Vector(t.b == '#') & zero) |
           (Vector(t.b == '\\') & (zero | Vector(t.c == 'x') | Vector(t.c == 'u'))) |
           (Vector(t.a == ' ') & Vector(t.b == 'P') & (Vector(t.c == ' ') | Vector(t.c == ':')));
}

template <class Vector>
[[gnu::always_inline]] inline void judge_block(std::string_view text, std::size_t at, Census& census) {
  for (std::size_t i = 0; i < kBlock; i += sizeof(Vector)) {
    Vector found{};
    find_suspects(Three<Vector>(text.data() + at + i), found);
    if (any(found)) judge_marked(text, at + i, reinterpret_cast<const char*>(&found), sizeof found, census);
  }
}

// Takes whole blocks from `at` on, which is at least 2; returns where it stopped.
template <class Vector>
[[gnu::always_inline]] inline std::size_t take_blocks(std::string_view text, std::size_t at, Census& census) {
  while (text.size() - at >= kBlock) {
    Vector newlines{};
    Vector returns{};
    Vector pairs{};
    for (std::size_t blocks = 0; blocks < kBlocksPerSum && text.size() - at >= kBlock;
         ++blocks, at += kBlock) {
      Vector suspects{};
      for (std::size_t i = 0; i < kBlock; i += sizeof(Vector)) {
        const Three<Vector> t(text.data() + at + i);
        const Vector newline = Vector(t.c == '\n');
        newlines -= newline;
        returns -= Vector(t.c == '\r');
        pairs -= newline & Vector(t.b == '\r');
        find_suspects(t, suspects);
      }
      if (any(suspects)) judge_block<Vector>(text, at, census);
    }
    census.newlines += sum(newlines);
    census.carriage_returns += sum(returns);
    census.crlf += sum(pairs);
  }
  return at;
}

using Narrow = std::uint8_t __attribute__((vector_size(16)));

std::size_t take_narrow(std::string_view text, std::size_t at, Census& census) {
  return take_blocks<Narrow>(text, at, census);
}

#if defined(__x86_64__)
using Wide = std::uint8_t __attribute__((vector_size(32)));

[[gnu::target("avx2")]] std::size_t take_wide(std::string_view text, std::size_t at, Census& census) {
  return take_blocks<Wide>(text, at, census);
}

bool has_wide() {
  return __builtin_cpu_supports("avx2") != 0;
}
#else
std::size_t take_wide(std::string_view text, std::size_t at, Census& census) {
  return take_narrow(text, at, census);
}
bool has_wide() {
  return false;
}
#endif

}  // namespace

Census take_census(std::string_view text, bool wide) {
  Census census;
  std::size_t at = std::min<std::size_t>(text.size(), 2);  // the loop looks two bytes back
  take_slowly(text, 0, at, census);
  at = wide && has_wide() ? take_wide(text, at, census) : take_narrow(text, at, census);
  take_slowly(text, at, text.size(), census);
  return census;
}

bool has_residue(std::string_view text) {
  if (std::memchr(text.data(), '\x1b', text.size()) != nullptr) return true;
  for (const char first : {'^', '#', '\\'}) {
    for (std::size_t at = text.find(first); at != std::string_view::npos; at = text.find(first, at + 1)) {
      if (spelt_escape(text.substr(at))) return true;
    }
  }
  return false;
}

}  // namespace faultline::decode
