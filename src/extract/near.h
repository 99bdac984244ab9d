#pragma once
// Near rules: captures from the lines around a hit, nearest first, of the same speaker where both are known,
// never beyond the batch and its margins.
#include <functional>
#include <optional>
#include <unordered_map>

#include "extract/program.h"
#include "model/line_batch.h"
#include "model/pattern.h"

namespace faultline::extract {

/// Lines of one batch as near rules see them; each is peeled once, however many hits look at it. Borrows the
/// batch.
class Neighbours {
 public:
  explicit Neighbours(const LineBatch& batch) : batch_(batch) {}
  [[nodiscard]] std::optional<LineSpan> before(LineSpan line) const;
  [[nodiscard]] std::optional<LineSpan> after(LineSpan line) const;
  [[nodiscard]] std::string_view raw(LineSpan line) const;
  const PeeledLine& peeled(LineSpan line);

 private:
  const LineBatch& batch_;
  std::unordered_map<std::size_t, PeeledLine> known_;
};

/// Can both lines come from one speaker? Only what both say counts; stdout and stderr are one.
bool may_be_same(const Speaker& a, const Speaker& b);

class Near {
 public:
  static Result<Near> make(const NearRule& rule);
  /// Judges the captures of a line that matches; false: look on.
  using Agrees = std::function<bool(const Match&)>;
  /// The first line that matches and agrees; its captures are in `match`, its raw text is returned.
  std::optional<std::string_view> look(LineSpan hit, const Speaker& speaker, Neighbours& lines, Match& match,
                                       const Agrees& agrees) const;
  [[nodiscard]] bool required() const { return required_; }
  [[nodiscard]] bool forbidden() const { return forbidden_; }

 private:
  std::uint32_t before_ = 0;
  std::uint32_t after_ = 0;
  bool required_ = false;
  bool forbidden_ = false;
  std::optional<Program> regex_;
  std::optional<Program> until_;
};

}  // namespace faultline::extract
