// The dialects of RecordReader: which members are time, speaker and message.
#include <algorithm>

#include "base/text.h"
#include "decode/journal_entry.h"
#include "decode/record_reader.h"
#include "decode/record_values.h"

namespace faultline::decode {
namespace {

// Docker cuts a line at 16 KiB.
constexpr std::size_t kDockerChunk = 16 * 1024;
// Streams whose line is open at a time; more are an attack on memory.
constexpr std::size_t kMostPartials = 4096;

void add_text(std::string& to, std::string_view text) {
  if (!text.empty()) to = text;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view other) { return iequals(name, other); });
}

}  // namespace

bool RecordReader::journal(const JsonValue& v, RecordFrame frame) {
  const JournalEntry entry = journal_entry_from_json(v);
  if (entry.message_left_out) ++left_out_;
  const JsonValue* text = v.find("MESSAGE");
  RecordFrame inner = frame;
  if (const Instant time = entry.time(); time.known()) inner.time = time;
  inner.speaker = joined(frame.speaker, entry.speaker());
  const Place place = frame.place_of(text != nullptr ? *text : v);
  for (const std::string& one : entry.messages) {
    if (entry.container_partial || !entry.container_name.empty()) {
      piece(one, entry.container_partial, true, inner, place);
    } else {
      message(one, inner, place);
    }
  }
  return true;
}

bool RecordReader::log_page(const JsonValue& v, RecordFrame frame) {
  add_log_stream(first_text(v, {"logStreamName", "logStream"}), frame.speaker);
  return each(v.find("events"), frame);
}

bool RecordReader::subscription(const JsonValue& v, RecordFrame frame) {
  if (v.text("messageType") == "CONTROL_MESSAGE") return true;  // a probe of the service
  add_log_stream(v.text("logStream"), frame.speaker);
  for (const JsonValue& event : v.find("logEvents")->items) log_event(event, frame);
  return true;
}

bool RecordReader::packed(const JsonValue&, RecordFrame) {
  ++packed_;
  return true;
}

bool RecordReader::insights_page(const JsonValue& v, RecordFrame frame) {
  if (const std::string_view status = v.text("status"); !status.empty() && status != "Complete") {
    writer_.note("the query had not finished (" + printable(status) + "): its results are a part");
  }
  return each(v.find("results"), frame);
}

bool RecordReader::insights_flat(const JsonValue& v, RecordFrame frame) {
  std::vector<Column> columns;
  for (const auto& [name, value] : v.members) columns.push_back({name, value.string, value.offset});
  return row(columns, frame);
}

bool RecordReader::row(const std::vector<Column>& columns, RecordFrame frame) {
  const Column* text = nullptr;
  int worth = 0;  // of the column that is taken for the message
  for (const Column& column : columns) {
    const auto& [name, value, offset] = column;
    if (value.empty()) continue;
    if (is_one_of(name, {"@timestamp", "timestamp", "time", "date", "ts", "tsns"})) {
      const Instant time = utc_time_of(value, hints_);
      if (time.known() && (!frame.time.known() || time.precision_ns < frame.time.precision_ns))
        frame.time = time;
    } else if (is_one_of(name, {"@logStream", "logStream", "logStreamName"})) {
      Speaker named;
      add_log_stream(value, named);
      frame.speaker = joined(named, frame.speaker);
    } else if (is_one_of(name, {"kubernetes.pod_name", "pod", "pod_name", "podName", "PodName"})) {
      frame.speaker.pod = value;
    } else if (is_one_of(name,
                         {"kubernetes.container_name", "container", "container_name", "containerName"})) {
      frame.speaker.container = value;
    } else if (is_one_of(name, {"kubernetes.host", "host", "node", "node_name", "nodeName", "hostname",
                                "instance"})) {
      frame.speaker.node = value;
    }
    const int rank = name == "@message"                            ? 3
                     : is_one_of(name, {"message", "line", "log"}) ? 2
                     : is_one_of(name, {"msg", "body", "text"})    ? 1
                                                                   : 0;
    if (rank > worth) {
      worth = rank;
      text = &column;
    }
  }
  if (text == nullptr) return false;
  message(text->value, frame, frame.place_at(text->offset));
  return true;
}

