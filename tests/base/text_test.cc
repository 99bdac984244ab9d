#include "base/text.h"

#include <catch2/catch.hpp>

using namespace faultline;
using namespace std::string_literals;

TEST_CASE("terminal residue goes, the text around it stays, whatever spelled the escape") {
  struct Row {
    std::string raw;
    std::string clean;
  };
  const Row rows[] = {
      {"plain text, 100 % of it", "plain text, 100 % of it"},
      {"", ""},
      {"\x1b[31mred\x1b[0m", "red"},
      {"\x1b[1;38;5;208mx\x1b[m y", "x y"},
      {"a\x1b[2K\x1b[1Gb", "ab"},
      {"\x1b[?25lhidden\x1b[?2004h", "hidden"},
      {"\x1b]0;title\x07text", "text"},
      {"\x1b]8;;http://192.0.2.1/x\x1b\\link\x1b]8;;\x1b\\", "link"},
      {"\x1b(Btext\x1b)0", "text"},
      {"\x1bMup\x1b=", "up"},
      {"\x1bPq#0\x1b\\after", "after"},
      {"#033[31mrsyslog#033[0m", "rsyslog"},
      {"#033]0;t#007text", "text"},
      {"^[[31mcaret^[[0m", "caret"},
      {"^[]0;t^Gtext", "text"},
      {"^[(Btext", "text"},
      {R"(\x1b[31mrepr\x1b[0m)", "repr"},
      {R"(\033[1;31mC\033[0m)", "C"},
      {R"(\u001b[31mjson\u001b[0m)", "json"},
      {R"(\e[31mbash\e[0m)", "bash"},
      {"nul\0here"s, "nul here"},
      {"\0\0"s, "  "},
      // Things that only look like residue.
      {"#012 and #033 alone", "#012 and #033 alone"},
      {"grep '^[[:alpha:]]' file", "grep '^[[:alpha:]]' file"},
      {"grep '^[0-9]' file", "grep '^[0-9]' file"},
      {R"(C:\x1b\e\033)", R"(C:\x1b\e\033)"},
      {"array[31m]", "array[31m]"},
      {"# comment ^ caret \\ slash", "# comment ^ caret \\ slash"},
      // Cut or broken sequences lose the escape only.
      {"cut \x1b", "cut "},
      {"cut \x1b[", "cut ["},
      {"cut \x1b[31", "cut [31"},
      {"\x1b]0;never ended", "]0;never ended"},
      {"\x1b]0;ended on the next line\n\x07", "]0;ended on the next line\n\x07"},
      {"\x1b[" + std::string(200, '1') + "m", "[" + std::string(200, '1') + "m"},
      {"broken \xff\xfe bytes", "broken \xff\xfe bytes"},
      {"0123456789abcdef0123456789abcde\x1b[0mf", "0123456789abcdef0123456789abcdef"},
  };
  for (const Row& row : rows) {
    INFO(printable(row.raw));
    CHECK(printable(without_ansi(row.raw)) == printable(row.clean));
    std::string appended = "before ";
    append_without_ansi(row.raw, appended);
    CHECK(appended == "before " + row.clean);
  }
}

TEST_CASE("numbers are whole or nothing") {
  CHECK(parse_number<int>("12") == 12);
  CHECK(parse_number<int>("-12") == -12);
  CHECK(parse_number<std::uint64_t>("ff", 16) == 255u);
  for (const char* bad : {"", " 12", "12 ", "+12", "12x", "99999999999", "0x10"})
    CHECK_FALSE(parse_number<int>(bad));
  CHECK(parse_double("1.5e3") == 1500.0);
  CHECK(parse_double("-0.25") == -0.25);
  for (const char* bad : {"", "1.5 ", "nan", "inf", "1,5", "1e999"}) CHECK_FALSE(parse_double(bad));
}

