// journalctl -o verbose: a header line an entry, then one field a line, indented; the lines of a value are
// padded to its column. Facts: artifact-formats 5.1.
#include <algorithm>

#include "base/text.h"
#include "decode/journal_entry.h"
#include "decode/record_values.h"
#include "decode/structured.h"

namespace faultline::decode {
namespace {

constexpr std::size_t kIndent = 4;

/// t=<hex microseconds> and m=<hex microseconds since boot> of a cursor.
std::optional<std::uint64_t> cursor_number(std::string_view cursor, std::string_view key) {
  const std::size_t at = cursor.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = cursor.substr(at + key.size());
  return parse_number<std::uint64_t>(rest.substr(0, rest.find_first_of(";]")), 16);
}

class VerboseReader {
 public:
  VerboseReader(TextStream& stream, MarkedWriter& writer, const Limits& limits, const TimeHints& hints)
      : stream_(stream),
        writer_(writer),
        hints_(hints),
        max_line_(
            static_cast<std::size_t>(std::clamp<std::uint64_t>(limits.max_line, 128, std::size_t{1} << 30))),
        max_message_(static_cast<std::size_t>(limits.max_document)) {}

  void run() {
    TextStream::Line line;
    while (stream_.peek_line(max_line_, line)) {
      take(line.text);
      stream_.consume(line.length);
    }
    flush();
    if (left_out_ > 0) {
      writer_.note(std::to_string(left_out_) +
                   " journal messages were printed as \"blob data\"; `journalctl --all` prints them");
    }
  }

 private:
  void take(std::string_view line) {
    if (header(line)) return;
    const std::string_view body = line.starts_with("    ") ? line.substr(kIndent) : std::string_view();
    const std::size_t equals = body.find('=');
    if (in_entry_ && !body.empty() && body[0] != ' ' && equals != std::string_view::npos && equals <= 64 &&
        body.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == equals) {
      field(body.substr(0, equals), body.substr(equals + 1));
    } else if (in_message_ && line.size() >= column_ && line.find_first_not_of(' ') >= column_) {
      more(line.substr(column_));
    } else if (in_message_ && trim(line).empty()) {
      more({});
    } else if (in_value_ && line.starts_with("     ")) {
      return;  // of a field that is not read
    } else if (!line.empty()) {
      flush();
      writer_.add(line, {stream_.place(), {}, {}, true});  // "-- Boot ... --", "-- No entries --", noise
    }
  }

  bool header(std::string_view line) {
    const std::size_t cursor = line.find(" [s=");
    if (cursor == std::string_view::npos || line[0] == ' ' ||
        line.find(";b=", cursor) == std::string_view::npos)
      return false;
    flush();
    in_entry_ = true;
    entry_.realtime_us = cursor_number(line.substr(cursor), ";t=");
    entry_.monotonic_us = cursor_number(line.substr(cursor), ";m=");
    if (!entry_.realtime_us) {
      const Instant printed = time_of(line.substr(0, cursor), hints_);
      if (printed.wall() && printed.ns > 0)
        entry_.realtime_us = static_cast<std::uint64_t>(printed.ns / 1000);
    }
    return true;
  }

  void field(std::string_view name, std::string_view value) {
    in_message_ = name == "MESSAGE" && entry_.messages.empty();
    in_value_ = true;
    const auto known = journal_field(name);
    if (!known) return;
    if (in_message_) {
      message_place_ = stream_.place();
      column_ = kIndent + name.size() + 1;
    }
    // "[12B blob data]" stands for what was not printable.
    if (*known == JournalField::message && value.starts_with('[') && value.ends_with("B blob data]"))
      entry_.message_left_out = true;
    if (*known == JournalField::message && !in_message_) return;
    entry_.set(*known, value);
  }

  void more(std::string_view text) {
    std::string& message = entry_.messages.back();
    if (message.size() + text.size() < max_message_) message.append("\n").append(text);
  }

  void flush() {
    if (in_entry_ && !entry_.message_left_out) {
      for (std::string& message : entry_.messages) {
        while (message.ends_with('\n')) message.pop_back();
      }
      entry_.write(writer_, message_place_, true);
    }
    if (in_entry_ && entry_.message_left_out) ++left_out_;
    entry_ = {};
    in_entry_ = in_message_ = in_value_ = false;
  }

  TextStream& stream_;
  MarkedWriter& writer_;
  TimeHints hints_;
  std::size_t max_line_;
  std::size_t max_message_;
  JournalEntry entry_;
  Place message_place_;
  std::size_t column_ = 0;
  std::uint64_t left_out_ = 0;
  bool in_entry_ = false;
  bool in_message_ = false;
  bool in_value_ = false;
};

}  // namespace

DecodeSummary frame_journal_verbose(const Artifact& artifact, ByteSource& source, const Limits& limits,
                                    const TimeHints& hints, const BatchSink& sink) {
  TextStream stream(source);
  MarkedWriter writer(artifact, limits, hints, sink);
  if (!stream.encoding().empty()) writer.note(std::string(stream.encoding()));
  VerboseReader(stream, writer, limits, hints).run();
  return writer.finish(stream.lines());
}

}  // namespace faultline::decode
