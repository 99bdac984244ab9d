#pragma once
// Compressed values of binary journals. lz4, lzma and zstd are known only to the .cc (and zstd to ingest).
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::decode {

enum class JournalCompression : std::uint8_t { none, xz, lz4, zstd };

class JournalInflater {
 public:
  JournalInflater();
  ~JournalInflater();
  JournalInflater(const JournalInflater&) = delete;
  JournalInflater& operator=(const JournalInflater&) = delete;
  /// The first bytes of the value, at most `limit` of them; nullopt when it is broken before there are any.
  std::optional<std::string> first_bytes(JournalCompression how, std::string_view packed, std::size_t limit);

 private:
  struct Zstd;
  std::unique_ptr<Zstd> zstd_;
};

}  // namespace faultline::decode
