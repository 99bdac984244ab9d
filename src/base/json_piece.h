#pragma once
// One JSON value at a place in a text: what documents are made of, and what streams of records are read by.
// It forgives what bundles do to JSON: NaN, trailing commas, Python's repr (single quotes, None,
// datetime(...)), broken UTF-8, a cut end. Whoever calls it decides where a value may begin.
//
// Rejected: simdjson's parsers. The tree is what costs (half a gigabyte a second with everything), the
// on-demand interface has no vector code without -march, the DOM knows no offsets, and neither reads what is
// broken, so that a second reader would be needed beside it. The tests use it as the judge of this one.
#include <cstdint>
#include <string_view>

#include "base/json.h"

namespace faultline::json {

enum class Outcome : std::uint8_t { complete, cut, bad };

struct Piece {
  JsonValue value;
  Outcome outcome = Outcome::complete;
  bool has_content = false;    ///< not complete, but `value` holds at least one complete value
  std::uint64_t end = 0;       ///< byte after the value, or where reading stopped
  std::uint64_t good_end = 0;  ///< byte after the last value in it that was complete
  const char* what = "";       ///< why it stopped
};

/// Reads the value that begins at `offset` (no blanks before it). Spends one of `values_left` for each value.
Piece read_piece(std::string_view text, std::uint64_t offset, std::uint32_t max_nesting,
                 std::uint64_t& values_left);

/// A number as JSON prints it: set from its digits. False when they are not one.
bool set_number(JsonValue& value, std::string_view digits);

}  // namespace faultline::json
