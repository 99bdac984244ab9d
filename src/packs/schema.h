#pragma once
// Keys of a table as rows: their names, what type each wants, which ones must be there. One loop finds
// unknown keys, wrong types and missing keys at every level of a pack.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "packs/complaints.h"
#include "packs/document.h"

namespace faultline::packs {

enum class Want : std::uint8_t {
  string,   ///< not empty
  strings,  ///< array of strings, none of them empty
  integer,
  boolean,
  texts,    ///< table of strings
  scalars,  ///< table of strings, integers, numbers or booleans
  tables,   ///< array of tables
};
enum class Need : std::uint8_t { required, optional };

struct KeyRule {
  std::string_view key;
  Want want;
  Need need;
};

/// Complains of every unknown key, wrong type and missing key of `table`; `of` names it ("a pattern").
void check_keys(const Node& table, std::span<const KeyRule> rules, std::string_view of,
                Complaints& complaints);

// Values of keys that have the right type; what is absent or wrong (and was complained of) reads as empty.
std::string text_of(const Node& table, std::string_view key);
std::vector<std::string> texts_of(const Node& table, std::string_view key);
std::optional<std::int64_t> integer_of(const Node& table, std::string_view key);
bool flag_of(const Node& table, std::string_view key);
std::vector<const Member*> members_of(const Node& table, std::string_view key);
std::vector<const Node*> tables_of(const Node& table, std::string_view key);

/// Position of a key, or of the table when it has no such key.
Position position_of(const Node& table, std::string_view key);
/// Position of item `index` of an array under `key`.
Position position_of(const Node& table, std::string_view key, std::size_t index);

/// Index of `word` in `names`, or a complaint: "severity is 'P3': one of P0, P1, P2".
std::optional<std::size_t> index_of(std::string_view word, std::span<const std::string_view> names,
                                    std::string_view of, Position at, Complaints& complaints);

}  // namespace faultline::packs
