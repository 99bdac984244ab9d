// Bad packs: one change to a good one, and the message that it must give, with its place.
#include <catch2/catch.hpp>

#include "packs/packs.h"

using namespace faultline;

namespace {

// Line numbers of the messages below count in this text.
constexpr std::string_view kGood = R"(schema = 1
area   = "gpu"
about  = "About."

[[pattern]]
id       = "gpu.xid.lost"
kind     = "gpu_lost"
title    = "A title"
severity = "P0"
role     = "cause"
in       = ["kernel", "system"]
any      = ['GPU (?P<pci>[0-9a-f:.]+) lost', 'lost GPU (?P<pci>\S+) of (?P<host>\S+)']
not      = ['test']
scope    = "gpu"
who      = { gpu = "pci", node = "host" }
fields   = { pci = "pci", serial = "text" }
meaning  = "Meaning."
next     = "Next."
reference = "references/debugging-guide.md#7"
explains = ["collective_timeout"]
within   = "30m"
source   = "somewhere"
set      = { where = "driver" }
near     = [ { before = 1, after = 2, regex = 'serial (?P<serial>\d+)', until = 'end', required = true } ]
hit      = [ { line = 'GPU 3b:00.0 lost', fields = { pci = "0000:3b:00" } }, { line = 'lost GPU 3b:00.0 of x' } ]
miss     = [ { line = 'GPU found', why = "w" }, { line = 'GPU 1 lossy', why = "w" } ]
)";

struct Change {
  const char* from;
  const char* to;
  const char* message;
};

