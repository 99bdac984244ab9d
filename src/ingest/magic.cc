#include "ingest/magic.h"

#include <array>

#include "base/cursor.h"

namespace faultline::ingest {
namespace {

using namespace std::string_view_literals;

std::uint8_t byte_at(std::string_view text, std::size_t i) {
  return static_cast<std::uint8_t>(text[i]);
}

bool is_gzip(std::string_view head) {
  // Method deflate, and no reserved flag: two bytes alone occur in text of other code pages.
  return head.size() >= 4 && head.starts_with("\x1f\x8b\x08"sv) && (byte_at(head, 3) & 0xe0) == 0;
}

bool is_zstd(std::string_view head) {
  if (head.starts_with("\x28\xb5\x2f\xfd"sv)) return true;
  // A skippable frame: its magic, its length, and then a frame if that is still in the head.
  if (head.size() < 8 || (byte_at(head, 0) & 0xf0) != 0x50 || head.substr(1, 3) != "\x2a\x4d\x18"sv)
    return false;
  Cursor cursor(head.substr(4));
  const std::uint64_t next = 8 + std::uint64_t{cursor.u32().value_or(0)};
  return next + 4 > head.size() || head.substr(next, 4) == "\x28\xb5\x2f\xfd"sv || is_zstd(head.substr(next));
}

bool is_lzma(std::string_view head) {
  // No magic proper: properties 5d, a dictionary of 2^n or 2^n + 2^(n-1), and a size that is unknown or sane.
  if (head.size() < 14 || byte_at(head, 0) != 0x5d) return false;
  Cursor cursor(head.substr(1));
  const std::uint32_t dictionary = cursor.u32().value_or(0);
  const std::uint64_t size = cursor.u64().value_or(0);
  bool plausible = false;
  for (unsigned bit = 12; bit < 31; ++bit) {
    plausible = plausible || dictionary == 1U << bit || dictionary == (1U << bit) + (1U << (bit - 1));
  }
  return plausible && (size == ~std::uint64_t{0} || size < std::uint64_t{1} << 40) && byte_at(head, 13) == 0;
}

bool is_bzip2(std::string_view head) {
  if (head.size() < 10 || !head.starts_with("BZh") || head[3] < '1' || head[3] > '9') return false;
  const std::string_view block = head.substr(4, 6);
  return block == "\x31\x41\x59\x26\x53\x59"sv || block == "\x17\x72\x45\x38\x50\x90"sv;
}

bool is_cpio(std::string_view head) {
  if (head.size() < 76) return false;
  if (head.starts_with("070701") || head.starts_with("070702")) {
    return head.substr(6, 104).find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  }
  return head.starts_with("070707") &&
         head.substr(6, 70).find_first_not_of("01234567") == std::string_view::npos;
}

std::uint64_t octal(std::string_view field) {
  std::uint64_t value = 0;
  for (const char c : field) {
    if (c == ' ' && value == 0) continue;
    if (c < '0' || c > '7') break;
    value = value * 8 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

}  // namespace

std::string_view format_name(StreamFormat format) {
  constexpr std::array kNames = {"plain"sv,    "gzip"sv, "zstd"sv, "xz"sv,   "lzma"sv, "bzip2"sv, "lz4"sv,
                                 "compress"sv, "tar"sv,  "zip"sv,  "cpio"sv, "7z"sv,   "rar"sv};
  return kNames[static_cast<std::size_t>(format)];
}

StreamFormat compression_of(std::string_view head) {
  if (is_gzip(head)) return StreamFormat::gzip;
  if (is_zstd(head)) return StreamFormat::zstd;
  if (head.starts_with("\xfd\x37\x7a\x58\x5a\x00"sv)) return StreamFormat::xz;
  if (head.starts_with("\x04\x22\x4d\x18"sv)) return StreamFormat::lz4;
  if (is_bzip2(head)) return StreamFormat::bzip2;
  // compress: two bytes of magic, then bits per code (9..16) and no reserved flag.
  if (head.size() > 3 && head.starts_with("\x1f\x9d"sv) && (byte_at(head, 2) & 0x60) == 0 &&
      (byte_at(head, 2) & 0x1f) >= 9 && (byte_at(head, 2) & 0x1f) <= 16) {
    return StreamFormat::compress;
  }
  if (is_lzma(head)) return StreamFormat::lzma;
  return StreamFormat::none;
}

bool is_tar_header(std::string_view block) {
  if (block.size() < 512) return false;
  block = block.substr(0, 512);
  if (block[0] == '\0' && block.substr(257, 5) != "ustar") return false;
  const std::string_view field = block.substr(148, 8);
  if (field.find_first_of("01234567") == std::string_view::npos) return false;
  const std::uint64_t wanted = octal(field);
  // Old writers summed signed characters.
  std::uint64_t plain = 0;
  std::int64_t with_sign = 0;
  for (std::size_t i = 0; i < 512; ++i) {
    const char c = i >= 148 && i < 156 ? ' ' : block[i];
    plain += static_cast<unsigned char>(c);
    with_sign += static_cast<signed char>(c);
  }
  return wanted != 0 &&
         (plain == wanted || (with_sign > 0 && static_cast<std::uint64_t>(with_sign) == wanted));
}

StreamFormat container_of(std::string_view head) {
  if (head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv) ||
      head.starts_with("PK\x07\x08PK"sv) || head.starts_with("PK00PK\x03\x04"sv)) {
    return StreamFormat::zip;
  }
  if (head.starts_with("7z\xbc\xaf\x27\x1c"sv)) return StreamFormat::seven_zip;
  if (head.starts_with("Rar!\x1a\x07"sv)) return StreamFormat::rar;
  if (is_cpio(head)) return StreamFormat::cpio;
  if (is_tar_header(head)) return StreamFormat::tar;
  return StreamFormat::none;
}

ZipDocument zip_document(std::string_view head, std::string_view name) {
  // Walks the local headers as far as they stand in the head and carry their sizes.
  Cursor cursor(head);
  bool numpy = false;
  for (int members = 0; members < 64; ++members) {
    const std::uint64_t start = cursor.position();
    if (cursor.take(4).value_or("") != "PK\x03\x04"sv) break;
    cursor.take(2);
    const std::uint16_t flags = cursor.u16().value_or(0);
    cursor.take(10);
    const std::uint32_t stored = cursor.u32().value_or(0);
    cursor.take(4);
    const std::uint16_t name_size = cursor.u16().value_or(0);
    const std::uint16_t extra_size = cursor.u16().value_or(0);
    const std::string_view member = cursor.take(name_size).value_or("");
    if (member == "[Content_Types].xml" || member.starts_with("xl/") || member.starts_with("word/")) {
      return {.reason = "office document: not read"};
    }
    if (member.ends_with("/data.pkl") || member.ends_with("/.format_version") ||
        member.ends_with("/byteorder") || member.ends_with(".distcp")) {
      return {.reason = "model checkpoint: not read", .checkpoint = true};
    }
    if (member == "META-INF/" || member == "META-INF/MANIFEST.MF")
      return {.reason = "Java archive: not read"};
    if (member.find(".dist-info/") != std::string_view::npos) return {.reason = "Python package: not read"};
    numpy = member.ends_with(".npy");
    // Where the size follows the data, or is 64 bits wide, the next header is searched for.
    if ((flags & 8U) == 0 && stored != 0xffffffff) {
      if (!cursor.seek(start + 30 + name_size + extra_size + stored)) break;
    } else {
      const std::size_t next = head.find("PK\x03\x04"sv, cursor.position());
      if (next == std::string_view::npos || !cursor.seek(next)) break;
    }
  }
  if (numpy) return {.reason = "numpy archive: not read", .checkpoint = true};
  if (name.ends_with(".whl") || name.ends_with(".egg")) return {.reason = "Python package: not read"};
  if (name.ends_with(".jar") || name.ends_with(".war")) return {.reason = "Java archive: not read"};
  return {};
}

}  // namespace faultline::ingest
