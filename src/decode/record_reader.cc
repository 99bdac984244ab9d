#include "decode/record_reader.h"

#include <algorithm>

#include "base/text.h"
#include "decode/journal_entry.h"
#include "decode/record_values.h"

namespace faultline::decode {
namespace {

bool has(const JsonValue& v, std::string_view key) {
  return v.find(key) != nullptr;
}
bool has_text(const JsonValue& v, std::string_view key) {
  const JsonValue* member = v.find(key);
  return member != nullptr && member->is_string();
}
bool has_list(const JsonValue& v, std::string_view key) {
  const JsonValue* member = v.find(key);
  return member != nullptr && member->is_array();
}
bool has_object(const JsonValue& v, std::string_view key) {
  const JsonValue* member = v.find(key);
  return member != nullptr && member->is_object();
}
bool has_any(const JsonValue& v, std::initializer_list<std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](std::string_view key) { return has(v, key); });
}

bool is_log_event(const JsonValue& v) {
  return v.is_object() && has_text(v, "message") && (has(v, "timestamp") || has(v, "logStreamName")) &&
         (has_any(v, {"ingestionTime", "eventId", "logStreamName"}) ||
          (has(v, "id") && v.members.size() <= 4) || v.members.size() == 2);
}
bool is_insights_row(const JsonValue& v) {
  return v.is_array() && !v.items.empty() && has_text(v.items[0], "field");
}

constexpr std::string_view kRecordLists[] = {"events", "logEvents", "results", "dmesg",
                                             "result", "values",    "Records"};

/// JSON on one line, with nothing added that would change how a pattern sees it.
void append_compact(std::string& out, const JsonValue& v) {
  const auto quote = [&out](std::string_view text) {
    out += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      if (c == '\n' || c == '\r' || c == '\t') {
        out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
      } else {
        out += c;
      }
    }
    out += '"';
  };
  switch (v.type) {
    case JsonValue::Type::null:
      out += "null";
      break;
    case JsonValue::Type::boolean:
      out += v.boolean ? "true" : "false";
      break;
    case JsonValue::Type::integer:
    case JsonValue::Type::number:
      out += v.string;
      break;
    case JsonValue::Type::string:
      quote(v.string);
      break;
    case JsonValue::Type::array:
      out += '[';
      for (std::size_t i = 0; i < v.items.size(); ++i) {
        if (i > 0) out += ',';
        append_compact(out, v.items[i]);
      }
      out += ']';
      break;
    case JsonValue::Type::object:
      out += '{';
      for (std::size_t i = 0; i < v.members.size(); ++i) {
        if (i > 0) out += ',';
        quote(v.members[i].name);
        out += ':';
        append_compact(out, v.members[i].value);
      }
      out += '}';
      break;
  }
}

}  // namespace

// In first-match order: wrappers whose keys are theirs alone come first.
std::span<const RecordReader::Dialect> RecordReader::dialects() {
  using R = RecordReader;
  static constexpr Dialect kDialects[] = {
      {[](const JsonValue& v) {
         return has_any(v, {"__REALTIME_TIMESTAMP", "__CURSOR"}) ||
                (has(v, "MESSAGE") &&
                 has_any(v, {"_HOSTNAME", "SYSLOG_IDENTIFIER", "_BOOT_ID", "_TRANSPORT"}));
       },
       &R::journal},
      {[](const JsonValue& v) { return has_list(v, "logEvents"); }, &R::subscription},
      {[](const JsonValue& v) {
         return has_object(v, "awslogs") || (has_list(v, "Records") && !v.find("Records")->items.empty() &&
                                             has_object(v.find("Records")->items[0], "kinesis"));
       },
       &R::packed},
      {[](const JsonValue& v) {
         return has_list(v, "events") &&
                (has_any(v, {"searchedLogStreams", "nextForwardToken", "nextBackwardToken"}) ||
                 (!v.find("events")->items.empty() && is_log_event(v.find("events")->items[0])));
       },
       &R::log_page},
      {[](const JsonValue& v) {
         return has_list(v, "results") &&
                (has(v, "statistics") ||
                 (!v.find("results")->items.empty() && is_insights_row(v.find("results")->items[0])));
       },
       &R::insights_page},
      {[](const JsonValue& v) { return has_list(v, "dmesg"); }, &R::kernel_page},
      {[](const JsonValue& v) { return has_text(v, "msg") && has(v, "pri") && has(v, "time"); },
       &R::kernel_line},
      {[](const JsonValue& v) {
         return has_any(v, {"@message", "@logStream", "@ptr"});
       },
       &R::insights_flat},
      {[](const JsonValue& v) {
         return has_object(v, "kubernetes") && has_any(v, {"log", "log_processed", "message", "MESSAGE"});
       },
       &R::container_record},
      {[](const JsonValue& v) {
         return has_text(v, "log") && has_any(v, {"stream", "time", "_p", "logtag"});
       },
       &R::docker},
      {[](const JsonValue& v) {
         return has(v, "message") && (has_text(v, "podName") || has_text(v, "pod")) &&
                has_any(v, {"containerName", "container"});
       },
       &R::stern},
      {&is_log_event, &R::log_event},
      {[](const JsonValue& v) {
         return has_text(v, "message") &&
                (has_text(v, "systemd_unit") || (has_text(v, "host") && has_text(v, "ident")) ||
                 (has_text(v, "hostname") && has(v, "ec2_instance_id")));
       },
       &R::host_record},
      {[](const JsonValue& v) { return has_object(v, "data") && has_list(*v.find("data"), "result"); },
       &R::loki_page},
      {[](const JsonValue& v) { return has_object(v, "stream") && has_list(v, "values"); }, &R::loki_stream},
      {[](const JsonValue& v) {
         return (has_text(v, "line") || has_text(v, "Line")) &&
                has_any(v, {"timestamp", "tsNs", "ts", "date", "Time"});
       },
       &R::grafana},
  };
  return kDialects;
}

