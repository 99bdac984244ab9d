#pragma once
// Fields of tar headers, GNU long names, PAX records and sparse maps. Pure functions over bytes; hostile
// numbers are refused, never wrapped.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::ingest {

inline constexpr std::size_t kTarBlock = 512;

/// Octal, or base 256 when the first bit is set. Negative, absurd or non-numeric: nullopt; blank: 0.
std::optional<std::uint64_t> tar_number(std::string_view field);

/// A stored piece of a sparse file: where it belongs and how long it is.
struct SparsePiece {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};
/// More pieces than this are read as one stream without the places of the holes.
inline constexpr std::size_t kMaxSparsePieces = 100'000;

/// What PAX records, GNU long names and the header itself say of one member.
struct TarFields {
  std::string name;
  std::string target;
  char type = '0';
  std::uint64_t size = 0;  ///< stored bytes that follow
  std::int64_t modified_ns = 0;
  bool pax = false;  ///< an extended header preceded
  bool sparse = false;
  bool sparse_map_in_data = false;  ///< PAX sparse 1.0
  bool more_sparse_blocks = false;  ///< GNU: the map goes on in the next block
  std::uint64_t real_size = 0;
  std::vector<SparsePiece> pieces;
};

/// What an extended header leaves for the next member.
struct PaxOverrides {
  std::optional<std::string> name;
  std::optional<std::string> target;
  std::optional<std::string> sparse_name;
  std::optional<std::uint64_t> size;
  std::optional<std::uint64_t> real_size;
  std::optional<std::int64_t> modified_ns;
  bool present = false;
  bool sparse = false;
  bool sparse_1_0 = false;
  std::vector<SparsePiece> pieces;
};
/// Adds the records of one PAX header body. False: a record is malformed (those before it are kept).
bool read_pax(std::string_view body, PaxOverrides& into);

/// `block` holds a header with a right checksum. nullopt: a size that cannot be.
std::optional<TarFields> read_tar_header(std::string_view block, const PaxOverrides& overrides);

/// Four or 21 entries of a GNU sparse map.
void read_gnu_sparse(std::string_view entries, std::vector<SparsePiece>& pieces);

}  // namespace faultline::ingest