TEST_CASE("words, parts and lines are found without regard to locale") {
  CHECK(trim(" \t a b \r\n") == "a b");
  CHECK(trim(" \n").empty());
  CHECK(split("a,,b,", ',') == std::vector<std::string_view>{"a", "", "b", ""});
  CHECK(split("", ',') == std::vector<std::string_view>{""});
  CHECK(split_words("  a \t b  ") == std::vector<std::string_view>{"a", "b"});
  CHECK(split_words(" \t ").empty());
  CHECK(lower("AbC-\xc4") == "abc-\xc4");
  CHECK(iequals("Error", "eRROR"));
  CHECK_FALSE(iequals("Error", "Errors"));
  CHECK(icontains("no NCCL Error here", "nccl error"));
  CHECK(icontains("x", ""));
  CHECK_FALSE(icontains("ncc", "nccl"));
  std::vector<std::string> lines;
  for_each_line("a\r\n\nb", [&](std::uint64_t number, std::string_view line) {
    lines.push_back(std::to_string(number) + ":" + std::string(line));
    return true;
  });
  CHECK(lines == std::vector<std::string>{"1:a", "2:", "3:b"});
}

TEST_CASE("UTF-8 is judged strictly and repaired byte by byte") {
  struct Row {
    std::string text;
    bool valid;
    std::string repaired;
  };
  const std::string bad = "\xef\xbf\xbd";
  const Row rows[] = {
      {"ascii", true, "ascii"},
      {"Gr\xc3\xbc\xc3\x9f"
       "e \xe2\x94\x80 \xf0\x9f\x94\xa5",
       true,
       "Gr\xc3\xbc\xc3\x9f"
       "e \xe2\x94\x80 \xf0\x9f\x94\xa5"},
      {"latin \xfc", false, "latin " + bad},
      {"cut \xe2\x94", false, "cut " + bad + bad},
      {"overlong \xc0\xaf", false, "overlong " + bad + bad},
      {"overlong3 \xe0\x80\xaf", false, "overlong3 " + bad + bad + bad},
      {"surrogate \xed\xa0\x80", false, "surrogate " + bad + bad + bad},
      {"beyond \xf4\x90\x80\x80", false, "beyond " + bad + bad + bad + bad},
      {"12345678\xff"
       "12345678",
       false, "12345678" + bad + "12345678"},
  };
  for (const Row& row : rows) {
    INFO(printable(row.text));
    CHECK(is_valid_utf8(row.text) == row.valid);
    CHECK(to_valid_utf8(row.text) == row.repaired);
    CHECK(is_valid_utf8(to_valid_utf8(row.text)));
  }
}

TEST_CASE("UTF-16 of both orders becomes UTF-8, with lone surrogates replaced") {
  CHECK(utf16_to_utf8("a\0\n\0"s, false) == "a\n");
  CHECK(utf16_to_utf8("\0a\0\n"s, true) == "a\n");
  CHECK(utf16_to_utf8("\x3d\xd8\x25\xdd"s, false) == "\xf0\x9f\x94\xa5");
  CHECK(utf16_to_utf8("\xd8\x3d\xdd\x25"s, true) == "\xf0\x9f\x94\xa5");
  CHECK(utf16_to_utf8("\x3d\xd8"
                      "a\0"s,
                      false) ==
        "\xef\xbf\xbd"
        "a");
  CHECK(utf16_to_utf8("\x25\xdd"s, false) == "\xef\xbf\xbd");
  CHECK(utf16_to_utf8("a\0b"s, false) == "a");
  CHECK(utf16_to_utf8("", false).empty());
}

TEST_CASE("nothing printable can move a cursor, colour or reorder a terminal") {
  CHECK(printable("tab\there\r\n") == "tab\\there\\r\\n");
  CHECK(printable("\x1b[31m\x07\x7f") == "\\x1b[31m\\x07\\x7f");
  CHECK(printable("c1 \xc2\x9b"
                  "31m") == "c1 \\u{9b}31m");
  CHECK(printable("\xe2\x80\xae"
                  "evil\xe2\x81\xa9") == "\\u{202e}evil\\u{2069}");
  CHECK(printable("\xe2\x80\xa8\xef\xbb\xbf") == "\\u{2028}\\u{feff}");
  CHECK(printable("bad \xff") == "bad \\xff");
  CHECK(printable("Gr\xc3\xbc\xc3\x9f"
                  "e \xf0\x9f\x94\xa5") ==
        "Gr\xc3\xbc\xc3\x9f"
        "e \xf0\x9f\x94\xa5");
}

