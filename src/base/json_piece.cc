#include "base/json_piece.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/text.h"

namespace faultline::json {
namespace {

// Deeper recursion than this is refused whatever the limits say: it is stack.
constexpr std::uint32_t kDeepest = 1024;
constexpr std::size_t kLongestCall = 4096;  // datetime.datetime(...) of a Python repr

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

class Reader {
 public:
  Reader(std::string_view text, std::uint64_t at, std::uint32_t max_nesting, std::uint64_t& values_left)
      : text_(text), at_(at), max_nesting_(std::min(max_nesting, kDeepest)), values_left_(values_left) {}

  Piece read() {
    Piece piece;
    const bool ok = value(piece.value, 0);
    piece.outcome = ok ? Outcome::complete : outcome_;
    piece.has_content = !ok && (!piece.value.items.empty() || !piece.value.members.empty());
    piece.end = at_;
    piece.good_end = good_end_;
    piece.what = what_;
    return piece;
  }

 private:
  bool stop(Outcome outcome, const char* what) {
    outcome_ = outcome;
    what_ = what;
    return false;
  }
  bool cut() { return stop(Outcome::cut, "the text ends inside a JSON value"); }
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  bool value(JsonValue& out, std::uint32_t depth) {
    const bool ok = some_value(out, depth);
    if (ok) good_end_ = at_;
    return ok;
  }

  bool some_value(JsonValue& out, std::uint32_t depth) {
    if (at_ >= text_.size()) return cut();
    if (values_left_ == 0) return stop(Outcome::bad, "more JSON values than one document may hold");
    --values_left_;
    out.offset = at_;
    const char c = text_[at_];
    if (c == '{' || c == '[') {
      if (depth >= max_nesting_) return stop(Outcome::bad, "JSON is nested too deeply");
      return c == '{' ? object(out, depth) : array(out, depth);
    }
    if (c == '"' || c == '\'') {
      out.type = JsonValue::Type::string;
      return string(out.string);
    }
    if (c == '-' || c == '+' || is_digit(c)) return number(out, depth);
    return word(out, depth);
  }

  bool array(JsonValue& out, std::uint32_t depth) {
    out.type = JsonValue::Type::array;
    ++at_;
    for (;;) {
      skip_space();
      if (at_ >= text_.size()) return cut();
      if (text_[at_] == ']') break;
      JsonValue item;
      const bool ok = value(item, depth + 1);
      if (ok || holds_something(item)) out.items.push_back(std::move(item));
      if (!ok || !comma(']')) return false;
    }
    ++at_;
    return true;
  }

  bool object(JsonValue& out, std::uint32_t depth) {
    out.type = JsonValue::Type::object;
    ++at_;
    for (;;) {
      skip_space();
      if (at_ >= text_.size()) return cut();
      if (text_[at_] == '}') break;
      const std::uint64_t key_at = at_;
      if (text_[at_] != '"' && text_[at_] != '\'') return stop(Outcome::bad, "a JSON object has no key here");
      std::string key;
      if (!string(key)) return false;
      skip_space();
      if (at_ >= text_.size()) return cut();
      if (text_[at_] != ':') return stop(Outcome::bad, "a JSON key is not followed by a colon");
      ++at_;
      skip_space();
      JsonValue member;
      const bool ok = value(member, depth + 1);
      member.offset = key_at;
      if (ok || holds_something(member)) out.members.push_back({std::move(key), std::move(member)});
      if (!ok || !comma('}')) return false;
    }
    ++at_;
    return true;
  }

  static bool holds_something(const JsonValue& v) { return !v.items.empty() || !v.members.empty(); }

  /// Between two entries: a comma, or the closing bracket (left for the caller).
  bool comma(char close) {
    skip_space();
    if (at_ >= text_.size()) return cut();
    if (text_[at_] == ',') {
      ++at_;
      return true;
    }
    return text_[at_] == close || stop(Outcome::bad, "a JSON value is not followed by a comma");
  }

  bool number(JsonValue& out, std::uint32_t depth) {
    const std::uint64_t begin = at_;
    while (at_ < text_.size() &&
           (is_digit(text_[at_]) || is_name(text_[at_]) || text_[at_] == '-' || text_[at_] == '+'))
      ++at_;
    // At the end of a cut text the digits may be cut too.
    if (at_ >= text_.size() && depth > 0) return cut();
    const std::string_view token = text_.substr(begin, at_ - begin);
    if (token == "-Infinity" || token == "-inf")
      return not_finite(out, token, -std::numeric_limits<double>::infinity());
    if (set_number(out, token)) return true;
    at_ = begin;
    return stop(Outcome::bad, "a JSON number is malformed");
  }

  static bool not_finite(JsonValue& out, std::string_view token, double number) {
    out.type = JsonValue::Type::number;
    out.number = number;
    out.string = token;
    return true;
  }

  bool word(JsonValue& out, std::uint32_t depth) {
    const std::uint64_t begin = at_;
    while (at_ < text_.size() && (is_name(text_[at_]) || (at_ > begin && is_digit(text_[at_])))) ++at_;
    if (at_ >= text_.size() && depth > 0) return cut();
    const std::string_view token = text_.substr(begin, at_ - begin);
    if (token == "true" || token == "false" || token == "True" || token == "False") {
      out.type = JsonValue::Type::boolean;
      out.boolean = (token[0] | 0x20) == 't';
      return true;
    }
    if (token == "null" || token == "None") return true;
    if (token == "NaN" || token == "nan")
      return not_finite(out, token, std::numeric_limits<double>::quiet_NaN());
    if (token == "Infinity" || token == "inf")
      return not_finite(out, token, std::numeric_limits<double>::infinity());
    if (depth > 0 && !token.empty() && at_ < text_.size() && text_[at_] == '(') return call(out, begin);
    at_ = begin;
    return stop(Outcome::bad, "a JSON value is expected");
  }

