#pragma once
// Decompressors: a stored stream in, its expanded bytes out, as views into the decompressor's own buffer.
// Broken and cut streams give all bytes before the break, then a Problem of rung note. Which decompressor is
// chosen depends on the first bytes alone (magic.h).
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "ingest/magic.h"

namespace faultline::ingest {

class FilterSource : public ByteSource {
 public:
  /// What was odd and lost nothing: "17 bytes after the last gzip member were ignored". After the end.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
  /// The time of the original file, where the format carries it (gzip), ns since the epoch.
  [[nodiscard]] virtual std::optional<std::int64_t> modified_ns() const { return std::nullopt; }
};

/// `format` must be one of the compressions of magic.h. Borrows `stored`.
std::unique_ptr<FilterSource> open_filter(StreamFormat format, ByteSource& stored);

// One file each.
std::unique_ptr<FilterSource> open_gzip(ByteSource& stored);
std::unique_ptr<FilterSource> open_zstd(ByteSource& stored);
/// xz, lzma, bzip2, lz4, compress.
std::unique_ptr<FilterSource> open_library_filter(StreamFormat format, ByteSource& stored);

}  // namespace faultline::ingest
