#include "match/proposal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "match/matcher.h"

namespace faultline::match {
namespace {

using Type = RegexNode::Type;

constexpr std::uint32_t kMaxCount = 16;  // of a repeat that is handed on as counted
constexpr std::size_t kMinLiteral = 12;  // of a literal that is proposed alone (see proposal.h)
constexpr double kMinBits = 26;          // that a stretch asks for when it is proposed for the whole
constexpr std::size_t kWideSet = 60;     // bytes in a set that stands for "anything"
constexpr std::size_t kMinLetters = 8;   // letters and digits in it

RegexNode with_open_counts(const RegexNode& node) {
  RegexNode out = node;
  for (RegexNode& item : out.items) item = with_open_counts(item);
  if (node.type == Type::repeat) {
    if (out.max != RegexNode::kUnbounded && out.max > kMaxCount) out.max = RegexNode::kUnbounded;
    out.min = std::min(out.min, kMaxCount);
  }
  return out;
}

enum class Edge { left, right };

// The least that is left of `node` when nothing beyond this edge has to match: "" for all that may be empty.
RegexNode trimmed(const RegexNode& node, Edge edge) {
  switch (node.type) {
    case Type::set:
      return node;
    case Type::concat: {
      RegexNode row = node;
      while (!row.items.empty()) {
        RegexNode& outer = edge == Edge::left ? row.items.front() : row.items.back();
        outer = trimmed(outer, edge);
        if (!outer.is_empty()) break;
        row.items.erase(edge == Edge::left ? row.items.begin() : row.items.end() - 1);
      }
      return row;
    }
    case Type::alternate: {
      RegexNode all = node;
      for (RegexNode& item : all.items) {
        item = trimmed(item, edge);
        if (item.is_empty()) return {};
      }
      return all;
    }
    case Type::repeat: {
      if (node.min == 0) return {};
      RegexNode row;
      if (node.min > 1) {
        RegexNode inner = node;
        inner.min = inner.max = node.min - 1;
        row.items.push_back(std::move(inner));
      }
      RegexNode outer = trimmed(node.items[0], edge);
      if (outer.is_empty()) return {};
      row.items.insert(edge == Edge::left ? row.items.begin() : row.items.end(), std::move(outer));
      return row;
    }
    default:
      return {};
  }
}

// Does the literal tell by itself? Rows of blanks or dashes do not.
bool tells(const RegexNode& node) {
  if (node.type == Type::alternate) return std::all_of(node.items.begin(), node.items.end(), tells);
  std::size_t letters = 0;
  for (const RegexNode& item : node.items) {
    for (unsigned c = 0; c < 256; ++c) {
      const bool letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      if (item.set.test(c) && letter) {
        ++letters;
        break;
      }
    }
  }
  return node.type == Type::concat && letters >= kMinLetters;
}

// "Take anything for as long as it lasts": `.*`, `\w+`, `[^"]*`. One of them keeps an automaton awake for the
// rest of the line behind every place where the text before it matched.
bool is_wide(const RegexNode& node) {
  return node.type == Type::repeat && node.max == RegexNode::kUnbounded && node.items[0].type == Type::set &&
         node.items[0].set.count() >= kWideSet;
}

// How much a text must agree with `node`, in bits: 8 for a byte that is given, 4.7 for a digit.
double bits_of(const RegexNode& node) {
  switch (node.type) {
    case Type::set:
      return 8 - std::log2(std::max<double>(1, static_cast<double>(node.set.count())));
    case Type::concat: {
      double sum = 0;
      for (const RegexNode& item : node.items) sum += bits_of(item);
      return sum;
    }
    case Type::alternate: {
      double least = std::numeric_limits<double>::max();
      for (const RegexNode& item : node.items) least = std::min(least, bits_of(item));
      return least;
    }
    case Type::repeat:
      return node.min * bits_of(node.items[0]);
    default:
      return 0;
  }
}

// Of the stretches between wide repeats the one that asks for most; of an alternation, of each branch. All of
// it where no stretch asks for enough.
RegexNode best_stretch(const RegexNode& node) {
  if (node.type == Type::alternate) {
    RegexNode all = node;
    for (RegexNode& item : all.items) item = best_stretch(item);
    return all;
  }
  if (node.type != Type::concat) return node;
  if (node.items.size() == 1) return best_stretch(node.items[0]);
  RegexNode best;
  RegexNode stretch;
  double most = 0;
  const auto close = [&] {
    if (const double bits = bits_of(stretch); bits > most && required_literal(stretch).length > 0) {
      most = bits;
      best = stretch;
    }
    stretch = {};
  };
  for (const RegexNode& item : node.items) {
    if (is_wide(item))
      close();
    else
      stretch.items.push_back(item);
  }
  close();
  return most >= kMinBits ? best : node;
}

}  // namespace

RegexNode proposal_of(const RegexNode& expression) {
  RegexNode line = without_line_feed(expression);
  if (cannot_match(line)) return line;
  return trimmed(trimmed(with_open_counts(without_anchors(line)), Edge::right), Edge::left);
}

RegexNode literal_proposal_of(const RegexNode& proposal) {
  return required_literal(proposal).node;
}

RegexNode chosen_proposal_of(const RegexNode& expression) {
  RegexNode whole = proposal_of(expression);
  if (cannot_match(whole)) return whole;
  RequiredLiteral literal = required_literal(whole);
  const bool enough = literal.length >= kMinLiteral && tells(literal.node);
  return enough ? std::move(literal.node) : trimmed(trimmed(best_stretch(whole), Edge::right), Edge::left);
}

Result<std::string> to_proposal(const std::string& regex) {
  const auto parsed = parse_regex(regex);
  if (!parsed) return tl::unexpected(parsed.error());
  const RegexNode proposal = proposal_of(parsed->root);
  if (cannot_match(proposal)) return fail(Rung::stop, {}, "wants a line end inside a match");
  if (shortest_match(proposal) == 0) return fail(Rung::stop, {}, "can match the empty text");
  return print_regex(proposal);
}

}  // namespace faultline::match