  /// datetime.datetime(2026, 1, 1, tzinfo=tzlocal()), kept as text.
  bool call(JsonValue& out, std::uint64_t begin) {
    int open = 0;
    for (const std::uint64_t limit = begin + kLongestCall; at_ < text_.size() && at_ < limit; ++at_) {
      if (text_[at_] == '(') ++open;
      if (text_[at_] == ')' && --open == 0) {
        ++at_;
        out.type = JsonValue::Type::string;
        out.string = to_valid_utf8(text_.substr(begin, at_ - begin));
        return true;
      }
    }
    if (at_ >= text_.size()) return cut();
    return stop(Outcome::bad, "a JSON value is expected");
  }

  bool string(std::string& out) {
    const char quote = text_[at_++];
    std::size_t plain = at_;
    bool ascii = true;
    for (;;) {
      if (at_ >= text_.size()) return cut();
      const char c = text_[at_];
      if (c == quote) break;
      if (c == '\n') return stop(Outcome::bad, "a JSON string is not closed on its line");
      ascii = ascii && static_cast<unsigned char>(c) < 0x80;
      if (c != '\\') {
        ++at_;
        continue;
      }
      out.append(text_.substr(plain, at_ - plain));
      if (!escape(out)) return false;
      plain = at_;
    }
    out.append(text_.substr(plain, at_ - plain));
    ++at_;
    if (!ascii && !is_valid_utf8(out)) out = to_valid_utf8(out);
    return true;
  }

  std::optional<char32_t> hex4(std::uint64_t at) const {
    if (at + 4 > text_.size()) return std::nullopt;
    return parse_number<std::uint32_t>(text_.substr(at, 4), 16);
  }

  bool escape(std::string& out) {
    if (at_ + 1 >= text_.size()) {
      at_ = text_.size();
      return cut();
    }
    const char c = text_[at_ + 1];
    constexpr std::string_view kFrom = "\"\\/bfnrt'";
    constexpr std::string_view kTo = "\"\\/\b\f\n\r\t'";
    if (const std::size_t i = kFrom.find(c); i != std::string_view::npos) {
      out.push_back(kTo[i]);
      at_ += 2;
      return true;
    }
    if (c != 'u') {  // \x1b, \e and other inventions stay as they are written
      out.push_back('\\');
      ++at_;
      return true;
    }
    auto point = hex4(at_ + 2);
    if (!point) {
      if (at_ + 6 > text_.size()) {
        at_ = text_.size();
        return cut();
      }
      out.push_back('\\');
      ++at_;
      return true;
    }
    at_ += 6;
    if (*point >= 0xd800 && *point < 0xdc00 && text_.substr(at_).starts_with("\\u")) {
      const auto low = hex4(at_ + 2);
      if (low && *low >= 0xdc00 && *low <= 0xdfff) {
        point = 0x10000 + ((*point - 0xd800) << 10) + (*low - 0xdc00);
        at_ += 6;
      }
    }
    if (*point >= 0xd800 && *point <= 0xdfff) point = 0xfffd;
    append_point(out, *point);
    return true;
  }

  static void append_point(std::string& out, char32_t point) {
    if (point < 0x10000) {
      const std::array<char, 2> unit = {static_cast<char>(point & 0xff), static_cast<char>(point >> 8)};
      if (point < 0x80) {
        out.push_back(unit[0]);
      } else {
        out += utf16_to_utf8({unit.data(), 2}, false);
      }
      return;
    }
    const char32_t high = 0xd800 + ((point - 0x10000) >> 10);
    const char32_t low = 0xdc00 + ((point - 0x10000) & 0x3ff);
    const std::array<char, 4> units = {static_cast<char>(high & 0xff), static_cast<char>(high >> 8),
                                       static_cast<char>(low & 0xff), static_cast<char>(low >> 8)};
    out += utf16_to_utf8({units.data(), 4}, false);
  }

  std::string_view text_;
  std::uint64_t at_;
  std::uint32_t max_nesting_;
  std::uint64_t& values_left_;
  std::uint64_t good_end_ = 0;
  Outcome outcome_ = Outcome::bad;
  const char* what_ = "";
};

}  // namespace

Piece read_piece(std::string_view text, std::uint64_t offset, std::uint32_t max_nesting,
                 std::uint64_t& values_left) {
  return Reader(text, offset, max_nesting, values_left).read();
}

bool set_number(JsonValue& value, std::string_view digits) {
  std::string_view body = digits;
  if (body.starts_with('-')) body.remove_prefix(1);
  // JSON knows no "+1", ".5", "5." or "01".
  if (body.empty() || !is_digit(body[0]) || (body[0] == '0' && body.size() > 1 && is_digit(body[1])))
    return false;
  const bool whole = std::all_of(body.begin(), body.end(), is_digit);
  if (!whole) {
    const std::size_t dot = body.find('.');
    if (dot != std::string_view::npos && (dot + 1 >= body.size() || !is_digit(body[dot + 1]))) return false;
    if (body.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return false;
  }
  const auto integer = whole ? parse_number<std::int64_t>(digits) : std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (end != digits.data() + digits.size()) return false;
  // 1e999: the digits are kept, the value is what a double can say.
  if (error == std::errc::result_out_of_range) {
    const bool tiny =
        digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos;
    number = tiny ? 0 : std::numeric_limits<double>::infinity();
    if (digits[0] == '-') number = -number;
  } else if (error != std::errc{}) {
    return false;
  }
  value.type = integer ? JsonValue::Type::integer : JsonValue::Type::number;
  value.integer = integer.value_or(0);
  value.number = number;
  value.string = digits;
  return true;
}

}  // namespace faultline::json
