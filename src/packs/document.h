#pragma once
// A TOML document as a small tree in which every key and value knows its line and column. Hides toml++ (and
// its exceptions) from the rest of the stage.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace faultline::packs {

struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct Member;

struct Node {
  enum class Type : std::uint8_t { boolean, integer, number, string, time, array, table };
  Type type = Type::table;
  Position at;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string string;           ///< text of a string; of any other scalar its TOML form
  std::vector<Node> items;      ///< array
  std::vector<Member> members;  ///< table, in the order of the text

  [[nodiscard]] const Member* find(std::string_view key) const;
};

struct Member {
  std::string key;
  Position at;  ///< of the key
  Node value;
};

std::string_view type_name(Node::Type type);  ///< "a string", "a table"

/// The whole document. A Problem is of rung stop, its `where` is `name:line:column`.
Result<Node> parse_document(std::string_view name, std::string_view text);

std::string at(std::string_view name, Position position);  ///< name:line:column

}  // namespace faultline::packs
