// journalctl -o export and -o verbose (facts/artifact-formats 5.1, 5.3).
#include <algorithm>
#include <catch2/catch.hpp>

#include "decode/structured_rows.h"

using namespace faultline;
using namespace faultline::decode;
using namespace std::string_literals;

namespace {

using Rows = std::vector<std::string>;

std::string binary_field(std::string_view name, std::string_view value, std::uint64_t claimed) {
  std::string out(name);
  out += '\n';
  for (int i = 0; i < 8; ++i) out += static_cast<char>((claimed >> (8 * i)) & 0xff);
  out += value;
  return out + '\n';
}
std::string binary_field(std::string_view name, std::string_view value) {
  return binary_field(name, value, value.size());
}

std::string entry(const std::string& fields, int us = 0) {
  return "__CURSOR=s=1;i=1\n__REALTIME_TIMESTAMP=" + std::to_string(1767225600000000 + us) +
         "\n__MONOTONIC_TIMESTAMP=9000000\n_BOOT_ID=b\n" + fields + "\n";
}

struct Case {
  const char* name;
  std::string text;
  Rows rows;
};

}  // namespace

TEST_CASE("the export form is read by length") {
  const Case cases[] = {
      {"plain entries",
       entry("_HOSTNAME=ip-10-1-0-11\nSYSLOG_IDENTIFIER=kubelet\n_PID=12\nMESSAGE=text = with equals\n") +
           entry("MESSAGE=two\n", 1),
       {"8 2026-01-01T00:00:00.000000Z [ip-10-1-0-11 - - kubelet pid=12] text = with equals",
        "14 2026-01-01T00:00:00.000001Z [- - - -] two"}},
      {"a message of several lines, ANSI in it",
       entry(binary_field("MESSAGE",
                          "\x1b[31mTraceback:\x1b[0m\n  File \"t.py\"\n\nValueError: MESSAGE=no field") +
             "_HOSTNAME=h\n") +
           entry("MESSAGE=after\n", 1),
       {"6 2026-01-01T00:00:00.000000Z [h - - -] Traceback:",
        "7 2026-01-01T00:00:00.000000Z [h - - -]   File \"t.py\"",
        "9 2026-01-01T00:00:00.000000Z [h - - -] ValueError: MESSAGE=no field",
        "16 2026-01-01T00:00:00.000001Z [- - - -] after"}},
      {"binary fields that are not read, one with a field's look inside",
       entry(binary_field("COREDUMP", "\0\n\nMESSAGE=inside\n\n\xff"s) + "MESSAGE=real\n"),
       {"11 2026-01-01T00:00:00.000000Z [- - - -] real"}},
      {"a length that holds a line end",
       entry(binary_field("MESSAGE", "0123456789") + "X=1\n"),
       {"7 2026-01-01T00:00:00.000000Z [- - - -] 0123456789"}},
      {"no time at all", "MESSAGE=x\n\n", {"1 - [- - - -] x"}},
      {"an entry without message, blank lines, CRLF copy",
       "\n\n" + entry("_HOSTNAME=h\n") + "\n__REALTIME_TIMESTAMP=1767225600000000\r\nMESSAGE=crlf\r\n\r\n",
       {"11 2026-01-01T00:00:00.000000Z [- - - -] crlf"}},
      {"empty", "", {}},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    CHECK(rows(&frame_journal_export, c.text) == c.rows);
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{13}})
      CHECK(rows_of(framed(&frame_journal_export, c.text, {}, chunk)) == c.rows);
    CHECK_FALSE(framed(&frame_journal_export, c.text).summary.damaged);
  }
}

