#pragma once
// Hyperscan over batches: proposes (pattern, line); never decides. One database per family, compiled when
// first needed and kept. libhs is known only here. Thread-safe: each thread brings its own Scratch.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/event.h"
#include "model/line_batch.h"
#include "model/pattern.h"

namespace faultline::match {

/// How an RE2 expression is handed to Hyperscan: classes rewritten so that no match can cross a line end,
/// anchors taken off (the confirming step has them). A superset of what the expression matches on one line.
/// What is scanned for may be wider still: the literals of it alone.
Result<std::string> to_proposal(const std::string& regex);

class Matcher {
 public:
  /// Checks that Hyperscan takes every expression (rung stop, with the pattern's file:line) without compiling
  /// databases.
  static Result<std::unique_ptr<Matcher>> make(const PatternSet& patterns);
  ~Matcher();

  class Scratch;
  struct ScratchDeleter {
    void operator()(Scratch* s) const;
  };
  using ScratchPointer = std::unique_ptr<Scratch, ScratchDeleter>;
  [[nodiscard]] ScratchPointer make_scratch() const;

  /// Compiles the databases of these families, side by side. Fails (rung stop) only when memory does not
  /// suffice. scan() compiles what was not prepared; other threads wait.
  Result<void> prepare(std::span<const Family> families) const;

  /// Appends the hits of the core of a batch, sorted by position then pattern, at most one per (pattern,
  /// line); `position` is the first byte of the line. A line belongs to the core that holds its first byte.
  /// Fails (rung stop) only when memory does not suffice.
  [[nodiscard]] Result<void> scan(Family family, const LineBatch& batch, Scratch& scratch,
                                  std::vector<Hit>& hits) const;

  /// For benchmarks: hs_scan over raw bytes, counting callbacks; nothing else. 0 when the family cannot be
  /// scanned.
  std::uint64_t scan_raw(Family family, std::string_view bytes, Scratch& scratch) const;
  /// Bytes of the compiled database; 0 before it was prepared. Families with the same patterns share one.
  [[nodiscard]] std::size_t database_bytes(Family family) const;
  [[nodiscard]] std::size_t pattern_count(Family family) const;

 private:
  struct Impl;
  explicit Matcher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace faultline::match
