#include "packs/pattern_reader.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "packs/schema.h"

namespace faultline::packs {
namespace {

constexpr KeyRule kPatternKeys[] = {
    {"id", Want::string, Need::required},        {"kind", Want::string, Need::required},
    {"title", Want::string, Need::required},     {"severity", Want::string, Need::required},
    {"role", Want::string, Need::required},      {"status", Want::string, Need::optional},
    {"in", Want::strings, Need::required},       {"any", Want::strings, Need::required},
    {"not", Want::strings, Need::optional},      {"scope", Want::string, Need::required},
    {"who", Want::texts, Need::optional},        {"fields", Want::texts, Need::optional},
    {"set", Want::scalars, Need::optional},      {"near", Want::tables, Need::optional},
    {"meaning", Want::string, Need::required},   {"next", Want::string, Need::required},
    {"reference", Want::string, Need::required}, {"explains", Want::strings, Need::optional},
    {"within", Want::string, Need::optional},    {"source", Want::string, Need::required},
    {"overlaps", Want::strings, Need::optional}, {"hit", Want::tables, Need::required},
    {"miss", Want::tables, Need::required},      {"needs_symptom", Want::boolean, Need::optional},
};
constexpr KeyRule kNearKeys[] = {
    {"before", Want::integer, Need::optional},   {"after", Want::integer, Need::optional},
    {"regex", Want::string, Need::required},     {"until", Want::string, Need::optional},
    {"required", Want::boolean, Need::optional}, {"forbidden", Want::boolean, Need::optional},
};
constexpr KeyRule kHitKeys[] = {
    {"line", Want::string, Need::required},
    {"fields", Want::scalars, Need::optional},
    {"note", Want::string, Need::optional},
};
constexpr KeyRule kMissKeys[] = {
    {"line", Want::string, Need::required},
    {"why", Want::string, Need::required},
};

constexpr std::string_view kSeverities[] = {"P0", "P1", "P2"};
constexpr std::string_view kRoles[] = {"cause", "cascade", "confirmation", "context", "benign", "progress"};
constexpr std::string_view kScopes[] = {"cluster", "node", "gpu", "nic", "rank", "process", "pod"};
constexpr std::string_view kStatuses[] = {"stable", "trial"};
constexpr std::string_view kFieldTypes[] = {"integer", "hex",  "number", "text",     "pci",  "guid",   "host",
                                            "ip",      "rank", "bytes",  "duration", "time", "pod_uid"};

constexpr std::uint32_t kMaxNear = 512;

template <class Enum>
Enum read_enum(const Node& table, std::string_view key, std::span<const std::string_view> names,
               Enum otherwise, Complaints& complaints) {
  const std::string word = text_of(table, key);
  if (word.empty()) return otherwise;  // absent, or complained of
  const auto index = index_of(word, names, key, position_of(table, key), complaints);
  return index ? static_cast<Enum>(*index) : otherwise;
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

void check_id(const Pattern& pattern, std::string_view area, const Node& table, Complaints& complaints) {
  if (pattern.id.empty()) return;
  const auto parts = split(pattern.id, '.');
  const Position at = position_of(table, "id");
  if (parts.size() != 3 || !std::all_of(parts.begin(), parts.end(), is_word)) {
    complaints.add(at, "id '" + pattern.id + "' is not of the form area.topic.name",
                   "three words of a-z, 0-9 and _, joined by dots");
  } else if (parts[0] != area) {
    complaints.add(at, "id '" + pattern.id + "' begins with '" + std::string(parts[0]) +
                           "', not with the area '" + std::string(area) + "' of this file");
  }
}

// "15m", "90s", "2h", "1d": seconds; at most 30 days.
std::int64_t read_duration(const Node& table, std::string_view key, Complaints& complaints) {
  const std::string text = text_of(table, key);
  if (text.empty()) return 0;
  constexpr std::string_view kUnits = "smhd";
  constexpr std::array<std::int64_t, 4> kSeconds = {1, 60, 3600, 86400};
  const std::size_t unit = kUnits.find(text.back());
  const auto count = parse_number<std::uint32_t>(std::string_view(text).substr(0, text.size() - 1));
  const std::int64_t seconds =
      unit != std::string_view::npos && count ? kSeconds[unit] * std::int64_t{*count} : 0;
  if (seconds <= 0 || seconds > 30 * kSeconds[3]) {
    complaints.add(position_of(table, key), "'" + text + "' is no duration",
                   "a number and s, m, h or d, up to 30d: \"15m\"");
    return 0;
  }
  return seconds;
}

NearRule read_near(const Node& table, Complaints& complaints) {
  check_keys(table, kNearKeys, "a near rule", complaints);
  NearRule rule;
  bool bad = false;
  const auto lines = [&](std::string_view key) -> std::uint32_t {
    const auto value = integer_of(table, key);
    if (!value) return 0;
    if (*value < 0 || *value > kMaxNear) {
      bad = true;
      complaints.add(position_of(table, key), "'" + std::string(key) + "' is " + std::to_string(*value) +
                                                  ", not 0 to " + std::to_string(kMaxNear));
      return 0;
    }
    return static_cast<std::uint32_t>(*value);
  };
  rule.before = lines("before");
  rule.after = lines("after");
  if (!bad && rule.before + rule.after == 0) {
    complaints.add(table.at, "a near rule looks at no line",
                   "give before = N, after = N, or both (1 to 512)");
  }
  rule.regex = text_of(table, "regex");
  rule.until = text_of(table, "until");
  rule.required = flag_of(table, "required");
  rule.forbidden = flag_of(table, "forbidden");
  if (rule.required && rule.forbidden)
    complaints.add(table.at, "a near rule cannot be required and forbidden at once");
  return rule;
}

PatternExample read_hit(const Node& table, Complaints& complaints) {
  check_keys(table, kHitKeys, "a hit", complaints);
  PatternExample example;
  example.line = text_of(table, "line");
  for (const Member* m : members_of(table, "fields")) example.fields[m->key] = m->value.string;
  return example;
}

PatternExample read_miss(const Node& table, Complaints& complaints) {
  check_keys(table, kMissKeys, "a miss", complaints);
  PatternExample example;
  example.line = text_of(table, "line");
  example.why = text_of(table, "why");
  return example;
}

std::vector<Family> read_families(const Node& table, Complaints& complaints) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kFamilyCount; ++i) names.push_back(family_name(static_cast<Family>(i)));
  std::vector<Family> families;
  const auto words = texts_of(table, "in");
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].empty()) continue;
    const auto index = index_of(words[i], names, "artifact family", position_of(table, "in", i), complaints);
    if (!index) continue;
    const auto family = static_cast<Family>(*index);
    if (std::find(families.begin(), families.end(), family) != families.end()) {
      complaints.add(position_of(table, "in", i), "'" + words[i] + "' is named twice");
    } else {
      families.push_back(family);
    }
  }
  if (words.empty() && table.find("in") != nullptr)
    complaints.add(position_of(table, "in"), "'in' names no family");
  return families;
}

}  // namespace

