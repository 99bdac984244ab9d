// Recursive descent over RE2's syntax (https://github.com/google/re2/wiki/Syntax), byte mode.
#include <algorithm>
#include <array>
#include <optional>

#include "base/regex.h"
#include "base/text.h"

namespace faultline {
namespace {

using Type = RegexNode::Type;

constexpr unsigned kMaxDepth = 100;            // nesting of groups; the tree is walked by recursion
constexpr std::size_t kMaxLength = 16 * 1024;  // bytes of one expression
constexpr std::uint32_t kMaxRepeat = 1000;     // RE2's own limit

struct Flags {
  bool fold = false;     // i
  bool dot_all = false;  // s
};

ByteSet range(unsigned low, unsigned high) {
  ByteSet set;
  for (unsigned c = low; c <= high; ++c) set.set(c);
  return set;
}

ByteSet digits() {
  return range('0', '9');
}
ByteSet words() {
  return digits() | range('a', 'z') | range('A', 'Z') | range('_', '_');
}
ByteSet blanks() {
  ByteSet set;
  for (const char c : std::string_view("\t\n\f\r ")) set.set(static_cast<unsigned char>(c));
  return set;
}

// \d and its kin; nullopt for any other letter.
std::optional<ByteSet> perl_class(char letter) {
  switch (letter) {
    case 'd':
      return digits();
    case 'D':
      return ~digits();
    case 's':
      return blanks();
    case 'S':
      return ~blanks();
    case 'w':
      return words();
    case 'W':
      return ~words();
    default:
      return std::nullopt;
  }
}

std::optional<ByteSet> posix_class(std::string_view name) {
  const ByteSet lowers = range('a', 'z');
  const ByteSet uppers = range('A', 'Z');
  if (name == "alnum") return digits() | lowers | uppers;
  if (name == "alpha") return lowers | uppers;
  if (name == "ascii") return range(0, 0x7F);
  if (name == "blank") return range('\t', '\t') | range(' ', ' ');
  if (name == "cntrl") return range(0, 0x1F) | range(0x7F, 0x7F);
  if (name == "digit") return digits();
  if (name == "graph") return range('!', '~');
  if (name == "lower") return lowers;
  if (name == "print") return range(' ', '~');
  if (name == "punct") return range('!', '/') | range(':', '@') | range('[', '`') | range('{', '~');
  if (name == "space") return range('\t', '\r') | range(' ', ' ');
  if (name == "upper") return uppers;
  if (name == "word") return words();
  if (name == "xdigit") return digits() | range('a', 'f') | range('A', 'F');
  return std::nullopt;
}

// Both cases of every letter in the set. Latin-1 letters fold too: RE2 folds them, and a proposal may be
// wider.
ByteSet folded(const ByteSet& set) {
  ByteSet out = set;
  const auto pair = [&](unsigned a, unsigned b) {
    if (set.test(a)) out.set(b);
    if (set.test(b)) out.set(a);
  };
  for (unsigned c = 'A'; c <= 'Z'; ++c) pair(c, c + 0x20);
  for (unsigned c = 0xC0; c <= 0xDE; ++c) {
    if (c != 0xD7) pair(c, c + 0x20);
  }
  return out;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Regex> parse() {
    if (text_.size() > kMaxLength) return fail(Rung::stop, {}, "the expression is longer than 16 KiB");
    Regex regex;
    regex.root = alternation(Flags{}, 0);
    if (error_.empty() && at_ < text_.size()) refuse("unmatched )");
    if (!error_.empty()) {
      return fail(Rung::stop, {}, error_ + " at byte " + std::to_string(error_at_ + 1) + " of the expression",
                  hint_);
    }
    regex.captures = std::move(captures_);
    return regex;
  }

 private:
  [[nodiscard]] bool more() const { return error_.empty() && at_ < text_.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool take(std::string_view part) {
    if (text_.substr(at_, part.size()) != part) return false;
    at_ += part.size();
    return true;
  }
  void refuse(std::string what, std::string hint = {}) {
    if (!error_.empty()) return;
    error_ = std::move(what);
    hint_ = std::move(hint);
    error_at_ = at_;
  }

  // `flags` is a copy: (?i) lasts to the end of the group it stands in, across `|` as in RE2.
  RegexNode alternation(Flags flags, unsigned depth) {
    RegexNode all;
    all.type = Type::alternate;
    if (depth > kMaxDepth) {
      refuse("groups are nested too deep");
      return all;
    }
    all.items.push_back(concatenation(flags, depth));
    while (more() && take("|")) all.items.push_back(concatenation(flags, depth));
    if (all.items.size() == 1) return std::move(all.items.front());
    return all;
  }

  RegexNode concatenation(Flags& flags, unsigned depth) {
    RegexNode row;
    while (more() && peek() != '|' && peek() != ')') {
      std::optional<RegexNode> item = atom(flags, depth);
      if (item) row.items.push_back(repeated(std::move(*item)));
    }
    if (row.items.size() == 1) return std::move(row.items.front());
    return row;
  }

  // nullopt: a flag group such as (?i), which stands for nothing.
  std::optional<RegexNode> atom(Flags& flags, unsigned depth) {
    const char c = peek();
    switch (c) {
      case '(':
        return group(flags, depth);
      case '[':
        return klass(flags);
      case '\\':
        return escape(flags);
      case '*':
      case '+':
      case '?':
        refuse(std::string("nothing to repeat before ") + c);
        return std::nullopt;
      case '.': {
        ++at_;
        ByteSet all;
        all.set();
        if (!flags.dot_all) all.reset('\n');
        return set_node(all);
      }
      case '^':
        ++at_;
        return plain(Type::text_begin);
      case '$':
        ++at_;
        return plain(Type::text_end);
      default:
        ++at_;
        return byte_node(static_cast<unsigned char>(c), flags);
    }
  }

  static RegexNode plain(Type type) {
    RegexNode node;
    node.type = type;
    return node;
  }
  static RegexNode set_node(const ByteSet& set) {
    RegexNode node;
    node.type = Type::set;
    node.set = set;
    return node;
  }
  static RegexNode byte_node(unsigned char byte, const Flags& flags) {
    ByteSet set;
    set.set(byte);
    return set_node(flags.fold ? folded(set) : set);
  }

  RegexNode repeated(RegexNode item) {
    std::uint32_t low = 0;
    std::uint32_t high = RegexNode::kUnbounded;
    if (!more() || !operator_here(low, high)) return item;
    take("?");  // lazy: the same language
    if (low > kMaxRepeat || (high != RegexNode::kUnbounded && high > kMaxRepeat))
      refuse("a repeat count above 1000");
    if (high < low) refuse("a repeat range that runs backwards");
    const std::size_t after = at_;
    std::uint32_t unused_low = 0;
    std::uint32_t unused_high = 0;
    if (more() && operator_here(unused_low, unused_high)) {
      at_ = after;
      refuse("a repeat of a repeat",
             "possessive quantifiers do not exist in RE2; group what is to be repeated");
    }
    RegexNode node;
    node.type = Type::repeat;
    node.min = low;
    node.max = high;
    node.items.push_back(std::move(item));
    return node;
  }

  bool operator_here(std::uint32_t& low, std::uint32_t& high) {
    low = 0;
    high = RegexNode::kUnbounded;
    if (take("*")) return true;
    if (take("+")) {
      low = 1;
      return true;
    }
    if (take("?")) {
      high = 1;
      return true;
    }
    if (peek() != '{') return false;
    // {n} {n,} {n,m}; anything else is a literal brace, as in RE2
    const std::size_t close = text_.find('}', at_);
    if (close == std::string_view::npos) return false;
    const std::string_view inner = text_.substr(at_ + 1, close - at_ - 1);
    const std::size_t comma = inner.find(',');
    const auto first = parse_number<std::uint32_t>(inner.substr(0, comma));
    if (!first) return false;
    low = *first;
    if (comma == std::string_view::npos) {
      high = low;
    } else if (comma + 1 < inner.size()) {
      const auto second = parse_number<std::uint32_t>(inner.substr(comma + 1));
      if (!second) return false;
      high = *second;
    }
    at_ = close + 1;
    return true;
  }

  std::optional<RegexNode> group(Flags& flags, unsigned depth) {
    const std::size_t open = at_;
    ++at_;
    Flags inner = flags;
    if (take("?P<")) {
      const std::size_t close = text_.find('>', at_);
      const std::string_view name = text_.substr(at_, close == std::string_view::npos ? 0 : close - at_);
      const ByteSet legal = words();
      if (name.empty() || !std::all_of(name.begin(), name.end(),
                                       [&](char c) { return legal.test(static_cast<unsigned char>(c)); })) {
        refuse("a bad group name");
        return std::nullopt;
      }
      if (std::find(captures_.begin(), captures_.end(), name) != captures_.end()) {
        refuse("the group name '" + std::string(name) + "' a second time");
        return std::nullopt;
      }
      captures_.emplace_back(name);
      at_ = close + 1;
    } else if (peek() == '?') {
      ++at_;
      if (!group_head(inner)) return std::nullopt;
      if (text_[at_ - 1] == ')') {
        flags = inner;
        return std::nullopt;
      }
    }
    RegexNode node = alternation(inner, depth + 1);
    if (error_.empty() && !take(")")) {
      at_ = open;
      refuse("missing ) for this (");
    }
    return node;
  }

  // After "(?": flags up to ':' or ')'.
  bool group_head(Flags& flags) {
    constexpr std::string_view kNoSuch =
        "RE2 has no look-around, no atomic groups, and named groups only as (?P<name>...)";
    bool on = true;
    for (; at_ < text_.size(); ++at_) {
      switch (text_[at_]) {
        case 'i':
          flags.fold = on;
          break;
        case 's':
          flags.dot_all = on;
          break;
        case 'm':
        case 'U':
          break;  // lines and greed change nothing here
        case '-':
          on = false;
          break;
        case ':':
        case ')':
          ++at_;
          return true;
        default:
          refuse("an unknown kind of group", std::string(kNoSuch));
          return false;
      }
    }
    refuse("missing )");
    return false;
  }

  std::optional<RegexNode> escape(const Flags& flags) {
    const char c = peek(1);
    if (const auto set = perl_class(c)) {
      at_ += 2;
      return set_node(*set);
    }
    switch (c) {
      case 'A':
        at_ += 2;
        return plain(Type::text_begin);
      case 'z':
        at_ += 2;
        return plain(Type::text_end);
      case 'b':
        at_ += 2;
        return plain(Type::boundary);
      case 'B':
        at_ += 2;
        return plain(Type::not_boundary);
      case 'Q': {
        at_ += 2;
        RegexNode row;
        while (at_ < text_.size() && !take("\\E"))
          row.items.push_back(byte_node(static_cast<unsigned char>(text_[at_++]), flags));
        // An operator after \E repeats the last byte only.
        if (row.items.empty()) return std::nullopt;
        RegexNode last = std::move(row.items.back());
        row.items.back() = repeated(std::move(last));
        return row;
      }
      default: {
        const auto byte = escaped_byte();
        if (!byte) return std::nullopt;
        return byte_node(*byte, flags);
      }
    }
  }

  // \n \x41 \x{41} \101 \. : one byte, in and outside of classes.
  std::optional<unsigned char> escaped_byte() {
    const char c = peek(1);
    constexpr std::string_view kNames = "afnrtv";
    constexpr std::string_view kValues = "\a\f\n\r\t\v";
    if (const std::size_t i = kNames.find(c); c != '\0' && i != std::string_view::npos) {
      at_ += 2;
      return static_cast<unsigned char>(kValues[i]);
    }
    if (c == 'x') {
      const bool braced = peek(2) == '{';
      const std::size_t begin = at_ + (braced ? 3 : 2);
      const std::size_t end = braced ? text_.find('}', begin) : begin + 2;
      const auto value = end == std::string_view::npos || end > text_.size()
                             ? std::nullopt
                             : parse_number<std::uint32_t>(text_.substr(begin, end - begin), 16);
      if (!value || *value > 0xFF) {
        refuse("a bad \\x escape", "expressions work on bytes: \\x00 to \\xff");
        return std::nullopt;
      }
      at_ = end + (braced ? 1 : 0);
      return static_cast<unsigned char>(*value);
    }
    const auto octal = [](char d) { return d >= '0' && d <= '7'; };
    if (c == '0' || (octal(c) && octal(peek(2)))) {
      std::uint32_t value = 0;
      ++at_;
      for (int i = 0; i < 3 && octal(peek()); ++i)
        value = value * 8 + static_cast<std::uint32_t>(text_[at_++] - '0');
      if (value > 0xFF) {
        refuse("an octal escape above \\377");
        return std::nullopt;
      }
      return static_cast<unsigned char>(value);
    }
    if (c >= '1' && c <= '9') {
      refuse("a back-reference", "RE2 has none");
      return std::nullopt;
    }
    const bool punctuation =
        c != '\0' && !words().test(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 0x80;
    if (!punctuation && c != '_') {
      refuse(c == '\0' ? "a trailing backslash" : std::string("an unknown escape \\") + c);
      return std::nullopt;
    }
    at_ += 2;
    return static_cast<unsigned char>(c);
  }

  std::optional<RegexNode> klass(const Flags& flags) {
    const std::size_t open = at_;
    ++at_;
    const bool negated = take("^");
    ByteSet set;
    bool first = true;
    while (more() && (first || peek() != ']')) {
      first = false;
      if (peek() == '[' && peek(1) == ':') {
        const std::size_t close = text_.find(":]", at_ + 2);
        std::string_view name =
            close == std::string_view::npos ? std::string_view() : text_.substr(at_ + 2, close - at_ - 2);
        const bool inverse = !name.empty() && name.front() == '^';
        if (inverse) name.remove_prefix(1);
        if (const auto named = posix_class(name)) {
          set |= inverse ? ~*named : *named;
          at_ = close + 2;
          continue;
        }
        if (close != std::string_view::npos) refuse("an unknown class [:" + std::string(name) + ":]");
      }
      if (peek() == '\\') {
        if (const auto perl = perl_class(peek(1))) {
          set |= *perl;
          at_ += 2;
          continue;
        }
      }
      const auto low = class_byte();
      if (!low) return std::nullopt;
      unsigned char high = *low;
      if (peek() == '-' && at_ + 1 < text_.size() && peek(1) != ']') {
        ++at_;
        const auto end = class_byte();
        if (!end) return std::nullopt;
        if (*end < *low) refuse("a class range that runs backwards");
        high = *end;
      }
      if (error_.empty()) set |= range(*low, high);
    }
    if (error_.empty() && !take("]")) {
      at_ = open;
      refuse("missing ] for this [");
    }
    if (flags.fold) set = folded(set);
    return set_node(negated ? ~set : set);
  }

  std::optional<unsigned char> class_byte() {
    if (peek() == '\\') return escaped_byte();
    if (at_ >= text_.size()) {
      refuse("missing ]");
      return std::nullopt;
    }
    return static_cast<unsigned char>(text_[at_++]);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> captures_;
  std::string error_;
  std::string hint_;
  std::size_t error_at_ = 0;
};

}  // namespace

Result<Regex> parse_regex(std::string_view expression) {
  return Parser(expression).parse();
}

}  // namespace faultline