constexpr Change kChanges[] = {
    // the document
    {"schema = 1", "schema = 2", "1:1: schema 2 is not known (this version reads schema 1)"},
    {"schema = 1", "", "1:1: a pack lacks 'schema'"},
    {"schema = 1", "schema = \"1\"", "1:10: 'schema' wants an integer, not a string"},
    {"\"gpu\"\n", "\"cpu\"\n", "2:1: area 'cpu' is not the name of the file, 'gpu'"},
    {"about ", "abuot ", "3:1: unknown key 'abuot' in a pack (did you mean 'about'?)"},
    {"[[pattern]]", "[pattern]", "5:1: 'pattern' wants an array of tables, not a table"},
    {"[[pattern]]", "[[pattern]", "5:"},
    // keys and types
    {"severity =", "sevreity =", "9:1: unknown key 'sevreity' in a pattern (did you mean 'severity'?)"},
    {"severity =", "sevreity =", "5:1: a pattern lacks 'severity'"},
    {"\"A title\"", "7", "8:12: 'title' wants a string, not an integer"},
    {"\"A title\"", "\"\"", "8:12: 'title' is empty"},
    {"[\"kernel\", \"system\"]", "\"kernel\"", "11:12: 'in' wants an array of strings, not a string"},
    {"[\"kernel\", \"system\"]", "[\"kernel\", 5]", "11:23: an item of 'in' wants a string, not an integer"},
    {"[\"kernel\", \"system\"]", "[]", "11:1: 'in' names no family"},
    {"gpu = \"pci\", node", "gpu = 5, node", "15:20: 'who.gpu' wants a string, not an integer"},
    {"where = \"driver\"", "where = [1]", "23:22: 'set.where' wants a plain value, not an array"},
    {"before = 1", "befor = 1", "24:16: unknown key 'befor' in a near rule (did you mean 'before'?)"},
    {"required = true", "required = 1", "24:99: 'required' wants a boolean, not an integer"},
    {"line = 'GPU 3b", "lien = 'GPU 3b", "25:16: unknown key 'lien' in a hit (did you mean 'line'?)"},
    {"why = \"w\" }, {", "reason = \"w\" }, {", "26:36: unknown key 'reason' in a miss (one of line, why)"},
    // words
    {"gpu.xid.lost", "gpu.lost",
     "6:1: id 'gpu.lost' is not of the form area.topic.name (three words of a-z, 0-9 and _, joined by dots)"},
    {"gpu.xid.lost", "gpu.Xid.lost",
     "6:1: id 'gpu.Xid.lost' is not of the form area.topic.name (three words of a-z, 0-9 and _, joined by "
     "dots)"},
    {"gpu.xid.lost", "net.xid.lost",
     "6:1: id 'net.xid.lost' begins with 'net', not with the area 'gpu' of this file"},
    {"\"gpu_lost\"", "\"gpu_losst\"",
     "7:1: kind 'gpu_losst' is not in the dictionary (did you mean 'gpu_lost'?)"},
    {"\"gpu_lost\"", "\"GPU\"", "7:1: kind 'GPU' is no word of a-z, 0-9 and _"},
    {"\"P0\"", "\"P3\"", "9:1: 'P3' is no severity (did you mean 'P0'?)"},
    {"\"cause\"", "\"culprit\"",
     "10:1: 'culprit' is no role (one of cause, cascade, confirmation, context, benign, progress)"},
    {"\"system\"]", "\"sytem\"]", "11:23: 'sytem' is no artifact family (did you mean 'system'?)"},
    {"\"system\"]", "\"kernel\"]", "11:23: 'kernel' is named twice"},
    {"scope    = \"gpu\"", "scope    = \"gpus\"", "14:1: 'gpus' is no scope (did you mean 'gpu'?)"},
    {"pci = \"pci\", serial", "pci = \"pic\", serial",
     "16:20: 'pic' is no type of a field (did you mean 'pci'?)"},
    {"serial = \"text\"", "serial = \"int\"", "16:36: 'int' is no type of a field (did you mean 'integer'?)"},
    {"\"A title\"", "\"0123456789012345678901234567890123456789012345678901234567890\"",
     "8:1: the title has 61 characters, more than 60"},
    {"\"Meaning.\"", "\"two\\nlines\"", "17:1: 'meaning' is not one line of plain text"},
    {"#7", "#777",
     "19:1: reference 'references/debugging-guide.md#777' leads to no section (references/FILE.md#N, where "
     "the file has a heading \"## N. ...\")"},
    {"debugging-guide.md", "debuging-guide.md",
     "19:1: reference 'references/debuging-guide.md#7' leads to no section (references/FILE.md#N, where the "
     "file has a heading \"## N. ...\")"},
    {"\"30m\"", "\"30\"", "21:1: '30' is no duration (a number and s, m, h or d, up to 30d: \"15m\")"},
    {"\"30m\"", "\"31d\"", "21:1: '31d' is no duration (a number and s, m, h or d, up to 30d: \"15m\")"},
    {"within   = \"30m\"\n", "\n",
     "20:1: 'explains' without 'within' (how long after it may an explained event follow? \"15m\")"},
    {"explains = [\"collective_timeout\"]\n", "\n", "21:1: 'within' without 'explains'"},
    {"collective_timeout", "colective_timeout",
     "20:13: explains 'colective_timeout', which is neither a pattern nor a kind (did you mean "
     "'collective_timeout'?)"},
    // expressions
    {"'GPU (?P<pci>[0-9a-f:.]+) lost'", "'GPU (?P<pci>[0-9a-f:.]+ lost'",
     "12:13: any[0]: missing ) for this ( at byte 5 of the expression"},
    {"'GPU (?P<pci>[0-9a-f:.]+) lost'", "'GPU (?P<pci>[0-9a-f:.]+)(?= lost)'",
     "12:13: any[0]: an unknown kind of group at byte 27 of the expression (RE2 has no look-around, no "
     "atomic groups, and named groups only as (?P<name>...))"},
    {"'GPU (?P<pci>[0-9a-f:.]+) lost'", "'GP (?P<pci>[0-9a-f:.]+) lo'",
     "12:13: any[0] holds no literal of 4 bytes or more (longest: 3)"},
    {"'GPU (?P<pci>[0-9a-f:.]+) lost'", "'G(?P<pci>[0-9a-f:.]+)lost|los'",
     "12:13: any[0] (branch 2) holds no literal of 4 bytes or more (longest: 3) (the scanner looks for "
     "literals first; without one it has to look at every line)"},
    {"'GPU (?P<pci>[0-9a-f:.]+) lost'", "'(?:GPU (?P<pci>[0-9a-f:.]+) lost)?'",
     "12:13: any[0] can match the empty text"},
    {"'GPU (?P<pci>[0-9a-f:.]+) lost'", "'GPU (?P<pci>[0-9a-f:.]+)\\nlost'",
     "12:13: any[0] wants a line end inside a match (one pattern matches one line; near rules look at "
     "others)"},
    {"['test']", "['t*']", "13:13: not[0] matches the empty text, hence every line"},
    {"['test']", "['t(?P<x>e)st']",
     "13:13: not[0] has the capture 'x', which nothing can use (write (?:...))"},
    {"'end'", "'(end'", "24:73: near[0].until: missing ) for this ( at byte 1 of the expression"},
    {"required = true", "forbidden = true",
     "24:39: near[0].regex is forbidden, so its capture 'serial' is never used"},
    {"before = 1, after = 2", "before = 0, after = 513", "24:28: 'after' is 513, not 0 to 512"},
    {"before = 1, after = 2, ", "",
     "24:14: a near rule looks at no line (give before = N, after = N, or both (1 to 512))"},
    {"required = true", "required = true, forbidden = true",
     "24:14: a near rule cannot be required and forbidden at once"},
    // captures, fields, who
    {"serial = \"text\"", "serail = \"text\"",
     "16:27: field 'serail' is captured by no expression (did you mean 'serial'?)"},
    {", serial = \"text\"", "",
     "12:1: capture 'serial' is declared neither in fields nor in who (add serial = \"text\" (or its type) "
     "to fields)"},
    {"node = \"host\"", "node = \"hots\"",
     "15:27: who.node names 'hots', which no expression captures (did you mean 'host'?)"},
    {"node = \"host\"", "noed = \"host\"", "15:27: 'noed' is no part of an entity (did you mean 'node'?)"},
    {"where = \"driver\"", "pci = \"driver\"", "23:14: field 'pci' is set and captured"},
    // examples
    {", { line = 'lost GPU 3b:00.0 of x' } ]", " ]", "5:1: 2 expressions owe a hit each, there are 1"},
    {", { line = 'GPU 1 lossy', why = \"w\" } ]", " ]", "5:1: a P0 pattern owes 2 near misses, there are 1"},
    {"fields = { pci = \"0000:3b:00\" }", "fields = { pic = \"0000:3b:00\" }",
     "25:43: the hit expects field 'pic', which the pattern does not give (did you mean 'pci'?)"},
    {"source   = \"somewhere\"", "source   = \"somewhere\"\noverlaps = [\"gpu.xid.other\"]",
     "23:13: overlaps 'gpu.xid.other', which is no pattern"},
    {"source   = \"somewhere\"", "source   = \"somewhere\"\noverlaps = [\"gpu.xid.lost\"]",
     "23:13: a pattern overlaps itself"},
};

