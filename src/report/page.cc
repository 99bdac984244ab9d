#include "report/page.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace faultline::report {
namespace {

constexpr std::size_t kNarrowest = 40;  // narrower than this, words would break everywhere

struct Range {
  char32_t first;
  char32_t last;
};
// Unicode East Asian Width W and F, and the emoji that terminals draw two columns wide; sorted.
constexpr Range kWide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},   {0x23f0, 0x23f0},
    {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267f, 0x267f},
    {0x2693, 0x2693},   {0x26a1, 0x26a1},   {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},
    {0x26ce, 0x26ce},   {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},
    {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},   {0x2728, 0x2728},
    {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27b0, 0x27b0},   {0x27bf, 0x27bf},   {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},
    {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0xa4cf},   {0xa960, 0xa97f},
    {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
    {0xffe0, 0xffe6},   {0x16fe0, 0x18cff}, {0x1aff0, 0x1b2fb}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf},
    {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c},
    {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4},
    {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e},
    {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f},
    {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d7}, {0x1f6dc, 0x1f6df}, {0x1f6eb, 0x1f6ec},
    {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7f0}, {0x1f90c, 0x1f93a}, {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff},
    {0x1fa70, 0x1faff}, {0x20000, 0x2fffd}, {0x30000, 0x3fffd}};
// Combining marks and variation selectors; other characters without width never pass printable().
constexpr Range kNoWidth[] = {{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a},
                              {0x064b, 0x065f}, {0x06d6, 0x06dc}, {0x0900, 0x0902}, {0x093c, 0x093c},
                              {0x0941, 0x0948}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e},
                              {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0x302a, 0x302d},
                              {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef}};

template <std::size_t N>
bool in_ranges(const Range (&ranges)[N], char32_t point) {
  const auto* after = std::upper_bound(std::begin(ranges), std::end(ranges), point,
                                       [](char32_t p, const Range& r) { return p < r.first; });
  return after != std::begin(ranges) && point <= std::prev(after)->last;
}

struct Character {
  std::size_t bytes = 1;
  std::size_t columns = 1;
};

// `text` is not empty and was made by printable(), so it is valid UTF-8; a stray byte still counts as one
// column.
Character character_at(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0xc0) return {};
  const std::size_t bytes = std::min<std::size_t>(lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4, text.size());
  char32_t point = lead & (bytes == 2 ? 0x1fU : bytes == 3 ? 0x0fU : 0x07U);
  for (std::size_t i = 1; i < bytes; ++i)
    point = (point << 6) | (static_cast<unsigned char>(text[i]) & 0x3fU);
  if (in_ranges(kNoWidth, point)) return {bytes, 0};
  return {bytes, in_ranges(kWide, point) ? std::size_t{2} : std::size_t{1}};
}

// The width of `text`, or something above `limit` as soon as that is passed: a word may be a megabyte long.
std::size_t width_up_to(std::string_view text, std::size_t limit) {
  std::size_t columns = 0;
  while (!text.empty() && columns <= limit) {
    const Character c = character_at(text);
    columns += c.columns;
    text.remove_prefix(c.bytes);
  }
  return columns;
}

// Where a word longer than `width` is cut: after the last separator beyond a third, else where the room ends.
std::size_t cut_of_long_word(std::string_view word, std::size_t width) {
  std::size_t at = 0;
  std::size_t columns = 0;
  std::size_t separator = 0;
  while (at < word.size()) {
    const Character c = character_at(word.substr(at));
    if (columns + c.columns > width && at > 0) break;
    at += c.bytes;
    columns += c.columns;
    if (columns * 3 >= width && std::string_view("/!,;=|").find(word[at - 1]) != std::string_view::npos)
      separator = at;
  }
  return separator > 0 ? separator : at;
}

std::string_view escape_of(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::heading:
      return "\x1b[1;36m";
    case Style::strong:
      return "\x1b[1m";
    case Style::fail:
      return "\x1b[1;31m";
    case Style::warn:
      return "\x1b[1;33m";
    case Style::pass:
      return "\x1b[32m";
    case Style::info:
      return "\x1b[36m";
    case Style::unknown:
      return "\x1b[35m";
    case Style::dim:
      return "\x1b[2m";
  }
  return "";
}

