#include "decode/json_records.h"

#include <algorithm>

#include "base/text.h"

namespace faultline::decode {
namespace {

// Records are looked for in so many bytes at a time. The same amount whatever chunks the source gives, so
// that what comes out depends on the bytes alone.
constexpr std::size_t kWindow = std::size_t{1} << 20;
constexpr std::uint64_t kMostValues = 4'000'000;
constexpr int kDeepestList = 4;  // pages in an array, events in a page
constexpr std::size_t kNoColumn = SIZE_MAX;
constexpr std::uint64_t kNoise = 64;    // bytes after which a text that is no JSON shows it
constexpr std::size_t kOverlap = 4096;  // of the pieces of a long line

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool is_between(char c) {
  return is_space(c) || c == ',' || c == '\x1e';  // 0x1e: json-seq
}

json::Piece read(std::string_view text, std::uint32_t max_nesting) {
  std::uint64_t values_left = kMostValues;
  return json::read_piece(text, 0, max_nesting, values_left);
}

/// "[0] tag: ..." and "[12.5] text" are log lines, not lists.
bool is_tag(const json::Piece& piece, std::string_view text) {
  if (!piece.value.is_array()) return false;
  const std::size_t rest = text.find_first_not_of(" \t\r", piece.end);
  if (rest == std::string_view::npos || is_between(text[rest]) || text[rest] == '{' || text[rest] == '[' ||
      text[rest] == ']') {
    return false;
  }
  return std::none_of(piece.value.items.begin(), piece.value.items.end(),
                      [](const JsonValue& v) { return v.is_object() || v.is_array(); });
}

}  // namespace

JsonRecords::JsonRecords(TextStream& stream, const Limits& limits, RecordSink& sink)
    : stream_(stream),
      limits_(limits),
      sink_(sink),
      max_line_(static_cast<std::size_t>(std::clamp<std::uint64_t>(limits.max_line, 128, kWindow))) {}

std::string_view JsonRecords::window() {
  stream_.fill(kWindow);
  return stream_.view().substr(0, kWindow);
}

void JsonRecords::run() {
  while (stream_.fill(1)) {
    if (inside_line_) {
      give_line();
      continue;
    }
    const std::string_view view = window();
    const auto first =
        static_cast<std::size_t>(std::find_if_not(view.begin(), view.end(), is_between) - view.begin());
    if (first < view.size() && view[first] != '{' && view[first] != '[') {
      // Text keeps its indent.
      const std::size_t newline = view.substr(0, first).rfind('\n');
      stream_.consume(newline == std::string_view::npos ? 0 : newline + 1);
      give_line();
      continue;
    }
    stream_.consume(first);
    if (first < view.size()) value(nullptr, 0, kNoColumn);
  }
}

/// Passes over blanks and separators; false at the end of the text.
bool JsonRecords::skip_between() {
  while (stream_.fill(1)) {
    const std::string_view view = stream_.view();
    std::size_t blanks = 0;
    while (blanks < view.size() && is_between(view[blanks])) ++blanks;
    stream_.consume(blanks);
    if (blanks < view.size()) return true;
  }
  return false;
}

void JsonRecords::give_line() {
  TextStream::Line line;
  if (!stream_.peek_line(max_line_, line)) return;
  sink_.line(line.text, stream_.place(), line.whole && !inside_line_);
  inside_line_ = !line.whole;
  stream_.consume(line.whole || line.length <= 2 * kOverlap ? line.length : line.length - kOverlap);
}

void JsonRecords::give_lines(std::string_view bytes, PlaceFinder& places) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    std::string_view line = bytes.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    sink_.line(line, places.at(at), true);
    at = end + 1;
  }
}

void JsonRecords::deliver(const json::Piece& piece, const JsonValue* around) {
  const std::string_view bytes = stream_.view().substr(0, piece.end);
  PlaceFinder places(bytes, stream_.place(), stream_.utf16());
  if (!sink_.record({piece.value, bytes, places, around, true})) give_lines(bytes, places);
  stream_.consume(piece.end);
}

JsonRecords::After JsonRecords::value(const JsonValue* around, int depth, std::size_t column) {
  const std::string_view text = window();
  const bool at_end = stream_.ended() && stream_.view().size() <= kWindow;
  const json::Piece piece = read(text, limits_.max_nesting);
  // A number that touches the end of the window may go on behind it.
  const bool complete = piece.outcome == json::Outcome::complete && (at_end || piece.end < text.size());
  if (complete) {
    if (depth == 0 && is_tag(piece, text)) {
      give_line();
    } else {
      deliver(piece, around);
    }
    return After::next;
  }
  if (at_end || piece.outcome == json::Outcome::bad) return broken(piece, around, column);
  return large_value(around, depth, column);
}

/// A value that does not fit the window.
JsonRecords::After JsonRecords::large_value(const JsonValue* around, int depth, std::size_t column) {
  if (depth < kDeepestList) {
    if (stream_.view()[0] == '[') return list(around, depth);
    if (stream_.view()[0] == '{' && leads_to_list(window())) return large_object(around, depth);
  }
  json::Piece piece;
  if (!read_whole(piece)) return broken(piece, around, column);
  deliver(piece, around);
  return After::next;
}

/// Reads the value at the head of the stream, whatever its size up to max_document.
bool JsonRecords::read_whole(json::Piece& piece) {
  const std::size_t limit = static_cast<std::size_t>(std::max<std::uint64_t>(limits_.max_document, kWindow));
  for (std::size_t size = kWindow;; size = std::min(size * 2, limit)) {
    stream_.fill(size);
    const std::string_view text = stream_.view().substr(0, size);
    const bool at_end = stream_.ended() && stream_.view().size() <= size;
    piece = read(text, limits_.max_nesting);
    if (piece.outcome == json::Outcome::complete && (at_end || piece.end < text.size())) return true;
    if (piece.outcome == json::Outcome::bad || at_end) return false;
    if (size == limit) {
      piece.outcome = json::Outcome::bad;
      piece.what = "a JSON record is larger than max-document";
      return false;
    }
  }
}

