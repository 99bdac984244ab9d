#include "model/coverage.h"

namespace faultline {

std::string_view state_name(CoverageRow::State state) {
  constexpr std::string_view kNames[] = {"scanned", "partial", "skipped"};
  return kNames[static_cast<std::size_t>(state)];
}

CoverageTotals totals_of(const std::vector<CoverageRow>& rows) {
  CoverageTotals t;
  for (const CoverageRow& row : rows) {
    if (row.kind == ArtifactKind::archive) {
      ++t.archives;
      if (row.state != CoverageRow::State::scanned) ++t.archives_cut;
      continue;
    }
    ++t.artifacts;
    switch (row.state) {
      case CoverageRow::State::scanned:
        ++t.scanned;
        break;
      case CoverageRow::State::partial:
        ++t.partial;
        break;
      case CoverageRow::State::skipped:
        ++t.skipped;
        break;
    }
    t.bytes += row.bytes;
    t.lines += row.lines;
  }
  return t;
}

}  // namespace faultline
