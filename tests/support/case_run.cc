#include "support/case_run.h"

#include <catch2/catch.hpp>

#include "app/render.h"
#include "base/json.h"

namespace faultline::test {

const app::Engine& engine() {
  static const app::Engine kEngine = [] {
    auto made = app::make_engine({}, Limits{});
    if (!made) {
      std::string all;
      for (const Problem& p : made.error().problems) all += p.where + ": " + p.what + "\n";
      FAIL("the built-in packs do not load:\n" + all);
    }
    return std::move(*made);
  }();
  return kEngine;
}

void check_invariants(const CaseReport& report) {
  // Coverage closes: one row an artifact, sums add up, every cut and skip has its reason.
  const CoverageTotals totals = totals_of(report.coverage.rows);
  CHECK(totals.artifacts == totals.scanned + totals.partial + totals.skipped);
  CHECK(totals.bytes == report.coverage.totals.bytes);
  for (const CoverageRow& row : report.coverage.rows) {
    CAPTURE(row.chain);
    CHECK((row.state == CoverageRow::State::scanned) == row.reason.empty());
  }
  // Every finding is explained and every instance points into the coverage.
  for (const Finding& finding : report.findings) {
    CAPTURE(finding.pattern);
    CHECK_FALSE(finding.title.empty());
    CHECK_FALSE(finding.reference.empty());
    CHECK_FALSE(finding.instances.empty());
    CHECK(finding.instances.size() <= 64);
    for (const Instance& instance : finding.instances) {
      REQUIRE(instance.evidence.artifact < report.coverage.rows.size());
      CHECK(report.coverage.rows[instance.evidence.artifact].state != CoverageRow::State::skipped);
    }
  }
  // A symptom is never called a cause; a named cause has its finding and its reasons.
  for (const Incident& incident : report.incidents) {
    if (!incident.cause) {
      CHECK(incident.confidence == Confidence::undecided);
      continue;
    }
    CHECK_FALSE(incident.reasons.empty());
    CHECK(incident.cause->finding > 0);
    CHECK_FALSE(incident.chain.empty());
    const Finding& finding = report.findings.at(incident.cause->finding - 1);
    CHECK(finding.role != Role::cascade);
    CHECK(finding.role != Role::benign);
  }
  const std::string json = app::render_json(report);
  const auto parsed = parse_json(json, Limits{});
  REQUIRE(parsed.has_value());
  CHECK_FALSE(parsed->cut);
  CHECK(parsed->documents.size() == 1);
}

CaseReport run_and_check(const std::vector<std::string>& paths) {
  return run_and_check(paths, {});
}

CaseReport run_and_check(const std::vector<std::string>& paths, app::Settings settings) {
  settings.paths = paths;
  settings.jobs = 1;
  auto one = app::analyze(settings, engine(), {});
  REQUIRE(one.has_value());
  check_invariants(*one);
  settings.jobs = 4;
  auto many = app::analyze(settings, engine(), {});
  REQUIRE(many.has_value());
  CHECK(app::render_json(*one) == app::render_json(*many));
  return std::move(*one);
}

}  // namespace faultline::test
