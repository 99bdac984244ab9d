// What broken, cut, shuffled, localised and empty input does to every reader: nothing that was not there.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "facts/hostile_samples.h"
#include "facts/reading_of.h"

using namespace faultline;
using namespace faultline::test;

namespace {

/// "kind who" of events, and "key=value" of facts; without the last line, which a cut may halve.
std::set<std::string> said(const ReadResult& result, std::uint64_t up_to_line) {
  std::set<std::string> out;
  for (const Event& event : result.events) {
    if (event.evidence.line >= up_to_line) continue;
    out.insert(event.kind + " " + event.speaker.node + event.speaker.pod + event.gpu);
  }
  for (const Fact& fact : result.facts) {
    // Counts of what follows grow with what follows.
    if (fact.key == "efa.devices" || fact.key == "gpu.nvlink.active") continue;
    if (fact.evidence.line < up_to_line) out.insert(fact.key + "=" + fact.value);
  }
  return out;
}

std::uint64_t lines_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

}  // namespace

TEST_CASE("every kind of state file has a reader or says that it has none", "[facts]") {
  for (int i = 0; i <= static_cast<int>(ArtifactKind::archive); ++i) {
    const auto kind = static_cast<ArtifactKind>(i);
    const ReadResult result = read("", as(kind));
    CHECK(result.events.empty());
    CHECK(result.facts.empty());
  }
}

TEST_CASE("a text cut at any byte says nothing before the cut that the whole does not say", "[facts]") {
  for (const Sample& sample : kSamples) {
    const auto whole = said(read(sample.text, as(sample.kind, std::string(sample.chain))), UINT64_MAX);
    REQUIRE_FALSE(whole.empty());
    for (std::size_t cut = 0; cut < sample.text.size(); ++cut) {
      const std::string_view part = sample.text.substr(0, cut);
      for (const std::string& one :
           said(read(part, as(sample.kind, std::string(sample.chain))), lines_in(part))) {
        if (whole.contains(one)) continue;
        INFO(sample.chain << " cut at " << cut);
        CHECK(one == "said by the whole text, too");
      }
    }
  }
}

TEST_CASE("any sample read as any kind makes no event of another sort", "[facts]") {
  for (const Sample& sample : kSamples) {
    std::set<std::string> own;
    for (const Event& event : read(sample.text, as(sample.kind, std::string(sample.chain))).events)
      own.insert(event.kind);
    for (int i = 0; i <= static_cast<int>(ArtifactKind::archive); ++i) {
      for (const Event& event : read(sample.text, as(static_cast<ArtifactKind>(i))).events) {
        INFO(sample.chain << " as " << kind_name(static_cast<ArtifactKind>(i)));
        CHECK(own.contains(event.kind));
      }
    }
  }
}

TEST_CASE("shuffled lines, damaged bytes and doubled texts do no harm", "[facts]") {
  std::uint32_t state = 12345;
  const auto random = [&state](std::size_t below) {
    state = state * 1664525U + 1013904223U;
    return static_cast<std::size_t>(state >> 8U) % below;
  };
  for (const Sample& sample : kSamples) {
    const Given given = as(sample.kind, std::string(sample.chain));
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < sample.text.size();) {
      const std::size_t end = std::min(sample.text.find('\n', at), sample.text.size());
      lines.emplace_back(sample.text.substr(at, end - at));
      at = end + 1;
    }
    for (int round = 0; round < 30; ++round) {
      for (std::size_t i = lines.size(); i > 1; --i) std::swap(lines[i - 1], lines[random(i)]);
      std::string text;
      for (const std::string& line : lines) text += line + (round % 2 == 0 ? "\n" : "\r\n");
      for (const Event& event : read(text, given).events) CHECK(event.evidence.line <= lines.size());
    }
    for (int round = 0; round < 200; ++round) {
      std::string text(sample.text);
      for (int n = 0; n < 8; ++n) text[random(text.size())] = static_cast<char>(random(256));
      for (const Event& event : read(text, given).events) CHECK_FALSE(event.kind.empty());
    }
    const std::string doubled = std::string(sample.text) + std::string(sample.text);
    CHECK(read(doubled, given).facts.size() >= read(sample.text, given).facts.size() / 2);
  }
}

TEST_CASE("colours, marks of encoding and no-break blanks change nothing", "[facts]") {
  for (const Sample& sample : kSamples) {
    const Given given = as(sample.kind, std::string(sample.chain));
    const auto plain = said(read(sample.text, given), UINT64_MAX);
    CHECK(said(read("\xEF\xBB\xBF" + std::string(sample.text), given), UINT64_MAX) == plain);
    std::string coloured;
    for (const char c : sample.text)
      coloured += c == '\n' ? std::string("\x1b[0m\n\x1b[32m") : std::string(1, c);
    CHECK(said(read(coloured, given), UINT64_MAX) == plain);
  }
}

TEST_CASE("events and facts of a document end at the budget, and say so", "[facts]") {
  std::string text = "NAME     READY   STATUS             RESTARTS   AGE\n";
  for (int i = 0; i < 50; ++i)
    text += "pod-" + std::to_string(i) + "    0/1     CrashLoopBackOff   5          3h\n";
  Artifact artifact;
  artifact.kind = ArtifactKind::kubectl_table;
  artifact.chain = "pods.txt";
  Limits limits;
  limits.max_events = 20;
  const ReadResult result = facts::read_state(artifact, text, {}, limits);
  CHECK(result.events.size() == 20);
  CHECK(result.notes.size() == 1);
}

TEST_CASE("deep nesting and long lines are bounded", "[facts]") {
  const std::string deep_json = "{\"kind\":\"List\",\"items\":" + std::string(100'000, '[');
  CHECK(read(deep_json, as(ArtifactKind::kubectl_json)).events.empty());
  std::string deep_yaml = "apiVersion: v1\nkind: Pod\nspec:\n";
  for (std::size_t i = 1; i < 2000; ++i) deep_yaml += std::string(i, ' ') + "a:\n";
  CHECK(read(deep_yaml, as(ArtifactKind::kubectl_yaml)).events.empty());
  std::string dashes = "kind: Pod\nspec:\n";
  for (std::size_t i = 0; i < 2000; ++i) dashes += "- ";
  CHECK(read(dashes + "x\n", as(ArtifactKind::kubectl_yaml)).events.empty());
  const std::string line(3'000'000, '|');
  CHECK(read(line, as(ArtifactKind::command_output)).events.empty());
  CHECK(read(std::string(1'000'000, ' ') + "Warning  X  1s  kubelet  y", as(ArtifactKind::kubectl_describe))
            .events.empty());
  CHECK(read("Filesystem Size Used Avail Use% Mounted on\n" + std::string(100'000, '\n'),
             as(ArtifactKind::disk_usage))
            .events.empty());
}

TEST_CASE("host lists that expand without end are bounded", "[facts]") {
  const ReadResult result = read(
      "REASON               USER      TIMESTAMP           NODELIST\n"
      "Kill task failed     root      2026-03-03T10:11:12 n[0-999999999]\n",
      as(ArtifactKind::slurm_command));
  CHECK(result.events.size() <= 20'000);
  CHECK_FALSE(result.notes.empty());
}
