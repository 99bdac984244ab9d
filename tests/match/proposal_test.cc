#include <catch2/catch.hpp>

#include "match/matcher.h"

using namespace faultline;

TEST_CASE("an expression loses for the scanner what only RE2 has to judge") {
  struct Row {
    const char* expression;
    const char* proposal;
  };
  const Row rows[] = {
      {"foobar", "foobar"},
      {"^foobar$", "foobar"},
      {"(?:^|x)foobar(?:$|y)", "foobar"},
      {"\\bfoobar\\b", "foobar"},
      {"foo\\bbar", "foo\\bbar"},
      {"foobar.*", "foobar"},
      {".*foobar", "foobar"},
      {"foobar\\d+", "foobar[0-9]"},
      {"\\d+foobar", "[0-9]foobar"},
      {"foobar(?P<x>[0-9]{3,5})", "foobar[0-9]{2}[0-9]"},
      {"foo.*bar", "foo[\\x00-\\x09\\x0b-\\xff]*bar"},
      {"foo\\s+bar", "foo[\\x09\\x0c\\x0d ]+bar"},
      {"foo[^a]bar", "foo[\\x00-\\x09\\x0b-\\x60b-\\xff]bar"},
      {"foo(?s:.)bar", "foo[\\x00-\\x09\\x0b-\\xff]bar"},
      {"(?i)fo1", "[Ff][Oo]1"},
      {"fo(?i:x)y", "fo[Xx]y"},
      {"(?P<name>foo)(?P<other>bar)?baz", "foo(?:bar)?baz"},
      {"foo(?:\\n|;)bar", "foo(?:\\x3b)bar"},
      {"foo(?:aa|bb)", "foo(?:aa|bb)"},
      {"foo(?:aa|)", "foo"},
      {"foo{3,200}bar", "foo{3,}bar"},
      {"x(?:ab){2}", "x(?:ab)ab"},
      {"a\\.b\\x2fc", "a\\x2eb\\x2fc"},
      {"NVRM: Xid \\(PCI:(?P<pci>[0-9a-f:.]+)\\): (?P<xid>\\d+)\\b.*",
       "NVRM\\x3a Xid \\x28PCI\\x3a[\\x2e0-\\x3aa-f]+\\x29\\x3a [0-9]"},
  };
  for (const Row& row : rows) {
    const auto proposal = match::to_proposal(row.expression);
    INFO(row.expression);
    REQUIRE(proposal);
    CHECK(*proposal == row.proposal);
  }
}

TEST_CASE("an expression that can never match one line, or matches nothing at all, is refused") {
  struct Row {
    const char* expression;
    const char* what;
  };
  const Row rows[] = {
      {"foo\\nbar", "wants a line end inside a match"},
      {"foo[\\n]bar", "wants a line end inside a match"},
      {"(?:a*|b)", "can match the empty text"},
      {"^$", "can match the empty text"},
      {"foo(?=bar)", "an unknown kind of group at byte 6 of the expression"},
      {"(?<name>foo)", "an unknown kind of group at byte 3 of the expression"},
      {"(a)\\1", "a back-reference at byte 4 of the expression"},
      {"foo++", "a repeat of a repeat at byte 5 of the expression"},
      {"foo(bar", "missing ) for this ( at byte 4 of the expression"},
  };
  for (const Row& row : rows) {
    const auto proposal = match::to_proposal(row.expression);
    INFO(row.expression);
    REQUIRE_FALSE(proposal);
    CHECK(proposal.error().what == row.what);
  }
}
