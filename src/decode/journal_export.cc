// journalctl -o export: fields by length, entries by empty lines. Facts: artifact-formats 5.3.
#include <algorithm>

#include "base/cursor.h"
#include "base/text.h"
#include "decode/framer.h"
#include "decode/journal_entry.h"

namespace faultline::decode {
namespace {

// journald cuts fields at 768 MiB (a core dump); beyond it a length is no length.
constexpr std::uint64_t kLongestField = std::uint64_t{1} << 30;
constexpr std::size_t kLongestName = 64;  // of any field; journald refuses longer ones

bool is_field_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

class ExportReader {
 public:
  ExportReader(TextStream& stream, MarkedWriter& writer, const Limits& limits)
      : stream_(stream),
        writer_(writer),
        longest_(static_cast<std::size_t>(std::max<std::uint64_t>(limits.max_document, 4096))) {}

  void run() {
    entry_place_ = stream_.place();
    while (stream_.fill(1)) {
      if (!field()) resync();
    }
    flush();
  }

 private:
  /// One line, or one field of the binary form. False: this is no export format.
  bool field() {
    TextStream::Line line;
    if (!stream_.peek_line(longest_, line)) return true;
    if (line.text.empty()) {
      stream_.consume(line.length);
      flush();
      return true;
    }
    const std::size_t equals = line.text.find('=');
    if (equals != std::string_view::npos) {
      const std::string_view name = line.text.substr(0, equals);
      if (!is_field_name(name)) return false;
      if (!line.whole) {
        writer_.damage(stream_.place(), "a journal field is longer than max-document");
        keep(name, line.text.substr(equals + 1));
        stream_.consume(line.length);
        skip_line();
        return true;
      }
      keep(name, line.text.substr(equals + 1));
      stream_.consume(line.length);
      return true;
    }
    if (!is_field_name(line.text) || !line.whole) return false;
    return binary(std::string(line.text), line.length);
  }

  /// NAME, line end, length in 8 bytes, data, line end.
  bool binary(const std::string& name, std::size_t header) {
    if (!stream_.fill(header + 8)) {
      writer_.damage(stream_.place(), "the text ends inside a journal field");
      stream_.consume(stream_.view().size());
      return true;
    }
    Cursor cursor(stream_.view().substr(header, 8));
    const std::uint64_t size = cursor.u64().value_or(UINT64_MAX);
    if (size > kLongestField) return false;
    // The data that is kept: all of a message, up to the limit.
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, longest_));
    const bool interesting = journal_field(name).has_value();
    if (interesting) stream_.fill(header + 8 + wanted + 1);
    const std::string_view data = stream_.view().substr(std::min(header + 8, stream_.view().size()));
    if (interesting && size < longest_ && data.size() > size && data[size] != '\n') return false;
    if (interesting) keep_binary(name, data.substr(0, wanted), header);
    const bool cut = !pass(header + 8 + size);
    if (!cut && stream_.fill(1) && stream_.view()[0] != '\n') return false;
    if (cut) {
      writer_.damage(stream_.place(), "the text ends inside a journal field");
    } else {
      stream_.consume(1);
    }
    return true;
  }

  /// Consumes without holding; false when the text ends before.
  bool pass(std::uint64_t size) {
    while (size > 0 && stream_.fill(1)) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(size, stream_.view().size()));
      stream_.consume(part);
      size -= part;
    }
    return size == 0;
  }

  void keep(std::string_view name, std::string_view value) {
    begin();
    const auto known = journal_field(name);
    if (!known) return;
    if (*known == JournalField::message && entry_.messages.empty()) {
      message_place_ = stream_.place();
      message_place_.offset += name.size() + 1;
    }
    if (*known == JournalField::message && entry_.messages.size() >= kMostMessages) return;
    entry_.set(*known, value);
  }

  void keep_binary(std::string_view name, std::string_view value, std::size_t header) {
    begin();
    const bool first = name == "MESSAGE" && entry_.messages.empty();
    keep(name, value);
    if (first) message_place_ = stream_.place_at(std::min(header + 8, stream_.view().size()));
  }

  void begin() {
    if (in_entry_) return;
    in_entry_ = true;
    entry_place_ = message_place_ = stream_.place();
  }

  void flush() {
    if (in_entry_) entry_.write(writer_, message_place_, true);
    entry_ = {};
    in_entry_ = false;
  }

  void skip_line() {
    TextStream::Line line;
    while (stream_.peek_line(longest_, line)) {
      stream_.consume(line.length);
      if (line.whole) return;
    }
  }

  /// Goes to the next field that begins an entry; what lies between comes as text.
  void resync() {
    writer_.damage(stream_.place(), "a journal field is neither NAME=value nor a name with a length");
    flush();
    TextStream::Line line;
    bool first = true;
    while (stream_.peek_line(kTextLine, line)) {
      if (!first && (line.text.starts_with("__CURSOR=") || line.text.starts_with("__REALTIME_TIMESTAMP=")))
        return;
      writer_.add(line.text, {stream_.place(), {}, {}, true});
      stream_.consume(line.length);
      first = false;
    }
  }

  static constexpr std::size_t kMostMessages = 64;
  static constexpr std::size_t kTextLine = std::size_t{1} << 20;
  TextStream& stream_;
  MarkedWriter& writer_;
  std::size_t longest_;
  JournalEntry entry_;
  Place entry_place_;
  Place message_place_;
  bool in_entry_ = false;
};

}  // namespace

DecodeSummary frame_journal_export(const Artifact& artifact, ByteSource& source, const Limits& limits,
                                   const TimeHints& hints, const BatchSink& sink) {
  TextStream stream(source);
  MarkedWriter writer(artifact, limits, hints, sink);
  ExportReader(stream, writer, limits).run();
  return writer.finish(stream.lines());
}

}  // namespace faultline::decode
