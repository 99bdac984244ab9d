#include <catch2/catch.hpp>

#include "base/json.h"
#include "base/text.h"
#include "report/golden.h"
#include "report/report.h"
#include "report/samples.h"
#include "report/schema_check.h"

using namespace faultline;

namespace {

using Type = JsonValue::Type;

const std::vector<CaseReport (*)()> kSamples = {samples::rich, samples::undecided, samples::no_events,
                                                samples::no_input, samples::hostile};

JsonValue parsed(const std::string& text) {
  auto result = parse_json(text, Limits{});
  REQUIRE(result.has_value());
  REQUIRE_FALSE(result->cut);
  REQUIRE(result->documents.size() == 1);
  return std::move(result->documents[0]);
}

JsonValue schema() {
  return parsed(samples::file_text(std::string(FAULTLINE_SOURCE_DIR) + "/references/report.schema.json"));
}

// Each `same` says whether the JSON value stands for the model's value: unknown is null, bad UTF-8 is
// repaired.
void same(const JsonValue& object, std::string_view key, const std::string& text, bool nullable) {
  const JsonValue* value = object.find(key);
  INFO(key);
  REQUIRE(value != nullptr);
  if (nullable && text.empty()) {
    CHECK(value->type == Type::null);
  } else {
    CHECK(value->type == Type::string);
    CHECK(value->string == to_valid_utf8(text));
  }
}

void same(const JsonValue& object, std::string_view key, std::int64_t number,
          std::int64_t unknown = INT64_MIN) {
  const JsonValue* value = object.find(key);
  INFO(key);
  REQUIRE(value != nullptr);
  if (number == unknown) {
    CHECK(value->type == Type::null);
  } else {
    CHECK(value->type == Type::integer);
    CHECK(value->integer == number);
  }
}

void same(const JsonValue& object, std::string_view key, const std::vector<std::string>& texts) {
  const JsonValue* value = object.find(key);
  INFO(key);
  REQUIRE(value != nullptr);
  REQUIRE(value->items.size() == texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) CHECK(value->items[i].string == to_valid_utf8(texts[i]));
}

void same_speaker(const JsonValue& value, const Instance& i) {
  same(value, "node", i.speaker.node, true);
  same(value, "pod", i.speaker.pod, true);
  same(value, "container", i.speaker.container, true);
  same(value, "rank", i.speaker.rank, -1);
  same(value, "local_rank", i.speaker.local_rank, -1);
  same(value, "gpu", i.gpu, true);
  same(value, "pid", i.speaker.pid, -1);
}

void same_evidence(const JsonValue& value, const Coverage& coverage, const Evidence& evidence) {
  same(value, "artifact", coverage.rows.at(evidence.artifact).chain, true);
  same(value, "line", static_cast<std::int64_t>(evidence.line), 0);
  same(value, "offset", static_cast<std::int64_t>(evidence.offset));
  same(value, "text", evidence.text, false);
}

void same_finding(const JsonValue& value, const Finding& f, const Coverage& coverage) {
  same(value, "id", f.id);
  same(value, "kind", f.kind, false);
  same(value, "pattern", f.pattern, false);
  same(value, "severity", std::string(severity_name(f.severity)), false);
  same(value, "role", std::string(role_name(f.role)), false);
  same(value, "title", f.title, false);
  same(value, "meaning", f.meaning, false);
  same(value, "next", f.next, false);
  same(value, "reference", f.reference, false);
  same(value, "count", static_cast<std::int64_t>(f.count));
  same(value, "first", to_iso(f.first), true);
  same(value, "last", to_iso(f.last), true);
  same(value, "outcome", std::string(outcome_name(f.outcome)), false);
  const JsonValue* instances = value.find("instances");
  REQUIRE(instances->items.size() == f.instances.size());
  for (std::size_t i = 0; i < f.instances.size(); ++i) {
    const JsonValue& got = instances->items[i];
    same_speaker(got, f.instances[i]);
    same_evidence(got, coverage, f.instances[i].evidence);
    same(got, "time", to_iso(f.instances[i].time), true);
    same(got, "repeats", static_cast<std::int64_t>(f.instances[i].repeats));
    const JsonValue* fields = got.find("fields");
    REQUIRE(fields->members.size() == f.instances[i].fields.size());
    for (const auto& [name, field] : f.instances[i].fields) {
      const JsonValue* read = fields->find(to_valid_utf8(name));
      REQUIRE(read != nullptr);
      CHECK(read->string == to_valid_utf8(field_text(field)));  // of a number: its digits
    }
  }
}

void same_incident(const JsonValue& value, const Incident& i, const Coverage& coverage) {
  same(value, "id", i.id);
  same(value, "job", i.job, true);
  same(value, "stall_start", to_iso(i.stall_start), true);
  same(value, "confidence", std::string(confidence_name(i.confidence)), false);
  same(value, "reasons", i.reasons);
  same(value, "missing", i.missing);
  const JsonValue* cause = value.find("cause");
  REQUIRE(cause != nullptr);
  CHECK((cause->type == Type::null) == !i.cause.has_value());
  if (i.cause) {
    same(*cause, "kind", i.cause->kind, false);
    same(*cause, "text", i.cause->text, false);
    same(*cause, "finding", i.cause->finding, 0);
  }
  const JsonValue* culprit = value.find("culprit");
  CHECK((culprit->type == Type::null) == !i.culprit.has_value());
  if (i.culprit) {
    same(*culprit, "node", i.culprit->node, true);
    same(*culprit, "rank", i.culprit->rank.value_or(-1), -1);
    same(*culprit, "gpu", i.culprit->gpu, true);
    same(*culprit, "aliases", i.culprit->aliases);
  }
  const JsonValue* chain = value.find("chain");
  REQUIRE(chain->items.size() == i.chain.size());
  for (std::size_t k = 0; k < i.chain.size(); ++k) {
    same(chain->items[k], "label", i.chain[k].label, false);
    same(chain->items[k], "where", where(coverage, i.chain[k].evidence), true);
    CHECK(chain->items[k].find("ranks")->items.size() == i.chain[k].ranks.size());
  }
  REQUIRE(value.find("alternatives")->items.size() == i.alternatives.size());
}

}  // namespace

