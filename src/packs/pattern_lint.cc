#include <algorithm>
#include <set>

#include "base/regex.h"
#include "base/text.h"
#include "packs/pattern_reader.h"
#include "packs/schema.h"

namespace faultline::packs {
namespace {

constexpr std::size_t kMinLiteral = 4;  // shorter ones are everywhere, and cost the scanner a look at each
constexpr std::size_t kMaxTitle = 60;   // characters: one line of a terminal beside id and count
constexpr std::size_t kMaxText = 700;   // meaning and next: a short paragraph each
constexpr std::size_t kMaxAlternatives = 64;
constexpr std::size_t kMaxExample = 16 * 1024;

constexpr std::string_view kEntityParts[] = {"node",       "pod", "container", "rank",
                                             "local_rank", "gpu", "nic",       "pid"};

enum class Place { any, unless, near, until };

class PatternLint {
 public:
  PatternLint(const Pattern& pattern, const Node& table, Complaints& complaints)
      : p_(pattern), table_(table), complaints_(complaints) {}

  void run() {
    texts();
    expressions();
    captures();
    examples();
    explains();
  }

 private:
  void complain(Position at, std::string what, std::string hint = {}) {
    complaints_.add(at, std::move(what), std::move(hint));
  }

  void texts() {
    const auto characters = [](std::string_view text) {
      return static_cast<std::size_t>(std::count_if(
          text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    };
    if (const std::size_t n = characters(p_.title); n > kMaxTitle) {
      complain(position_of(table_, "title"),
               "the title has " + std::to_string(n) + " characters, more than 60");
    }
    for (const auto& [key, text] : {std::pair<std::string_view, std::string_view>{"title", p_.title},
                                    {"meaning", p_.meaning},
                                    {"next", p_.next},
                                    {"source", p_.source}}) {
      if (characters(text) > kMaxText)
        complain(position_of(table_, key), "'" + std::string(key) + "' is longer than 700 characters");
      if (std::any_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
        complain(position_of(table_, key), "'" + std::string(key) + "' is not one line of plain text");
      }
    }
  }

  // Names of the captures of one expression; complains of what makes it unfit for its place.
  std::vector<std::string> expression(const std::string& text, Place place, const std::string& name,
                                      Position at) {
    if (text.empty()) return {};
    const auto regex = parse_regex(text);
    if (!regex) {
      complain(at, name + ": " + regex.error().what, regex.error().hint);
      return {};
    }
    const RegexNode line = without_line_feed(regex->root);
    if (cannot_match(line)) {
      complain(at, name + " wants a line end inside a match",
               "one pattern matches one line; near rules look at others");
      return regex->captures;
    }
    const bool may_be_empty = shortest_match(line) == 0;
    if (place == Place::any) {
      literals(line, name, at);
    } else if (may_be_empty && !has_anchor(line) && place != Place::until) {
      complain(at, name + " matches the empty text, hence every line");
    }
    if (!regex->captures.empty() && (place == Place::unless || place == Place::until)) {
      complain(at, name + " has the capture '" + regex->captures[0] + "', which nothing can use",
               "write (?:...)");
    }
    return regex->captures;
  }

  // `foo|a long literal` is as bad as `foo`: each branch is a pattern of its own to the scanner.
  void literals(const RegexNode& line, const std::string& name, Position at) {
    const bool branched = line.type == RegexNode::Type::alternate;
    const std::size_t branches = branched ? line.items.size() : 1;
    for (std::size_t i = 0; i < branches; ++i) {
      const RegexNode& branch = branched ? line.items[i] : line;
      const std::string which = branched ? name + " (branch " + std::to_string(i + 1) + ")" : name;
      if (shortest_match(branch) == 0) {
        complain(at, which + " can match the empty text");
      } else if (const std::size_t n = required_literal(branch).length; n < kMinLiteral) {
        complain(at, which + " holds no literal of 4 bytes or more (longest: " + std::to_string(n) + ")",
                 "the scanner looks for literals first; without one it has to look at every line");
      }
    }
  }

  void expressions() {
    if (p_.any.empty() && table_.find("any") != nullptr)
      complain(position_of(table_, "any"), "'any' holds no expression");
    if (p_.any.size() > kMaxAlternatives) complain(position_of(table_, "any"), "more than 64 alternatives");
    for (std::size_t i = 0; i < p_.any.size(); ++i) {
      for (std::string& name : expression(p_.any[i], Place::any, "any[" + std::to_string(i) + "]",
                                          position_of(table_, "any", i))) {
        captures_.insert(std::move(name));
      }
      if (std::find(p_.any.begin(), p_.any.begin() + static_cast<std::ptrdiff_t>(i), p_.any[i]) !=
          p_.any.begin() + static_cast<std::ptrdiff_t>(i)) {
        complain(position_of(table_, "any", i), "any[" + std::to_string(i) + "] stands there twice");
      }
    }
    for (std::size_t i = 0; i < p_.unless.size(); ++i) {
      expression(p_.unless[i], Place::unless, "not[" + std::to_string(i) + "]",
                 position_of(table_, "not", i));
    }
    const auto nears = tables_of(table_, "near");
    for (std::size_t i = 0; i < p_.near.size(); ++i) {
      const std::string name = "near[" + std::to_string(i) + "].";
      auto found = expression(p_.near[i].regex, Place::near, name + "regex", position_of(*nears[i], "regex"));
      if (p_.near[i].forbidden && !found.empty()) {
        complain(position_of(*nears[i], "regex"),
                 name + "regex is forbidden, so its capture '" + found[0] + "' is never used");
        found.clear();
      }
      captures_.insert(found.begin(), found.end());
      expression(p_.near[i].until, Place::until, name + "until", position_of(*nears[i], "until"));
    }
  }

  void captures() {
    const std::vector<std::string_view> known(captures_.begin(), captures_.end());
    std::set<std::string> used;
    for (const auto& [entity, capture] : p_.who) {
      used.insert(capture);
      const Position at = member_position("who", entity);
      index_of(entity, kEntityParts, "part of an entity", at, complaints_);
      if (captures_.count(capture) == 0)
        complain(at, "who." + entity + " names '" + capture + "', which no expression captures",
                 did_you_mean(capture, known));
    }
    for (const auto& [field, type] : p_.fields) {
      used.insert(field);
      if (captures_.count(field) == 0)
        complain(member_position("fields", field), "field '" + field + "' is captured by no expression",
                 did_you_mean(field, known));
    }
    for (const std::string& capture : captures_) {
      if (used.count(capture) != 0) continue;
      complain(position_of(table_, "any"),
               "capture '" + capture + "' is declared neither in fields nor in who",
               "add " + capture + " = \"text\" (or its type) to fields");
    }
    for (const auto& [field, value] : p_.constants) {
      if (p_.fields.count(field) != 0)
        complain(member_position("set", field), "field '" + field + "' is set and captured");
      if (value.empty()) complain(member_position("set", field), "set." + field + " is empty");
    }
  }

  [[nodiscard]] Position member_position(std::string_view key, std::string_view inner) const {
    const Member* outer = table_.find(key);
    const Member* member = outer == nullptr ? nullptr : outer->value.find(inner);
    return member == nullptr ? position_of(table_, key) : member->at;
  }

  void examples() {
    const std::size_t wanted_misses = p_.severity == Severity::p0 ? 2 : 1;
    if (table_.find("hit") != nullptr && p_.hits.size() < p_.any.size()) {
      complain(table_.at, std::to_string(p_.any.size()) + " expressions owe a hit each, there are " +
                              std::to_string(p_.hits.size()));
    }
    if (table_.find("miss") != nullptr && p_.misses.size() < wanted_misses) {
      complain(table_.at, "a " + std::string(severity_name(p_.severity)) + " pattern owes " +
                              std::to_string(wanted_misses) + " near misses, there are " +
                              std::to_string(p_.misses.size()));
    }
    const auto hits = tables_of(table_, "hit");
    for (std::size_t i = 0; i < p_.hits.size(); ++i) {
      for (const auto& [field, value] : p_.hits[i].fields) {
        if (p_.fields.count(field) != 0 || p_.constants.count(field) != 0) continue;
        std::vector<std::string_view> known;
        for (const auto& row : p_.fields) known.push_back(row.first);
        for (const auto& row : p_.constants) known.push_back(row.first);
        complain(position_of(*hits[i], "fields"),
                 "the hit expects field '" + field + "', which the pattern does not give",
                 did_you_mean(field, known));
      }
      if (p_.hits[i].line.size() > kMaxExample)
        complain(position_of(*hits[i], "line"), "a hit longer than 16 KiB");
    }
    const auto misses = tables_of(table_, "miss");
    for (std::size_t i = 0; i < p_.misses.size(); ++i) {
      if (p_.misses[i].line.size() > kMaxExample)
        complain(position_of(*misses[i], "line"), "a miss longer than 16 KiB");
    }
  }

  void explains() {
    if (!p_.explains.empty() && table_.find("within") == nullptr) {
      complain(position_of(table_, "explains"), "'explains' without 'within'",
               "how long after it may an explained event follow? \"15m\"");
    }
    if (p_.explains.empty() && table_.find("within") != nullptr) {
      complain(position_of(table_, "within"), "'within' without 'explains'");
    }
  }

  const Pattern& p_;
  const Node& table_;
  Complaints& complaints_;
  std::set<std::string> captures_;
};

}  // namespace

void lint_pattern(const Pattern& pattern, const Node& table, Complaints& complaints) {
  PatternLint(pattern, table, complaints).run();
}

}  // namespace faultline::packs
