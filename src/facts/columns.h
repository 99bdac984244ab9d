#pragma once
// Cells of printed tables: by runs of blanks, or by the columns of a header row. Columns are counted in code
// points, since tables are aligned for the eye.
#include <optional>
#include <string_view>
#include <vector>

namespace faultline::facts {

/// Blanks at the head of a line; a tab counts as one.
std::size_t indent_of(std::string_view line);

/// Parts between runs of at least two blanks (or a tab); the last of at most `limit` parts takes the rest.
std::vector<std::string_view> split_columns(std::string_view line, std::size_t limit = 64);

/// A header row and the rows below it.
class HeaderColumns {
 public:
  /// The row's words are the headers; a single blank does not end a header ("LAST SEEN").
  explicit HeaderColumns(std::string_view header);
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::vector<std::string_view>& names() const { return names_; }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  /// Cells of a row, one a header, "" for a blank one. Where the row does not stand in the columns (values
  /// longer than the header allows for), it is split on runs of blanks if that gives as many cells; else
  /// nullopt.
  [[nodiscard]] std::optional<std::vector<std::string_view>> cells(std::string_view row) const;

 private:
  std::vector<std::string_view> names_;
  std::vector<std::size_t> starts_;  ///< columns
};

/// `key: value` split at the first colon that a blank or the end follows; nullopt when there is none.
struct KeyValue {
  std::string_view key;
  std::string_view value;
};
std::optional<KeyValue> key_value(std::string_view line);

}  // namespace faultline::facts
