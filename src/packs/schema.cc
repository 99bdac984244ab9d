#include "packs/schema.h"

#include <algorithm>

namespace faultline::packs {
namespace {

std::string_view want_name(Want want) {
  constexpr std::string_view kNames[] = {
      "a string",           "an array of strings",     "an integer",        "a boolean",
      "a table of strings", "a table of plain values", "an array of tables"};
  return kNames[static_cast<std::size_t>(want)];
}

bool is_scalar(const Node& node) {
  return node.type < Node::Type::time;
}

void check_type(const Member& member, Want want, Complaints& complaints) {
  const Node& node = member.value;
  const auto wrong = [&](Position at, const std::string& what, std::string_view wanted, Node::Type found) {
    complaints.add(at, what + " wants " + std::string(wanted) + ", not " + std::string(type_name(found)));
  };
  const auto flat = [&](Node::Type type) {
    if (node.type != type) wrong(node.at, "'" + member.key + "'", want_name(want), node.type);
    return node.type == type;
  };
  const auto not_empty = [&](const Node& text) {
    if (text.string.empty()) complaints.add(text.at, "'" + member.key + "' is empty");
  };
  switch (want) {
    case Want::string:
      if (flat(Node::Type::string)) not_empty(node);
      break;
    case Want::integer:
      flat(Node::Type::integer);
      break;
    case Want::boolean:
      flat(Node::Type::boolean);
      break;
    case Want::strings:
      if (!flat(Node::Type::array)) break;
      for (const Node& item : node.items) {
        if (item.type != Node::Type::string)
          wrong(item.at, "an item of '" + member.key + "'", "a string", item.type);
        else
          not_empty(item);
      }
      break;
    case Want::tables:
      if (!flat(Node::Type::array)) break;
      for (const Node& item : node.items) {
        if (item.type != Node::Type::table)
          wrong(item.at, "an item of '" + member.key + "'", "a table", item.type);
      }
      break;
    case Want::texts:
    case Want::scalars:
      if (!flat(Node::Type::table)) break;
      for (const Member& inner : node.members) {
        const bool good =
            want == Want::texts ? inner.value.type == Node::Type::string : is_scalar(inner.value);
        if (!good) {
          wrong(inner.value.at, "'" + member.key + "." + inner.key + "'",
                want == Want::texts ? "a string" : "a plain value", inner.value.type);
        }
      }
      break;
  }
}

const Node* typed(const Node& table, std::string_view key, Node::Type type) {
  const Member* member = table.find(key);
  return member != nullptr && member->value.type == type ? &member->value : nullptr;
}

}  // namespace

void check_keys(const Node& table, std::span<const KeyRule> rules, std::string_view of,
                Complaints& complaints) {
  std::vector<std::string_view> known;
  for (const KeyRule& rule : rules) known.push_back(rule.key);
  for (const Member& member : table.members) {
    const auto rule =
        std::find_if(rules.begin(), rules.end(), [&](const KeyRule& r) { return r.key == member.key; });
    if (rule == rules.end()) {
      std::string hint = did_you_mean(member.key, known);
      if (hint.empty()) hint = one_of(known);
      complaints.add(member.at, "unknown key '" + member.key + "' in " + std::string(of), std::move(hint));
    } else {
      check_type(member, rule->want, complaints);
    }
  }
  for (const KeyRule& rule : rules) {
    if (rule.need == Need::required && table.find(rule.key) == nullptr) {
      complaints.add(table.at, std::string(of) + " lacks '" + std::string(rule.key) + "'");
    }
  }
}

std::string text_of(const Node& table, std::string_view key) {
  const Node* node = typed(table, key, Node::Type::string);
  return node == nullptr ? std::string() : node->string;
}

std::vector<std::string> texts_of(const Node& table, std::string_view key) {
  std::vector<std::string> out;
  if (const Node* array = typed(table, key, Node::Type::array)) {
    // Items of a wrong type stay in as "", so that indices still lead to positions.
    for (const Node& item : array->items)
      out.push_back(item.type == Node::Type::string ? item.string : std::string());
  }
  return out;
}

std::optional<std::int64_t> integer_of(const Node& table, std::string_view key) {
  const Node* node = typed(table, key, Node::Type::integer);
  return node == nullptr ? std::nullopt : std::optional(node->integer);
}

bool flag_of(const Node& table, std::string_view key) {
  const Node* node = typed(table, key, Node::Type::boolean);
  return node != nullptr && node->boolean;
}

std::vector<const Member*> members_of(const Node& table, std::string_view key) {
  std::vector<const Member*> out;
  if (const Node* inner = typed(table, key, Node::Type::table)) {
    for (const Member& member : inner->members) {
      if (is_scalar(member.value)) out.push_back(&member);
    }
  }
  return out;
}

std::vector<const Node*> tables_of(const Node& table, std::string_view key) {
  std::vector<const Node*> out;
  if (const Node* array = typed(table, key, Node::Type::array)) {
    for (const Node& item : array->items) {
      if (item.type == Node::Type::table) out.push_back(&item);
    }
  }
  return out;
}

Position position_of(const Node& table, std::string_view key) {
  const Member* member = table.find(key);
  return member == nullptr ? table.at : member->at;
}

Position position_of(const Node& table, std::string_view key, std::size_t index) {
  const Member* member = table.find(key);
  if (member == nullptr) return table.at;
  return index < member->value.items.size() ? member->value.items[index].at : member->at;
}

std::optional<std::size_t> index_of(std::string_view word, std::span<const std::string_view> names,
                                    std::string_view of, Position at, Complaints& complaints) {
  const auto found = std::find(names.begin(), names.end(), word);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string hint = did_you_mean(word, names);
  if (hint.empty()) hint = one_of(names);
  complaints.add(at, "'" + std::string(word) + "' is no " + std::string(of), std::move(hint));
  return std::nullopt;
}

}  // namespace faultline::packs