Pattern read_pattern(const Node& table, std::string_view area, Complaints& complaints) {
  check_keys(table, kPatternKeys, "a pattern", complaints);
  Pattern p;
  p.file = complaints.file();
  p.line = table.at.line;
  p.id = text_of(table, "id");
  check_id(p, area, table, complaints);
  p.kind = text_of(table, "kind");
  if (!p.kind.empty() && !is_word(p.kind)) {
    complaints.add(position_of(table, "kind"), "kind '" + p.kind + "' is no word of a-z, 0-9 and _");
  }
  p.title = text_of(table, "title");
  p.severity = read_enum(table, "severity", kSeverities, Severity::p2, complaints);
  p.role = read_enum(table, "role", kRoles, Role::context, complaints);
  p.status = read_enum(table, "status", kStatuses, Status::stable, complaints);
  p.scope = read_enum(table, "scope", kScopes, Scope::node, complaints);
  p.families = read_families(table, complaints);
  p.any = texts_of(table, "any");
  p.unless = texts_of(table, "not");
  for (const Member* m : members_of(table, "who")) p.who[m->key] = m->value.string;
  for (const Member* m : members_of(table, "set")) p.constants[m->key] = m->value.string;
  for (const Member* m : members_of(table, "fields")) {
    const auto index = index_of(m->value.string, kFieldTypes, "type of a field", m->value.at, complaints);
    p.fields[m->key] = index ? static_cast<FieldType>(*index) : FieldType::text;
  }
  for (const Node* near : tables_of(table, "near")) p.near.push_back(read_near(*near, complaints));
  p.meaning = text_of(table, "meaning");
  p.next = text_of(table, "next");
  p.reference = text_of(table, "reference");
  p.explains = texts_of(table, "explains");
  p.within_s = read_duration(table, "within", complaints);
  p.source = text_of(table, "source");
  p.overlaps = texts_of(table, "overlaps");
  p.needs_symptom = flag_of(table, "needs_symptom");
  for (const Node* hit : tables_of(table, "hit")) p.hits.push_back(read_hit(*hit, complaints));
  for (const Node* miss : tables_of(table, "miss")) p.misses.push_back(read_miss(*miss, complaints));
  return p;
}

}  // namespace faultline::packs
