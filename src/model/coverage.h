#pragma once
// What was read, what was cut, what was skipped, and why. Coverage closes: every artifact has exactly one
// row, and the byte sums of the rows add up to the totals.
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/artifact.h"

namespace faultline {

struct CoverageRow {
  enum class State : std::uint8_t { scanned, partial, skipped };
  std::string chain;
  ArtifactKind kind = ArtifactKind::plain_text;
  std::string node;  ///< as joined; "" unknown
  State state = State::scanned;
  std::uint64_t bytes = 0;  ///< decoded bytes that were read (0 for a skipped artifact that was not opened)
  std::uint64_t lines = 0;
  std::string reason;              ///< of partial and skipped; "" else
  std::vector<std::string> notes;  ///< repaired or odd, without loss: UTF-16, long lines cut, year inferred
  Instant first;                   ///< first and last stamp of a log, for statements about absence
  Instant last;
  std::uint32_t depth = 0;  ///< archives around it
};
std::string_view state_name(CoverageRow::State state);

struct CoverageTotals {
  std::uint64_t artifacts = 0;
  std::uint64_t scanned = 0;
  std::uint64_t partial = 0;
  std::uint64_t skipped = 0;
  std::uint64_t archives = 0;      ///< containers; not counted among the artifacts
  std::uint64_t archives_cut = 0;  ///< of those, partial or skipped
  std::uint64_t bytes = 0;         ///< sum over rows that are not archives
  std::uint64_t input_bytes = 0;   ///< as stored on disk or stdin
  std::uint64_t lines = 0;
};

/// Something that should be there and is not: a node that failed to collect, a list that was not exported.
struct MissingInput {
  std::string what;     ///< "node i-0abc (workers)"
  std::string why;      ///< "summary.json: Command timed out after 5 minutes"
  std::string collect;  ///< what would bring it; may be empty
  std::string where;    ///< chain:line of the statement
};

struct Coverage {
  std::vector<CoverageRow> rows;  ///< in walk order
  std::vector<MissingInput> missing;
  std::vector<std::string> limits_hit;  ///< each budget that was spent, once, with its count
  CoverageTotals totals;
  bool interrupted = false;  ///< Ctrl-C
};
CoverageTotals totals_of(const std::vector<CoverageRow>& rows);

}  // namespace faultline