// The next blank that stands outside of quotes, or the size; npos when a quote is never closed.
std::size_t end_of_shell_word(std::string_view command, std::size_t at) {
  char quote = 0;
  for (; at < command.size(); ++at) {
    const char c = command[at];
    if (c == '\\' && quote != '\'') {
      ++at;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == ' ') {
      return at;
    }
  }
  return quote == 0 ? command.size() : std::string_view::npos;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return width_up_to(text, text.size());
}

std::vector<std::string> wrap_words(std::string_view text, std::size_t first_width, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t used = 0;
  std::size_t room = std::max<std::size_t>(first_width, 1);
  const auto break_line = [&] {
    lines.push_back(std::move(line));
    line.clear();
    used = 0;
    room = std::max<std::size_t>(width, 1);
  };
  while (!text.empty()) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    std::string_view word = text.substr(blanks, std::min(text.find(' ', blanks), text.size()) - blanks);
    text.remove_prefix(blanks + word.size());
    if (word.empty()) break;
    // Blanks at the very start of the text are kept when they fit: they are part of a log line.
    if (used > 0 || lines.empty()) {
      const std::size_t columns = width_up_to(word, room);
      if (used + blanks + columns <= room) {
        line.append(blanks, ' ');
        line += word;
        used += blanks + columns;
        continue;
      }
    }
    if (used > 0) break_line();
    while (width_up_to(word, room) > room) {
      const std::size_t cut = cut_of_long_word(word, room);
      line = word.substr(0, cut);
      word.remove_prefix(cut);
      if (word.empty()) break;
      break_line();
    }
    line += word;
    used = display_width(line);
  }
  if (!line.empty() || lines.empty()) lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> wrap_command(std::string_view command, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < command.size();) {
    const std::size_t end = end_of_shell_word(command, at);
    if (end == std::string_view::npos) return wrap_words(command, width, width);  // prose with an apostrophe
    const std::string_view word = command.substr(at, end - at);
    // Two columns are kept for " \" on every line but the last.
    if (!line.empty() &&
        display_width(line) + 1 + display_width(word) + (end < command.size() ? 2 : 0) > width) {
      lines.push_back(line + " \\");
      line = "  ";
      line += word;
    } else {
      if (!line.empty()) line += ' ';
      line += word;
    }
    at = end + 1;
  }
  lines.push_back(std::move(line));
  return lines;
}

Page::Page(unsigned width, bool color) : width_(std::max<std::size_t>(width, kNarrowest)), color_(color) {}

void Page::put(std::string_view text, Style style) {
  if (text.empty()) return;
  const bool paint = color_ && style != Style::plain;
  if (paint) out_ += escape_of(style);
  out_ += text;
  if (paint) out_ += "\x1b[0m";
}

void Page::end_line() {
  while (!out_.empty() && out_.back() == ' ') out_.pop_back();
  out_ += '\n';
}

void Page::blank() {
  out_ += '\n';
}

void Page::heading(std::string_view text) {
  if (!out_.empty()) blank();
  put(printable(text), Style::heading);
  end_line();
}

void Page::paragraph(std::size_t indent, std::string_view text, Style style) {
  const std::size_t room = width_ - std::min(indent, width_ - 1);
  for (const std::string& line : wrap_words(printable(text), room, room)) {
    out_.append(indent, ' ');
    put(line, style);
    end_line();
  }
}

void Page::item(std::size_t indent, std::string_view label, std::size_t label_width, std::string_view text,
                Style label_style, Style text_style) {
  const std::string shown = printable(label);
  const std::size_t columns = display_width(shown);
  const std::size_t start = std::min(indent + label_width, width_ / 2);
  const std::size_t room = width_ - start;
  bool own_line = indent + columns + 1 > start && !text.empty();
  if (indent + columns > width_ || own_line) {
    paragraph(indent, label, label_style);
    own_line = true;
  } else {
    out_.append(indent, ' ');
    put(shown, label_style);
    if (text.empty()) return end_line();
    out_.append(start - indent - columns, ' ');
  }
  if (text.empty()) return;
  for (const std::string& line : wrap_words(printable(text), room, room)) {
    if (own_line) out_.append(start, ' ');
    put(line, text_style);
    end_line();
    own_line = true;
  }
}

void Page::command(std::size_t indent, std::string_view command) {
  for (const std::string& line : wrap_command(printable(command), width_ - std::min(indent, width_ - 1))) {
    out_.append(indent, ' ');
    put(line, Style::strong);
    end_line();
  }
}

}  // namespace faultline::report
