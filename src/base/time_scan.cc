#include "base/time_scan.h"

#include <algorithm>
#include <array>

namespace faultline::time_scan {
namespace {

struct NamedZone {
  std::string_view name;
  std::int32_t seconds;
};
// Abbreviations that mean one offset in practice. IST, CST, BST and their like mean several: they are read
// over and the zone stays assumed.
constexpr std::array<NamedZone, 20> kZones = {
    {{"UTC", 0},         {"GMT", 0},         {"Z", 0},           {"EST", -5 * 3600}, {"EDT", -4 * 3600},
     {"CDT", -5 * 3600}, {"MST", -7 * 3600}, {"MDT", -6 * 3600}, {"PST", -8 * 3600}, {"PDT", -7 * 3600},
     {"CET", 3600},      {"CEST", 7200},     {"WET", 0},         {"WEST", 3600},     {"EET", 7200},
     {"EEST", 3 * 3600}, {"JST", 9 * 3600},  {"KST", 9 * 3600},  {"HKT", 8 * 3600},  {"AEST", 10 * 3600}}};

// English, then what journalctl and date print in German, French and Spanish.
constexpr std::array<std::array<std::string_view, 12>, 4> kMonths = {{
    {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
    {"Jan", "Feb", "M\xc3\xa4r", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"},
    {"janv.", "f\xc3\xa9vr.", "mars", "avril", "mai", "juin", "juil.", "ao\xc3\xbbt", "sept.", "oct.", "nov.",
     "d\xc3\xa9\x63."},
    {"ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"},
}};

bool is_leap(std::int64_t year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

}  // namespace

bool valid(const Date& d) {
  constexpr std::array<unsigned, 13> kDays = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (d.year < kFirstYear || d.year > kLastYear || d.month < 1 || d.month > 12 || d.day < 1) return false;
  return d.day <= kDays[d.month] && (d.month != 2 || d.day != 29 || is_leap(d.year));
}

bool take_fraction(Scanner& s, Clock& clock) {
  if ((s.peek() != '.' && s.peek() != ',') || !s.digit(1)) return false;
  ++s.at;
  std::int64_t unit = kSecond;
  for (; s.digit(); ++s.at) {
    if (unit == 1) continue;
    unit /= 10;
    clock.fraction_ns += (s.peek() - '0') * unit;
  }
  clock.precision_ns = unit;
  return true;
}

std::optional<Clock> take_clock(Scanner& s, Seconds seconds) {
  Clock clock;
  const auto hour = s.digits(2);
  if (!hour || *hour > 23 || !s.take(':')) return std::nullopt;
  const auto minute = s.digits(2);
  if (!minute || *minute > 59) return std::nullopt;
  clock.hour = *hour;
  clock.minute = *minute;
  if (!s.take(':')) {
    if (seconds == Seconds::required || s.digit()) return std::nullopt;
    clock.precision_ns = 60 * kSecond;
    return clock;
  }
  const auto second = s.digits(2);
  if (!second || *second > 60 || s.digit()) return std::nullopt;  // 60: a leap second
  clock.second = *second;
  take_fraction(s, clock);
  return clock;
}

std::optional<std::int32_t> take_numeric_offset(Scanner& s, bool short_form) {
  Scanner trial = s;
  const char sign = trial.peek();
  if (sign != '+' && sign != '-') return std::nullopt;
  ++trial.at;
  const auto hours = trial.digits(2);
  if (!hours || *hours > 15) return std::nullopt;
  unsigned minutes = 0;
  if (trial.peek() == ':' || trial.digit()) {
    trial.take(':');
    const auto read = trial.digits(2);
    if (!read || *read > 59) return std::nullopt;
    minutes = *read;
  } else if (!short_form) {
    return std::nullopt;
  }
  if (trial.digit()) return std::nullopt;
  s = trial;
  const auto seconds = static_cast<std::int32_t>(*hours * 3600 + minutes * 60);
  return sign == '-' ? -seconds : seconds;
}

Offset take_zone_word(Scanner& s) {
  if (const auto numeric = take_numeric_offset(s, true)) return {*numeric, true};
  std::size_t size = 0;
  while (s.peek(size) >= 'A' && s.peek(size) <= 'Z') ++size;
  if (size == 0 || size > 5 || s.letter(size) || s.digit(size)) return {};
  const std::string_view name = s.text.substr(s.at, size);
  s.at += size;
  const auto* zone =
      std::find_if(kZones.begin(), kZones.end(), [&](const NamedZone& z) { return z.name == name; });
  return zone == kZones.end() ? Offset{} : Offset{zone->seconds, true};
}

std::optional<Date> take_numeric_date(Scanner& s) {
  Date date;
  const auto year = s.digits(4);
  const char separator = s.peek();
  if (!year || (separator != '-' && separator != '/')) return std::nullopt;
  s.take(separator);
  const auto month = s.digits(2);
  if (!month || !s.take(separator)) return std::nullopt;
  const auto day = s.digits(2);
  if (!day) return std::nullopt;
  date = {*year, *month, *day};
  return valid(date) ? std::optional<Date>(date) : std::nullopt;
}

std::optional<unsigned> take_month(Scanner& s) {
  const std::string_view rest = s.text.substr(s.at);
  for (const auto& language : kMonths) {
    for (unsigned month = 0; month < language.size(); ++month) {
      if (!rest.starts_with(language[month]) || s.peek(language[month].size()) != ' ') continue;
      s.at += language[month].size();
      return month + 1;
    }
  }
  return std::nullopt;
}

}  // namespace faultline::time_scan
