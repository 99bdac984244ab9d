#include "decode/csv_records.h"

#include <algorithm>

#include "base/text.h"
#include "decode/framer.h"
#include "decode/record_reader.h"

namespace faultline::decode {
namespace {

constexpr std::size_t kMostFields = 4096;

enum class Scan : std::uint8_t { record, more };

/// One pass over what is visible. `more`: the record may go on behind `text`.
Scan scan(std::string_view text, bool at_end, CsvRecord& record) {
  record = {};
  std::size_t at = 0;
  while (true) {
    CsvRecord::Field field;
    if (at < text.size() && text[at] == '"') {
      field.offset = ++at;
      while (true) {
        const std::size_t quote = text.find('"', at);
        if (quote == std::string_view::npos) {
          field.text.append(text.substr(at));
          record.fields.push_back(std::move(field));
          record.length = text.size();
          record.closed = false;
          return at_end ? Scan::record : Scan::more;
        }
        if (quote + 1 == text.size() && !at_end) return Scan::more;
        field.text.append(text.substr(at, quote - at));
        at = quote + 1;
        if (at >= text.size() || text[at] != '"') break;
        field.text.push_back('"');
        ++at;
      }
    } else {
      field.offset = at;
    }
    // What stands between a closing quote and the comma is no CSV, but it is text.
    const std::size_t end = text.find_first_of(",\n", at);
    if (end == std::string_view::npos && !at_end) return Scan::more;
    std::string_view rest = text.substr(at, end == std::string_view::npos ? end : end - at);
    if ((end == std::string_view::npos || text[end] == '\n') && rest.ends_with('\r')) rest.remove_suffix(1);
    field.text.append(rest);
    if (record.fields.size() < kMostFields) record.fields.push_back(std::move(field));
    at = end == std::string_view::npos ? text.size() : end + 1;
    if (end == std::string_view::npos || text[end] == '\n') break;
  }
  record.length = at;
  return Scan::record;
}

/// The column names, if the record is a header: one of them must be what messages are called.
std::vector<std::string> read_names(const CsvRecord& record) {
  std::vector<std::string> names;
  bool message = false;
  for (const CsvRecord::Field& field : record.fields) {
    names.emplace_back(trim(field.text));
    for (const std::string_view name :
         {"message", "@message", "log", "line", "msg", "@log", "@logstream", "@timestamp"}) {
      message = message || iequals(names.back(), name);
    }
  }
  if (!message) names.clear();
  return names;
}

/// An unquoted message with commas in it, from a hand that knew no quoting: the last column takes all.
void join_rest(CsvRecord& record, std::size_t columns) {
  std::string& last = record.fields[columns - 1].text;
  for (std::size_t i = columns; i < record.fields.size(); ++i) last.append(",").append(record.fields[i].text);
  record.fields.resize(columns);
}

}  // namespace

bool peek_csv_record(TextStream& stream, std::size_t limit, CsvRecord& record) {
  if (!stream.fill(1)) return false;
  for (std::size_t size = std::min<std::size_t>(std::size_t{64} << 10, limit);;
       size = std::min(size * 2, limit)) {
    stream.fill(size);
    const std::string_view text = stream.view().substr(0, size);
    const bool at_end = (stream.ended() && stream.view().size() <= size) || size == limit;
    if (scan(text, at_end, record) == Scan::record) return true;
  }
}

DecodeSummary frame_cloudwatch_csv(const Artifact& artifact, ByteSource& source, const Limits& limits,
                                   const TimeHints& hints, const BatchSink& sink) {
  // A CloudWatch event has at most a megabyte, its quotes may all be doubled.
  const std::size_t limit =
      static_cast<std::size_t>(std::clamp<std::uint64_t>(limits.max_line * 4, 4096, limits.max_document));
  TextStream stream(source);
  MarkedWriter writer(artifact, limits, hints, sink);
  if (!stream.encoding().empty()) writer.note(std::string(stream.encoding()));
  RecordReader reader(writer, limits, hints);
  std::vector<std::string> names;
  CsvRecord record;
  std::vector<RecordReader::Column> columns;
  while (peek_csv_record(stream, limit, record)) {
    const bool overflow = !record.closed && !(stream.ended() && record.length == stream.view().size());
    if (!record.closed) writer.damage(stream.place(), "a quoted CSV field is not closed");
    if (overflow) {
      // Only its first line is given up; the next may begin a record again.
      TextStream::Line line;
      if (!stream.peek_line(limit, line)) break;
      reader.line(line.text, stream.place(), line.whole);
      stream.consume(line.length);
      continue;
    }
    if (names.empty()) {
      names = read_names(record);
      if (!names.empty()) {
        stream.consume(record.length);
        continue;
      }
      names = {"timestamp", "message"};  // rows without their header
    }
    // An unquoted message with commas in it, from a hand that knew no quoting.
    if (record.fields.size() > names.size()) join_rest(record, names.size());
    columns.clear();
    for (std::size_t i = 0; i < record.fields.size(); ++i) {
      columns.push_back({names[i], record.fields[i].text, record.fields[i].offset});
    }
    const std::string_view bytes = stream.view().substr(0, record.length);
    PlaceFinder places(bytes, stream.place(), stream.utf16());
    RecordFrame frame;
    frame.places = &places;
    frame.verbatim = true;
    if (!reader.row(columns, frame))
      reader.line(bytes.substr(0, bytes.find_last_not_of("\r\n") + 1), stream.place(), false);
    stream.consume(record.length);
  }
  reader.finish();
  return writer.finish(stream.lines());
}

}  // namespace faultline::decode
