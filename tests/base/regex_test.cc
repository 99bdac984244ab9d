#include "base/regex.h"

#include <catch2/catch.hpp>

using namespace faultline;

TEST_CASE("expressions are read as RE2 reads them") {
  struct Row {
    const char* expression;
    const char* printed;  // in the shared syntax; sets in full
  };
  const Row rows[] = {
      {"", ""},
      {"a|b|", "a|b|"},
      {"(a|b)c", "(?:a|b)c"},
      {"(?i)a-Z", "[Aa]\\x2d[Zz]"},
      {"a(?i)b|c", "a[Bb]|[Cc]"},
      {"a(?i:b)c", "a[Bb]c"},
      {"(?i)a(?-i)b", "[Aa]b"},
      {"[a-c]", "[a-c]"},
      {"[^a-c]", "[\\x00-\\x60d-\\xff]"},
      {"[]a]", "[\\x5da]"},
      {"[a-]", "[\\x2da]"},
      {"[\\d_]", "[0-9\\x5f]"},
      {"[[:digit:]x]", "[0-9x]"},
      {"[^[:^digit:]]", "[0-9]"},
      {"(?i)[a-c]", "[A-Ca-c]"},
      {"\\x41\\x{42}\\103", "ABC"},
      {"\\Qa.b\\E+", "a\\x2eb+"},
      {"a{2}b{2,}c{2,3}", "a{2}b{2,}c{2,3}"},
      {"a{,3}b{x}", "a\\x7b\\x2c3\\x7db\\x7bx\\x7d"},
      {"a*?b+?c??", "a*b+c?"},
      {"^a$\\Ab\\z\\b\\B", "\\Aa\\z\\Ab\\z\\b\\B"},
      {"\\.\\[\\-\\_", "\\x2e\\x5b\\x2d\\x5f"},
      {"(?:ab)+", "(?:ab)+"},
      {"(?P<x>a)(?P<y>b)", "ab"},
      {"\\s", "[\\x09\\x0a\\x0c\\x0d ]"},
      {"\\n\\t", "\\x0a\\x09"},
  };
  for (const Row& row : rows) {
    const auto regex = parse_regex(row.expression);
    INFO(row.expression);
    REQUIRE(regex);
    CHECK(print_regex(regex->root) == row.printed);
  }
  CHECK(parse_regex("(?P<x>a)(?:(?P<y>b)|(c))")->captures == std::vector<std::string>{"x", "y"});
}

TEST_CASE("what RE2 has not is refused with its place") {
  struct Row {
    std::string expression;
    std::string what;
  };
  const Row rows[] = {
      {"a(?=b)", "an unknown kind of group at byte 4 of the expression"},
      {"(?<n>b)", "an unknown kind of group at byte 3 of the expression"},
      {"(?>a)", "an unknown kind of group at byte 3 of the expression"},
      {"(?P<n>a)(?P<n>b)", "the group name 'n' a second time at byte 13 of the expression"},
      {"(?P<a-b>a)", "a bad group name at byte 5 of the expression"},
      {"(a", "missing ) for this ( at byte 1 of the expression"},
      {"a)", "unmatched ) at byte 2 of the expression"},
      {"[a", "missing ] for this [ at byte 1 of the expression"},
      {"[c-a]", "a class range that runs backwards at byte 5 of the expression"},
      {"[[:foo:]]", "an unknown class [:foo:] at byte 2 of the expression"},
      {"*a", "nothing to repeat before * at byte 1 of the expression"},
      {"a|*", "nothing to repeat before * at byte 3 of the expression"},
      {"a**", "a repeat of a repeat at byte 3 of the expression"},
      {"a{3}{2}", "a repeat of a repeat at byte 5 of the expression"},
      {"a{1001}", "a repeat count above 1000 at byte 8 of the expression"},
      {"a{3,2}", "a repeat range that runs backwards at byte 7 of the expression"},
      {"(a)\\1", "a back-reference at byte 4 of the expression"},
      {"\\p{Greek}", "an unknown escape \\p at byte 1 of the expression"},
      {"\\C", "an unknown escape \\C at byte 1 of the expression"},
      {"\\x{100}", "a bad \\x escape at byte 1 of the expression"},
      {"a\\", "a trailing backslash at byte 2 of the expression"},
      {std::string(5000, '('), "groups are nested too deep at byte 102 of the expression"},
      {std::string(20000, 'a'), "the expression is longer than 16 KiB"},
  };
  for (const Row& row : rows) {
    const auto regex = parse_regex(row.expression);
    INFO(row.expression.substr(0, 40));
    REQUIRE_FALSE(regex);
    CHECK(regex.error().what == row.what);
  }
}

TEST_CASE("shortest match and required literal follow every branch") {
  struct Row {
    const char* expression;
    std::uint64_t shortest;
    std::size_t literal;
    const char* what;
  };
  const Row rows[] = {
      {"NVRM: Xid.*: 79", 13, 9, "NVRM\\x3a Xid"},
      {"(?:NVRM: )(?P<x>Xid)", 9, 9, "NVRM\\x3a Xid"},
      {"foo|barbaz", 3, 3, "foo|barbaz"},
      {"(?:foo|barbaz) and", 7, 4, " and"},
      {"(?:foo|barbaz)?x", 1, 1, "x"},
      {"a*", 0, 0, ""},
      {"\\d+", 1, 0, ""},
      {"={4}", 4, 4, "\\x3d\\x3d\\x3d\\x3d"},
      {"x={2,}y", 4, 3, "x\\x3d\\x3d"},
      {"(?i)abcd", 4, 4, "[Aa][Bb][Cc][Dd]"},
      {"foo\\bbar", 6, 6, "foobar"},
      {"(?:ab){3}", 6, 2, "ab"},
      {"^$", 0, 0, ""},
  };
  for (const Row& row : rows) {
    const auto regex = parse_regex(row.expression);
    REQUIRE(regex);
    INFO(row.expression);
    CHECK(shortest_match(regex->root) == row.shortest);
    const RequiredLiteral literal = required_literal(regex->root);
    CHECK(literal.length == row.literal);
    CHECK(print_regex(literal.node) == row.what);
  }
}
