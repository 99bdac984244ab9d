#include "match/proposal.h"

#include <algorithm>

#include "match/matcher.h"

namespace faultline::match {
namespace {

using Type = RegexNode::Type;

constexpr std::uint32_t kMaxCount = 16;  // of a repeat that is handed on as counted

RegexNode without_anchors(const RegexNode& node) {
  if (node.type == Type::text_begin || node.type == Type::text_end) return {};
  RegexNode out = node;
  out.items.clear();
  for (const RegexNode& item : node.items) out.items.push_back(without_anchors(item));
  if (node.type == Type::repeat) {
    if (out.items[0].is_empty()) return {};
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

void print(const RegexNode& node, std::string& out);

void print_byte(unsigned byte, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                     (byte >= 'A' && byte <= 'Z') || byte == ' ';
  if (plain) {
    out += static_cast<char>(byte);
  } else {
    out += "\\x";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 0xF];
  }
}

void print_set(const ByteSet& set, std::string& out) {
  if (set.count() == 1) {
    for (unsigned c = 0; c < 256; ++c) {
      if (set.test(c)) print_byte(c, out);
    }
    return;
  }
  out += '[';
  for (unsigned c = 0; c < 256; ++c) {
    if (!set.test(c)) continue;
    unsigned last = c;
    while (last + 1 < 256 && set.test(last + 1)) ++last;
    print_byte(c, out);
    if (last > c) {
      if (last > c + 1) out += '-';
      print_byte(last, out);
    }
    c = last;
  }
  out += ']';
}

void print_group(const RegexNode& node, std::string& out) {
  const bool bare = node.type == Type::set;
  if (!bare) out += "(?:";
  print(node, out);
  if (!bare) out += ')';
}

void print(const RegexNode& node, std::string& out) {
  switch (node.type) {
    case Type::set:
      print_set(node.set, out);
      break;
    case Type::concat:
      for (const RegexNode& item : node.items) {
        if (item.type == Type::alternate)
          print_group(item, out);
        else
          print(item, out);
      }
      break;
    case Type::alternate:
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (i > 0) out += '|';
        print(node.items[i], out);
      }
      break;
    case Type::repeat:
      print_group(node.items[0], out);
      if (node.min == 1 && node.max == 1) break;
      if (node.min == 0 && node.max == 1)
        out += '?';
      else if (node.min == 0 && node.max == RegexNode::kUnbounded)
        out += '*';
      else if (node.min == 1 && node.max == RegexNode::kUnbounded)
        out += '+';
      else {
        out += '{' + std::to_string(node.min);
        if (node.max != node.min) out += ',';
        if (node.max != node.min && node.max != RegexNode::kUnbounded) out += std::to_string(node.max);
        out += '}';
      }
      break;
    case Type::boundary:
      out += "\\b";
      break;
    case Type::not_boundary:
      out += "\\B";
      break;
    default:
      break;  // anchors were taken off
  }
}

}  // namespace

RegexNode proposal_of(const RegexNode& expression) {
  const RegexNode line = without_line_feed(expression);
  if (cannot_match(line)) return line;
  return trimmed(trimmed(without_anchors(line), Edge::right), Edge::left);
}

RegexNode literal_proposal_of(const RegexNode& expression) {
  return required_literal(proposal_of(expression)).node;
}

std::string print_for_hyperscan(const RegexNode& node) {
  std::string out;
  print(node, out);
  return out;
}

Result<std::string> to_proposal(const std::string& regex) {
  const auto parsed = parse_regex(regex);
  if (!parsed) return tl::unexpected(parsed.error());
  const RegexNode proposal = proposal_of(parsed->root);
  if (cannot_match(proposal)) return fail(Rung::stop, {}, "wants a line end inside a match");
  std::string text = print_for_hyperscan(proposal);
  if (shortest_match(proposal) == 0) return fail(Rung::stop, {}, "can match the empty text");
  return text;
}

}  // namespace faultline::match