TEST_CASE("a JSON report parses back to the report it was made of") {
  for (const auto make : kSamples) {
    const CaseReport made = make();
    const JsonValue root = parsed(report::to_json(made));
    same(root, "schema", "faultline.report/1", false);
    same(root, "verdict", made.verdict, false);
    REQUIRE(root.find("incidents")->items.size() == made.incidents.size());
    for (std::size_t i = 0; i < made.incidents.size(); ++i)
      same_incident(root.find("incidents")->items[i], made.incidents[i], made.coverage);
    REQUIRE(root.find("findings")->items.size() == made.findings.size());
    for (std::size_t i = 0; i < made.findings.size(); ++i)
      same_finding(root.find("findings")->items[i], made.findings[i], made.coverage);
    REQUIRE(root.find("checks")->items.size() == made.checks.size());
    for (std::size_t i = 0; i < made.checks.size(); ++i) {
      const JsonValue& got = root.find("checks")->items[i];
      same(got, "id", made.checks[i].id, false);
      same(got, "verdict", std::string(verdict_name(made.checks[i].verdict)), false);
      same(got, "collect", made.checks[i].collect, true);
      same(got, "subjects", made.checks[i].subjects);
      for (std::size_t k = 0; k < made.checks[i].evidence.size(); ++k)
        same_evidence(got.find("evidence")->items[k], made.coverage, made.checks[i].evidence[k]);
    }
    const JsonValue* rows = root.at({"coverage", "artifacts"});
    REQUIRE(rows->items.size() == made.coverage.rows.size());
    for (std::size_t i = 0; i < made.coverage.rows.size(); ++i) {
      same(rows->items[i], "chain", made.coverage.rows[i].chain, false);
      same(rows->items[i], "state", std::string(state_name(made.coverage.rows[i].state)), false);
      same(rows->items[i], "reason", made.coverage.rows[i].reason, true);
      same(rows->items[i], "bytes", static_cast<std::int64_t>(made.coverage.rows[i].bytes));
      same(rows->items[i], "notes", made.coverage.rows[i].notes);
    }
    same(*root.at({"coverage", "totals"}), "bytes", static_cast<std::int64_t>(made.coverage.totals.bytes));
    same(*root.find("coverage"), "limits_hit", made.coverage.limits_hit);
    REQUIRE(root.find("versions")->items.size() == made.versions.size());
    REQUIRE(root.find("timeline")->items.size() == made.timeline.size());
    same(root, "timeline_total", static_cast<std::int64_t>(made.timeline_total));
    REQUIRE(root.find("suggested_commands")->items.size() == made.suggested.size());
    for (std::size_t i = 0; i < made.suggested.size(); ++i) {
      const JsonValue& got = root.find("suggested_commands")->items[i];
      same(got, "command", made.suggested[i].command, false);
      same(got, "effect", made.suggested[i].changes_state ? "changes state" : "read-only", false);
      same(got, "preconditions", made.suggested[i].preconditions);
    }
  }
}