/// Does the object at the head of `text` have a list of records among the members that can be seen?
bool JsonRecords::leads_to_list(std::string_view text) const {
  std::size_t at = 1;
  const auto skip = [&] {
    while (at < text.size() && is_between(text[at])) ++at;
    return at < text.size();
  };
  while (skip() && text[at] == '"') {
    const json::Piece key = read(text.substr(at), 1);
    if (key.outcome != json::Outcome::complete) return false;
    at += key.end;
    if (!skip() || text[at] != ':') return false;
    ++at;
    if (!skip()) return false;
    if (text[at] == '[' && sink_.is_list(key.value.string)) return true;
    if (text[at] == '{' && key.value.string == "data") return leads_to_list(text.substr(at));
    const json::Piece member = read(text.substr(at), limits_.max_nesting);
    if (member.outcome != json::Outcome::complete) return false;
    at += member.end;
  }
  return false;
}

JsonRecords::After JsonRecords::large_object(const JsonValue* around, int depth) {
  // What stands before the list says whose records they are; an outer object's members still count.
  JsonValue head;
  if (around != nullptr) head = *around;
  head.type = JsonValue::Type::object;
  stream_.consume(1);
  while (skip_between()) {
    if (stream_.view()[0] == '}') {
      stream_.consume(1);
      return After::next;
    }
    json::Piece key;
    if (stream_.view()[0] != '"') {
      key.outcome = json::Outcome::bad;
      key.what = "a JSON object has no key here";
      return broken(key, nullptr, kNoColumn);
    }
    if (!read_whole(key)) return broken(key, nullptr, kNoColumn);
    stream_.consume(key.end);
    if (!skip_between() || stream_.view()[0] != ':') {
      json::Piece none;
      none.outcome = json::Outcome::bad;
      none.what = "a JSON key is not followed by a colon";
      return broken(none, nullptr, kNoColumn);
    }
    stream_.consume(1);
    if (!skip_between()) break;
    const char c = stream_.view()[0];
    if (c == '[' && sink_.is_list(key.value.string)) {
      if (list(&head, depth + 1) == After::top) return After::top;
    } else if (c == '{' && key.value.string == "data" && depth < kDeepestList) {
      if (large_object(&head, depth + 1) == After::top) return After::top;
    } else {
      json::Piece member;
      if (!read_whole(member)) return broken(member, nullptr, kNoColumn);
      stream_.consume(member.end);
      head.members.push_back({std::move(key.value.string), std::move(member.value)});
    }
  }
  sink_.broken(stream_.place(), "the text ends inside a JSON value");
  return After::top;
}

JsonRecords::After JsonRecords::list(const JsonValue* around, int depth) {
  stream_.consume(1);
  std::size_t column = kNoColumn;
  for (bool first = true; stream_.fill(1); first = false) {
    if (first) {
      // Where a pretty-printed list indents its elements: the place to go on after a broken one.
      const std::string_view view = stream_.view();
      const std::size_t element = view.find_first_not_of(" \t\r\n");
      const std::size_t newline =
          element == std::string_view::npos ? element : view.substr(0, element).rfind('\n');
      if (newline != std::string_view::npos) column = element - newline - 1;
    }
    if (!skip_between()) break;
    const char c = stream_.view()[0];
    if (c == ']') {
      stream_.consume(1);
      return After::next;
    }
    if (c == '}' || c == ':') {
      json::Piece none;
      none.outcome = json::Outcome::bad;
      none.what = "a JSON list holds something that is no value";
      if (broken(none, nullptr, column) == After::top) return After::top;
      continue;
    }
    if (value(around, depth + 1, column) == After::top) return After::top;
  }
  sink_.broken(stream_.place(), "the text ends inside a JSON list");
  return After::top;
}

/// What was complete is delivered, the rest comes as lines, and reading goes on where a record can begin: a
/// bracket in the first column, or in the column of the list's elements.
JsonRecords::After JsonRecords::broken(const json::Piece& piece, const JsonValue* around,
                                       std::size_t column) {
  const std::string_view bytes = stream_.view().substr(0, piece.end);
  PlaceFinder places(bytes, stream_.place(), stream_.utf16());
  // "[WARN] ...", "{skipping}": no record was begun.
  const bool noise = !piece.has_content && piece.outcome == json::Outcome::bad && piece.good_end == 0 &&
                     piece.end < kNoise && column == kNoColumn;
  if (!noise) sink_.broken(places.at(piece.end), piece.what);
  if (piece.has_content && sink_.record({piece.value, bytes, places, around, false}))
    stream_.consume(piece.good_end);
  // At least one line goes, else a broken record would be met again.
  do {
    TextStream::Line line;
    if (!stream_.peek_line(max_line_, line)) return After::top;
    give_line();
    if (inside_line_) continue;
    if (!stream_.fill(1)) return After::top;
    std::size_t indent = 0;
    stream_.fill(256);
    const std::string_view view = stream_.view();
    while (indent < view.size() && indent < 256 && (view[indent] == ' ' || view[indent] == '\t')) ++indent;
    const char c = indent < view.size() ? view[indent] : '\0';
    if (c == '\x1e' && indent == 0) return After::top;
    if (c != '{' && c != '[') continue;
    if (indent == column && column > 0) return After::list;
    if (indent == 0) return After::top;
  } while (!noise);
  return After::top;
}

}  // namespace faultline::decode
