#pragma once
// The syntax of RE2 in byte mode, read into a small tree: enough to ask an expression about its captures, its
// shortest match and its required literals (lint of packs), and to rewrite it for another engine (match).
// It never matches anything. What it refuses, RE2 refuses too, or packs have no use for (\p{..}, \C).
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace faultline {

using ByteSet = std::bitset<256>;

struct RegexNode {
  enum class Type : std::uint8_t {
    set,           ///< one byte out of `set`; no byte at all: cannot match
    concat,        ///< `items` in a row; none: matches the empty text
    alternate,     ///< one of `items`
    repeat,        ///< items[0], `min` to `max` times
    text_begin,    ///< ^ \A
    text_end,      ///< $ \z
    boundary,      ///< \b
    not_boundary,  ///< \B
  };
  static constexpr std::uint32_t kUnbounded = UINT32_MAX;

  Type type = Type::concat;
  ByteSet set;
  std::vector<RegexNode> items;
  std::uint32_t min = 0;
  std::uint32_t max = 0;

  [[nodiscard]] bool is_empty() const { return type == Type::concat && items.empty(); }
};

struct Regex {
  RegexNode root;                     ///< case folding and the s flag are resolved into sets; groups are gone
  std::vector<std::string> captures;  ///< names of (?P<name>...), in order of their opening bracket
};

/// Problem.what says what is wrong and at which byte of the expression; `where` is left empty.
Result<Regex> parse_regex(std::string_view expression);

/// Bytes of the shortest match (saturating). Anchors count nothing.
std::uint64_t shortest_match(const RegexNode& node);

/// Does an anchor (^ $ \A \z) stand anywhere in it?
bool has_anchor(const RegexNode& node);

/// The same expression for text that holds no line feed; a set without bytes when it cannot match any more.
RegexNode without_line_feed(const RegexNode& node);
bool cannot_match(const RegexNode& node);

/// The same without ^ $ \A \z, or without \b \B: matches in more places.
RegexNode without_anchors(const RegexNode& node);
RegexNode without_boundaries(const RegexNode& node);

/// As text, in the syntax that RE2 and Hyperscan share; captures and flags are gone.
std::string print_regex(const RegexNode& node);

/// What every match is bound to contain: the longest literal, or one literal per branch. `length` is that
/// of the shortest of them, in bytes; letters in both cases count as literal. 0: nothing is required.
struct RequiredLiteral {
  std::size_t length = 0;
  RegexNode node;
};
RequiredLiteral required_literal(const RegexNode& node);

}  // namespace faultline
