#include "ingest/tar_header.h"

#include <charconv>

namespace faultline::ingest {
namespace {

// The largest size that a member may claim: more is damage, and sums with it would wrap.
constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 60;

std::string_view until_nul(std::string_view field) {
  return field.substr(0, field.find('\0'));
}

template <class T>
std::optional<T> whole_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> sane(std::optional<std::uint64_t> value) {
  if (value && *value > kMaxSize) return std::nullopt;
  return value;
}

/// "1767225600.123456789", also negative: ns since the epoch.
std::optional<std::int64_t> pax_time(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::optional<std::int64_t> seconds = whole_number<std::int64_t>(text.substr(0, point));
  if (!seconds || *seconds > 9'000'000'000 || *seconds < -9'000'000'000) return std::nullopt;
  std::int64_t ns = 0;
  if (point != std::string_view::npos) {
    std::int64_t unit = 100'000'000;
    for (const char c : text.substr(point + 1)) {
      if (c < '0' || c > '9' || unit == 0) break;
      ns += (c - '0') * unit;
      unit /= 10;
    }
  }
  return *seconds * 1'000'000'000 + ns;
}

// "offset,size,offset,size" of PAX sparse 0.1.
void read_pax_map(std::string_view text, std::vector<SparsePiece>& pieces) {
  while (!text.empty() && pieces.size() < kMaxSparsePieces) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return;
    const std::size_t end = text.find(',', comma + 1);
    const auto offset = sane(whole_number<std::uint64_t>(text.substr(0, comma)));
    const auto size = sane(whole_number<std::uint64_t>(
        text.substr(comma + 1, end == std::string_view::npos ? end : end - comma - 1)));
    if (!offset || !size) return;
    pieces.push_back({*offset, *size});
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

void apply_record(std::string_view key, std::string_view value, PaxOverrides& into) {
  if (key == "path") {
    into.name = std::string(value);
  } else if (key == "linkpath") {
    into.target = std::string(value);
  } else if (key == "size") {
    into.size = sane(whole_number<std::uint64_t>(value));
  } else if (key == "mtime") {
    into.modified_ns = pax_time(value);
  } else if (key == "GNU.sparse.name") {
    into.sparse_name = std::string(value);
  } else if (key == "GNU.sparse.realsize" || key == "GNU.sparse.size") {
    into.sparse = true;
    into.real_size = sane(whole_number<std::uint64_t>(value));
  } else if (key == "GNU.sparse.major") {
    into.sparse = true;
    into.sparse_1_0 = value == "1";
  } else if (key == "GNU.sparse.map") {
    into.sparse = true;
    read_pax_map(value, into.pieces);
  } else if (key == "GNU.sparse.offset") {
    into.sparse = true;
    if (into.pieces.size() < kMaxSparsePieces) {
      into.pieces.push_back({sane(whole_number<std::uint64_t>(value)).value_or(0), 0});
    }
  } else if (key == "GNU.sparse.numbytes" && !into.pieces.empty()) {
    into.pieces.back().size = sane(whole_number<std::uint64_t>(value)).value_or(0);
  }
}

}  // namespace

std::optional<std::uint64_t> tar_number(std::string_view field) {
  if (field.empty()) return 0;
  if ((static_cast<unsigned char>(field[0]) & 0x80U) != 0) {
    if ((static_cast<unsigned char>(field[0]) & 0x40U) != 0) return std::nullopt;  // negative
    std::uint64_t value = static_cast<unsigned char>(field[0]) & 0x3fU;
    for (const char c : field.substr(1)) {
      if (value > (kMaxSize >> 8U)) return std::nullopt;
      value = value << 8U | static_cast<unsigned char>(c);
    }
    return value;
  }
  field = until_nul(field);
  while (!field.empty() && field.front() == ' ') field.remove_prefix(1);
  while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
  std::uint64_t value = 0;
  for (const char c : field) {
    if (c < '0' || c > '7' || value > (kMaxSize >> 3U)) return std::nullopt;
    value = value * 8 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

bool read_pax(std::string_view body, PaxOverrides& into) {
  into.present = true;
  while (!body.empty() && body.front() != '\0') {
    const std::size_t blank = body.find(' ');
    if (blank == std::string_view::npos) return false;
    const std::optional<std::size_t> length = whole_number<std::size_t>(body.substr(0, blank));
    if (!length || *length < blank + 3 || *length > body.size() || body[*length - 1] != '\n') return false;
    const std::string_view record = body.substr(blank + 1, *length - blank - 2);
    const std::size_t equals = record.find('=');
    if (equals == std::string_view::npos) return false;
    apply_record(record.substr(0, equals), record.substr(equals + 1), into);
    body.remove_prefix(*length);
  }
  return true;
}

void read_gnu_sparse(std::string_view entries, std::vector<SparsePiece>& pieces) {
  for (; entries.size() >= 24 && pieces.size() < kMaxSparsePieces; entries.remove_prefix(24)) {
    if (entries[0] == '\0') return;
    const auto offset = tar_number(entries.substr(0, 12));
    const auto size = tar_number(entries.substr(12, 12));
    if (!offset || !size) return;
    pieces.push_back({*offset, *size});
  }
}

std::optional<TarFields> read_tar_header(std::string_view block, const PaxOverrides& overrides) {
  TarFields fields;
  fields.type = block[156] == '\0' ? '0' : block[156];
  const std::optional<std::uint64_t> size = tar_number(block.substr(124, 12));
  if (!size) return std::nullopt;
  fields.size = overrides.size.value_or(*size);
  fields.pax = overrides.present;

  const std::string_view magic = block.substr(257, 8);
  fields.name = until_nul(block.substr(0, 100));
  const std::string_view prefix = until_nul(block.substr(345, 155));
  const bool posix = magic.substr(0, 6) == std::string_view("ustar\0", 6);
  if (posix && !prefix.empty()) fields.name = std::string(prefix) + "/" + fields.name;
  fields.target = until_nul(block.substr(157, 100));
  fields.modified_ns =
      static_cast<std::int64_t>(tar_number(block.substr(136, 12)).value_or(0) % 9'000'000'000) *
      1'000'000'000;

  if (fields.type == 'S') {
    fields.sparse = true;
    fields.real_size = tar_number(block.substr(483, 12)).value_or(0);
    read_gnu_sparse(block.substr(386, 96), fields.pieces);
    fields.more_sparse_blocks = block[482] != '\0';
    fields.type = '0';
  }
  if (overrides.name) fields.name = *overrides.name;
  if (overrides.sparse_name) fields.name = *overrides.sparse_name;
  if (overrides.target) fields.target = *overrides.target;
  if (overrides.modified_ns) fields.modified_ns = *overrides.modified_ns;
  if (overrides.sparse) {
    fields.sparse = true;
    fields.sparse_map_in_data = overrides.sparse_1_0;
    fields.real_size = overrides.real_size.value_or(0);
    fields.pieces = overrides.pieces;
  }
  return fields;
}

}  // namespace faultline::ingest
