#pragma once
// The parts of faultline.report/1 as members of an object that the caller has begun: to_json nests them,
// to_ndjson puts one on a line. Unknown is null, never "" and never left out.
#include "base/json.h"
#include "model/case_report.h"

namespace faultline::report {

void put_event(JsonWriter& json, const Event& event, const Coverage& coverage);
void put_incident(JsonWriter& json, const Incident& incident, const Coverage& coverage);
void put_finding(JsonWriter& json, const Finding& finding, const Coverage& coverage);
void put_check(JsonWriter& json, const CheckResult& check, const Coverage& coverage);
void put_coverage_row(JsonWriter& json, const CoverageRow& row);
void put_missing_input(JsonWriter& json, const MissingInput& input);
void put_totals(JsonWriter& json, const CoverageTotals& totals);

/// null for "" and for a number below zero.
void put_text(JsonWriter& json, std::string_view name, std::string_view text);
void put_number(JsonWriter& json, std::string_view name, std::int64_t number);
void put_time(JsonWriter& json, std::string_view name, const Instant& time);
void put_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts);

}  // namespace faultline::report
