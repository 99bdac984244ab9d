#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "base/text.h"
#include "report/golden.h"
#include "report/page.h"
#include "report/report.h"
#include "report/samples.h"
#include "report/wording.h"

using namespace faultline;
using report::TextOptions;

namespace {

struct Sample {
  const char* name;
  std::function<CaseReport()> make;
};
const std::vector<Sample> kSamples = {{"rich", samples::rich},
                                      {"undecided", samples::undecided},
                                      {"no-events", samples::no_events},
                                      {"no-input", samples::no_input},
                                      {"hostile", samples::hostile}};

std::string text_of(const CaseReport& report, unsigned width, bool color = false) {
  return report::to_text(report, TextOptions{width, color, false});
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for_each_line(text, [&](std::uint64_t, std::string_view line) {
    lines.emplace_back(line);
    return true;
  });
  return lines;
}

// What a reader can still put together from wrapped text: everything but blanks, and but backslashes, since a
// broken command ends its lines in one.
std::string essence(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\\') out += c;
  }
  return out;
}

// Only what this program adds: ESC [ digits and semicolons m.
std::string without_colour(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      out += text[i];
    }
  }
  return out;
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// The longest word of a command: the one thing that is never broken.
bool is_one_command_word(std::string_view line, const CaseReport& report) {
  line = trim(line);
  if (line.ends_with(" \\")) line = trim(line.substr(0, line.size() - 2));
  std::vector<std::string> commands;
  for (const auto& s : report.suggested) commands.push_back(printable(s.command));
  for (const auto& m : report.coverage.missing) commands.push_back(printable(m.collect));
  for (const auto& c : report.checks) commands.push_back(printable(c.collect));
  return line.find(' ') == std::string_view::npos &&
         std::any_of(commands.begin(), commands.end(), [&](const std::string& c) { return holds(c, line); });
}

}  // namespace

TEST_CASE("text reports equal their goldens at 80 and at 140 columns") {
  for (const Sample& sample : kSamples) {
    for (const unsigned width : {80u, 140u}) {
      const std::string name = std::string(sample.name) + "-" + std::to_string(width) + ".txt";
      samples::check_golden(name, text_of(sample.make(), width));
    }
  }
  samples::check_golden("rich-quiet.txt", report::to_text(samples::rich(), TextOptions{80, false, true}));
}

TEST_CASE("no line of a text report is wider than asked, but for one word of a command") {
  for (const Sample& sample : kSamples) {
    const CaseReport made = sample.make();
    for (const unsigned width : {40u, 60u, 79u, 80u, 100u, 140u, 240u}) {
      for (const std::string& line : lines_of(text_of(made, width))) {
        INFO(sample.name << " at " << width << ": " << line);
        CHECK((report::display_width(line) <= width || is_one_command_word(line, made)));
      }
    }
  }
}

TEST_CASE("wrapping loses nothing: every statement can be read whole at any width") {
  for (const Sample& sample : kSamples) {
    const CaseReport made = sample.make();
    std::vector<std::string> wanted = {made.verdict, made.pack_hash};
    for (const Incident& i : made.incidents) {
      wanted.insert(wanted.end(), i.reasons.begin(), i.reasons.end());
      wanted.insert(wanted.end(), i.missing.begin(), i.missing.end());
      for (const Alternative& a : i.alternatives) wanted.push_back(a.kind + ": " + a.why);
      for (const ChainLink& link : i.chain) {
        wanted.push_back(link.label);
        wanted.push_back(where(made.coverage, link.evidence));
      }
    }
    for (const Finding& f : made.findings) {
      wanted.push_back(f.title);
      wanted.push_back(f.instances.front().evidence.text);
      if (f.severity != Severity::p2) wanted.insert(wanted.end(), {f.meaning, f.next});
    }
    for (const CheckResult& c : made.checks) wanted.insert(wanted.end(), {c.id, c.collect});
    for (const CoverageRow& r : made.coverage.rows) {
      if (r.state != CoverageRow::State::scanned) wanted.insert(wanted.end(), {r.chain, r.reason});
    }
    for (const MissingInput& m : made.coverage.missing)
      wanted.insert(wanted.end(), {m.what, m.why, m.collect});
    for (const SuggestedCommand& s : made.suggested)
      wanted.insert(wanted.end(), {s.title, s.command, s.blast_radius});
    for (const unsigned width : {40u, 80u, 140u}) {
      const std::string got = essence(text_of(made, width));
      for (const std::string& text : wanted) {
        INFO(sample.name << " at " << width << ": " << printable(text));
        CHECK(holds(got, essence(printable(text))));
      }
    }
  }
}

