#include "base/regex.h"

namespace faultline {
namespace {

using Type = RegexNode::Type;

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
    case Type::text_begin:
      out += "\\A";
      break;
    case Type::text_end:
      out += "\\z";
      break;
  }
}

}  // namespace

std::string print_regex(const RegexNode& node) {
  std::string out;
  print(node, out);
  return out;
}

}  // namespace faultline
