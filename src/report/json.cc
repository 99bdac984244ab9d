// faultline.report/1: one document, two-space indent, keys in a fixed order. The schema is
// references/report.schema.json.
#include "report/json_parts.h"
#include "report/report.h"

namespace faultline::report {
namespace {

constexpr std::string_view kSchema = "faultline.report/1";

void put_head(JsonWriter& json, const CaseReport& report) {
  json.member("schema", kSchema);
  json.key("tool").begin_object();
  json.member("name", "faultline");
  json.member("version", report.tool_version);
  json.member("packs", report.pack_hash);
  json.end_object();
  json.member("verdict", report.verdict);
}

void put_versions(JsonWriter& json, const CaseReport& report) {
  json.key("versions").begin_array();
  for (const VersionRow& row : report.versions) {
    json.begin_object().member("component", row.component).member("scope", row.scope);
    json.key("values").begin_array();
    for (const VersionValue& value : row.values) {
      json.begin_object().member("value", value.value);
      put_texts(json, "subjects", value.subjects);
      json.end_object();
    }
    json.end_array().member("skew", row.skew).end_object();
  }
  json.end_array();
}

void put_entities(JsonWriter& json, const Entities& entities) {
  json.key("entities").begin_object();
  json.key("nodes").begin_array();
  for (const NodeEntity& node : entities.nodes) {
    json.begin_object().member("name", node.name);
    put_texts(json, "aliases", node.aliases);
    put_text(json, "instance_group", node.instance_group);
    put_text(json, "instance_type", node.instance_type);
    json.end_object();
  }
  json.end_array();
  put_texts(json, "pods", entities.pods);
  json.key("ranks").begin_array();
  for (const RankEntity& rank : entities.ranks) {
    json.begin_object();
    put_number(json, "rank", rank.rank);
    put_text(json, "node", rank.node);
    put_text(json, "pod", rank.pod);
    put_text(json, "gpu", rank.gpu);
    json.end_object();
  }
  json.end_array();
  json.key("gpus").begin_array();
  for (const GpuEntity& gpu : entities.gpus) {
    json.begin_object();
    put_text(json, "node", gpu.node);
    put_text(json, "pci", gpu.pci);
    put_text(json, "uuid", gpu.uuid);
    put_text(json, "serial", gpu.serial);
    put_number(json, "index", gpu.index);
    put_text(json, "product", gpu.product);
    json.end_object();
  }
  json.end_array();
  put_texts(json, "contradictions", entities.contradictions);
  json.end_object();
}

void put_timeline(JsonWriter& json, const CaseReport& report) {
  json.key("timeline").begin_array();
  for (const TimelineEntry& entry : report.timeline) {
    json.begin_object();
    put_time(json, "time", entry.time);
    put_text(json, "node", entry.node);
    json.member("severity", severity_name(entry.severity));
    json.member("kind", entry.kind);
    put_number(json, "finding", entry.finding == 0 ? -1 : static_cast<std::int64_t>(entry.finding));
    json.member("text", entry.text);
    json.end_object();
  }
  json.end_array();
  json.member("timeline_total", report.timeline_total);
}

void put_coverage(JsonWriter& json, const Coverage& coverage) {
  json.key("coverage").begin_object();
  json.key("artifacts").begin_array();
  for (const CoverageRow& row : coverage.rows) {
    json.begin_object();
    put_coverage_row(json, row);
    json.end_object();
  }
  json.end_array();
  json.key("totals").begin_object();
  put_totals(json, coverage.totals);
  json.end_object();
  json.key("missing").begin_array();
  for (const MissingInput& input : coverage.missing) {
    json.begin_object();
    put_missing_input(json, input);
    json.end_object();
  }
  json.end_array();
  put_texts(json, "limits_hit", coverage.limits_hit);
  json.member("interrupted", coverage.interrupted);
  json.end_object();
}

void put_command(JsonWriter& json, const SuggestedCommand& command) {
  json.member("title", command.title);
  json.member("command", command.command);
  json.member("effect", command.changes_state ? "changes state" : "read-only");
  put_texts(json, "preconditions", command.preconditions);
  json.member("blast_radius", command.blast_radius);
}

// Calls `put` for each item, between braces.
template <class Items, class Put>
void put_array(JsonWriter& json, std::string_view name, const Items& items, Put&& put) {
  json.key(name).begin_array();
  for (const auto& item : items) {
    json.begin_object();
    put(item);
    json.end_object();
  }
  json.end_array();
}

// One object a line; each has "type" first.
template <class Put>
void add_line(std::string& out, std::string_view type, Put&& put) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("type", type);
  put(json);
  json.end_object();
  out += json.take();
  out += '\n';
}

}  // namespace

std::string to_json(const CaseReport& report) {
  JsonWriter json(JsonWriter::Style::indented);
  const Coverage& coverage = report.coverage;
  json.begin_object();
  put_head(json, report);
  put_array(json, "incidents", report.incidents, [&](const Incident& i) { put_incident(json, i, coverage); });
  put_array(json, "findings", report.findings, [&](const Finding& f) { put_finding(json, f, coverage); });
  put_array(json, "checks", report.checks, [&](const CheckResult& c) { put_check(json, c, coverage); });
  put_versions(json, report);
  put_entities(json, report.entities);
  put_timeline(json, report);
  put_coverage(json, coverage);
  put_array(json, "suggested_commands", report.suggested,
            [&](const SuggestedCommand& c) { put_command(json, c); });
  json.end_object();
  return json.take() + '\n';
}

std::string event_to_ndjson(const Event& event, const Coverage& coverage) {
  std::string out;
  add_line(out, "event", [&](JsonWriter& json) { put_event(json, event, coverage); });
  return out;
}

std::string to_ndjson(const CaseReport& report) {
  std::string out;
  const Coverage& coverage = report.coverage;
  add_line(out, "report", [&](JsonWriter& json) { put_head(json, report); });
  add_line(out, "coverage_totals", [&](JsonWriter& json) {
    put_totals(json, coverage.totals);
    put_texts(json, "limits_hit", coverage.limits_hit);
    json.member("interrupted", coverage.interrupted);
  });
  for (const Incident& i : report.incidents)
    add_line(out, "incident", [&](JsonWriter& json) { put_incident(json, i, coverage); });
  for (const Finding& f : report.findings)
    add_line(out, "finding", [&](JsonWriter& json) { put_finding(json, f, coverage); });
  for (const CheckResult& c : report.checks)
    add_line(out, "check", [&](JsonWriter& json) { put_check(json, c, coverage); });
  for (const CoverageRow& row : coverage.rows)
    add_line(out, "artifact", [&](JsonWriter& json) { put_coverage_row(json, row); });
  for (const MissingInput& m : coverage.missing)
    add_line(out, "missing_input", [&](JsonWriter& json) { put_missing_input(json, m); });
  for (const SuggestedCommand& c : report.suggested)
    add_line(out, "suggested_command", [&](JsonWriter& json) { put_command(json, c); });
  return out;
}

}  // namespace faultline::report