TEST_CASE("nothing from a bundle reaches the terminal as a control, and text is valid UTF-8") {
  for (const Sample& sample : kSamples) {
    const std::string text = text_of(sample.make(), 80);
    CHECK(is_valid_utf8(text));
    CHECK(std::none_of(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
    }));
    for (const char* bad : {"\xe2\x80\xae", "\xe2\x81\xa9", "\xc2\x9b"}) CHECK_FALSE(holds(text, bad));
    for (const std::string& line : lines_of(text)) CHECK_FALSE(line.starts_with("VERDICT all is well"));
  }
}

TEST_CASE("colour adds escape sequences and changes no character") {
  for (const Sample& sample : kSamples) {
    const CaseReport made = sample.make();
    const std::string plain = text_of(made, 80);
    const std::string coloured = text_of(made, 80, true);
    CHECK_FALSE(holds(plain, "\x1b"));
    CHECK(holds(coloured, "\x1b["));
    CHECK(without_colour(coloured) == plain);
  }
}

TEST_CASE("coverage comes first, the verdict second") {
  for (const Sample& sample : kSamples) {
    const std::string text = text_of(sample.make(), 140);
    CHECK(text.starts_with("COVERAGE  read "));
    CHECK(text.find("\nVERDICT ") < 400);
  }
}

TEST_CASE("no events is never a clean bill of health: what was looked at and what was not stands beside it") {
  const std::string text = text_of(samples::no_events(), 80);
  const std::string got = essence(text);
  CHECK(holds(got, essence("not a clean bill of health")));
  CHECK(holds(text, "job and pod logs"));
  CHECK(holds(
      got,
      essence(
          "not in this input    kernel logs, system logs, GPU tools, Kubernetes, Slurm, HyperPod agents")));
  CHECK_FALSE(holds(text, "healthy"));
  CHECK(holds(essence(text_of(samples::no_input(), 80)), essence("not a clean bill of health")));
}

TEST_CASE("an undecided incident names no cause, lists what competes and what would decide") {
  const std::string text = text_of(samples::undecided(), 80);
  for (const char* part : {"undecided", "Competing explanations", "Would decide it", "Look first at",
                           "gpu_xid", "efa_provider_error"})
    CHECK(holds(text, part));
  CHECK_FALSE(holds(text, "Culprit"));
}

TEST_CASE("each finding points at a section, and state-changing commands stand apart with their price") {
  const std::string text = text_of(samples::rich(), 80);
  CHECK(holds(text, "-> references/debugging-guide.md \xc2\xa7 7"));
  CHECK(holds(text, "Suggested command (run this yourself)"));
  CHECK(holds(text, "[changes state]"));
  CHECK(holds(text, "[read-only]"));
  CHECK(holds(text, "Blast radius"));
  CHECK(holds(text, "ranks 0-15,24-31"));
}

TEST_CASE("tags follow severity, role and outcome") {
  struct Row {
    Severity severity;
    Role role;
    Outcome outcome;
    Status status;
    std::string_view tag;
  };
  const Row rows[] = {
      {Severity::p0, Role::cause, Outcome::terminal, Status::stable, "[FAIL]"},
      {Severity::p0, Role::cascade, Outcome::unresolved, Status::stable, "[FAIL]"},
      {Severity::p0, Role::cause, Outcome::recovered, Status::stable, "[WARN]"},
      {Severity::p0, Role::cause, Outcome::progressed, Status::stable, "[WARN]"},
      {Severity::p0, Role::cause, Outcome::terminal, Status::trial, "[WARN]"},
      {Severity::p1, Role::cause, Outcome::terminal, Status::stable, "[WARN]"},
      {Severity::p2, Role::cause, Outcome::terminal, Status::stable, "[INFO]"},
      {Severity::p0, Role::benign, Outcome::terminal, Status::stable, "[INFO]"},
      {Severity::p0, Role::progress, Outcome::terminal, Status::stable, "[INFO]"},
  };
  for (const Row& row : rows) {
    Finding finding;
    finding.severity = row.severity;
    finding.role = row.role;
    finding.outcome = row.outcome;
    finding.status = row.status;
    CHECK(report::tag_text(report::tag_of(finding)) == row.tag);
  }
}