TEST_CASE("every JSON report and every event satisfies the published schema") {
  const JsonValue rules = schema();
  samples::SchemaCheck check(rules);
  for (const auto make : kSamples) {
    const CaseReport made = make();
    CHECK(check.validate(parsed(report::to_json(made))) == std::vector<std::string>{});
    for (const Finding& f : made.findings) {
      Event event;
      event.pattern = f.pattern;
      event.kind = f.kind;
      event.speaker = f.instances.front().speaker;
      event.time = f.instances.front().time;
      event.fields = f.instances.front().fields;
      event.fields["ratio"] = 0.5;
      event.fields["flag"] = true;
      event.evidence = f.instances.front().evidence;
      const std::string line = report::event_to_ndjson(event, made.coverage);
      CHECK(line.find('\n') == line.size() - 1);
      const JsonValue value = parsed(line);
      CHECK(value.text("type") == "event");
      CHECK(check.validate(value, "event") == std::vector<std::string>{});
    }
  }
}

TEST_CASE("the schema check itself can fail") {
  const JsonValue rules = schema();
  samples::SchemaCheck check(rules);
  const std::string good = report::to_json(samples::rich());
  const std::pair<const char*, const char*> damage[] = {
      {"\"faultline.report/1\"", "\"faultline.report/2\""},
      {"\"verdict\": \"node", "\"verdicts\": \"node"},
      {"\"severity\": \"P0\"", "\"severity\": \"P9\""},
      {"\"rank\": 19", "\"rank\": \"19\""},
      {"\"id\": 1,", "\"id\": 0,"},
      {"2026-01-01T00:02:09Z", "2026-01-01 00:02:09"},
  };
  for (const auto& [from, to] : damage) {
    std::string bad = good;
    const std::size_t at = bad.find(from);
    INFO(from);
    REQUIRE(at != std::string::npos);
    bad.replace(at, std::string(from).size(), to);
    CHECK_FALSE(check.validate(parsed(bad)).empty());
  }
}

TEST_CASE("JSON holds nothing that could end a script element or a line") {
  const std::string text = report::to_json(samples::hostile());
  CHECK(is_valid_utf8(text));
  for (const char* bad : {"<", ">", "&", "\x1b", "\r", "\xe2\x80\xa8"})
    CHECK(text.find(bad) == std::string::npos);
}

TEST_CASE("NDJSON is one object a line, each with its type, and says what the document says") {
  for (const auto make : kSamples) {
    const CaseReport made = make();
    std::map<std::string, std::size_t> types;
    const std::string text = report::to_ndjson(made);
    REQUIRE(text.ends_with("\n"));
    std::size_t finding = 0;
    for_each_line(text, [&](std::uint64_t, std::string_view line) {
      const JsonValue value = parsed(std::string(line));
      ++types[std::string(value.text("type"))];
      if (value.text("type") == "finding") same_finding(value, made.findings.at(finding++), made.coverage);
      return true;
    });
    CHECK(types["report"] == 1);
    CHECK(types["coverage_totals"] == 1);
    CHECK(types["incident"] == made.incidents.size());
    CHECK(types["finding"] == made.findings.size());
    CHECK(types["check"] == made.checks.size());
    CHECK(types["artifact"] == made.coverage.rows.size());
    CHECK(types["missing_input"] == made.coverage.missing.size());
    CHECK(types["suggested_command"] == made.suggested.size());
  }
}

TEST_CASE("the JSON and NDJSON of a full report equal their goldens") {
  samples::check_golden("rich.json", report::to_json(samples::rich()));
  samples::check_golden("rich.ndjson", report::to_ndjson(samples::rich()));
}

TEST_CASE("unknown is null: a boot time has no wall time, but its uptime") {
  const JsonValue root = parsed(report::to_json(samples::rich()));
  const JsonValue& aer = root.find("findings")->items.at(2).find("instances")->items.at(0);
  CHECK(aer.find("time")->type == Type::null);
  CHECK(aer.find("uptime_s")->number == 77.5);
  CHECK(aer.find("rank")->type == Type::null);
  const JsonValue& xid = root.find("findings")->items.at(0).find("instances")->items.at(0);
  CHECK(xid.find("time_inferred")->boolean);
  CHECK(xid.find("uptime_s")->type == Type::null);
}
