#pragma once
// Small, allocation-shy helpers over text that came from a bundle. Bytes are bytes: nothing here assumes
// valid UTF-8 unless it says so. No locale is ever consulted.
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

/// A whole decimal number and nothing else ("12" yes, "12 " and "+12" no).
template <class T>
std::optional<T> parse_number(std::string_view text, int base = 10) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}
std::optional<double> parse_double(std::string_view text);

std::string_view trim(std::string_view text);  ///< blanks, tabs, CR, LF off both ends
std::vector<std::string_view> split(std::string_view text, char separator);
std::vector<std::string_view> split_words(std::string_view text);  ///< on runs of blanks and tabs
std::string lower(std::string_view text);                          ///< ASCII only
bool iequals(std::string_view a, std::string_view b);              ///< ASCII only
bool icontains(std::string_view text, std::string_view part);      ///< ASCII only
/// Calls `row(number, line)` for each line (LF, without a CR before it), number from 1; stops when it returns
/// false.
template <class Row>
void for_each_line(std::string_view text, Row&& row) {
  std::uint64_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (!row(++number, line)) return;
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

/// Appends `raw` to `out` without terminal residue: CSI, OSC and charset escapes, also in the forms `#033[`,
/// `^[[` and `\x1b[` that loggers make of them; NUL becomes a blank.
void append_without_ansi(std::string_view raw, std::string& out);
std::string without_ansi(std::string_view raw);

bool is_valid_utf8(std::string_view text);
/// Valid UTF-8: each bad byte becomes U+FFFD. For the doors out.
std::string to_valid_utf8(std::string_view text);
/// UTF-16 (LE or BE, without its BOM) to UTF-8; unpaired surrogates become U+FFFD, an odd last byte is
/// dropped.
std::string utf16_to_utf8(std::string_view bytes, bool big_endian);

/// Characters that reorder, hide or end text without being seen: C1, bidi and format controls.
bool is_unseen(char32_t c);

/// For terminals: control characters, and C1 and bidi controls in UTF-8, are shown as \x1b, \u{202e}; a
/// newline too. Nothing from a bundle can move the cursor or colour the screen.
std::string printable(std::string_view text);

/// PCI address in the one form the reports use, dddd:bb:dd in lower case, without function: from
/// 00000000:9B:00.0, PCI:0000:3b:00, 0000:3b:00.0, 3b:00.0. Nothing else: nullopt.
std::optional<std::string> normal_pci(std::string_view text);
/// From NCCL's packed busId in hex ("9a000" -> 0000:9a:00).
std::optional<std::string> pci_from_nccl_bus_id(std::string_view hex);
/// Slurm and PDSH host lists: "ip-10-1-0-[3-5,9],x" -> names in order; at most `limit` of them, padded
/// numbers kept.
std::vector<std::string> expand_host_list(std::string_view list, std::size_t limit);

}  // namespace faultline
