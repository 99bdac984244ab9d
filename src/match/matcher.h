#pragma once
// Hyperscan over batches: proposes (pattern, line); never decides. One database per family, compiled when first
// needed and kept. libhs is known only here. Thread-safe: each thread brings its own Scratch.
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/event.h"
#include "model/line_batch.h"
#include "model/pattern.h"

namespace faultline::match {

/// How an RE2 expression is handed to Hyperscan: classes rewritten so that no match can cross a line end,
/// anchors taken off (the confirming step has them). A superset of what the expression matches on one line.
Result<std::string> to_proposal(const std::string& regex);

class Matcher {
 public:
  /// Checks that every pattern compiles (rung stop, with the pattern's file:line) without compiling databases.
  static Result<std::unique_ptr<Matcher>> make(const PatternSet& patterns);
  ~Matcher();

  class Scratch;
  struct ScratchDeleter { void operator()(Scratch* s) const; };
  using ScratchPointer = std::unique_ptr<Scratch, ScratchDeleter>;
  [[nodiscard]] ScratchPointer make_scratch() const;

  /// Hits of the core of a batch, sorted by position then pattern, at most one per (pattern, line).
  void scan(Family family, const LineBatch& batch, Scratch& scratch, std::vector<Hit>& hits) const;

  /// For benchmarks: hs_scan over raw bytes, counting callbacks; nothing else.
  std::uint64_t scan_raw(Family family, std::string_view bytes, Scratch& scratch) const;
  [[nodiscard]] std::size_t pattern_count(Family family) const;

 private:
  struct Impl;
  explicit Matcher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace faultline::match