TEST_CASE("ranks fold into ranges, numbers into groups, bytes into units") {
  CHECK(report::folded_ranks({8, 0, 1, 2, 3, 4, 5, 6, 9, 10, 15, 14, 13, 12, 11, 8}) == "0-6,8-15");
  CHECK(report::folded_ranks({}) == "");
  CHECK(report::folded_ranks({3}) == "3");
  CHECK(report::folded_ranks({3, 4}) == "3,4");
  CHECK(report::folded_ranks({INT32_MAX, INT32_MIN}) == "-2147483648,2147483647");
  CHECK(report::grouped(0) == "0");
  CHECK(report::grouped(999) == "999");
  CHECK(report::grouped(1000) == "1,000");
  CHECK(report::grouped(1234567) == "1,234,567");
  CHECK(report::byte_text(1) == "1 byte");
  CHECK(report::byte_text(999) == "999 bytes");
  CHECK(report::byte_text(999'949) == "999.9 kB");
  CHECK(report::byte_text(999'951) == "1.0 MB");
  CHECK(report::byte_text(UINT64_MAX) == "18.4 EB");
  CHECK(report::listed({"a", "b", "c"}, 2) == "a, b, c");
  CHECK(report::listed({"a", "b", "c", "d"}, 2) == "a, b and 2 more");
  CHECK(report::reference_text("references/x.md#12") == "references/x.md \xc2\xa7 12");
}

TEST_CASE("columns are counted as a terminal counts them") {
  CHECK(report::display_width("abc") == 3);
  CHECK(report::display_width("\xe4\xb8\xad\xe6\x96\x87") == 4);
  CHECK(report::display_width("\xf0\x9f\x94\xa5") == 2);
  CHECK(report::display_width("e\xcc\x81") == 1);
  CHECK(report::display_width("\xc2\xa7") == 1);
}

TEST_CASE("words wrap at blanks, long ones at separators, endless ones anywhere") {
  using Lines = std::vector<std::string>;
  CHECK(report::wrap_words("one two three", 7, 7) == Lines{"one two", "three"});
  CHECK(report::wrap_words("one two", 3, 7) == Lines{"one", "two"});
  CHECK(report::wrap_words("", 5, 5) == Lines{""});
  CHECK(report::wrap_words("a  b", 9, 9) == Lines{"a  b"});
  CHECK(report::wrap_words("aaaa/bbbb/cc", 7, 7) == Lines{"aaaa/", "bbbb/cc"});
  CHECK(report::wrap_words("aaaaaaaaaa", 4, 4) == Lines{"aaaa", "aaaa", "aa"});
  CHECK(report::wrap_words("\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad", 5, 5) ==
        Lines{"\xe4\xb8\xad\xe6\x96\x87", "\xe4\xb8\xad"});
  CHECK(report::wrap_words("x 中中", 1, 1).size() == 3);
  std::string endless(1'000'000, 'x');
  CHECK(report::wrap_words(endless, 80, 80).size() == 12'500);
}

TEST_CASE("a wrapped command still runs when it is copied") {
  using Lines = std::vector<std::string>;
  CHECK(report::wrap_command("aws x --a 1 --b '[1, 2]' --c", 16) ==
        Lines{"aws x --a 1 \\", "  --b '[1, 2]' \\", "  --c"});
  CHECK(report::wrap_command("short", 80) == Lines{"short"});
  CHECK(report::wrap_command("a 'one two three four'", 10) == Lines{"a \\", "  'one two three four'"});
  CHECK(report::wrap_command("echo a\\ b c", 80) == Lines{"echo a\\ b c"});
  CHECK(report::wrap_command("ask the customer's team", 12) == Lines{"ask the", "customer's", "team"});
}