const RecordReader::Dialect* RecordReader::dialect_of(const JsonValue& value) {
  if (!value.is_object()) return nullptr;
  for (const Dialect& dialect : dialects()) {
    if (dialect.fits(value)) return &dialect;
  }
  return nullptr;
}

bool RecordReader::is_list(std::string_view key) const {
  return std::find(std::begin(kRecordLists), std::end(kRecordLists), key) != std::end(kRecordLists);
}

bool RecordReader::record(const JsonRecord& record) {
  whole_ = record.whole;
  RecordFrame frame;
  frame.places = &record.places;
  if (record.around != nullptr) {
    const JsonValue& around = *record.around;
    add_log_stream(first_text(around, {"logStream", "logStreamName"}), frame.speaker);
    if (const JsonValue* labels = around.find("stream"); labels != nullptr && labels->is_object()) {
      frame.speaker.node = first_text(*labels, {"node", "node_name", "host", "hostname", "instance"});
      frame.speaker.pod = first_text(*labels, {"pod", "pod_name"});
      frame.speaker.container = first_text(*labels, {"container", "container_name"});
    }
  }
  return any(record.value, frame);
}

bool RecordReader::any(const JsonValue& value, const RecordFrame& frame) {
  if (value.is_object()) {
    const Dialect* dialect = dialect_of(value);
    return dialect != nullptr ? (this->*dialect->read)(value, frame) : application(value, frame);
  }
  if (value.is_array()) {
    if (is_insights_row(value)) {
      std::vector<Column> columns;
      for (const JsonValue& item : value.items) {
        const JsonValue* text = item.find("value");
        columns.push_back(
            {item.text("field"), item.text("value"), text != nullptr ? text->offset : item.offset});
      }
      return row(columns, frame);
    }
    return tuple(value, frame) || each(&value, frame);
  }
  return false;
}

/// The records of a list. An unknown one among known ones is written as JSON; false when none is known.
bool RecordReader::each(const JsonValue* list, const RecordFrame& frame) {
  if (list == nullptr || list->items.empty()) return list != nullptr && list->is_array();
  const auto known = [](const JsonValue& v) { return dialect_of(v) != nullptr || v.is_array(); };
  if (std::none_of(list->items.begin(), list->items.end(), known)) return false;
  for (const JsonValue& item : list->items) {
    if (any(item, frame)) continue;
    if (!whole_ && &item == &list->items.back()) continue;  // its text follows
    std::string text;
    append_compact(text, item);
    writer_.add(text, {frame.place_of(item), frame.time, frame.speaker, false});
  }
  return true;
}

/// [time, text] of --query and Loki. A plain list of numbers and words is not one.
bool RecordReader::tuple(const JsonValue& list, const RecordFrame& frame) {
  if (list.items.size() < 2 || list.items.size() > 3 || !list.items[1].is_string()) return false;
  RecordFrame inner = frame;
  inner.time = time_of(&list.items[0], hints_);
  if (!inner.time.known()) return false;
  message(list.items[1].string, inner, frame.place_of(list.items[1]));
  return true;
}

void RecordReader::message_of(const JsonValue& value, const RecordFrame& frame) {
  if (value.is_string()) {
    message(value.string, frame, frame.place_of(value));
    return;
  }
  // Already parsed by a collector: as if it still were the text it was.
  if (value.is_object() && frame.unwraps > 0) {
    RecordFrame inner = frame;
    --inner.unwraps;
    if (any(value, inner)) return;
  }
  std::string text;
  append_compact(text, value);
  writer_.add(text, {frame.place_of(value), frame.time, frame.speaker, false});
}

