#include "base/time.h"

#include <catch2/catch.hpp>

using namespace faultline;

namespace {

using Parser = std::optional<ParsedTime> (*)(std::string_view, const TimeHints&);
enum class Expect { printed, assumed };

struct Row {
  const char* text;
  const char* iso;  ///< of the time found; nullptr: the parser declines
  Expect zone = Expect::printed;
  const char* rest = "";  ///< what is left of the text after the stamp
};

void check(Parser parser, const std::vector<Row>& rows, const TimeHints& hints = {}) {
  for (const Row& row : rows) {
    INFO(row.text);
    const auto found = parser(row.text, hints);
    REQUIRE(found.has_value() == (row.iso != nullptr));
    if (!found) continue;
    CHECK(to_iso(found->time) == row.iso);
    CHECK((found->time.zone == Instant::Zone::printed) == (row.zone == Expect::printed));
    CHECK(std::string_view(row.text).substr(found->length) == row.rest);
  }
}

constexpr std::int64_t at(std::int64_t year, unsigned month, unsigned day, std::int64_t seconds = 0) {
  std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = y / 400, yoe = y - era * 400;
  const std::int64_t doy =
      (153 * (static_cast<std::int64_t>(month) + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return ((era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468) * 86400 + seconds) * kSecond;
}

}  // namespace

TEST_CASE("ISO stamps are read with every separator, fraction and offset that logs print") {
  check(
      try_iso8601,
      {
          {"2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"},
          {"2026-01-01T00:00:00.123Z msg", "2026-01-01T00:00:00.123Z", Expect::printed, " msg"},
          {"2026-01-01T00:00:00.1Z", "2026-01-01T00:00:00.100Z"},
          {"2026-01-01T00:00:00.123456789Z stdout F", "2026-01-01T00:00:00.123456789Z", Expect::printed,
           " stdout F"},
          {"2026-01-01T00:00:00.123456+00:00 host", "2026-01-01T00:00:00.123456Z", Expect::printed, " host"},
          {"2026-01-01T00:00:00+0000 host", "2026-01-01T00:00:00Z", Expect::printed, " host"},
          {"2026-01-01T09:00:00.123000+09:00", "2026-01-01T00:00:00.123000Z"},
          {"2025-12-31T16:30:00-07:30", "2026-01-01T00:00:00Z"},
          {"2026-01-01T00:00:00,123456+00:00 text", "2026-01-01T00:00:00.123456Z", Expect::printed, " text"},
          {"2026-01-01 00:00:00.123", "2026-01-01T00:00:00.123Z", Expect::assumed},
          {"2026-01-01 00:00:00,123] torch", "2026-01-01T00:00:00.123Z", Expect::assumed, "] torch"},
          {"2026-01-01_00:00:00", "2026-01-01T00:00:00Z", Expect::assumed},
          {"2026/01/01 00:00:00 main.go", "2026-01-01T00:00:00Z", Expect::assumed, " main.go"},
          {"2026-01-01T10:11:12.123] error", "2026-01-01T10:11:12.123Z", Expect::assumed, "] error"},
          {"2026-01-01 00:00:00 +0000 UTC x", "2026-01-01T00:00:00Z", Expect::printed, " x"},
          {"2026-01-01 00:00:00 UTC x", "2026-01-01T00:00:00Z", Expect::printed, " x"},
          {"2026-01-01 00:00:00 ERROR x", "2026-01-01T00:00:00Z", Expect::assumed, " ERROR x"},
          {"2026-01-01 00:00:00 -5 steps", "2026-01-01T00:00:00Z", Expect::assumed, " -5 steps"},
          {"2026-01-01 00:00:00.123000+00:00", "2026-01-01T00:00:00.123000Z"},
          {"2026-01-01T00:00Z", "2026-01-01T00:00:00Z"},
          {"2024-02-29T23:59:60Z", "2024-03-01T00:00:00Z"},
          {"2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"},
          {"2026-01-01T00:00:00.1234567891234Z", "2026-01-01T00:00:00.123456789Z"},
          {"2199-12-31T23:59:59Z", "2199-12-31T23:59:59Z"},
          // Not times.
          {"", nullptr},
          {"2026-01-01", nullptr},
          {"2026-13-01T00:00:00Z", nullptr},
          {"2026-00-01T00:00:00Z", nullptr},
          {"2026-01-32T00:00:00Z", nullptr},
          {"2026-02-29T00:00:00Z", nullptr},
          {"1900-02-29T00:00:00Z", nullptr},
          {"2026-04-31T00:00:00Z", nullptr},
          {"1500-01-01T00:00:00Z", nullptr},
          {"9999-12-31T23:59:59Z", nullptr},
          {"2026-01-01T24:00:00Z", nullptr},
          {"2026-01-01T00:60:00Z", nullptr},
          {"2026-01-01T00:00:61Z", nullptr},
          {"2026-01-01T00:00:001Z", nullptr},
          {"2026-01/01T00:00:00Z", nullptr},
          {"2026-1-1T00:00:00Z", nullptr},
          {" 2026-01-01T00:00:00Z", nullptr},
          {"20260101T000000Z", nullptr},
          {"2026-01-01T", nullptr},
      });
}

TEST_CASE("a stamp without a zone is read in the zone that was given, and says so") {
  TimeHints hints;
  hints.zone_offset_s = 9 * 3600;
  check(try_iso8601,
        {{"2026-01-01 09:00:00", "2026-01-01T00:00:00Z", Expect::assumed},
         {"2026-01-01 00:00:00Z", "2026-01-01T00:00:00Z"}},
        hints);
  check(try_ctime, {{"Thu Jan  1 09:00:00 2026", "2026-01-01T00:00:00Z", Expect::assumed}}, hints);
}

TEST_CASE("ctime, date and fabric manager stamps carry their year") {
  check(try_ctime, {
                       {"Thu Jan  1 00:00:00 2026] text", "2026-01-01T00:00:00Z", Expect::assumed, "] text"},
                       {"Jan  1 00:00:00 2026", "2026-01-01T00:00:00Z", Expect::assumed},
                       {"Thu Jan  1 00:12:03 UTC 2026", "2026-01-01T00:12:03Z"},
                       {"Thu Jan  1 09:12:03 JST 2026", "2026-01-01T00:12:03Z"},
                       {"Wed Dec 31 21:12:03 -03 2025", "2026-01-01T00:12:03Z"},
                       {"Thu Jan  1 05:42:03 IST 2026", "2026-01-01T05:42:03Z", Expect::assumed},
                       {"Thu Jan  1 12:12:03 AM UTC 2026", "2026-01-01T00:12:03Z"},
                       {"Thu 01 Jan 2026 01:12:03 PM UTC", "2026-01-01T13:12:03Z"},
                       {"Thu 2026-01-01 00:00:00 UTC host", "2026-01-01T00:00:00Z", Expect::printed, " host"},
                       {"Thu 2026-01-01 00:00:00.123456 UTC [s=1", "2026-01-01T00:00:00.123456Z",
                        Expect::printed, " [s=1"},
                       {"Thu 2026-01-01 01:00:00 CET host", "2026-01-01T00:00:00Z", Expect::printed, " host"},
                       {"Mar 03 2026 10:11:12] [INFO]", "2026-03-03T10:11:12Z", Expect::assumed, "] [INFO]"},
                       {"Sun Feb 29 00:00:00 2026", nullptr},
                       {"Thu Jan  1 13:00:00 PM 2026", nullptr},
                       {"Thu Jan  1 00:00:00 host", nullptr},
                       {"Thu Jan  1 00:00:00", nullptr},
                       {"Thu Foo  1 00:00:00 2026", nullptr},
                       {"Thu", nullptr},
                       {"", nullptr},
                   });
}

TEST_CASE("RFC 1123 stamps of kubectl describe are read") {
  check(try_rfc1123, {
                         {"Thu, 01 Jan 2026 00:00:00 +0000", "2026-01-01T00:00:00Z"},
                         {"Thu, 1 Jan 2026 09:00:00 +0900 x", "2026-01-01T00:00:00Z", Expect::printed, " x"},
                         {"Thu, 01 Jan 2026 00:00:00 GMT", "2026-01-01T00:00:00Z"},
                         {"Thu, 01 Jan 2026 00:00:00", "2026-01-01T00:00:00Z", Expect::assumed},
                         {"Thu, 32 Jan 2026 00:00:00 +0000", nullptr},
                         {"Thu 01 Jan 2026 00:00:00 +0000", nullptr},
                         {"Xxx, 01 Jan 2026 00:00:00 +0000", nullptr},
                         {"Thu,", nullptr},
                     });
}

TEST_CASE("stamps without a year take the latest one that the reference allows") {
  struct YearRow {
    std::int64_t reference;
    const char* text;
    const char* iso;
  };
  const YearRow rows[] = {
      {at(2026, 6, 1), "Jan  1 00:00:00 host", "2026-01-01T00:00:00Z"},
      {at(2026, 1, 1, 3600), "Jan  1 00:59:59 host", "2026-01-01T00:59:59Z"},
      {at(2026, 1, 1, 3600), "Dec 31 23:59:59 host", "2025-12-31T23:59:59Z"},
      // Up to a day ahead of the reference is the zone or the clock, more is last year.
      {at(2026, 1, 1, 3600), "Jan  2 00:30:00 host", "2026-01-02T00:30:00Z"},
      {at(2026, 1, 1, 3600), "Jan  2 02:00:00 host", "2025-01-02T02:00:00Z"},
      {at(2025, 12, 31, 86000), "Jan  1 00:10:00 host", "2026-01-01T00:10:00Z"},
      {at(2025, 12, 31, 86000), "Dec 31 00:10:00 host", "2025-12-31T00:10:00Z"},
      {at(2026, 6, 1), "Feb 29 12:00:00 host", "2024-02-29T12:00:00Z"},
      {at(2024, 2, 29), "Feb 29 12:00:00 host", "2024-02-29T12:00:00Z"},
      {at(2103, 6, 1), "Feb 29 12:00:00 host", "2096-02-29T12:00:00Z"},  // 2100 is no leap year
  };
  for (const YearRow& row : rows) {
    INFO(row.text);
    TimeHints hints;
    hints.reference_ns = row.reference;
    const auto found = try_syslog(row.text, hints);
    REQUIRE(found);
    CHECK(to_iso(found->time) == row.iso);
    CHECK(found->time.year_inferred);
    CHECK(found->time.zone == Instant::Zone::assumed);
    CHECK(found->length == 15);
  }
  for (const std::int64_t odd : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, INT64_MAX}) {
    TimeHints hints;
    hints.reference_ns = odd;
    const auto found = try_syslog("Jan  1 00:00:00 host", hints);
    CHECK((!found || found->time.year_inferred));
  }
}

TEST_CASE("without a reference a missing year is one that nobody takes for real, and order is kept") {
  const auto first = try_syslog("Feb 29 23:59:59.999999", {});
  const auto second = try_syslog("Mar  1 00:00:00", {});
  REQUIRE(first);
  REQUIRE(second);
  CHECK(first->time.ns < second->time.ns);
  CHECK(to_iso(first->time) == "1972-02-29T23:59:59.999999Z");
  CHECK(first->time.year_inferred);
}

TEST_CASE("syslog stamps come space padded, zero padded, with fractions, and with other languages' months") {
  TimeHints hints;
  hints.reference_ns = at(2026, 12, 30);
  check(try_syslog,
        {
            {"Jan  1 00:00:00 host", "2026-01-01T00:00:00Z", Expect::assumed, " host"},
            {"Jan 01 00:00:00.123456 host", "2026-01-01T00:00:00.123456Z", Expect::assumed, " host"},
            {"Jan 11 00:00:00 host", "2026-01-11T00:00:00Z", Expect::assumed, " host"},
            {"ao\xc3\xbbt 16 16:25:38 host", "2026-08-16T16:25:38Z", Expect::assumed, " host"},
            {"d\xc3\xa9\x63. 16 16:25:38 host", "2026-12-16T16:25:38Z", Expect::assumed, " host"},
            {"M\xc3\xa4r 16 16:25:38 host", "2026-03-16T16:25:38Z", Expect::assumed, " host"},
            {"Jan  0 00:00:00 host", nullptr},
            {"Jan 32 00:00:00 host", nullptr},
            {"Feb 30 00:00:00 host", nullptr},
            {"Jan  1 25:00:00 host", nullptr},
            {"January 1 00:00:00 host", nullptr},
            {"Jan", nullptr},
            {"Jan  1", nullptr},
            {"Jan   1 00:00:00", nullptr},
        },
        hints);
}

TEST_CASE("glog stamps need their fraction, and may lack the zero of the month") {
  TimeHints hints;
  hints.reference_ns = at(2026, 12, 1);
  check(try_glog,
        {
            {"0101 00:00:00.123456    1234 file.go:12]", "2026-01-01T00:00:00.123456Z", Expect::assumed,
             "    1234 file.go:12]"},
            {"101 00:00:00.123456789 ProcessGroupNCCL.cpp:616]", "2026-01-01T00:00:00.123456789Z",
             Expect::assumed, " ProcessGroupNCCL.cpp:616]"},
            {"1231 00:00:00.123000 1 x.py:1]", "2025-12-31T00:00:00.123000Z", Expect::assumed, " 1 x.py:1]"},
            {"20260303 10:11:12.123456 1 x.cc:1]", "2026-03-03T10:11:12.123456Z", Expect::assumed,
             " 1 x.cc:1]"},
            {"0101 00:00:00 text", nullptr},
            {"1301 00:00:00.1", nullptr},
            {"0132 00:00:00.1", nullptr},
            {"01 00:00:00.1", nullptr},
            {"01011 00:00:00.1", nullptr},
        },
        hints);
}

TEST_CASE("epochs are told from other numbers by their digits") {
  const Row rows[] = {
      {"1767225600 host", "2026-01-01T00:00:00Z", Expect::printed, " host"},
      {"1767225600.123456 host", "2026-01-01T00:00:00.123456Z", Expect::printed, " host"},
      {"1767225600123 msg", "2026-01-01T00:00:00.123Z", Expect::printed, " msg"},
      {"1767225600123456", "2026-01-01T00:00:00.123456Z"},
      {"1767225600123456789\tline", "2026-01-01T00:00:00.123456789Z", Expect::printed, "\tline"},
      {"0767225600", nullptr},
      {"176722560", nullptr},
      {"17672256001", nullptr},
      {"9999999999", nullptr},
      {"9999999999999999999", nullptr},
      {"-1767225600", nullptr},
      {"", nullptr},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const auto found = try_epoch(row.text);
    REQUIRE(found.has_value() == (row.iso != nullptr));
    if (!found) continue;
    CHECK(to_iso(found->time) == row.iso);
    CHECK(std::string_view(row.text).substr(found->length) == row.rest);
  }
}

TEST_CASE("any form is found at the head of a text, and prose is left alone") {
  TimeHints hints;
  hints.reference_ns = at(2026, 6, 1);
  check(try_any_time,
        {
            {"2026-01-01T00:00:00Z x", "2026-01-01T00:00:00Z", Expect::printed, " x"},
            {"Thu, 01 Jan 2026 00:00:00 +0000", "2026-01-01T00:00:00Z"},
            {"Jan  1 00:00:00 2026", "2026-01-01T00:00:00Z", Expect::assumed},
            {"Jan  1 00:00:00 host", "2026-01-01T00:00:00Z", Expect::assumed, " host"},
            {"0101 00:00:00.123456 1 a.go:1]", "2026-01-01T00:00:00.123456Z", Expect::assumed, " 1 a.go:1]"},
            {"1767225600 not by this one", nullptr},
            {"March of progress", nullptr},
            {"Mon", nullptr},
            {"12.5 GB", nullptr},
            {"00:00:00", nullptr},
        },
        hints);
}

TEST_CASE("a printed time carries as many digits as were known") {
  Instant time;
  CHECK(to_iso(time).empty());
  time.base = Instant::Base::boot;
  CHECK(to_iso(time).empty());
  CHECK(to_iso_ns(0, kSecond) == "1970-01-01T00:00:00Z");
  CHECK(to_iso_ns(1'500'000'000, 10 * kMillisecond) == "1970-01-01T00:00:01.500Z");
  CHECK(to_iso_ns(1'500'000'001, 1000) == "1970-01-01T00:00:01.500000Z");
  CHECK(to_iso_ns(1'500'000'001, 1) == "1970-01-01T00:00:01.500000001Z");
  CHECK(to_iso_ns(-1, 1) == "1969-12-31T23:59:59.999999999Z");
  CHECK(to_iso_ns(INT64_MIN, kSecond) == "1677-09-21T00:12:43Z");
  CHECK(to_iso_ns(INT64_MAX, kSecond) == "2262-04-11T23:47:16Z");
}

TEST_CASE("civil days run without a gap from 1969 to 2105") {
  constexpr unsigned kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::int64_t expected = -365;
  for (std::int64_t year = 1969; year <= 2105; ++year) {
    for (unsigned month = 1; month <= 12; ++month) {
      const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
      const unsigned days = kDays[month - 1] + (month == 2 && leap ? 1 : 0);
      for (unsigned day = 1; day <= days; ++day) {
        if (days_from_civil(year, month, day) != expected) FAIL(year << "-" << month << "-" << day);
        ++expected;
      }
    }
  }
  CHECK(days_from_civil(1970, 1, 1) == 0);
  CHECK(to_iso_ns(days_from_civil(2024, 12, 31) * 86'400 * kSecond, kSecond) == "2024-12-31T00:00:00Z");
}
