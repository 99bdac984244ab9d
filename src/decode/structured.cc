#include "decode/structured.h"

#include "base/text.h"
#include "base/time.h"
#include "decode/json_records.h"
#include "decode/marked_writer.h"
#include "decode/record_reader.h"
#include "decode/utf16.h"

namespace faultline::decode {
namespace {

constexpr std::size_t kHead = 4096;

// First text line of the head that is not blank; without BOM.
std::string_view first_line(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  while (!head.empty()) {
    const std::size_t end = head.find('\n');
    const std::string_view line = trim(head.substr(0, end));
    if (!line.empty()) return line;
    if (end == std::string_view::npos) break;
    head.remove_prefix(end + 1);
  }
  return {};
}

bool begins_json(std::string_view text) {
  if (text.starts_with('{')) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", 1);
    return next == std::string_view::npos || text[next] == '"' || text[next] == '}';
  }
  if (!text.starts_with('[')) return false;
  const std::size_t next = text.find_first_not_of(" \t\r\n", 1);
  return next == std::string_view::npos || text[next] == '{' || text[next] == '[';
}

/// A CloudWatch export of Container Insights: a stamp, and then a wrapper's record.
bool begins_stamped_record(std::string_view line) {
  const auto stamp = try_iso8601(line, {});
  if (!stamp) return false;
  const std::string_view body = trim(line.substr(stamp->length));
  return body.starts_with('{') && (body.find("\"kubernetes\"") != std::string_view::npos ||
                                   body.find("\"log_processed\"") != std::string_view::npos);
}

bool begins_verbose(std::string_view line) {
  return line.find(" [s=") != std::string_view::npos && line.find(";b=") != std::string_view::npos &&
         line.ends_with(']');
}

}  // namespace

DecodeSummary frame_json(const Artifact& artifact, ByteSource& source, const Limits& limits,
                         const TimeHints& hints, const BatchSink& sink) {
  TextStream stream(source);
  MarkedWriter writer(artifact, limits, hints, sink);
  if (!stream.encoding().empty()) writer.note(std::string(stream.encoding()));
  RecordReader reader(writer, limits, hints);
  JsonRecords(stream, limits, reader).run();
  reader.finish();
  return writer.finish(stream.lines());
}

DecodeSummary frame_journal_json(const Artifact& artifact, ByteSource& source, const Limits& limits,
                                 const TimeHints& hints, const BatchSink& sink) {
  return frame_json(artifact, source, limits, hints, sink);
}
DecodeSummary frame_docker_json(const Artifact& artifact, ByteSource& source, const Limits& limits,
                                const TimeHints& hints, const BatchSink& sink) {
  return frame_json(artifact, source, limits, hints, sink);
}
DecodeSummary frame_container_insights(const Artifact& artifact, ByteSource& source, const Limits& limits,
                                       const TimeHints& hints, const BatchSink& sink) {
  return frame_json(artifact, source, limits, hints, sink);
}
DecodeSummary frame_cloudwatch_json(const Artifact& artifact, ByteSource& source, const Limits& limits,
                                    const TimeHints& hints, const BatchSink& sink) {
  return frame_json(artifact, source, limits, hints, sink);
}

DecodeSummary frame_by_content(const Artifact& artifact, ByteSource& source, const Limits& limits,
                               const TimeHints& hints, const BatchSink& sink) {
  PeekSource peeked(source);
  std::string_view head = peeked.peek(kHead);
  const Encoding encoding = guess_encoding(head);
  std::string decoded;
  if (encoding == Encoding::utf16_le || encoding == Encoding::utf16_be) {
    decoded = utf16_to_utf8(head.substr(bom_size(encoding, head)), encoding == Encoding::utf16_be);
    head = decoded;
  }
  const std::string_view line = first_line(head);
  Framer framer = &frame_lines;
  if (line.empty()) {
    framer = &frame_lines;
  } else if (line.starts_with("__CURSOR=") || line.starts_with("__REALTIME_TIMESTAMP=")) {
    framer = &frame_journal_export;
  } else if (begins_verbose(line)) {
    framer = &frame_journal_verbose;
  } else if (begins_json(head.substr(static_cast<std::size_t>(line.data() - head.data()))) ||
             begins_stamped_record(line)) {
    framer = &frame_json;
  }
  return framer(artifact, peeked, limits, hints, sink);
}

}  // namespace faultline::decode
