#pragma once
// UTF-16 logs (redirects of Windows PowerShell) as a source of UTF-8. The length of any part of the UTF-8
// text in the artifact's own bytes can be computed back, so no offset table is kept.
#include <optional>
#include <string>

#include "base/byte_source.h"

namespace faultline::decode {

enum class Encoding : std::uint8_t { bytes, utf8_bom, utf16_le, utf16_be };

/// From the first bytes (64 or more, if there are): a BOM, or ASCII with every second byte 0.
Encoding guess_encoding(std::string_view head);
std::size_t bom_size(Encoding encoding, std::string_view head);

/// Borrows `inner`, which starts after the BOM. Characters are never split between chunks.
class Utf16Source final : public ByteSource {
 public:
  Utf16Source(ByteSource& inner, bool big_endian) : inner_(inner), big_endian_(big_endian) {}
  Result<std::string_view> next() override;

 private:
  ByteSource& inner_;
  bool big_endian_;
  std::string raw_;
  std::string text_;
};

/// Bytes that `utf8`, made by Utf16Source, took in UTF-16.
std::uint64_t utf16_length(std::string_view utf8);

}  // namespace faultline::decode
