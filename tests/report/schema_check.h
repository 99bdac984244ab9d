#pragma once
// A validator for the part of JSON Schema that references/report.schema.json uses. A keyword that it does not
// know is an error, so the schema cannot promise what nothing checks.
#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/time.h"

namespace faultline::samples {

class SchemaCheck {
 public:
  explicit SchemaCheck(const JsonValue& root) : root_(root) {}
  std::vector<std::string> validate(const JsonValue& value) { return validate(value, root_); }
  /// Against one of "$defs".
  std::vector<std::string> validate(const JsonValue& value, std::string_view definition) {
    return validate(value, *root_.at({"$defs", definition}));
  }

 private:
  std::vector<std::string> validate(const JsonValue& value, const JsonValue& schema) {
    errors_.clear();
    check(value, schema, "$");
    return errors_;
  }

  void fail(const std::string& path, const std::string& what) { errors_.push_back(path + ": " + what); }

  static bool is_type(const JsonValue& value, std::string_view name) {
    using T = JsonValue::Type;
    if (name == "null") return value.type == T::null;
    if (name == "boolean") return value.type == T::boolean;
    if (name == "integer") return value.type == T::integer;
    if (name == "number") return value.type == T::number || value.type == T::integer;
    if (name == "string") return value.type == T::string;
    if (name == "array") return value.type == T::array;
    return name == "object" && value.type == T::object;
  }

  // The one pattern of the schema, read by the parser that reads such stamps.
  static constexpr std::string_view kTimePattern =
      "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{3,9})?Z$";
  static bool is_utc_time(const std::string& text) {
    const auto parsed = try_iso8601(text, {});
    return parsed && parsed->length == text.size() && text.size() >= 20 && text[10] == 'T' &&
           text.back() == 'Z';
  }

  static bool same(const JsonValue& a, const JsonValue& b) {
    return a.type == b.type && a.string == b.string && a.integer == b.integer && a.boolean == b.boolean;
  }

  bool passes(const JsonValue& value, const JsonValue& schema) {
    const std::vector<std::string> before = errors_;
    check(value, schema, "");
    const bool passed = errors_.size() == before.size();
    errors_ = before;
    return passed;
  }

  void check(const JsonValue& value, const JsonValue& schema, const std::string& path) {
    for (const auto& [keyword, rule] : schema.members) keyword_of(value, schema, keyword, rule, path);
  }

  void keyword_of(const JsonValue& value, const JsonValue& schema, const std::string& keyword,
                  const JsonValue& rule, const std::string& path) {
    static const std::vector<std::string> kSilent = {"$schema", "$id", "$defs", "title", "description"};
    if (std::find(kSilent.begin(), kSilent.end(), keyword) != kSilent.end()) return;
    if (keyword == "type") {
      const bool ok = rule.is_array()
                          ? std::any_of(rule.items.begin(), rule.items.end(),
                                        [&](const JsonValue& t) { return is_type(value, t.string); })
                          : is_type(value, rule.string);
      if (!ok) fail(path, "wrong type");
    } else if (keyword == "enum") {
      if (std::none_of(rule.items.begin(), rule.items.end(),
                       [&](const JsonValue& v) { return same(v, value); }))
        fail(path, "not one of the allowed values: " + value.string);
    } else if (keyword == "const") {
      if (!same(rule, value)) fail(path, "not " + rule.string);
    } else if (keyword == "required") {
      for (const JsonValue& name : rule.items)
        if (value.is_object() && value.find(name.string) == nullptr) fail(path, "lacks " + name.string);
    } else if (keyword == "properties") {
      for (const auto& [name, member] : value.members)
        if (const JsonValue* inner = rule.find(name)) check(member, *inner, path + "." + name);
    } else if (keyword == "additionalProperties") {
      const JsonValue* known = schema.find("properties");
      for (const auto& [name, member] : value.members)
        if (known == nullptr || known->find(name) == nullptr) check(member, rule, path + "." + name);
    } else if (keyword == "items") {
      for (std::size_t i = 0; i < value.items.size(); ++i)
        check(value.items[i], rule, path + "[" + std::to_string(i) + "]");
    } else if (keyword == "minItems") {
      if (value.is_array() && static_cast<std::int64_t>(value.items.size()) < rule.integer)
        fail(path, "too few items");
    } else if (keyword == "maxItems") {
      if (value.is_array() && static_cast<std::int64_t>(value.items.size()) > rule.integer)
        fail(path, "too many items");
    } else if (keyword == "minimum") {
      if (value.type == JsonValue::Type::integer && value.integer < rule.integer)
        fail(path, "below the minimum");
    } else if (keyword == "pattern") {
      if (rule.string != kTimePattern) return fail(path, "the schema uses a pattern that nothing checks");
      if (value.is_string() && !is_utc_time(value.string)) fail(path, "no UTC time: " + value.string);
    } else if (keyword == "anyOf") {
      if (std::none_of(rule.items.begin(), rule.items.end(),
                       [&](const JsonValue& s) { return passes(value, s); }))
        fail(path, "fits no alternative");
    } else if (keyword == "$ref") {
      const JsonValue* target = root_.at({"$defs", std::string_view(rule.string).substr(8)});
      if (!rule.string.starts_with("#/$defs/") || target == nullptr)
        return fail(path, "dead reference " + rule.string);
      check(value, *target, path);
    } else {
      fail(path, "the schema uses a keyword that nothing checks: " + keyword);
    }
  }

  const JsonValue& root_;
  std::vector<std::string> errors_;
};

}  // namespace faultline::samples
