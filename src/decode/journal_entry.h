#pragma once
// One entry of the systemd journal, from whichever form it was read: what of it becomes lines, at which time,
// by whom. Facts: artifact-formats 5.2 to 5.4.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "decode/marked_writer.h"

namespace faultline::decode {

/// A field of an entry that is read. The rest is not kept.
enum class JournalField : std::uint8_t {
  message,
  hostname,
  identifier,
  comm,
  pid,
  syslog_pid,
  container_name,
  container_partial,
  realtime,
  monotonic,
  source_realtime,
  source_monotonic,
};
std::optional<JournalField> journal_field(std::string_view name);
/// No name that journal_field() knows is longer.
inline constexpr std::size_t kLongestJournalField = 32;

struct JournalEntry {
  std::vector<std::string> messages;  ///< MESSAGE may be repeated
  std::string hostname, identifier, comm, container_name;
  std::optional<std::uint64_t> pid, realtime_us, monotonic_us, source_realtime_us, source_monotonic_us;
  bool container_partial = false;
  bool message_left_out = false;  ///< printed as null because it was too long

  /// Sets a field from its printed value. Names that are not read are passed over.
  void set(JournalField field, std::string_view value);
  [[nodiscard]] Instant time() const;
  [[nodiscard]] Speaker speaker() const;
  void write(MarkedWriter& writer, const Place& place, bool verbatim) const;
};

/// An object of `journalctl -o json`: strings, arrays of bytes, null, arrays of these.
JournalEntry journal_entry_from_json(const JsonValue& object);

}  // namespace faultline::decode
