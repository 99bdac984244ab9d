#include "decode/journal_entry.h"

#include <array>

#include "base/text.h"
#include "decode/record_values.h"

namespace faultline::decode {
namespace {

struct FieldName {
  std::string_view name;
  JournalField field;
};
constexpr std::array<FieldName, 12> kFields = {{
    {"MESSAGE", JournalField::message},
    {"_HOSTNAME", JournalField::hostname},
    {"SYSLOG_IDENTIFIER", JournalField::identifier},
    {"_COMM", JournalField::comm},
    {"_PID", JournalField::pid},
    {"SYSLOG_PID", JournalField::syslog_pid},
    {"CONTAINER_NAME", JournalField::container_name},
    {"CONTAINER_PARTIAL_MESSAGE", JournalField::container_partial},
    {"__REALTIME_TIMESTAMP", JournalField::realtime},
    {"__MONOTONIC_TIMESTAMP", JournalField::monotonic},
    {"_SOURCE_REALTIME_TIMESTAMP", JournalField::source_realtime},
    {"_SOURCE_MONOTONIC_TIMESTAMP", JournalField::source_monotonic},
}};

// A journal of one boot does not lag so much behind the kernel ring; beyond it the two clocks are of two
// boots.
constexpr std::uint64_t kLongestLag = std::uint64_t{24} * 3600 * 1'000'000;

/// The text of one value: a string, or the bytes of one that is not plain text.
std::optional<std::string> text_of(const JsonValue& value) {
  if (value.is_string()) return value.string;
  if (!value.is_array() || value.items.empty()) return std::nullopt;
  std::string bytes;
  bytes.reserve(value.items.size());
  for (const JsonValue& item : value.items) {
    if (item.type != JsonValue::Type::integer || item.integer < 0 || item.integer > 255) return std::nullopt;
    bytes.push_back(static_cast<char>(static_cast<std::uint8_t>(item.integer)));
  }
  return bytes;
}

}  // namespace

std::optional<JournalField> journal_field(std::string_view name) {
  for (const FieldName& row : kFields) {
    if (row.name == name) return row.field;
  }
  return std::nullopt;
}

void JournalEntry::set(JournalField field, std::string_view value) {
  switch (field) {
    case JournalField::message:
      messages.emplace_back(value);
      break;
    case JournalField::hostname:
      hostname = value;
      break;
    case JournalField::identifier:
      identifier = value;
      break;
    case JournalField::comm:
      comm = value;
      break;
    case JournalField::container_name:
      container_name = value;
      break;
    case JournalField::container_partial:
      container_partial = value == "true";
      break;
    case JournalField::pid:
      pid = parse_number<std::uint64_t>(value);
      break;
    // The sender's own word counts only where the journal does not know better.
    case JournalField::syslog_pid:
      pid = pid ? pid : parse_number<std::uint64_t>(value);
      break;
    case JournalField::realtime:
      realtime_us = parse_number<std::uint64_t>(value);
      break;
    case JournalField::monotonic:
      monotonic_us = parse_number<std::uint64_t>(value);
      break;
    case JournalField::source_realtime:
      source_realtime_us = parse_number<std::uint64_t>(value);
      break;
    case JournalField::source_monotonic:
      source_monotonic_us = parse_number<std::uint64_t>(value);
      break;
  }
}

Instant JournalEntry::time() const {
  if (source_realtime_us) {
    if (const Instant time = time_from_us(*source_realtime_us); time.known()) return time;
  }
  if (!realtime_us) return {};
  std::uint64_t us = *realtime_us;
  // Kernel lines carry the ring's clock only, and journald may have read them long after they were printed.
  if (source_monotonic_us && monotonic_us && *monotonic_us >= *source_monotonic_us) {
    const std::uint64_t lag = *monotonic_us - *source_monotonic_us;
    if (lag <= kLongestLag && lag < us) us -= lag;
  }
  return time_from_us(us);
}

Speaker JournalEntry::speaker() const {
  Speaker speaker;
  speaker.node = hostname;
  speaker.stream = identifier.empty() ? comm : identifier;
  if (pid && *pid <= INT32_MAX) speaker.pid = static_cast<std::int64_t>(*pid);
  if (!container_name.empty()) add_container_name(container_name, speaker);
  return speaker;
}

void JournalEntry::write(MarkedWriter& writer, const Place& place, bool verbatim) const {
  const Origin origin{place, time(), speaker(), verbatim};
  for (const std::string& message : messages) writer.add(message, origin);
}

JournalEntry journal_entry_from_json(const JsonValue& object) {
  JournalEntry entry;
  for (const auto& [name, value] : object.members) {
    const auto field = journal_field(name);
    if (!field) continue;
    if (const auto text = text_of(value)) {
      entry.set(*field, *text);
    } else if (value.type == JsonValue::Type::integer) {
      entry.set(*field, value.string);
    } else if (value.is_array()) {
      for (const JsonValue& item : value.items) {
        if (const auto repeated = text_of(item)) entry.set(*field, *repeated);
        if (item.type == JsonValue::Type::null && *field == JournalField::message)
          entry.message_left_out = true;
      }
    } else if (value.type == JsonValue::Type::null && *field == JournalField::message) {
      entry.message_left_out = true;
    }
  }
  return entry;
}

}  // namespace faultline::decode
