#include "decode/utf16.h"

#include <algorithm>

#include "base/text.h"

namespace faultline::decode {
namespace {

constexpr std::string_view kUtf8Bom = "\xef\xbb\xbf";
constexpr std::size_t kPairs = 32;  // of a head without a BOM that must look like UTF-16

// ASCII in UTF-16: nearly every unit has a zero high byte and none is zero itself.
bool ascii_units(std::string_view head, std::size_t high) {
  const std::size_t pairs = std::min(head.size() / 2, kPairs);
  if (pairs < 4) return false;
  std::size_t ascii = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    const bool zero_high = head[2 * i + high] == '\0';
    const bool zero_low = head[2 * i + 1 - high] == '\0';
    if (zero_low) return false;
    if (zero_high) ++ascii;
  }
  return ascii * 10 >= pairs * 8;
}

}  // namespace

Encoding guess_encoding(std::string_view head) {
  if (head.substr(0, 3) == kUtf8Bom) return Encoding::utf8_bom;
  if (head.substr(0, 2) == "\xff\xfe") return Encoding::utf16_le;
  if (head.substr(0, 2) == "\xfe\xff") return Encoding::utf16_be;
  if (ascii_units(head, 1)) return Encoding::utf16_le;
  if (ascii_units(head, 0)) return Encoding::utf16_be;
  return Encoding::bytes;
}

std::size_t bom_size(Encoding encoding, std::string_view head) {
  if (encoding == Encoding::utf8_bom) return kUtf8Bom.size();
  if (encoding == Encoding::bytes) return 0;
  const std::string_view two = head.substr(0, 2);
  return two == "\xff\xfe" || two == "\xfe\xff" ? 2 : 0;
}

Result<std::string_view> Utf16Source::next() {
  while (true) {
    auto chunk = inner_.next();
    if (!chunk || chunk->empty()) return chunk;  // an odd last byte, or half of a pair, is no character
    raw_.append(*chunk);
    std::size_t whole = raw_.size() & ~std::size_t{1};
    if (whole >= 2) {
      const auto high = static_cast<unsigned char>(raw_[big_endian_ ? whole - 2 : whole - 1]);
      if (high >= 0xd8 && high <= 0xdb) whole -= 2;  // its second half is still to come
    }
    if (whole == 0) continue;
    text_ = utf16_to_utf8(std::string_view(raw_).substr(0, whole), big_endian_);
    raw_.erase(0, whole);
    return std::string_view(text_);
  }
}

std::uint64_t utf16_length(std::string_view utf8) {
  std::uint64_t units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xc0) != 0x80 ? 1 : 0;
    units += byte >= 0xf0 ? 1 : 0;
  }
  return 2 * units;
}

}  // namespace faultline::decode
