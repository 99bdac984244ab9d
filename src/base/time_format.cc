#include <array>
#include <cstdio>

#include "base/time.h"

namespace faultline {
namespace {

struct CivilTime {
  std::int64_t year = 0;
  unsigned month = 0, day = 0;
};

// Howard Hinnant's era arithmetic: 400-year eras that begin on 1 March.
CivilTime civil_from_days(std::int64_t days) {
  days += 719'468;
  const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted = (5 * day_of_year + 2) / 153;
  CivilTime civil;
  civil.day = static_cast<unsigned>(day_of_year - (153 * shifted + 2) / 5 + 1);
  civil.month = static_cast<unsigned>(shifted < 10 ? shifted + 3 : shifted - 9);
  civil.year = year_of_era + era * 400 + (civil.month <= 2 ? 1 : 0);
  return civil;
}

}  // namespace

std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day) {
  if (month <= 2) --year;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (static_cast<std::int64_t>(month) + (month > 2 ? -3 : 9)) + 2) / 5 +
                                   static_cast<std::int64_t>(day) - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

std::string to_iso_ns(std::int64_t epoch_ns, std::int64_t precision_ns) {
  std::int64_t seconds = epoch_ns / kSecond;
  std::int64_t fraction = epoch_ns % kSecond;
  if (fraction < 0) {
    fraction += kSecond;
    --seconds;
  }
  std::int64_t days = seconds / 86'400;
  std::int64_t clock = seconds % 86'400;
  if (clock < 0) {
    clock += 86'400;
    --days;
  }
  const CivilTime civil = civil_from_days(days);
  std::array<char, 64> text{};
  int size = std::snprintf(text.data(), text.size(), "%04lld-%02u-%02uT%02d:%02d:%02d",
                           static_cast<long long>(civil.year), civil.month, civil.day,
                           static_cast<int>(clock / 3600), static_cast<int>(clock / 60 % 60),
                           static_cast<int>(clock % 60));
  std::string out(text.data(), static_cast<std::size_t>(size));
  if (precision_ns < kSecond) {
    const int digits = precision_ns >= kMillisecond ? 3 : precision_ns >= 1000 ? 6 : 9;
    size = std::snprintf(text.data(), text.size(), ".%09lld", static_cast<long long>(fraction));
    out.append(text.data(), static_cast<std::size_t>(digits) + 1);
  }
  return out + 'Z';
}

std::string to_iso(const Instant& time) {
  return time.wall() ? to_iso_ns(time.ns, time.precision_ns) : std::string();
}

}  // namespace faultline
