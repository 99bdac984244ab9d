#include "extract/excerpt.h"

#include <algorithm>

namespace faultline::extract {
namespace {

constexpr std::string_view kEllipsis = "\xE2\x80\xA6";  // U+2026

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// The nearest border of a character at or after / before `at`; broken UTF-8 moves it by three bytes at most.
std::size_t border_after(std::string_view text, std::size_t at) {
  for (int i = 0; i < 3 && at < text.size() && continues(text[at]); ++i) ++at;
  return at;
}
std::size_t border_before(std::string_view text, std::size_t at) {
  const std::size_t wanted = at;
  for (int i = 0; i < 3 && at > 0 && at < text.size() && continues(text[at]); ++i) --at;
  return at < text.size() && continues(text[at]) ? wanted : at;
}

// Masking moves what stands behind a secret. The match is found again by the text that both share before it,
// else by the text that both share from the end.
std::size_t place_of(std::size_t begin, std::string_view raw, std::string_view masked) {
  const auto differ = std::mismatch(raw.begin(), raw.end(), masked.begin(), masked.end());
  const auto same = static_cast<std::size_t>(differ.first - raw.begin());
  if (begin <= same) return begin;
  const std::size_t from_end = raw.size() - begin;
  return from_end >= masked.size() ? std::min(same, masked.size()) : masked.size() - from_end;
}

}  // namespace

std::string excerpt(std::string_view raw, std::string_view masked, std::string_view match,
                    std::size_t limit) {
  if (masked.size() <= limit) return std::string(masked);
  if (limit <= 2 * kEllipsis.size()) return std::string(masked.substr(0, border_before(masked, limit)));
  const std::size_t room = limit - 2 * kEllipsis.size();
  const std::size_t at = place_of(static_cast<std::size_t>(match.data() - raw.data()), raw, masked);
  // A quarter of the room before the match, if it is short: what follows a message usually says more than
  // what precedes.
  const std::size_t shown = std::min(match.size(), room);
  const std::size_t before = std::min(at, (room - shown) / 4);
  std::size_t begin = at - before;
  if (masked.size() - begin < room) begin = masked.size() - room;
  if (begin <= kEllipsis.size()) begin = 0;
  const std::size_t end = border_before(masked, std::min(masked.size(), begin + room));
  begin = begin == 0 ? 0 : border_after(masked, begin);
  std::string text;
  if (begin > 0) text += kEllipsis;
  text += masked.substr(begin, end - begin);
  if (end < masked.size()) text += kEllipsis;
  return text;
}

}  // namespace faultline::extract