TEST_CASE("a PCI address has one form, however it was spelled") {
  const std::pair<const char*, const char*> rows[] = {
      {"00000000:9B:00.0", "0000:9b:00"}, {"PCI:0000:3b:00", "0000:3b:00"},
      {"0000:3b:00.0", "0000:3b:00"},     {"3b:00.0", "0000:3b:00"},
      {"0000:3B:1f", "0000:3b:1f"},       {"PCI:0000:07:00.0", "0000:07:00"},
      {"pci:3b:00.0", "0000:3b:00"},      {"00000008:01:00.0", "0008:01:00"},
      {"10000:e1:00.0", "10000:e1:00"},
  };
  for (const auto& [text, wanted] : rows) {
    INFO(text);
    CHECK(normal_pci(text) == wanted);
  }
  for (const char* bad :
       {"", "3b:00", "10:11:12", "0000:3b:20.0", "0000:3b:00.8", "0000:3b:00.", "0000:3b:00.00", "GPU-1",
        "0000:3g:00.0", "PCI:", ":::", "000000000:3b:00.0", "0000:3b:00.0 ", "-000:3b:00.0"}) {
    INFO(bad);
    CHECK_FALSE(normal_pci(bad));
  }
}

TEST_CASE("NCCL's packed bus id is taken apart") {
  const std::pair<const char*, const char*> rows[] = {
      {"9a000", "0000:9a:00"}, {"101d0", "0000:10:1d"}, {"1e0", "0000:00:1e"}, {"801000", "0008:01:00"}};
  for (const auto& [text, wanted] : rows) CHECK(pci_from_nccl_bus_id(text) == wanted);
  for (const char* bad : {"", "0x9a000", "9a00g", "9a200f00000000", "9afff"})
    CHECK_FALSE(pci_from_nccl_bus_id(bad));
}

TEST_CASE("host lists expand in order, keep padding, and stop at the limit") {
  using Names = std::vector<std::string>;
  struct Row {
    std::string list;
    std::size_t limit;
    Names names;
  };
  const Row rows[] = {
      {"ip-10-1-0-[3-5,9],x", 100, {"ip-10-1-0-3", "ip-10-1-0-4", "ip-10-1-0-5", "ip-10-1-0-9", "x"}},
      {"x[01-03]", 100, {"x01", "x02", "x03"}},
      {"x[8-11]", 100, {"x8", "x9", "x10", "x11"}},
      {"r[1-2]n[1-2].local", 100, {"r1n1.local", "r1n2.local", "r2n1.local", "r2n2.local"}},
      {" a , b ,", 100, {"a", "b"}},
      {"", 100, {}},
      {"(null)", 100, {}},
      {"n[1-4000000000]", 3, {"n1", "n2", "n3"}},
      {"n[18446744073709551614-18446744073709551615]", 5, {"n18446744073709551614", "n18446744073709551615"}},
      {"a,b,c", 2, {"a", "b"}},
      // Not host lists: the name as it stands.
      {"n[5-3]", 100, {"n[5-3]"}},
      {"n[1-2", 100, {"n[1-2"}},
      {"n[]", 100, {"n[]"}},
      {"n[a-b],m", 100, {"n[a-b]", "m"}},
  };
  for (const Row& row : rows) {
    INFO(row.list);
    CHECK(expand_host_list(row.list, row.limit) == row.names);
  }
  std::string groups;
  for (int i = 0; i < 5000; ++i) groups += "[0-9]";
  CHECK(expand_host_list(groups, 1000).size() == 1);
}
