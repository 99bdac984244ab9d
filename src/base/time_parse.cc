// Stamps at the head of a text. Each form is read by hand from a small scanner: no regular expression, no
// strptime, no locale.
#include <algorithm>

#include "base/text.h"
#include "base/time.h"
#include "base/time_scan.h"

namespace faultline {
namespace {

using namespace time_scan;

Instant instant(const Date& date, const Clock& clock, const Offset& offset, const TimeHints& hints) {
  Instant time;
  const std::int64_t local = days_from_civil(date.year, date.month, date.day) * kDaySeconds + clock.seconds();
  time.ns = (local - (offset.printed ? offset.seconds : hints.zone_offset_s)) * kSecond + clock.fraction_ns;
  time.precision_ns = clock.precision_ns;
  time.base = Instant::Base::epoch;
  time.zone = offset.printed ? Instant::Zone::printed : Instant::Zone::assumed;
  return time;
}

std::int64_t year_of(std::int64_t epoch_ns) {
  const std::int64_t days = epoch_ns / (kDaySeconds * kSecond);
  std::int64_t year = 1970 + days / 366;
  while (days_from_civil(year + 1, 1, 1) <= days) ++year;
  return year;
}

/// The latest year in which the stamp exists and does not lie after the reference (plus a day for clocks and
/// zones that disagree).
std::optional<Instant> instant_without_year(Date date, const Clock& clock, const Offset& offset,
                                            const TimeHints& hints) {
  std::int64_t newest = kNoYear, latest = 0;
  if (hints.reference_ns) {
    latest = std::clamp(*hints.reference_ns, std::int64_t{0},
                        (std::int64_t{kLastYear - 1970} * 365) * kDaySeconds * kSecond) +
             kDaySeconds * kSecond;
    newest = year_of(latest);
  }
  for (date.year = newest + (hints.reference_ns ? 1 : 0); date.year >= newest - 8; --date.year) {
    if (!valid(date)) continue;
    Instant time = instant(date, clock, offset, hints);
    if (hints.reference_ns && time.ns > latest) continue;
    time.year_inferred = true;
    return time;
  }
  return std::nullopt;
}

/// One or two blanks, then a day of one or two digits: "Jan  1", "Jan 01", "Jan 1".
std::optional<unsigned> take_padded_day(Scanner& s) {
  if (!s.take(' ')) return std::nullopt;
  s.take(' ');
  const std::size_t run = s.digit_run();
  return run == 1 || run == 2 ? s.digits(run) : std::nullopt;
}

void skip_weekday(Scanner& s) {
  for (const std::string_view day : {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}) {
    if (!s.take(day)) continue;
    s.take(',');
    s.take(' ');
    return;
  }
}

/// " AM" or " PM" after a clock, as date prints it in some locales.
bool take_half_day(Scanner& s, Clock& clock) {
  const bool morning = s.text.substr(s.at).starts_with(" AM");
  if (!morning && !s.text.substr(s.at).starts_with(" PM")) return true;
  if (s.letter(3) || clock.hour < 1 || clock.hour > 12) return false;
  s.at += 3;
  clock.hour = clock.hour % 12 + (morning ? 0 : 12);
  return true;
}

std::optional<unsigned> take_year(Scanner& s) {
  const auto year = s.digits(4);
  return s.digit() ? std::nullopt : year;
}

ParsedTime parsed(const Instant& time, const Scanner& s) {
  return ParsedTime{time, s.at};
}

/// Thu 2026-01-01 00:00:00[.123456] UTC
std::optional<ParsedTime> try_short_full(Scanner s, const TimeHints& hints) {
  const auto date = take_numeric_date(s);
  if (!date || !s.take(' ')) return std::nullopt;
  const auto clock = take_clock(s);
  if (!clock) return std::nullopt;
  Scanner with_zone = s;
  Offset offset;
  if (with_zone.take(' ')) {
    offset = take_zone_word(with_zone);
    if (with_zone.at > s.at + 1) s = with_zone;
  }
  return parsed(instant(*date, *clock, offset, hints), s);
}

}  // namespace

std::optional<ParsedTime> try_iso8601(std::string_view text, const TimeHints& hints) {
  Scanner s{text};
  const auto date = take_numeric_date(s);
  if (!date || (s.peek() != 'T' && s.peek() != ' ' && s.peek() != '_' && s.peek() != 't'))
    return std::nullopt;
  ++s.at;
  const auto clock = take_clock(s, Seconds::optional);
  if (!clock) return std::nullopt;
  Offset offset;
  if (s.peek() == 'Z' || s.peek() == 'z') {
    if (!s.letter(1)) {
      ++s.at;
      offset.printed = true;
    }
  } else if (const auto numeric = take_numeric_offset(s, true)) {
    offset = {*numeric, true};
  } else if (s.peek() == ' ') {
    // "2026-01-01 00:00:00 +0000" and "... UTC": a number or a capital word alone is not taken for a zone.
    Scanner trial = s;
    trial.take(' ');
    const auto apart = take_numeric_offset(trial, false);
    const bool utc = (trial.take("UTC") || trial.take("GMT")) && !trial.letter() && !trial.digit();
    if (apart || utc) {
      offset = {apart.value_or(0), true};
      if (!utc && trial.take(" UTC") && trial.letter()) trial.at -= 4;
      s = trial;
    }
  }
  return parsed(instant(*date, *clock, offset, hints), s);
}

std::optional<ParsedTime> try_syslog(std::string_view text, const TimeHints& hints) {
  Scanner s{text};
  Date date;
  const auto month = take_month(s);
  const auto day = month ? take_padded_day(s) : std::nullopt;
  if (!day || !s.take(' ')) return std::nullopt;
  const auto clock = take_clock(s);
  if (!clock) return std::nullopt;
  date.month = *month;
  date.day = *day;
  const auto time = instant_without_year(date, *clock, {}, hints);
  return time ? std::optional<ParsedTime>(parsed(*time, s)) : std::nullopt;
}

std::optional<ParsedTime> try_ctime(std::string_view text, const TimeHints& hints) {
  Scanner s{text};
  skip_weekday(s);
  if (s.at > 0 && s.digit() && s.digit_run() == 4) return try_short_full(s, hints);
  Date date;
  // "01 Jan 2026 00:00:00" after a weekday (date in English locales) or "Jan  1 ..." otherwise.
  if (s.at > 0 && s.digit()) {
    const std::size_t run = s.digit_run();
    const auto day = run <= 2 ? s.digits(run) : std::nullopt;
    if (!day || !s.take(' ')) return std::nullopt;
    date.day = *day;
  }
  const auto month = take_month(s);
  if (!month) return std::nullopt;
  date.month = *month;
  if (date.day == 0) {
    const auto day = take_padded_day(s);
    if (!day) return std::nullopt;
    date.day = *day;
  }
  if (!s.take(' ')) return std::nullopt;
  // "Mar 03 2026 10:11:12": the year may stand before the clock.
  if (s.digit_run() == 4) {
    date.year = *take_year(s);
    if (!s.take(' ')) return std::nullopt;
  }
  auto clock = take_clock(s);
  if (!clock || !take_half_day(s, *clock)) return std::nullopt;
  Offset offset;
  if (Scanner trial = s; trial.take(' ')) {
    const Offset read = take_zone_word(trial);
    const bool word = trial.at > s.at + 1;
    if (date.year == 0) {
      if (word && !trial.take(' ')) return std::nullopt;
      const auto year = take_year(trial);
      if (!year) return std::nullopt;
      date.year = *year;
      offset = read;
      s = trial;
    } else if (word && read.printed) {
      offset = read;
      s = trial;
    }
  }
  if (!valid(date)) return std::nullopt;
  return parsed(instant(date, *clock, offset, hints), s);
}

std::optional<ParsedTime> try_rfc1123(std::string_view text, const TimeHints& hints) {
  Scanner s{text};
  skip_weekday(s);
  if (s.at == 0 || s.text[3] != ',') return std::nullopt;
  Date date;
  const std::size_t run = s.digit_run();
  const auto day = run == 1 || run == 2 ? s.digits(run) : std::nullopt;
  if (!day || !s.take(' ')) return std::nullopt;
  const auto month = take_month(s);
  if (!month || !s.take(' ')) return std::nullopt;
  const auto year = take_year(s);
  if (!year || !s.take(' ')) return std::nullopt;
  date = {*year, *month, *day};
  const auto clock = take_clock(s);
  if (!clock || !valid(date)) return std::nullopt;
  Offset offset;
  if (Scanner trial = s; trial.take(' ')) {
    offset = take_zone_word(trial);
    if (trial.at > s.at + 1) s = trial;
  }
  return parsed(instant(date, *clock, offset, hints), s);
}

std::optional<ParsedTime> try_glog(std::string_view text, const TimeHints& hints) {
  Scanner s{text};
  Date date;
  const std::size_t run = s.digit_run();
  if (run == 8) date.year = *s.digits(4);  // glog with log_year_in_prefix
  if (run != 3 && run != 4 && run != 8) return std::nullopt;
  date.month = *s.digits(run == 3 ? 1 : 2);  // c10d prints "101" for 1 January
  date.day = *s.digits(2);
  if (!s.take(' ')) return std::nullopt;
  const auto clock = take_clock(s);
  if (!clock || clock->precision_ns == kSecond) return std::nullopt;
  if (run == 8) {
    if (!valid(date)) return std::nullopt;
    return parsed(instant(date, *clock, {}, hints), s);
  }
  const auto time = instant_without_year(date, *clock, {}, hints);
  return time ? std::optional<ParsedTime>(parsed(*time, s)) : std::nullopt;
}

std::optional<ParsedTime> try_epoch(std::string_view text) {
  Scanner s{text};
  const std::size_t run = s.digit_run();
  std::int64_t unit = 0;
  switch (run) {
    case 10:
      unit = kSecond;
      break;
    case 13:
      unit = kMillisecond;
      break;
    case 16:
      unit = 1000;
      break;
    case 19:
      unit = 1;
      break;
    default:
      return std::nullopt;
  }
  const auto value = parse_number<std::int64_t>(text.substr(0, run));
  // From September 2001 on: ten digits then, and no counter looks like it.
  if (!value || *value / (kSecond / unit) > days_from_civil(kLastYear, 1, 1) * kDaySeconds ||
      text[0] == '0') {
    return std::nullopt;
  }
  s.at = run;
  Clock fraction;
  fraction.precision_ns = unit;
  if (run == 10) take_fraction(s, fraction);
  Instant time;
  time.ns = *value * unit + fraction.fraction_ns;
  time.precision_ns = fraction.precision_ns;
  time.base = Instant::Base::epoch;
  return parsed(time, s);
}

std::optional<ParsedTime> try_any_time(std::string_view text, const TimeHints& hints) {
  // ctime before syslog: "Jan  1 00:00:00 2026" begins like a stamp without a year.
  if (auto time = try_iso8601(text, hints)) return time;
  if (auto time = try_rfc1123(text, hints)) return time;
  if (auto time = try_ctime(text, hints)) return time;
  if (auto time = try_syslog(text, hints)) return time;
  return try_glog(text, hints);
}

}  // namespace faultline
