#include "base/regex.h"

#include <algorithm>

namespace faultline {
namespace {

using Type = RegexNode::Type;

constexpr std::uint64_t kSaturated = std::uint64_t{1} << 40;

RegexNode impossible() {
  RegexNode node;
  node.type = Type::set;
  return node;
}

// A set that stands for one character: the byte itself, or a letter in both cases.
bool is_literal(const RegexNode& node) {
  if (node.type != Type::set) return false;
  const std::size_t count = node.set.count();
  if (count == 1) return true;
  if (count != 2) return false;
  for (unsigned c = 'A'; c <= 'Z'; ++c) {
    if (node.set.test(c) && node.set.test(c | 0x20U)) return true;
  }
  return false;
}

void take_longer(RequiredLiteral& best, RequiredLiteral&& other) {
  if (other.length > best.length) best = std::move(other);
}

// Literals that stand side by side make one run, across groups too: `(?:NVRM: )(?P<x>Xid)` holds "NVRM: Xid".
struct RunFinder {
  RequiredLiteral best;
  RequiredLiteral run;

  void flush() {
    take_longer(best, std::move(run));
    run = RequiredLiteral{};
  }
  void add(const RegexNode& node) {
    if (is_literal(node)) {
      run.node.items.push_back(node);
      ++run.length;
    } else if (node.type == Type::concat) {
      for (const RegexNode& item : node.items) add(item);
    } else if (node.type == Type::repeat && node.min > 0 && is_literal(node.items[0])) {
      for (std::uint32_t i = 0; i < std::min<std::uint32_t>(node.min, 64); ++i) add(node.items[0]);
      if (node.max != node.min || node.min > 64) flush();
    } else if (node.type != Type::boundary) {  // \b between two bytes leaves them neighbours
      flush();
      take_longer(best, required_literal(node));
    }
  }
};

}  // namespace

std::uint64_t shortest_match(const RegexNode& node) {
  switch (node.type) {
    case Type::set:
      return 1;
    case Type::concat: {
      std::uint64_t sum = 0;
      for (const RegexNode& item : node.items) sum = std::min(kSaturated, sum + shortest_match(item));
      return sum;
    }
    case Type::alternate: {
      std::uint64_t least = kSaturated;
      for (const RegexNode& item : node.items) least = std::min(least, shortest_match(item));
      return least;
    }
    case Type::repeat:
      return std::min(kSaturated, node.min * shortest_match(node.items[0]));
    default:
      return 0;
  }
}

bool has_anchor(const RegexNode& node) {
  if (node.type == Type::text_begin || node.type == Type::text_end) return true;
  return std::any_of(node.items.begin(), node.items.end(), has_anchor);
}

bool cannot_match(const RegexNode& node) {
  return node.type == Type::set && node.set.none();
}

RegexNode without_line_feed(const RegexNode& node) {
  RegexNode out;
  out.type = node.type;
  out.min = node.min;
  out.max = node.max;
  out.set = node.set;
  out.set.reset('\n');
  for (const RegexNode& item : node.items) {
    RegexNode kept = without_line_feed(item);
    if (!cannot_match(kept)) {
      out.items.push_back(std::move(kept));
    } else if (node.type == Type::concat) {
      return impossible();
    } else if (node.type == Type::repeat) {
      return node.min == 0 ? RegexNode{} : impossible();
    }
  }
  if (node.type == Type::alternate && out.items.empty()) return impossible();
  return out;
}

RegexNode without_anchors(const RegexNode& node) {
  if (node.type == Type::text_begin || node.type == Type::text_end) return {};
  RegexNode out = node;
  for (RegexNode& item : out.items) item = without_anchors(item);
  if (node.type == Type::repeat && out.items[0].is_empty()) return {};
  return out;
}

RegexNode without_boundaries(const RegexNode& node) {
  if (node.type == Type::boundary || node.type == Type::not_boundary) return {};
  RegexNode out = node;
  for (RegexNode& item : out.items) item = without_boundaries(item);
  if (node.type == Type::repeat && out.items[0].is_empty()) return {};
  return out;
}

RequiredLiteral required_literal(const RegexNode& node) {
  switch (node.type) {
    case Type::set:
      return is_literal(node) ? RequiredLiteral{1, node} : RequiredLiteral{};
    case Type::concat: {
      RunFinder finder;
      finder.add(node);
      finder.flush();
      return std::move(finder.best);
    }
    case Type::alternate: {
      RequiredLiteral all;
      all.node.type = Type::alternate;
      all.length = SIZE_MAX;
      for (const RegexNode& item : node.items) {
        RequiredLiteral one = required_literal(item);
        if (one.length == 0) return {};
        all.length = std::min(all.length, one.length);
        all.node.items.push_back(std::move(one.node));
      }
      return all;
    }
    case Type::repeat:
      if (node.min == 0) return {};
      if (is_literal(node.items[0])) {
        RunFinder finder;
        finder.add(node);
        finder.flush();
        return std::move(finder.best);
      }
      return required_literal(node.items[0]);
    default:
      return {};
  }
}

}  // namespace faultline