void RecordReader::message(std::string_view text, const RecordFrame& frame, const Place& place) {
  const std::string_view body = trim(text);
  if (frame.unwraps > 0 && body.starts_with('{') && body.ends_with('}')) {
    std::uint64_t values_left = 1'000'000;
    const json::Piece piece = json::read_piece(body, 0, limits_.max_nesting, values_left);
    if (piece.outcome == json::Outcome::complete && piece.end == body.size()) {
      RecordFrame inner = frame;
      inner.places = nullptr;
      inner.place = place;
      inner.verbatim = false;
      --inner.unwraps;
      if (any(piece.value, inner)) return;
    }
  }
  writer_.add(text, {place, frame.time, frame.speaker, frame.verbatim});
}

/// What a program logs as JSON. Left as it is (patterns know the forms of agents), unless a member has
/// several lines: then these are the text. False: leave it.
bool RecordReader::application(const JsonValue& object, const RecordFrame& frame) {
  if (has(object, "HealthMonitoringAgentDetectionEvent") || has(object, "details: ")) return false;
  constexpr std::string_view kTexts[] = {"message", "msg", "MESSAGE", "log", "event", "text"};
  constexpr std::string_view kTraces[] = {"exc_info", "exception",  "traceback",   "stack_info",
                                          "stack",    "stacktrace", "stack_trace", "error"};
  const auto lines = [&](std::string_view key) {
    return trim(object.text(key)).find('\n') != std::string_view::npos;
  };
  const bool several = std::any_of(std::begin(kTexts), std::end(kTexts), lines) ||
                       std::any_of(std::begin(kTraces), std::end(kTraces), lines);
  if (!several) return false;
  RecordFrame inner = frame;
  for (const std::string_view key :
       {"ts", "time", "timestamp", "@timestamp", "asctime", "datetime", "date"}) {
    if (inner.time.known()) break;
    inner.time = time_of(object.find(key), hints_);
    inner.time.source = Instant::Source::line;
  }
  if (const JsonValue* rank = object.find("rank"); rank != nullptr &&
                                                   rank->type == JsonValue::Type::integer &&
                                                   rank->integer >= 0 && rank->integer <= INT32_MAX) {
    inner.speaker.rank = static_cast<std::int32_t>(rank->integer);
  }
  for (const auto& [key, value] : object.members) {
    if (!value.is_string()) continue;
    const bool text = std::find(std::begin(kTexts), std::end(kTexts), key) != std::end(kTexts);
    const bool trace = std::find(std::begin(kTraces), std::end(kTraces), key) != std::end(kTraces);
    if (text || trace) writer_.add(value.string, {frame.place_of(value), inner.time, inner.speaker, false});
  }
  return true;
}

void RecordReader::line(std::string_view text, const Place& place, bool whole) {
  if (whole && prefixed(text, place)) return;
  writer_.add(text, {place, {}, {}, true});
}

/// A record behind something that is no JSON: `data: ` of event streams, a stamp of CloudWatch (with a
/// stream), a tag and an epoch of Fluent Bit.
bool RecordReader::prefixed(std::string_view text, const Place& place) {
  RecordFrame frame;
  frame.place = place;
  std::string_view body = trim(text);
  std::uint64_t values_left = 1'000'000;
  if (body.starts_with("data: ")) {
    body.remove_prefix(6);
  } else if (const auto stamp = try_iso8601(body, hints_)) {
    frame.time = stamp->time;
    frame.time.source = Instant::Source::container;
    body = trim(body.substr(stamp->length));
    if (!body.starts_with('{')) {
      const std::size_t blank = body.find(' ');
      if (blank == std::string_view::npos || body.substr(0, blank).find('/') == std::string_view::npos)
        return false;
      add_log_stream(body.substr(0, blank), frame.speaker);
      body = trim(body.substr(blank + 1));
    }
  } else {
    const std::size_t tag = body.substr(0, 512).find(": [");
    if (tag == std::string_view::npos || !body.ends_with(']')) return false;
    const json::Piece list = json::read_piece(body, tag + 2, limits_.max_nesting, values_left);
    if (list.outcome != json::Outcome::complete || list.end != body.size() || list.value.items.size() != 2)
      return false;
    const JsonValue& head = list.value.items[0];
    frame.time = time_of(head.is_array() && !head.items.empty() ? &head.items[0] : &head, hints_);
    if (!frame.time.known() || dialect_of(list.value.items[1]) == nullptr) return false;
    return any(list.value.items[1], frame);
  }
  if (!body.starts_with('{')) return false;
  const json::Piece piece = json::read_piece(body, 0, limits_.max_nesting, values_left);
  if (piece.outcome != json::Outcome::complete || piece.end != body.size() ||
      dialect_of(piece.value) == nullptr) {
    return false;
  }
  return any(piece.value, frame);
}

void RecordReader::finish() {
  release_all();
  if (left_out_ > 0) {
    writer_.note(std::to_string(left_out_) +
                 " journal messages were left out when it was printed; `journalctl --all` prints them");
  }
  if (packed_ > 0)
    writer_.note(std::to_string(packed_) + " records hold packed log data (base64) and were not opened");
}

}  // namespace faultline::decode