TEST_CASE("lengths that lie cost their entry, and reading goes on at the next") {
  const std::string next = entry("MESSAGE=next\n", 5);
  struct Damage {
    const char* name;
    std::string text;
    std::string needle;  ///< must be in some line
  };
  const Damage cases[] = {
      {"far beyond the end", entry(binary_field("MESSAGE", "NVRM: kept", UINT64_MAX)) + next, "NVRM: kept"},
      {"a little too short", entry(binary_field("MESSAGE", "NVRM: kept", 3)) + next, "NVRM: kept"},
      {"a little too long", entry(binary_field("MESSAGE", "NVRM: kept", 12)) + next, "NVRM: kept"},
      {"no export format", "garbage line\nMESSAGE\n" + next, "garbage line"},
      {"a lower case name", entry("message=x\n") + next, "message=x"},
  };
  for (const Damage& c : cases) {
    INFO(c.name);
    const Framed out = framed(&frame_journal_export, c.text);
    const Rows found = texts_of(out);
    REQUIRE_FALSE(found.empty());
    CHECK(found.back() == "next");
    CHECK(out.summary.damaged);
    CHECK(std::any_of(found.begin(), found.end(),
                      [&](const std::string& l) { return l.find(c.needle) != std::string::npos; }));
  }
  const std::string whole = entry(binary_field("MESSAGE", "first\nline")) + next;
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    const Rows found = texts_of(framed(&frame_journal_export, whole.substr(0, cut)));
    if (cut > whole.find("line") + 5) CHECK(found[0] == "first");
  }
}

TEST_CASE("a length just under the limit does not make memory") {
  const Framed out =
      framed(&frame_journal_export, entry(binary_field("COREDUMP", "x", std::uint64_t{1} << 30)));
  CHECK(out.summary.damaged);
}

TEST_CASE("verbose journals give exact times and whole messages") {
  const std::string head =
      "Thu 2026-01-01 01:00:00.123456 CET [s=abc;i=1;b=def;m=895440;t=64748fabf2840;x=1]\n";
  // t is hex for 1767225600100416
  const Case cases[] = {
      {"fields",
       head + "    _HOSTNAME=ip-10-1-0-11\n    PRIORITY=6\n    SYSLOG_IDENTIFIER=kubelet\n    MESSAGE=text\n "
              "   _PID=12\n",
       {"5 " + to_iso_ns(std::int64_t{0x64748fabf2840} * 1000, 1000) +
        " [ip-10-1-0-11 - - kubelet pid=12] text"}},
      {"several lines, padded to the value",
       head + "    MESSAGE=one\n              two = 2\n\n            four\n    _HOSTNAME=h\n",
       {"2 " + to_iso_ns(std::int64_t{0x64748fabf2840} * 1000, 1000) + " [h - - -] one",
        "3 " + to_iso_ns(std::int64_t{0x64748fabf2840} * 1000, 1000) + " [h - - -]   two = 2",
        "5 " + to_iso_ns(std::int64_t{0x64748fabf2840} * 1000, 1000) + " [h - - -] four"}},
      {"the printed time where the cursor lacks its own",
       "Thu 2026-01-01 00:00:00.123456 UTC [s=abc;i=1;b=def]\n    MESSAGE=text\n",
       {"2 2026-01-01T00:00:00.123456Z [- - - -] text"}},
      {"meta lines stay",
       "-- Boot 0123 --\n" + head + "    MESSAGE=text\n-- No entries --\n",
       {"1 - [- - - -] -- Boot 0123 --",
        "3 " + to_iso_ns(std::int64_t{0x64748fabf2840} * 1000, 1000) + " [- - - -] text",
        "4 " + to_iso_ns(std::int64_t{0x64748fabf2840} * 1000, 1000) + " [- - - -] -- No entries --"}},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    CHECK(rows(&frame_journal_verbose, c.text) == c.rows);
    CHECK(rows_of(framed(&frame_by_content, c.text, {}, 3)) ==
          (c.text[0] == '-' ? rows(&frame_lines, c.text) : c.rows));
  }
  const Framed blob = framed(&frame_journal_verbose, head + "    MESSAGE=[12B blob data]\n");
  CHECK(texts_of(blob).empty());
  REQUIRE(blob.summary.notes.size() == 1);
  CHECK(blob.summary.notes[0].find("1 journal messages") == 0);
}
