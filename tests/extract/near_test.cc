#include <catch2/catch.hpp>

#include "support/engine.h"

using namespace faultline;
using test::batch_of;
using test::events_of;
using test::fields_text;
using test::pattern_of;

namespace {

PeeledLine peel_rank(std::string_view line, const PeelContext&) {
  PeeledLine peeled{line, {}, {}};
  if (line.size() > 3 && line.substr(1, 2) == ": ") {
    peeled.speaker.rank = line[0] - '0';
    peeled.text.remove_prefix(3);
  }
  return peeled;
}

Pattern oom(NearRule rule) {
  Pattern p = pattern_of("a.b.oom", {"Killed process (?P<pid>\\d+)"});
  p.fields = {{"pid", FieldType::integer}, {"limit", FieldType::integer}};
  p.near = {std::move(rule)};
  return p;
}

NearRule rule(std::uint32_t before, std::uint32_t after, std::string regex, std::string until = {}) {
  NearRule r;
  r.before = before;
  r.after = after;
  r.regex = std::move(regex);
  r.until = std::move(until);
  return r;
}

std::string found(const Pattern& p, const std::string& text, PeelFunction peel = test::peel_nothing) {
  std::string all;
  for (const Event& e : events_of({p}, batch_of(text, peel)))
    all += (all.empty() ? "" : "; ") + fields_text(e);
  return all;
}

}  // namespace

TEST_CASE("a near rule adds what the nearest line that matches says") {
  const Pattern back = oom(rule(3, 0, "limit (?P<limit>\\d+)"));
  CHECK(found(back, "limit 1\nlimit 2\nx\nKilled process 7\nlimit 3\n") == "limit=2 pid=7");
  CHECK(found(back, "limit 1\nx\nx\nx\nKilled process 7\n") == "pid=7");  // four lines away
  CHECK(found(back, "limit 1\nx\nx\nKilled process 7\n") == "limit=1 pid=7");
  const Pattern ahead = oom(rule(0, 2, "limit (?P<limit>\\d+)"));
  CHECK(found(ahead, "limit 1\nKilled process 7\nx\nlimit 3\nlimit 4\n") == "limit=3 pid=7");
  CHECK(found(ahead, "limit 1\nKilled process 7\nx\nx\nlimit 3\n") == "pid=7");
  const Pattern both = oom(rule(5, 5, "limit (?P<limit>\\d+)"));
  CHECK(found(both, "limit 1\nx\nKilled process 7\nlimit 3\n") == "limit=3 pid=7");
  CHECK(found(both, "limit 1\nKilled process 7\nlimit 3\n") ==
        "limit=1 pid=7");  // equally near: the earlier one
}

TEST_CASE("a near rule looks at no line of another speaker, and counts none") {
  const Pattern back = oom(rule(1, 0, "limit (?P<limit>\\d+)"));
  CHECK(found(back, "1: limit 5\n2: limit 6\n1: Killed process 7\n", peel_rank) == "limit=5 pid=7");
  CHECK(found(back, "2: limit 6\n1: Killed process 7\n", peel_rank) == "pid=7");
  CHECK(found(back, "limit 6\n1: Killed process 7\n", peel_rank) ==
        "limit=6 pid=7");  // nobody's line may be its own
}

TEST_CASE("a near rule stops before the line that it must not pass") {
  const Pattern back = oom(rule(9, 9, "limit (?P<limit>\\d+)", "^begin"));
  CHECK(found(back, "limit 1\nbegin\nx\nKilled process 7\nx\nx\nlimit 2\n") == "limit=2 pid=7");
  CHECK(found(back, "limit 1\nbegin limit 4\nKilled process 7\nbegin\nlimit 2\n") == "pid=7");
  CHECK(found(back, "begin\nlimit 1\nx\nKilled process 7\n") == "limit=1 pid=7");
}

TEST_CASE("without a required line, or with a forbidden one, there is no event") {
  NearRule needs = rule(2, 0, "^Traceback");
  needs.required = true;
  const Pattern required = oom(needs);
  CHECK(found(required, "Traceback\nx\nKilled process 7\n") == "pid=7");
  CHECK(found(required, "Traceback\nx\nx\nKilled process 7\n").empty());
  NearRule never = rule(0, 1, "just a test");
  never.forbidden = true;
  const Pattern forbidden = oom(never);
  CHECK(found(forbidden, "Killed process 7\nKilled process 8\njust a test\n") == "pid=7");
}

TEST_CASE("what the hit captured is not overwritten by a line around it, and rules speak in their order") {
  Pattern p = pattern_of("a.b.c", {"error(?: code (?P<code>\\d+))?"});
  p.fields = {{"code", FieldType::integer}};
  p.near = {rule(1, 0, "first code (?P<code>\\d+)"), rule(1, 0, "code (?P<code>\\d+)")};
  CHECK(found(p, "first code 1\nerror code 2\n") == "code=2");
  CHECK(found(p, "first code 1\nerror\n") == "code=1");
  CHECK(found(p, "code 3\nerror\n") == "code=3");
}

TEST_CASE("near rules reach into the margins of a batch, and end with it") {
  const Pattern p = oom(rule(3, 3, "limit (?P<limit>\\d+)"));
  LineBatch batch = batch_of("limit 1\nKilled process 7\nx\nKilled process 8\n\n\n\nlimit 9");
  batch.core_begin = 8;
  batch.core_end = batch.text.size() - 7;
  const auto events = events_of({p}, batch);
  REQUIRE(events.size() == 2);
  CHECK(fields_text(events[0]) == "limit=1 pid=7");
  CHECK(fields_text(events[1]) == "limit=1 pid=8");
  CHECK(found(p, "Killed process 7") == "pid=7");
  CHECK(found(p, "Killed process 7\n\n\n") == "pid=7");
  CHECK(found(p, "\n\nKilled process 7") == "pid=7");
}
