#include "report/json_parts.h"

namespace faultline::report {
namespace {

void put_fields(JsonWriter& json, const Fields& fields) {
  json.key("fields").begin_object();
  for (const auto& [name, value] : fields) {
    json.key(name);
    std::visit([&json](const auto& v) { json.value(v); }, value);
  }
  json.end_object();
}

// Who and when, alike for events and instances.
void put_speaker(JsonWriter& json, const Speaker& speaker, const std::string& gpu, const std::string& nic) {
  put_text(json, "node", speaker.node);
  put_text(json, "pod", speaker.pod);
  put_text(json, "container", speaker.container);
  put_text(json, "stream", speaker.stream);
  put_number(json, "rank", speaker.rank);
  put_number(json, "local_rank", speaker.local_rank);
  put_text(json, "gpu", !gpu.empty() || speaker.gpu < 0 ? gpu : std::to_string(speaker.gpu));
  put_number(json, "gpu_index", speaker.gpu);
  put_text(json, "nic", nic);
  put_number(json, "pid", speaker.pid);
}

void put_stamp(JsonWriter& json, const Instant& time) {
  put_time(json, "time", time);
  json.member("time_inferred", time.wall() && (time.year_inferred || time.zone == Instant::Zone::assumed));
  constexpr std::string_view kSources[] = {"line", "container", "inherited", "joined"};
  if (time.known()) {
    json.member("time_source", kSources[static_cast<std::size_t>(time.source)]);
  } else {
    json.key("time_source").null();
  }
  json.key("uptime_s");
  if (time.base == Instant::Base::boot) {
    json.value(static_cast<double>(time.ns) / kSecond);
  } else {
    json.null();
  }
}

void put_place(JsonWriter& json, const Coverage& coverage, const Evidence& evidence) {
  put_text(json, "artifact",
           evidence.artifact < coverage.rows.size() ? coverage.rows[evidence.artifact].chain : "");
  json.key("line");
  if (evidence.line > 0) {
    json.value(evidence.line);
  } else {
    json.null();
  }
  json.member("offset", evidence.offset);
  json.member("text", evidence.text);
}

void put_id(JsonWriter& json, std::string_view name, std::uint32_t id) {
  put_number(json, name, id == 0 ? -1 : static_cast<std::int64_t>(id));
}

void put_cause(JsonWriter& json, const Incident& incident) {
  json.key("cause");
  if (!incident.cause) {
    json.null();
    return;
  }
  json.begin_object();
  json.member("kind", incident.cause->kind);
  put_text(json, "pattern", incident.cause->pattern);
  json.member("text", incident.cause->text);
  put_id(json, "finding", incident.cause->finding);
  json.end_object();
}

void put_culprit(JsonWriter& json, const Incident& incident) {
  json.key("culprit");
  if (!incident.culprit) {
    json.null();
    return;
  }
  json.begin_object();
  put_text(json, "node", incident.culprit->node);
  put_text(json, "pod", incident.culprit->pod);
  put_number(json, "rank", incident.culprit->rank.value_or(-1));
  put_text(json, "gpu", incident.culprit->gpu);
  put_texts(json, "aliases", incident.culprit->aliases);
  json.end_object();
}

void put_link(JsonWriter& json, const ChainLink& link, const Coverage& coverage) {
  json.begin_object();
  json.member("role", role_name(link.role));
  put_id(json, "finding", link.finding);
  put_time(json, "time", link.time);
  put_text(json, "where", where(coverage, link.evidence));
  json.member("label", link.label);
  json.key("ranks").begin_array();
  for (const std::int32_t rank : link.ranks) json.value(rank);
  json.end_array();
  json.end_object();
}

}  // namespace

void put_text(JsonWriter& json, std::string_view name, std::string_view text) {
  json.key(name);
  if (text.empty()) {
    json.null();
  } else {
    json.value(text);
  }
}

void put_number(JsonWriter& json, std::string_view name, std::int64_t number) {
  json.key(name);
  if (number < 0) {
    json.null();
  } else {
    json.value(number);
  }
}

void put_time(JsonWriter& json, std::string_view name, const Instant& time) {
  put_text(json, name, to_iso(time));
}

void put_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.key(name).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void put_event(JsonWriter& json, const Event& event, const Coverage& coverage) {
  json.member("kind", event.kind);
  json.member("pattern", event.pattern);
  json.member("severity", severity_name(event.severity));
  json.member("role", role_name(event.role));
  json.member("scope", scope_name(event.scope));
  put_speaker(json, event.speaker, event.gpu, event.nic);
  put_stamp(json, event.time);
  put_fields(json, event.fields);
  put_place(json, coverage, event.evidence);
  json.member("repeats", event.repeats);
}

void put_incident(JsonWriter& json, const Incident& incident, const Coverage& coverage) {
  json.member("id", incident.id);
  put_text(json, "job", incident.job);
  json.member("primary", incident.primary);
  json.key("window").begin_array();
  for (const Instant* edge : {&incident.begin, &incident.end}) {
    const std::string text = to_iso(*edge);
    if (text.empty()) {
      json.null();
    } else {
      json.value(text);
    }
  }
  json.end_array();
  put_time(json, "stall_start", incident.stall_start);
  put_cause(json, incident);
  put_culprit(json, incident);
  json.member("confidence", confidence_name(incident.confidence));
  put_texts(json, "reasons", incident.reasons);
  json.key("alternatives").begin_array();
  for (const Alternative& other : incident.alternatives)
    json.begin_object().member("kind", other.kind).member("why", other.why).end_object();
  json.end_array();
  json.key("chain").begin_array();
  for (const ChainLink& link : incident.chain) put_link(json, link, coverage);
  json.end_array();
  put_texts(json, "missing", incident.missing);
}

void put_finding(JsonWriter& json, const Finding& finding, const Coverage& coverage) {
  json.member("id", finding.id);
  json.member("kind", finding.kind);
  json.member("pattern", finding.pattern);
  json.member("severity", severity_name(finding.severity));
  json.member("role", role_name(finding.role));
  json.member("status", finding.status == Status::trial ? "trial" : "stable");
  json.member("scope", scope_name(finding.scope));
  json.member("title", finding.title);
  json.member("meaning", finding.meaning);
  json.member("next", finding.next);
  json.member("reference", finding.reference);
  json.member("count", finding.count);
  put_time(json, "first", finding.first);
  put_time(json, "last", finding.last);
  json.member("outcome", outcome_name(finding.outcome));
  json.key("instances").begin_array();
  for (const Instance& instance : finding.instances) {
    json.begin_object();
    put_speaker(json, instance.speaker, instance.gpu, instance.nic);
    put_stamp(json, instance.time);
    put_fields(json, instance.fields);
    put_place(json, coverage, instance.evidence);
    json.member("repeats", instance.repeats);
    json.end_object();
  }
  json.end_array();
  json.member("instances_total", finding.count);
}

void put_check(JsonWriter& json, const CheckResult& check, const Coverage& coverage) {
  json.member("id", check.id);
  json.member("verdict", verdict_name(check.verdict));
  json.member("severity", severity_name(check.severity));
  json.member("title", check.title);
  put_texts(json, "subjects", check.subjects);
  json.key("evidence").begin_array();
  for (const Evidence& evidence : check.evidence) {
    json.begin_object();
    put_place(json, coverage, evidence);
    json.end_object();
  }
  json.end_array();
  json.member("reference", check.reference);
  put_text(json, "collect", check.collect);
}

void put_coverage_row(JsonWriter& json, const CoverageRow& row) {
  json.member("chain", row.chain);
  json.member("kind", kind_name(row.kind));
  put_text(json, "node", row.node);
  json.member("state", state_name(row.state));
  json.member("bytes", row.bytes);
  json.member("lines", row.lines);
  put_text(json, "reason", row.reason);
  put_texts(json, "notes", row.notes);
  put_time(json, "first", row.first);
  put_time(json, "last", row.last);
  json.member("depth", row.depth);
}

void put_missing_input(JsonWriter& json, const MissingInput& input) {
  json.member("what", input.what);
  json.member("why", input.why);
  put_text(json, "collect", input.collect);
  put_text(json, "where", input.where);
}

void put_totals(JsonWriter& json, const CoverageTotals& totals) {
  json.member("artifacts", totals.artifacts);
  json.member("scanned", totals.scanned);
  json.member("partial", totals.partial);
  json.member("skipped", totals.skipped);
  json.member("archives", totals.archives);
  json.member("archives_cut", totals.archives_cut);
  json.member("bytes", totals.bytes);
  json.member("input_bytes", totals.input_bytes);
  json.member("lines", totals.lines);
}

}  // namespace faultline::report
