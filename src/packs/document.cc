#include "packs/document.h"

#include <toml++/toml.h>
#include <algorithm>
#include <sstream>

namespace faultline::packs {
namespace {

Position position_of(const toml::source_region& source) {
  return {source.begin.line, source.begin.column};
}

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << value;
  return out.str();
}

Node convert(const toml::node& from) {
  Node node;
  node.at = position_of(from.source());
  switch (from.type()) {
    case toml::node_type::boolean:
      node.type = Node::Type::boolean;
      node.boolean = from.as_boolean()->get();
      node.string = node.boolean ? "true" : "false";
      break;
    case toml::node_type::integer:
      node.type = Node::Type::integer;
      node.integer = from.as_integer()->get();
      node.string = std::to_string(node.integer);
      break;
    case toml::node_type::floating_point:
      node.type = Node::Type::number;
      node.number = from.as_floating_point()->get();
      node.string = printed(node.number);
      break;
    case toml::node_type::string:
      node.type = Node::Type::string;
      node.string = from.as_string()->get();
      break;
    case toml::node_type::array:
      node.type = Node::Type::array;
      for (const toml::node& item : *from.as_array()) node.items.push_back(convert(item));
      break;
    case toml::node_type::table:
      node.type = Node::Type::table;
      for (const auto& [key, value] : *from.as_table()) {
        node.members.push_back({std::string(key.str()), position_of(key.source()), convert(value)});
      }
      // toml++ sorts keys by name; messages follow the text.
      std::stable_sort(node.members.begin(), node.members.end(), [](const Member& a, const Member& b) {
        return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
      });
      break;
    default:
      node.type = Node::Type::time;
      if (const auto* date = from.as_date()) node.string = printed(date->get());
      if (const auto* time = from.as_time()) node.string = printed(time->get());
      if (const auto* both = from.as_date_time()) node.string = printed(both->get());
      break;
  }
  return node;
}

}  // namespace

const Member* Node::find(std::string_view key) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == key; });
  return found == members.end() ? nullptr : &*found;
}

std::string_view type_name(Node::Type type) {
  constexpr std::string_view kNames[] = {"a boolean",      "an integer", "a number", "a string",
                                         "a date or time", "an array",   "a table"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string at(std::string_view name, Position position) {
  return std::string(name) + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

Result<Node> parse_document(std::string_view name, std::string_view text) {
  try {
    return convert(toml::parse(text, name));
  } catch (const toml::parse_error& error) {
    return fail(Rung::stop, at(name, position_of(error.source())), std::string(error.description()));
  } catch (const std::exception& error) {
    return fail(Rung::stop, std::string(name), std::string("cannot be read as TOML: ") + error.what());
  }
}

}  // namespace faultline::packs
