#pragma once
// One compiled Hyperscan database: made on first use, by one thread, then constant.
#include <hs/hs.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/regex.h"
#include "base/result.h"
#include "model/pattern.h"

namespace faultline::match {

struct Expression {
  PatternIndex pattern = 0;
  RegexNode tree;     ///< of the proposal
  std::string where;  ///< file:line of its pattern
};

class Database {
 public:
  /// Sorted; borrows the expressions of the matcher.
  explicit Database(std::vector<const Expression*> expressions) : expressions_(std::move(expressions)) {}
  [[nodiscard]] const std::vector<const Expression*>& expressions() const { return expressions_; }

  /// The database, compiled now if it was not yet. Null when there is nothing to look for.
  Result<const hs_database_t*> get();
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(hs_database_t* db) const { hs_free_database(db); }
  };
  void compile();

  std::vector<const Expression*> expressions_;
  std::once_flag once_;
  std::unique_ptr<hs_database_t, Free> compiled_;
  Problem problem_;
  std::atomic<std::size_t> bytes_ = 0;
};

/// Does Hyperscan accept this expression on its own? "" or what it says.
std::string refusal_of(const std::string& proposal);

}  // namespace faultline::match
