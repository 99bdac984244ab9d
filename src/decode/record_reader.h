#pragma once
// Says of a JSON record which dialect it is, takes time and speaker from its members, and hands its message
// on. A message that is itself a wrapper's record is unwrapped, up to three levels; what an application
// printed as JSON stays as it is, unless its message has several lines. One row a dialect: record_reader.cc.
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decode/json_records.h"
#include "decode/marked_writer.h"

namespace faultline::decode {

/// What is known of a record before its own members are looked at.
struct RecordFrame {
  Instant time;
  Speaker speaker;
  PlaceFinder* places = nullptr;  ///< of the bytes that the record's offsets count in
  Place place;                    ///< where `places` is null: inside a string all is at one place
  int unwraps = 3;                ///< levels of JSON in strings that may still be opened

  bool verbatim = false;  ///< line ends inside the message are line ends of the artifact (CSV)

  [[nodiscard]] Place place_at(std::uint64_t offset) const {
    return places != nullptr ? places->at(offset) : place;
  }
  [[nodiscard]] Place place_of(const JsonValue& value) const { return place_at(value.offset); }
};

class RecordReader final : public RecordSink {
 public:
  RecordReader(MarkedWriter& writer, const Limits& limits, const TimeHints& hints)
      : writer_(writer), limits_(limits), hints_(hints) {}

  bool record(const JsonRecord& record) override;
  void line(std::string_view text, const Place& place, bool whole) override;
  [[nodiscard]] bool is_list(std::string_view key) const override;
  void broken(const Place& place, std::string_view what) override {
    writer_.damage(place, std::string(what));
  }

  /// A row of named columns: CloudWatch Insights, the CSV forms, Grafana. False when none is a message.
  struct Column {
    std::string_view name;
    std::string_view value;
    std::uint64_t offset = 0;  ///< of the value, in the bytes of frame.places
  };
  bool row(const std::vector<Column>& columns, RecordFrame frame);

  /// To be called at the end: what waits for its other half comes out, and what was left out is noted.
  void finish();

 private:
  using Reader = bool (RecordReader::*)(const JsonValue&, RecordFrame);
  struct Dialect {
    bool (*fits)(const JsonValue&);
    Reader read;
  };
  static std::span<const Dialect> dialects();
  static const Dialect* dialect_of(const JsonValue& value);

  bool any(const JsonValue& value, const RecordFrame& frame);
  bool each(const JsonValue* list, const RecordFrame& frame);
  void message(std::string_view text, const RecordFrame& frame, const Place& place);
  void message_of(const JsonValue& value, const RecordFrame& frame);
  bool application(const JsonValue& object, const RecordFrame& frame);
  bool prefixed(std::string_view text, const Place& place);
  bool tuple(const JsonValue& list, const RecordFrame& frame);

  bool journal(const JsonValue&, RecordFrame);
  bool log_page(const JsonValue&, RecordFrame);
  bool subscription(const JsonValue&, RecordFrame);
  bool packed(const JsonValue&, RecordFrame);
  bool insights_page(const JsonValue&, RecordFrame);
  bool insights_flat(const JsonValue&, RecordFrame);
  bool log_event(const JsonValue&, RecordFrame);
  bool container_record(const JsonValue&, RecordFrame);
  bool docker(const JsonValue&, RecordFrame);
  bool stern(const JsonValue&, RecordFrame);
  bool host_record(const JsonValue&, RecordFrame);
  bool kernel_page(const JsonValue&, RecordFrame);
  bool kernel_line(const JsonValue&, RecordFrame);
  bool loki_page(const JsonValue&, RecordFrame);
  bool loki_stream(const JsonValue&, RecordFrame);
  bool grafana(const JsonValue&, RecordFrame);

  /// The start of a line that a runtime cut (docker, fluent-bit): waits for the rest, by stream.
  struct Partial {
    std::string text;
    RecordFrame frame;
    Place place;
    std::size_t last_chunk = 0;
  };
  void piece(std::string_view text, bool partial, bool sure, const RecordFrame& frame, const Place& place);
  void release(std::map<std::string, Partial>::iterator partial);
  void release_all();

  MarkedWriter& writer_;
  const Limits& limits_;
  TimeHints hints_;
  std::map<std::string, Partial> partials_;
  std::size_t partial_bytes_ = 0;
  bool whole_ = true;  ///< the record at hand
  bool newlines_seen_ = false;
  std::uint64_t left_out_ = 0;
  std::uint64_t packed_ = 0;
};

}  // namespace faultline::decode
