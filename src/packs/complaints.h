#pragma once
// Collects what is wrong with one pack, so that an author sees all of it at once and in the order of the
// file.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "packs/document.h"

namespace faultline::packs {

class Complaints {
 public:
  explicit Complaints(std::string file) : file_(std::move(file)) {}
  void add(Position at, std::string what, std::string hint = {});
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// All of them as Problems of rung stop, sorted by position.
  [[nodiscard]] std::vector<Problem> problems() const;

 private:
  struct Row {
    Position at;
    std::string what;
    std::string hint;
  };
  std::string file_;
  std::vector<Row> rows_;
};

/// "did you mean 'severity'?" when one of `known` is close to `word`, else "".
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);
/// "one of a, b, c"
std::string one_of(std::span<const std::string_view> known);

}  // namespace faultline::packs
