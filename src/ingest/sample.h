#pragma once
// The first 64 KiB of an artifact, made ready for guessing: text without terminal residue, its lines and
// their shapes, and the path in one form. Everything in it is owned by it.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/kinds.h"
#include "ingest/line_shape.h"

namespace faultline::ingest {

struct Sample {
  Sample(std::string_view chain, std::string_view head);
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  std::string_view raw;
  /// Lower case, with `/` for `!` and back-slashes, led by a `/` so that folders can be asked for as
  /// "/name/".
  std::string path;
  /// Last component of `path`, without suffixes of compression and rotation (.gz, .1, -20260101).
  std::string_view name;

  std::string text;                     ///< UTF-8 if it was UTF-16; no BOM, no ANSI
  std::vector<std::string_view> lines;  ///< of `text`, split at CR too; blank ones left out; at most 2000
  std::vector<Shape> shapes;            ///< one a line
  std::size_t bare_kernel = 0;          ///< lines of shape `other` that are kernel text
  bool utf16 = false;                   ///< `raw` was UTF-16
  bool cut = false;                     ///< there is more than the head

  void count_lines();  ///< fills lines and shapes; split off since binaries need none
  [[nodiscard]] std::size_t count(Shape shape) const { return counts_[static_cast<std::size_t>(shape)]; }
  /// Do at least `percent` of the lines have one of these shapes?
  template <class... Shapes>
  [[nodiscard]] bool mostly(std::size_t percent, Shapes... shapes_wanted) const {
    return !lines.empty() && (count(shapes_wanted) + ...) * 100 >= lines.size() * percent;
  }
  [[nodiscard]] bool has(std::string_view part) const { return text.find(part) != std::string::npos; }
  [[nodiscard]] bool in_path(std::string_view part) const { return path.find(part) != std::string::npos; }
  /// Share of lines for which `test` holds, in percent.
  template <class Test>
  [[nodiscard]] std::size_t percent(Test&& test) const {
    std::size_t hits = 0;
    for (const std::string_view line : lines) hits += test(line) ? 1 : 0;
    return lines.empty() ? 0 : hits * 100 / lines.size();
  }

 private:
  std::array<std::size_t, static_cast<std::size_t>(Shape::other) + 1> counts_{};
};

/// The kind with its own family; with every pattern, when the text may hold more; recognised and not read.
inline KindGuess narrow(ArtifactKind kind) {
  return {.kind = kind, .family = kind_info(kind).family};
}
inline KindGuess wide(ArtifactKind kind) {
  return {.kind = kind, .family = Family::any};
}
inline KindGuess opaque(ArtifactKind kind, std::string_view reason) {
  return {.kind = kind, .family = Family::any, .reason = reason};
}

/// Lines with a stamp or another form that only a log has.
std::size_t log_lines(const Sample& sample);

/// One question to a sample; declines with nullopt.
using Sniffer = std::optional<KindGuess> (*)(const Sample& sample);

// The questions, in first-match order, one list a file. guess_kind() asks magic before lines are counted.
struct Sniffers {
  const Sniffer* first;
  std::size_t size;
};
Sniffers magic_sniffers();     ///< kinds_magic.cc: bytes that are no text
Sniffers document_sniffers();  ///< kinds_document.cc: reports, scripts, markup: text that is no log
Sniffers json_sniffers();      ///< kinds_json.cc
Sniffers log_sniffers();       ///< kinds_log.cc: by the shapes of lines
Sniffers table_sniffers();     ///< kinds_table.cc: kubectl and Slurm tables, describe, CSV
Sniffers tool_sniffers();      ///< kinds_tool.cc: output of host and GPU tools
Sniffers path_sniffers();      ///< kinds_path.cc: names, where the content agrees

/// Text that a training job prints, and nothing else does.
bool has_training_words(const Sample& sample);

}  // namespace faultline::ingest