bool RecordReader::log_event(const JsonValue& v, RecordFrame frame) {
  const JsonValue* text = v.find("message");
  if (text == nullptr || !text->is_string()) return false;
  add_log_stream(first_text(v, {"logStreamName", "logStream"}), frame.speaker);
  if (const Instant time = time_of(v.find("timestamp"), hints_); time.known()) frame.time = time;
  message(text->string, frame, frame.place_of(*text));
  return true;
}

bool RecordReader::container_record(const JsonValue& v, RecordFrame frame) {
  const JsonValue& pod = *v.find("kubernetes");
  add_text(frame.speaker.node, first_text(pod, {"host", "node_name", "node"}));
  add_text(frame.speaker.pod, first_text(pod, {"pod_name", "pod"}));
  add_text(frame.speaker.container, first_text(pod, {"container_name", "container"}));
  return docker(v, std::move(frame));
}

/// {"log", "stream", "time"} of Docker's json-file, and of Fluent Bit and its kin.
bool RecordReader::docker(const JsonValue& v, RecordFrame frame) {
  add_text(frame.speaker.stream, v.text("stream"));
  for (const std::string_view key : {"time", "@timestamp", "timestamp", "date", "ts"}) {
    const Instant time = time_of(v.find(key), hints_);
    if (!time.known()) continue;
    frame.time = time;
    break;
  }
  const std::string_view tag = first_text(v, {"_p", "logtag"});
  for (const std::string_view key : {"log", "message", "MESSAGE", "log_processed"}) {
    const JsonValue* text = v.find(key);
    if (text == nullptr || (!text->is_string() && !text->is_object())) continue;
    if (!text->is_string()) {
      message_of(*text, frame);
    } else if (!tag.empty()) {
      piece(text->string, tag.starts_with('P'), true, frame, frame.place_of(*text));
    } else if (key == "log" && v.find("kubernetes") == nullptr) {
      piece(text->string, !text->string.ends_with('\n'), false, frame, frame.place_of(*text));
    } else {
      message(text->string, frame, frame.place_of(*text));
    }
    return true;
  }
  return false;
}

bool RecordReader::stern(const JsonValue& v, RecordFrame frame) {
  add_text(frame.speaker.node, first_text(v, {"nodeName", "node"}));
  add_text(frame.speaker.pod, without_ansi(first_text(v, {"podName", "pod"})));
  add_text(frame.speaker.container, without_ansi(first_text(v, {"containerName", "container"})));
  if (const Instant time = time_of(v.find("timestamp"), hints_); time.known()) frame.time = time;
  message_of(*v.find("message"), frame);
  return true;
}

/// Host and dataplane logs of Container Insights.
bool RecordReader::host_record(const JsonValue& v, RecordFrame frame) {
  add_text(frame.speaker.node, first_text(v, {"ec2_instance_id", "hostname", "host"}));
  add_text(frame.speaker.stream, first_text(v, {"systemd_unit", "ident"}));
  for (const std::string_view key : {"time", "@timestamp", "timestamp"}) {
    if (const Instant time = time_of(v.find(key), hints_); time.known()) frame.time = time;
  }
  message(v.text("message"), frame, frame.place_of(*v.find("message")));
  return true;
}

bool RecordReader::kernel_page(const JsonValue& v, RecordFrame frame) {
  for (const JsonValue& line : v.find("dmesg")->items) kernel_line(line, frame);
  return true;
}

