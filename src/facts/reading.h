#pragma once
// What every reader of this folder works with: one document as lines, and the only doors through which it
// gives facts, events, joins and notes. The doors mask secrets, cut excerpts, fill in evidence, and stop at
// the budgets, so that no reader can forget it. Line numbers are 0-based here; evidence counts from 1.
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/time.h"
#include "facts/reader_events.h"
#include "model/event.h"

namespace faultline::facts {

/// The lines of a text (LF, without a CR before it), by index. Borrows the text.
class Lines {
 public:
  /// A document of 64 MiB has about a million; one of nothing but line ends must not cost sixteen times its
  /// size.
  static constexpr std::size_t kMost = 4'000'000;
  explicit Lines(std::string_view text);
  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  [[nodiscard]] bool cut() const { return cut_; }  ///< there are more than kMost
  /// "" beyond the end.
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    return index < lines_.size() ? lines_[index] : std::string_view{};
  }
  [[nodiscard]] std::uint64_t offset(std::size_t index) const;
  /// The line that holds a byte of the text.
  [[nodiscard]] std::size_t at_offset(std::uint64_t offset) const;

 private:
  std::string_view text_;
  std::vector<std::string_view> lines_;
  bool cut_ = false;
};

/// An event under construction; use it at once, it is gone with the next event.
class Draft {
 public:
  explicit Draft(Event& event) : event_(event) {}
  Draft& field(std::string_view name, std::int64_t value);
  Draft& field(std::string_view name, std::optional<std::int64_t> value);
  Draft& field(std::string_view name, double value);
  Draft& field(std::string_view name, std::string_view value);  ///< masked; "" adds nothing
  Draft& node(std::string_view name);
  Draft& pod(std::string_view name);
  Draft& container(std::string_view name);
  Draft& rank(std::int32_t rank);
  Draft& gpu(std::string_view pci_or_index);
  Draft& time(const Instant& time);
  Draft& repeats(std::uint64_t count);
  Draft& speaker(const Speaker& speaker);
  Draft& severity(
      Severity severity);  ///< where the state itself says more or less than its kind usually does

 private:
  Event& event_;
};

class Reading {
 public:
  Reading(const Artifact& artifact, std::string_view text, const TimeHints& hints, const Limits& limits);
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  const Artifact& artifact;
  const TimeHints& hints;
  const Limits& limits;
  std::string_view text;  ///< without BOM, ANSI residue and no-break blanks
  const Lines& lines() const { return lines_; }

  /// A fact about the artifact's own speaker, or about `subject`.
  void fact(std::string_view key, std::string_view value, std::size_t line);
  void fact(const Speaker& subject, std::string_view key, std::string_view value, std::size_t line);
  void gpu_fact(std::string_view gpu, std::string_view key, std::string_view value, std::size_t line);
  /// A fact that has a time of its own.
  void timed_fact(const Speaker& subject, std::string_view key, std::string_view value, const Instant& time,
                  std::size_t line);
  /// `env.NAME`: the value masked by its name too, and the evidence rendered as NAME=value.
  void env_fact(const Speaker& subject, std::string_view name, std::string_view value, std::size_t line);
  /// `offset`: where in a very long line the telling part begins.
  Draft event(ReaderEvent id, std::size_t line, std::optional<std::uint64_t> offset = std::nullopt);
  void join(NameJoin::Entity entity, std::string_view a, std::string_view b, std::size_t line);
  void note(std::string_view text);

  /// Something was given or noted: another reader need not be asked.
  [[nodiscard]] bool fruitful() const;
  /// The first moment that the text may not be later than: collection time, only when the artifact belongs to
  /// a recognised collection (a copied file's own time says little).
  [[nodiscard]] std::optional<std::int64_t> collected_ns() const;
  [[nodiscard]] Instant time_of(std::string_view text) const;  ///< the whole text is a stamp, else none
  ReadResult take() { return std::move(result_); }

 private:
  Evidence evidence(std::size_t line, std::optional<std::uint64_t> offset, std::size_t longest) const;
  bool spend(std::size_t bytes);  ///< of the text that one document may give; false when it is spent
  std::string cleaned_;
  Lines lines_;
  ReadResult result_;
  std::uint64_t spent_ = 0;
  Event overflow_;  ///< takes what is said of events beyond the budget
};

}  // namespace faultline::facts
