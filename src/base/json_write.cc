#include <array>
#include <charconv>
#include <cmath>

#include "base/json.h"
#include "base/text.h"

namespace faultline {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

void append_unicode_escape(std::string& out, unsigned code) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(code >> shift) & 0xf];
}

/// Is an ASCII character written as an escape? `<`, `>` and `&` keep the text inert inside HTML.
bool needs_escape(unsigned char c) {
  return c < 0x20 || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' || c == 0x7f;
}

struct Point {
  char32_t value;
  std::size_t bytes;
};

/// The character beyond ASCII at the head of valid UTF-8.
Point point_at(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  char32_t value = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i)
    value = (value << 6) | (static_cast<unsigned char>(text[i]) & 0x3fU);
  return {value, bytes};
}

/// A report is also read on terminals: what printable() does not let through is written as \u there.
void append_point_escape(std::string& out, char32_t point) {
  if (point < 0x10000) return append_unicode_escape(out, static_cast<unsigned>(point));
  append_unicode_escape(out, static_cast<unsigned>(0xd800 + ((point - 0x10000) >> 10)));
  append_unicode_escape(out, static_cast<unsigned>(0xdc00 + ((point - 0x10000) & 0x3ff)));
}

void append_escaped(std::string& out, std::string_view text) {
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x80) {
      const Point point = point_at(text.substr(i));
      if (is_unseen(point.value)) {
        out.append(text.substr(copied, i - copied));
        append_point_escape(out, point.value);
        copied = i + point.bytes;
      }
      i += point.bytes - 1;
      continue;
    }
    if (!needs_escape(c)) continue;
    out.append(text.substr(copied, i - copied));
    if (c == '"' || c == '\\') {
      out += '\\';
      out += text[i];
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else {
      append_unicode_escape(out, c);
    }
    copied = i + 1;
  }
  out.append(text.substr(copied));
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  if (is_valid_utf8(text)) {
    append_escaped(out, text);
  } else {
    append_escaped(out, to_valid_utf8(text));
  }
  out += '"';
}

template <class T>
void append_number(std::string& out, T number) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc{}) out.append(digits.data(), end);
}

}  // namespace

void JsonWriter::newline() {
  if (style_ == Style::compact) return;
  out_ += '\n';
  out_.append(2 * has_items_.size(), ' ');
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) out_ += ',';
  has_items_.back() = true;
  newline();
}

JsonWriter& JsonWriter::begin_object() {
  before_value();
  out_ += '{';
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  const bool items = has_items_.back();
  has_items_.pop_back();
  if (items) newline();
  out_ += '}';
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  before_value();
  out_ += '[';
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  const bool items = has_items_.back();
  has_items_.pop_back();
  if (items) newline();
  out_ += ']';
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_value();
  append_string(out_, name);
  out_ += style_ == Style::compact ? ":" : ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_value();
  append_string(out_, text);
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) {
  before_value();
  append_number(out_, number);
  return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number) {
  before_value();
  append_number(out_, number);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  before_value();
  append_number(out_, number);
  return *this;
}

JsonWriter& JsonWriter::value(bool boolean) {
  before_value();
  out_ += boolean ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  before_value();
  out_ += "null";
  return *this;
}

}  // namespace faultline
