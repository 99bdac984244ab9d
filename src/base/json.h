#pragma once
// JSON in and out. Reading gives a plain tree whose every value knows its byte offset, so that findings in
// documents can cite a line. It is forgiving where bundles are not strict: a BOM, noise lines before the
// document, several documents one after another, NaN/Infinity, bad UTF-8 (repaired), a broken or cut document
// (what was complete is kept, and `cut` says so). Depth, size and number of values are bounded.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/limits.h"
#include "base/result.h"

namespace faultline {

struct JsonMember;

struct JsonValue {
  enum class Type : std::uint8_t { null, boolean, integer, number, string, array, object };
  Type type = Type::null;
  bool boolean = false;
  std::int64_t integer = 0;      ///< integers beyond int64 become `number` and keep their digits in `string`
  double number = 0;             ///< also set for integers
  std::string string;            ///< text of a string; for numbers the digits as printed
  std::vector<JsonValue> items;  ///< array
  std::vector<JsonMember> members;  ///< object, in document order; duplicates kept
  std::uint64_t offset = 0;         ///< of the value's first byte in the text; for a member, of its key

  [[nodiscard]] bool is_object() const { return type == Type::object; }
  [[nodiscard]] bool is_array() const { return type == Type::array; }
  [[nodiscard]] bool is_string() const { return type == Type::string; }
  /// The last member of that name, or null. Never fails: on anything but an object it is null.
  [[nodiscard]] const JsonValue* find(std::string_view key) const;
  /// find() along a path: at({"status", "phase"}).
  [[nodiscard]] const JsonValue* at(std::initializer_list<std::string_view> path) const;
  /// Text of a string member, or "" .
  [[nodiscard]] std::string_view text(std::string_view key) const;
  [[nodiscard]] std::string_view text_at(std::initializer_list<std::string_view> path) const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

struct JsonDocuments {
  std::vector<JsonValue> documents;  ///< one or more, in order
  bool cut = false;                  ///< the text ended inside a value, or went bad: `problem` says where
  Problem problem;
};

/// Reads all documents of `text`. Fails (rung skip) only if there is not one complete value to return.
Result<JsonDocuments> parse_json(std::string_view text, const Limits& limits);

/// Line number (from 1) of a byte offset; for many look-ups in one text. Borrows the text.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  [[nodiscard]] std::uint64_t line_of(std::uint64_t offset) const;
  [[nodiscard]] std::uint64_t start_of(std::uint64_t line) const;  ///< offset of a line's first byte
  [[nodiscard]] std::string_view line(
      std::uint64_t number) const;  ///< without its line end; "" beyond the end

 private:
  std::string_view text_;
  std::vector<std::uint64_t> starts_;
};

/// Writes JSON to a string: two-space indent or compact, keys in call order, valid UTF-8 whatever it is
/// given,
/// `<`, `>`, `&` and U+2028/9 escaped so that the text is safe inside HTML too.
class JsonWriter {
 public:
  enum class Style { compact, indented };
  explicit JsonWriter(Style style) : style_(style) {}
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(std::uint64_t number);
  JsonWriter& value(int number) { return value(static_cast<std::int64_t>(number)); }
  JsonWriter& value(unsigned number) { return value(static_cast<std::uint64_t>(number)); }
  JsonWriter& value(double number);  ///< shortest form that reads back equal; NaN and infinities as null
  JsonWriter& value(bool boolean);
  JsonWriter& null();
  template <class T>
  JsonWriter& member(std::string_view name, const T& v) {
    key(name);
    return value(v);
  }
  [[nodiscard]] const std::string& text() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  void before_value();
  void newline();
  Style style_;
  std::string out_;
  std::vector<bool> has_items_;
  bool after_key_ = false;
};

}  // namespace faultline
