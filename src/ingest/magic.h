#pragma once
// Compressions and containers by their first bytes (facts/artifact-formats 10.1). Names are never asked: a
// .gz is often plain text that a browser has already inflated, and a .log is often a gzip.
#include <cstdint>
#include <string_view>

namespace faultline::ingest {

enum class StreamFormat : std::uint8_t {
  none,
  // compressions of one stream
  gzip,
  zstd,
  xz,
  lzma,
  bzip2,
  lz4,
  compress,
  // containers
  tar,
  zip,
  cpio,
  seven_zip,
  rar,
};
std::string_view format_name(StreamFormat format);

/// none: neither a compression.
StreamFormat compression_of(std::string_view head);
/// none: no container. `head` should hold 64 KiB if the stream has them.
StreamFormat container_of(std::string_view head);

/// A header block of tar with a right checksum (v7, ustar, PAX, GNU alike). Needs 512 bytes.
bool is_tar_header(std::string_view block);

/// Why a zip is one document and no bundle (a torch checkpoint, an office document, a jar, a wheel, a numpy
/// archive): judged by the member names that stand in `head`, and for wheels and jars by the file's name too.
/// Empty: a bundle.
struct ZipDocument {
  std::string_view reason;
  bool checkpoint = false;
};
ZipDocument zip_document(std::string_view head, std::string_view name);

}  // namespace faultline::ingest
