#include "app/analyze.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

#include "app/batch_pool.h"
#include "app/reader.h"
#include "facts/facts.h"
#include "ingest/ingest.h"

namespace faultline::app {
namespace {

// Every input is read by one worker; workers without an input match batches for the others. Results stand in
// the order of the inputs, whoever read them.
std::vector<InputResult> read_all_inputs(const std::vector<ingest::Input>& inputs, const Settings& settings,
                                         const Engine& engine, ingest::Budget& budget,
                                         const Observer& observer) {
  std::vector<InputResult> results(inputs.size());
  BatchPool pool(std::size_t{settings.jobs} * 2);
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> reading{inputs.size()};
  const auto work = [&](bool also_serve) {
    for (std::size_t i = next++; i < inputs.size(); i = next++) {
      results[i] = read_one(inputs[i], settings, engine, budget, pool, observer);
      if (--reading == 0) pool.close();
    }
    if (also_serve) pool.serve();
  };
  if (inputs.empty()) return results;
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < settings.jobs; ++i) workers.emplace_back(work, true);
  work(settings.jobs > 1);
  for (std::thread& worker : workers) worker.join();
  return results;
}

void merge(InputResult&& part, correlate::Evidences& all) {
  const auto base = static_cast<ArtifactIndex>(all.coverage.rows.size());
  const auto rebase = [base](Evidence& evidence) { evidence.artifact += base; };
  for (Event& event : part.events) rebase(event.evidence);
  for (Fact& fact : part.facts) rebase(fact.evidence);
  for (NameJoin& join : part.joins) rebase(join.evidence);
  std::move(part.rows.begin(), part.rows.end(), std::back_inserter(all.coverage.rows));
  std::move(part.events.begin(), part.events.end(), std::back_inserter(all.events));
  std::move(part.facts.begin(), part.facts.end(), std::back_inserter(all.facts));
  std::move(part.joins.begin(), part.joins.end(), std::back_inserter(all.joins));
}

// --since / --until judge wall time only: an event whose time is not known is never left out by them.
bool wanted(const Event& event, const Settings& settings) {
  if (event.time.wall()) {
    if (settings.since_ns && event.time.ns < *settings.since_ns) return false;
    if (settings.until_ns && event.time.ns > *settings.until_ns) return false;
  }
  if (!settings.ranks.empty() && event.speaker.rank >= 0 &&
      std::find(settings.ranks.begin(), settings.ranks.end(), event.speaker.rank) == settings.ranks.end()) {
    return false;
  }
  return true;
}

}  // namespace

Result<correlate::Evidences> collect(const Settings& settings, const Engine& engine,
                                     const Observer& observer) {
  ingest::InputList list = ingest::list_inputs(settings.paths, settings.limits);
  if (list.inputs.empty() && list.skipped.empty() && !list.problems.empty())
    return fail(list.problems.front());

  ingest::Budget budget(settings.limits);
  std::vector<InputResult> parts = read_all_inputs(list.inputs, settings, engine, budget, observer);

  correlate::Evidences all;
  std::uint64_t dropped = 0;
  for (InputResult& part : parts) {
    dropped += part.events_dropped;
    merge(std::move(part), all);
  }
  for (CoverageRow& row : list.skipped) all.coverage.rows.push_back(std::move(row));
  for (const Problem& problem : list.problems) {
    all.coverage.missing.push_back({problem.where, problem.what, problem.hint, {}});
  }
  std::erase_if(all.events, [&](const Event& event) { return !wanted(event, settings); });
  all.coverage.limits_hit = budget.limits_hit();
  if (dropped > 0)
    all.coverage.limits_hit.push_back("max-events: " + std::to_string(dropped) + " events counted only");
  all.coverage.totals = totals_of(all.coverage.rows);
  for (const ingest::Input& input : list.inputs) all.coverage.totals.input_bytes += input.size;
  all.coverage.interrupted = observer.interrupted && observer.interrupted();
  return all;
}

Result<CaseReport> analyze(const Settings& settings, const Engine& engine, const Observer& observer) {
  Result<correlate::Evidences> evidences = collect(settings, engine, observer);
  if (!evidences) return fail(evidences.error());
  CaseReport report = correlate::correlate(std::move(*evidences), engine.patterns, facts::reader_events());
  report.tool_version = FAULTLINE_VERSION;
  report.pack_hash = engine.patterns.hash;
  return report;
}

bool is_an_input(const Settings& settings, const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  const ingest::InputList list = ingest::list_inputs(settings.paths, settings.limits);
  return std::any_of(list.inputs.begin(), list.inputs.end(), [&](const ingest::Input& input) {
    std::error_code failed;
    return std::filesystem::equivalent(input.path, file, failed);
  });
}

bool nothing_readable(const Coverage& coverage) {
  return std::none_of(coverage.rows.begin(), coverage.rows.end(), [](const CoverageRow& row) {
    return row.kind != ArtifactKind::archive && row.state != CoverageRow::State::skipped;
  });
}

}  // namespace faultline::app
