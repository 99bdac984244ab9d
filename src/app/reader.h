#pragma once
// Reads one input: every artifact in it is decoded and matched, read as a state file, or both; its coverage
// row is closed. What comes out is independent of how many threads helped.
#include <cstdint>
#include <vector>

#include "app/batch_pool.h"
#include "app/engine.h"
#include "app/settings.h"
#include "ingest/ingest.h"
#include "model/coverage.h"
#include "model/event.h"

namespace faultline::app {

/// What one input yielded. Artifact indices count from 0 in `rows`.
struct InputResult {
  std::vector<CoverageRow> rows;
  std::vector<Event> events;
  std::vector<Fact> facts;
  std::vector<NameJoin> joins;
  std::uint64_t events_dropped = 0;
};

InputResult read_one(const ingest::Input& input, const Settings& settings, const Engine& engine,
                     ingest::Budget& budget, BatchPool& pool, const Observer& observer);

}  // namespace faultline::app
