#include "base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace faultline {
namespace {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
constexpr bool is_space(char c) {
  return is_blank(c) || c == '\r' || c == '\n';
}
constexpr char lower_char(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
constexpr std::uint8_t byte(char c) {
  return static_cast<std::uint8_t>(c);
}

// Terminal residue.

// One spelling of the escape character, with its spellings of BEL and of itself at the end of an OSC.
struct EscapeForm {
  std::string_view escape;
  std::string_view bell;
};
constexpr std::array<EscapeForm, 9> kEscapeForms = {{
    {"\x1b", "\x07"},    // as the program wrote it
    {"#033", "#007"},    // rsyslog
    {"^[", "^G"},        // cat -v, less
    {"\\x1b", "\\x07"},  // Python repr
    {"\\x1B", "\\x07"},
    {"\\033", "\\007"},      // C and shell
    {"\\e", "\\a"},          // bash
    {"\\u001b", "\\u0007"},  // JSON
    {"\\u001B", "\\u0007"},
}};
// Longer runs are no escape sequence but data that happens to follow one: only the escape itself is dropped.
constexpr std::size_t kLongestCsi = 64;
constexpr std::size_t kLongestOsc = 4096;  // hyperlinks carry whole URLs

/// Offset of the next byte that could begin residue (ESC, NUL, '#', '^' or '\'), or the size.
std::size_t next_candidate(std::string_view text, std::size_t at) {
#ifdef __SSE2__
  const __m128i escape = _mm_set1_epi8(0x1b), nul = _mm_setzero_si128(), hash = _mm_set1_epi8('#'),
                caret = _mm_set1_epi8('^'), slash = _mm_set1_epi8('\\');
  for (; at + 16 <= text.size(); at += 16) {
    __m128i block;
    std::memcpy(&block, text.data() + at, sizeof(block));
    const __m128i a = _mm_or_si128(_mm_cmpeq_epi8(block, escape), _mm_cmpeq_epi8(block, nul));
    const __m128i b = _mm_or_si128(_mm_cmpeq_epi8(block, hash), _mm_cmpeq_epi8(block, caret));
    const int mask = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(a, b), _mm_cmpeq_epi8(block, slash)));
    if (mask != 0) return at + static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(mask)));
  }
#endif
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\x1b' || c == '\0' || c == '#' || c == '^' || c == '\\') return at;
  }
  return text.size();
}

/// Length of a CSI after its '[', up to and with the final byte; 0 when it is none.
std::size_t csi_length(std::string_view rest, bool spelled) {
  const std::size_t end = std::min(rest.size(), kLongestCsi);
  for (std::size_t i = 0; i < end; ++i) {
    const char c = rest[i];
    if ((c >= '0' && c <= '9') || c == ';' || c == '?') continue;
    if (!spelled && c >= ' ' && c <= '?') continue;
    // Spelled forms are read narrowly: `^[[:alpha:]` is a regular expression, not a sequence.
    const bool letter = lower_char(c) >= 'a' && lower_char(c) <= 'z';
    return letter || (!spelled && c >= '@' && c <= '~') ? i + 1 : 0;
  }
  return 0;
}

/// Length of a string sequence (OSC, DCS, ...) with its terminator; 0 when it does not end on this line.
std::size_t osc_length(std::string_view rest, const EscapeForm& form) {
  rest = rest.substr(0, kLongestOsc);
  rest = rest.substr(0, rest.find('\n'));
  const std::size_t bell = rest.find(form.bell);
  const std::size_t escape = rest.find(form.escape);
  if (escape < bell && rest.substr(escape + form.escape.size()).starts_with('\\')) {
    return escape + form.escape.size() + 1;
  }
  return bell == std::string_view::npos ? 0 : bell + form.bell.size();
}

/// Bytes of the sequence at the start of `rest` that is introduced as `form` spells it; 0: leave the text
/// alone.
std::size_t sequence_length(std::string_view rest, const EscapeForm& form) {
  const std::size_t intro = form.escape.size();
  const bool spelled = form.escape != "\x1b";
  if (rest.size() == intro) return spelled ? 0 : intro;
  const char kind = rest[intro];
  const std::string_view after = rest.substr(intro + 1);
  std::size_t body = 0;
  if (kind == '[') {
    body = csi_length(after, spelled);
  } else if (kind == ']' || (!spelled && (kind == 'P' || kind == 'X' || kind == '^' || kind == '_'))) {
    body = osc_length(after, form);
  } else if (kind == '(' || kind == ')') {
    body = !after.empty() && (after[0] == 'B' || after[0] == '0' || after[0] == 'A') ? 1 : 0;
  } else if (!spelled) {
    return kind >= '0' && kind <= '~' ? intro + 1 : intro;
  }
  if (body != 0) return intro + 1 + body;
  return spelled ? 0 : intro;
}

std::size_t residue_length(std::string_view rest) {
  for (const EscapeForm& form : kEscapeForms) {
    if (!rest.starts_with(form.escape)) continue;
    return sequence_length(rest, form);
  }
  return 0;
}

// UTF-8.

