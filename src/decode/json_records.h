#pragma once
// Takes a text apart into JSON records without holding it: JSON lines, concatenated and pretty-printed
// documents, arrays, and the lists inside the documents of CloudWatch, dmesg and Loki, with text between
// them. What is no JSON or is broken comes as lines: nothing is lost. Memory: a window of a MiB, for one
// record beyond it up to Limits::max_document.
#include <string_view>

#include "base/json_piece.h"
#include "base/limits.h"
#include "decode/text_stream.h"

namespace faultline::decode {

struct JsonRecord {
  const JsonValue& value;  ///< offsets count in `bytes`
  std::string_view bytes;
  PlaceFinder& places;      ///< of `bytes`
  const JsonValue* around;  ///< members of the enclosing object that stood before the list; or null
  bool whole = true;        ///< false: broken or cut, `value` holds what was complete
};

class RecordSink {
 public:
  virtual ~RecordSink() = default;
  /// False: not understood; its text is then given to line().
  virtual bool record(const JsonRecord& record) = 0;
  /// Text that is no JSON, or a broken or unknown record's; no line end. `whole` false: a piece of a longer
  /// line.
  virtual void line(std::string_view text, const Place& place, bool whole) = 0;
  /// Is the list under this key made of records?
  [[nodiscard]] virtual bool is_list(std::string_view key) const = 0;
  virtual void broken(const Place& place, std::string_view what) = 0;
};

class JsonRecords {
 public:
  JsonRecords(TextStream& stream, const Limits& limits, RecordSink& sink);
  void run();

 private:
  enum class After : std::uint8_t { next, list, top };  ///< where reading can go on after a value
  After value(const JsonValue* around, int depth, std::size_t column);
  After large_value(const JsonValue* around, int depth, std::size_t column);
  After large_object(const JsonValue* around, int depth);
  After list(const JsonValue* around, int depth);
  After broken(const json::Piece& piece, const JsonValue* around, std::size_t column);
  bool read_whole(json::Piece& piece);
  void deliver(const json::Piece& piece, const JsonValue* around);
  void give_lines(std::string_view bytes, PlaceFinder& places);
  void give_line();
  bool skip_between();
  [[nodiscard]] bool leads_to_list(std::string_view window) const;
  std::string_view window();

  TextStream& stream_;
  const Limits& limits_;
  RecordSink& sink_;
  std::size_t max_line_;
  bool inside_line_ = false;  ///< the next byte goes on a line that was given in pieces
};

}  // namespace faultline::decode