std::vector<std::string> messages(const std::string& text) {
  std::vector<std::string> out;
  for (const Problem& p : packs::load_packs({{"patterns/gpu.toml", text}}).problems) {
    CHECK(p.rung == Rung::stop);
    CHECK(p.where.substr(0, 18) == "patterns/gpu.toml:");
    out.push_back(p.where.substr(18) + ": " + p.what + (p.hint.empty() ? "" : " (" + p.hint + ")"));
  }
  return out;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("the pack that the bad ones are made of is good") {
  CHECK(joined(messages(std::string(kGood))) == "");
}

TEST_CASE("each mistake in a pack is named with its line and column") {
  for (const Change& change : kChanges) {
    std::string text(kGood);
    const std::size_t at = text.find(change.from);
    REQUIRE(at != std::string::npos);
    text.replace(at, std::string_view(change.from).size(), change.to);
    const auto found = messages(text);
    const bool named = std::any_of(found.begin(), found.end(),
                                   [&](const std::string& m) { return m.find(change.message) == 0; });
    INFO("wanted: " << change.message << "\nfound:\n" << joined(found));
    CHECK(named);
  }
}

TEST_CASE("all mistakes are named at once, in the order of the file") {
  std::string text(kGood);
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"\"P0\"", "\"P9\""}, {"'test'", "'(test'"}, {"'end'", "'*'"}}) {
    text.replace(text.find(from), from.size(), to);
  }
  const auto found = messages(text);
  REQUIRE(found.size() == 3);
  CHECK(found[0].find("9:1: ") == 0);
  CHECK(found[1].find("13:13: ") == 0);
  CHECK(found[2].find("24:73: ") == 0);
}

TEST_CASE("an id used twice in one file is named with the place of the first") {
  std::string text(kGood);
  text += text.substr(text.find("[[pattern]]"));
  const auto found = messages(text);
  REQUIRE(found.size() == 1);
  CHECK(found[0] == "28:1: id 'gpu.xid.lost' is used twice (the first one is in line 5)");
}

TEST_CASE("hostile documents end in a problem") {
  const std::string deep(100'000, '[');
  for (const std::string& text : {std::string("x = ") + deep, std::string("\xff\xfe"), std::string(1, '\0'),
                                  std::string("a.b.c = 1\na.b = 2"), std::string("pattern = [[[[[[]]]]]]"),
                                  std::string("x = 99999999999999999999")}) {
    CHECK_FALSE(packs::load_packs({{"patterns/gpu.toml", text}}).problems.empty());
  }
}
