#pragma once
// Time as logs give it: a number, what it counts from, how fine it was printed, and how we know it.
// An Instant is the half-open interval [ns, ns + precision_ns). No clock and no zone database of the
// analysing machine is ever asked: only offsets that were printed, or assumed and marked as assumed.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace faultline {

struct Instant {
  enum class Base : std::uint8_t {
    none,   ///< no time is known
    epoch,  ///< nanoseconds since 1970-01-01T00:00:00Z
    boot,   ///< nanoseconds since the boot of the node that printed it
  };
  enum class Zone : std::uint8_t {
    printed,  ///< an offset or Z stood in the line (or the base needs none)
    assumed,  ///< no zone in the line: read as UTC, or as the zone given by --tz
  };
  enum class Source : std::uint8_t {
    line,       ///< printed by the program itself
    container,  ///< stamped by the runtime, the journal or CloudWatch on receipt
    inherited,  ///< taken from the last stamped line before this one
    joined,     ///< boot-relative, turned into wall time by a boot epoch
  };

  std::int64_t ns = 0;
  std::int64_t precision_ns = 0;
  Base base = Base::none;
  Zone zone = Zone::printed;
  Source source = Source::line;
  bool year_inferred = false;  ///< the line had no year (syslog, glog)

  [[nodiscard]] bool known() const { return base != Base::none; }
  [[nodiscard]] bool wall() const { return base == Base::epoch; }
  friend bool operator==(const Instant&, const Instant&) = default;
};

inline constexpr std::int64_t kSecond = 1'000'000'000;
inline constexpr std::int64_t kMillisecond = 1'000'000;

/// What a parser may assume for what a stamp leaves out.
struct TimeHints {
  /// A moment that the stamps most likely precede (collection time, else file or member time), ns since the
  /// epoch. Stamps without a year get the latest year in which they are not after this (plus a day). Without
  /// it they get 1972: their order is kept, and nobody takes the year for real.
  std::optional<std::int64_t> reference_ns;
  /// Offset east of UTC, in seconds, for stamps without a zone.
  std::int32_t zone_offset_s = 0;
};

/// A stamp found at the head of a text: the time and the number of bytes it takes (without the blank after).
struct ParsedTime {
  Instant time;
  std::size_t length = 0;
};

// Each tries to read one form at the START of `text` and declines with nullopt. Values out of range (month
// 13, year 1500) decline. Forms after facts/artifact-formats.
std::optional<ParsedTime> try_iso8601(
    std::string_view text,
    const TimeHints& hints);  ///< 2026-01-01T00:00:00[.,fff](Z|+00:00|+0000|) or with a blank, also
                              ///< 2026/01/01 00:00:00, 2026-01-01_00:00:00
std::optional<ParsedTime> try_syslog(
    std::string_view text,
    const TimeHints& hints);  ///< Jan  1 00:00:00[.ffffff]; German, French and Spanish months too
std::optional<ParsedTime> try_ctime(
    std::string_view text,
    const TimeHints& hints);  ///< [Thu ]Jan  1 00:00:00 [UTC ]2026; Thu 2026-01-01 00:00:00 UTC; Mar 03 2026
                              ///< 00:00:00; Thu 01 Jan 2026 12:00:00 AM UTC
std::optional<ParsedTime> try_rfc1123(std::string_view text,
                                      const TimeHints& hints);  ///< Thu, 01 Jan 2026 00:00:00 +0000
std::optional<ParsedTime> try_glog(
    std::string_view text, const TimeHints& hints);  ///< 0101 00:00:00.123456[789] (after the level letter)
std::optional<ParsedTime> try_epoch(
    std::string_view text);  ///< 1767225600[.123456], 13 digits ms, 16 us, 19 ns
/// Any of the above but try_epoch, in the order that cannot confuse them.
std::optional<ParsedTime> try_any_time(std::string_view text, const TimeHints& hints);

/// 2026-01-01T00:00:00.123Z: as many fraction digits (0, 3, 6, 9) as the precision carries; empty unless
/// wall().
std::string to_iso(const Instant& time);
std::string to_iso_ns(std::int64_t epoch_ns, std::int64_t precision_ns = kMillisecond);

/// Days since the epoch of a civil date; the proleptic Gregorian calendar.
std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day);

}  // namespace faultline