/// Length of the valid UTF-8 character at the start of `text`, 0 if there is none; sets its code point.
std::size_t utf8_character(std::string_view text, char32_t& point) {
  const std::uint8_t lead = byte(text[0]);
  if (lead < 0x80) {
    point = lead;
    return 1;
  }
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return 0;
  point = lead & (0xffu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(text[i]) & 0xc0) != 0x80) return 0;
    point = (point << 6) | (byte(text[i]) & 0x3fu);
  }
  const bool overlong = (size == 3 && point < 0x800) || (size == 4 && point < 0x10000);
  const bool surrogate = point >= 0xd800 && point <= 0xdfff;
  return overlong || surrogate || point > 0x10ffff ? 0 : size;
}

/// Offset of the first byte from `at` on that is not ASCII.
std::size_t skip_ascii(std::string_view text, std::size_t at) {
  while (at + 8 <= text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof(word));
    if ((word & 0x8080808080808080u) != 0) break;
    at += 8;
  }
  while (at < text.size() && byte(text[at]) < 0x80) ++at;
  return at;
}

void append_utf8(std::string& out, char32_t point) {
  const auto put = [&out](char32_t b) { out.push_back(static_cast<char>(static_cast<std::uint8_t>(b))); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xc0 | (point >> 6));
    put(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    put(0xe0 | (point >> 12));
    put(0x80 | ((point >> 6) & 0x3f));
    put(0x80 | (point & 0x3f));
  } else {
    put(0xf0 | (point >> 18));
    put(0x80 | ((point >> 12) & 0x3f));
    put(0x80 | ((point >> 6) & 0x3f));
    put(0x80 | (point & 0x3f));
  }
}

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

void append_hex(std::string& out, std::uint32_t value, int digits) {
  std::array<char, 8> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value, 16);
  const auto size = static_cast<int>(end - text.data());
  if (error != std::errc{}) return;
  out.append(static_cast<std::size_t>(std::max(0, digits - size)), '0');
  out.append(text.data(), end);
}

}  // namespace

bool is_unseen(char32_t c) {
  return (c >= 0x80 && c <= 0x9f) || c == 0xad || c == 0x061c || c == 0x200b || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
         (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && is_blank(text[at])) ++at;
    const std::size_t begin = at;
    while (at < text.size() && !is_blank(text[at])) ++at;
    if (at > begin) words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower_char);
  return out;
}

bool iequals(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower_char(x) == lower_char(y); });
}

bool icontains(std::string_view text, std::string_view part) {
  if (part.empty()) return true;
  const auto same = [](char x, char y) { return lower_char(x) == lower_char(y); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

void append_without_ansi(std::string_view raw, std::string& out) {
  std::size_t copied = 0;
  for (std::size_t at = next_candidate(raw, 0); at < raw.size(); at = next_candidate(raw, at)) {
    const std::size_t length = raw[at] == '\0' ? 1 : residue_length(raw.substr(at));
    if (length == 0) {
      ++at;
      continue;
    }
    out.append(raw.substr(copied, at - copied));
    if (raw[at] == '\0') out.push_back(' ');
    at += length;
    copied = at;
  }
  out.append(raw.substr(copied));
}

std::string without_ansi(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  append_without_ansi(raw, out);
  return out;
}

bool is_valid_utf8(std::string_view text) {
  char32_t point = 0;
  for (std::size_t at = skip_ascii(text, 0); at < text.size(); at = skip_ascii(text, at)) {
    const std::size_t size = utf8_character(text.substr(at), point);
    if (size == 0) return false;
    at += size;
  }
  return true;
}

std::string to_valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  char32_t point = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t plain = skip_ascii(text, at);
    out.append(text.substr(at, plain - at));
    at = plain;
    if (at == text.size()) break;
    const std::size_t size = utf8_character(text.substr(at), point);
    out.append(size == 0 ? kReplacement : text.substr(at, size));
    at += std::max<std::size_t>(size, 1);
  }
  return out;
}

std::string utf16_to_utf8(std::string_view bytes, bool big_endian) {
  std::string out;
  out.reserve(bytes.size() / 2);
  const auto unit = [&](std::size_t at) {
    const char32_t first = byte(bytes[at]);
    const char32_t second = byte(bytes[at + 1]);
    return big_endian ? (first << 8) | second : (second << 8) | first;
  };
  for (std::size_t at = 0; at + 2 <= bytes.size(); at += 2) {
    const char32_t high = unit(at);
    if (high < 0xd800 || high > 0xdfff) {
      append_utf8(out, high);
      continue;
    }
    const char32_t low = at + 4 <= bytes.size() ? unit(at + 2) : 0;
    if (high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff) {
      append_utf8(out, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
      at += 2;
    } else {
      out.append(kReplacement);
    }
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    char32_t point = 0;
    const std::size_t size = utf8_character(text.substr(at), point);
    if (size == 0) {
      out += "\\x";
      append_hex(out, byte(text[at]), 2);
    } else if (point == '\n' || point == '\r' || point == '\t') {
      out += point == '\n' ? "\\n" : point == '\r' ? "\\r" : "\\t";
    } else if (point < 0x20 || point == 0x7f) {
      out += "\\x";
      append_hex(out, static_cast<std::uint32_t>(point), 2);
    } else if (is_unseen(point)) {
      out += "\\u{";
      append_hex(out, static_cast<std::uint32_t>(point), 1);
      out += '}';
    } else {
      out.append(text.substr(at, size));
    }
    at += std::max<std::size_t>(size, 1);
  }
  return out;
}

}  // namespace faultline
