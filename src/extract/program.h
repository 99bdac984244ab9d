#pragma once
// One expression compiled by RE2 in byte mode, and what its captures are called.
#include <re2/re2.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace faultline::extract {

struct Capture {
  std::string_view name;   ///< lives in the Program
  std::string_view value;  ///< a part of the text that was matched
};

/// What a match found; made once and used again, so that a flood of hits does not allocate.
struct Match {
  std::string_view whole;
  std::vector<Capture> captures;  ///< those that took part and are not empty
  std::vector<re2::StringPiece> groups;
};

class Program {
 public:
  static Result<Program> make(const std::string& expression);

  [[nodiscard]] bool matches(std::string_view text) const;
  /// False: it matches neither this line nor any part of it, so that peeling it is not worth while.
  [[nodiscard]] bool may_match_within(std::string_view line) const;
  /// Captures are appended to `match.captures`.
  bool find(std::string_view text, Match& match) const;

 private:
  struct Group {
    int number = 0;
    std::string name;
  };
  std::unique_ptr<re2::RE2> regex_;
  /// Without anchors and boundaries. Compiled when first asked: of a thousand expressions a bundle needs few.
  struct Loose {
    std::string expression;
    std::once_flag once;
    std::unique_ptr<re2::RE2> regex;
  };
  std::unique_ptr<Loose> loose_;  ///< null when there are none
  std::vector<Group> groups_;
  int count_ = 0;  ///< submatches to ask for: the whole and all up to the last named one
};

}  // namespace faultline::extract