/// {"pri": 6, "time": "   12.345678", "msg": "..."}: seconds since boot.
bool RecordReader::kernel_line(const JsonValue& v, RecordFrame frame) {
  const JsonValue* text = v.find("msg");
  if (text == nullptr || !text->is_string()) return false;
  frame.time = {};
  if (const JsonValue* time = v.find("time"); time != nullptr) {
    const std::string_view digits = trim(time->string);
    const std::size_t dot = digits.find('.');
    const auto seconds = parse_number<std::uint32_t>(digits.substr(0, dot));
    const std::string_view fraction =
        dot == std::string_view::npos ? std::string_view() : digits.substr(dot + 1, 9);
    const auto part =
        fraction.empty() ? std::optional<std::uint32_t>(0) : parse_number<std::uint32_t>(fraction);
    if (seconds && part) {
      std::int64_t unit = kSecond;
      for (std::size_t i = 0; i < fraction.size(); ++i) unit /= 10;
      frame.time.ns = static_cast<std::int64_t>(*seconds) * kSecond + static_cast<std::int64_t>(*part) * unit;
      frame.time.precision_ns = unit;
      frame.time.base = Instant::Base::boot;
    } else {
      frame.time = time_of(digits, hints_);  // --time-format=iso
      frame.time.source = Instant::Source::line;
    }
  }
  writer_.add(text->string, {frame.place_of(*text), frame.time, frame.speaker, false});
  return true;
}

bool RecordReader::loki_page(const JsonValue& v, RecordFrame frame) {
  return each(v.find("data")->find("result"), frame);
}

bool RecordReader::loki_stream(const JsonValue& v, RecordFrame frame) {
  const JsonValue& labels = *v.find("stream");
  add_text(frame.speaker.node, first_text(labels, {"node", "node_name", "host", "hostname", "instance"}));
  add_text(frame.speaker.pod, first_text(labels, {"pod", "pod_name"}));
  add_text(frame.speaker.container, first_text(labels, {"container", "container_name"}));
  return each(v.find("values"), frame);
}

bool RecordReader::grafana(const JsonValue& v, RecordFrame frame) {
  for (const std::string_view key : {"labels", "fields", "stream"}) {
    const JsonValue* labels = v.find(key);
    if (labels == nullptr || !labels->is_object()) continue;
    add_text(frame.speaker.node, first_text(*labels, {"node", "node_name", "host", "hostname", "instance"}));
    add_text(frame.speaker.pod, first_text(*labels, {"pod", "pod_name"}));
    add_text(frame.speaker.container, first_text(*labels, {"container", "container_name"}));
  }
  for (const std::string_view key : {"date", "Time", "ts", "timestamp", "tsNs"}) {  // the finest last
    if (const Instant time = time_of(v.find(key), hints_); time.known()) frame.time = time;
  }
  const JsonValue* text = v.find("line") != nullptr ? v.find("line") : v.find("Line");
  message_of(*text, frame);
  return true;
}

void RecordReader::piece(std::string_view text, bool partial, bool sure, const RecordFrame& frame,
                         const Place& place) {
  const Speaker& s = frame.speaker;
  const std::string key = s.node + '\n' + s.pod + '\n' + s.container + '\n' + s.stream;
  auto open = partials_.find(key);
  newlines_seen_ = newlines_seen_ || (!sure && !partial);
  if (open != partials_.end()) {
    // Without a mark of its own, a record that lacks its line end is a part only where the others have
    // theirs.
    const bool joins = sure || !partial || newlines_seen_ || open->second.last_chunk >= kDockerChunk;
    if (!joins || open->second.text.size() + text.size() > limits_.max_line) {
      release(open);
      open = partials_.end();
    }
  }
  if (open == partials_.end()) {
    if (!partial) {
      message(text, frame, place);
      return;
    }
    if (partials_.size() >= kMostPartials || partial_bytes_ > limits_.max_document) release_all();
    open = partials_.emplace(key, Partial{{}, frame, place, 0}).first;
    open->second.frame.places = nullptr;
    open->second.frame.place = place;
  }
  open->second.text += text;
  open->second.last_chunk = text.size();
  partial_bytes_ += text.size();
  if (!partial) release(open);
}

void RecordReader::release(std::map<std::string, Partial>::iterator partial) {
  partial_bytes_ -= partial->second.text.size();
  message(partial->second.text, partial->second.frame, partial->second.place);
  partials_.erase(partial);
}

void RecordReader::release_all() {
  while (!partials_.empty()) release(partials_.begin());
}

}  // namespace faultline::decode
