#pragma once
// Confirms proposals on their one line with RE2 in byte (Latin-1) mode, reads captures into typed fields,
// looks at near lines, and makes Events. RE2 is known only here. Const after construction and thread-safe.
#include <memory>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "model/event.h"
#include "model/line_batch.h"
#include "model/pattern.h"

namespace faultline::extract {

class Extractor {
 public:
  /// Compiles every expression; a bad one is rung stop with the pattern's file:line.
  static Result<std::unique_ptr<Extractor>> make(const PatternSet& patterns, const Limits& limits);
  ~Extractor();

  /// Events of the confirmed hits, in line order. Text and fields come masked. The artifact's own speaker
  /// fills what the line leaves open.
  void confirm(const Artifact& artifact, const LineBatch& batch, const std::vector<Hit>& hits,
               std::vector<Event>& events) const;

  /// For packs check: does this pattern match this text (`any` and not `not`, no near rules)? And does one of
  /// its alternatives?
  [[nodiscard]] bool matches(PatternIndex pattern, std::string_view line) const;
  [[nodiscard]] bool matches(PatternIndex pattern, std::size_t alternative, std::string_view line) const;

 private:
  struct Impl;
  explicit Extractor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace faultline::extract
