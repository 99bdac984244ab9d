#pragma once
// The small scanner under the stamp parsers of time_parse.cc. Internal to base: takers move the scanner only
// past what they read whole, and decline otherwise.
#include <optional>
#include <string_view>

#include "base/time.h"

namespace faultline::time_scan {

inline constexpr std::int64_t kDaySeconds = 86'400;

// Years that logs can have; beyond 2261 nanoseconds do not fit 64 bits.
inline constexpr std::int64_t kFirstYear = 1970;
inline constexpr std::int64_t kLastYear = 2199;
// The year of stamps that print none when nothing hints at one: order within a text is kept, nobody takes it
// for real, and it has a 29 February.
inline constexpr std::int64_t kNoYear = 1972;

struct Scanner {
  std::string_view text;
  std::size_t at = 0;

  [[nodiscard]] bool done() const { return at >= text.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : '\0';
  }
  [[nodiscard]] bool digit(std::size_t ahead = 0) const { return peek(ahead) >= '0' && peek(ahead) <= '9'; }
  [[nodiscard]] bool letter(std::size_t ahead = 0) const {
    const char c = static_cast<char>(peek(ahead) | 0x20);
    return c >= 'a' && c <= 'z';
  }
  bool take(char c) {
    if (done() || text[at] != c) return false;
    ++at;
    return true;
  }
  bool take(std::string_view word) {
    if (!text.substr(at).starts_with(word)) return false;
    at += word.size();
    return true;
  }
  /// Exactly `count` digits.
  std::optional<unsigned> digits(std::size_t count) {
    unsigned value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!digit(i)) return std::nullopt;
      value = value * 10 + static_cast<unsigned>(peek(i) - '0');
    }
    at += count;
    return value;
  }
  [[nodiscard]] std::size_t digit_run() const {
    std::size_t n = 0;
    while (digit(n)) ++n;
    return n;
  }
};

struct Clock {
  unsigned hour = 0, minute = 0, second = 0;
  std::int64_t fraction_ns = 0;
  std::int64_t precision_ns = kSecond;
  [[nodiscard]] std::int64_t seconds() const {
    return static_cast<std::int64_t>(hour) * 3600 + static_cast<std::int64_t>(minute) * 60 + second;
  }
};

struct Date {
  std::int64_t year = 0;
  unsigned month = 0, day = 0;
};

struct Offset {
  std::int32_t seconds = 0;
  bool printed = false;
};

/// Does the day exist, in a year that logs can have?
bool valid(const Date& date);

enum class Seconds { required, optional };
/// HH:MM:SS[.fraction]; a digit right after it means that it is something else.
std::optional<Clock> take_clock(Scanner& s, Seconds seconds = Seconds::required);
/// [.,]digits into the clock; beyond nine digits they are read over.
bool take_fraction(Scanner& s, Clock& clock);
/// +00:00, +0000, +00 (the last only where `short_form` allows it).
std::optional<std::int32_t> take_numeric_offset(Scanner& s, bool short_form);
/// "UTC" or "+0000" where a zone must stand: any run of capitals is taken for one, printed or not as it is
/// known.
Offset take_zone_word(Scanner& s);
/// 2026-01-01 or 2026/01/01.
std::optional<Date> take_numeric_date(Scanner& s);
/// The name of a month, with a blank after it.
std::optional<unsigned> take_month(Scanner& s);

}  // namespace faultline::time_scan
