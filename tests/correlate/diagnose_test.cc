// Causes, order and abstention over events built by hand: no packs, no text, only the judgement.
#include <catch2/catch.hpp>

#include "correlate/correlate.h"

using namespace faultline;

namespace {

constexpr std::int64_t kStart = 1'767'261'600'000'000'000;  // 2026-01-01T10:00:00Z

Pattern pattern(std::string id, std::string kind, Role role, std::vector<std::string> explains,
                Scope scope = Scope::node, Severity severity = Severity::p0) {
  Pattern p;
  p.id = std::move(id);
  p.kind = kind;
  p.title = std::move(kind);
  p.severity = severity;
  p.role = role;
  p.scope = scope;
  p.explains = std::move(explains);
  p.within_s = 900;
  p.reference = "references/debugging-guide.md#1";
  return p;
}

PatternSet patterns() {
  PatternSet set;
  set.patterns = {
      pattern("cuda.oom", "cuda_oom", Role::cause, {"collective_timeout"}, Scope::rank),
      pattern("gpu.xid.79", "gpu_xid", Role::cause, {"collective_timeout", "gpu_lost"}, Scope::gpu),
      pattern("gpu.lost", "gpu_lost", Role::cause, {"collective_timeout"}, Scope::gpu),
      pattern("sock.closed", "peer_closed", Role::cascade, {}, Scope::rank, Severity::p1),
      pattern("steps", "training_progress", Role::progress, {}, Scope::rank, Severity::p2),
      pattern("watchdog", "collective_timeout", Role::cascade, {}, Scope::rank),
      pattern("plugin", "missing_file", Role::cause, {}, Scope::node, Severity::p1),
      pattern("drained", "slurm_node_drained", Role::cascade, {}, Scope::node, Severity::p1)};
  return set;
}

class Story {
 public:
  explicit Story(std::size_t artifacts = 8) {
    for (std::size_t i = 0; i < artifacts; ++i) {
      CoverageRow row;
      row.chain = "log" + std::to_string(i);
      row.kind = ArtifactKind::kernel_log;
      evidences_.coverage.rows.push_back(row);
    }
  }
  Event& add(const std::string& id, ArtifactIndex artifact, std::string node,
             std::optional<double> second = std::nullopt) {
    Event event;
    for (std::size_t i = 0; i < set_.patterns.size(); ++i) {
      if (set_.patterns[i].id != id) continue;
      const Pattern& p = set_.patterns[i];
      event.index = static_cast<PatternIndex>(i);
      event.pattern = p.id;
      event.kind = p.kind;
      event.role = p.role;
      event.severity = p.severity;
      event.scope = p.scope;
    }
    event.speaker.node = std::move(node);
    event.evidence.artifact = artifact;
    event.evidence.line = ++line_;
    if (second) {
      event.time.base = Instant::Base::epoch;
      event.time.ns = kStart + static_cast<std::int64_t>(*second * 1e9);
      event.time.precision_ns = kMillisecond;
    }
    evidences_.events.push_back(std::move(event));
    return evidences_.events.back();
  }
  Event& timeout(ArtifactIndex artifact, std::string node, std::int32_t rank, double second,
                 std::int64_t ran_ms = 600000) {
    Event& event = add("watchdog", artifact, std::move(node), second);
    event.speaker.rank = rank;
    event.fields["ran_ms"] = ran_ms;
    return event;
  }
  correlate::Evidences& evidences() { return evidences_; }
  CaseReport judge() { return correlate::correlate(evidences_, set_, {}); }

 private:
  PatternSet set_ = patterns();
  correlate::Evidences evidences_;
  std::uint64_t line_ = 0;
};

}  // namespace

TEST_CASE("an Xid ten minutes before the watchdogs of the other nodes is the cause, with high confidence") {
  Story story;
  story.add("gpu.xid.79", 0, "ip-10-1-0-12", 2).gpu = "0000:3b:00";
  for (int rank = 0; rank < 8; ++rank) story.timeout(1, "ip-10-1-0-11", rank, 602.5 + rank * 0.01);
  const CaseReport report = story.judge();
  REQUIRE(report.incidents.size() == 1);
  const Incident& incident = report.incidents[0];
  REQUIRE(incident.cause.has_value());
  CHECK(incident.cause->kind == "gpu_xid");
  CHECK(incident.confidence == Confidence::high);
  CHECK(incident.culprit->node == "ip-10-1-0-12");
  CHECK(incident.culprit->gpu == "0000:3b:00");
  CHECK(std::abs(static_cast<double>(incident.stall_start.ns - kStart) / 1e9 - 2.5) < 1.0);
  CHECK(incident.chain.size() == 2);
  CHECK(incident.chain[1].ranks.size() == 8);
}

TEST_CASE("a watchdog storm alone is undecided and says what could explain it") {
  Story story;
  for (int rank = 0; rank < 4; ++rank) story.timeout(1, "ip-10-1-0-11", rank, 600);
  const CaseReport report = story.judge();
  REQUIRE(report.incidents.size() == 1);
  CHECK_FALSE(report.incidents[0].cause.has_value());
  CHECK(report.incidents[0].confidence == Confidence::undecided);
  CHECK_FALSE(report.incidents[0].alternatives.empty());
}

TEST_CASE("a fault after the stall began is not what began it") {
  Story story;
  for (int rank = 0; rank < 4; ++rank) story.timeout(1, "ip-10-1-0-11", rank, 600);
  story.add("gpu.xid.79", 0, "ip-10-1-0-12", 3000).gpu = "0000:3b:00";
  const CaseReport report = story.judge();
  for (const Incident& incident : report.incidents) {
    if (!incident.cause) continue;
    for (const ChainLink& link : incident.chain)
      CHECK(link.label.find("collective_timeout") == std::string::npos);
  }
}

TEST_CASE("a fault outside its window does not explain what follows") {
  Story story;
  story.add("gpu.xid.79", 0, "ip-10-1-0-12", 0).gpu = "0000:3b:00";
  for (int rank = 0; rank < 4; ++rank) story.timeout(1, "ip-10-1-0-11", rank, 20000);
  const CaseReport report = story.judge();
  REQUIRE(report.incidents.size() == 2);
  for (const Incident& incident : report.incidents) {
    if (incident.cause) CHECK(incident.chain.size() == 1);
  }
}

TEST_CASE("a cause that another cause explains is a link of the chain, not its head") {
  Story story;
  story.add("gpu.xid.79", 0, "ip-10-1-0-12", 0).gpu = "0000:3b:00";
  story.add("gpu.lost", 0, "ip-10-1-0-12", 1).gpu = "0000:3b:00";
  story.timeout(1, "ip-10-1-0-11", 3, 601);
  const CaseReport report = story.judge();
  REQUIRE(report.incidents.size() == 1);
  CHECK(report.incidents[0].cause->kind == "gpu_xid");
  CHECK(report.incidents[0].alternatives.empty());
}

TEST_CASE("two unrelated causes whose order cannot be told are not both high") {
  Story story;
  story.add("gpu.xid.79", 0, "ip-10-1-0-12").gpu = "0000:3b:00";
  story.add("cuda.oom", 2, "ip-10-1-0-13").speaker.rank = 9;
  const CaseReport report = story.judge();
  REQUIRE(report.incidents.size() == 1);
  CHECK(report.incidents[0].confidence == Confidence::low);
  CHECK(report.incidents[0].alternatives.size() == 1);
}

TEST_CASE("a closed socket accuses the side that closed it, and stays undecided") {
  Story story;
  story.add("sock.closed", 1, "ip-10-1-0-12").fields["peer"] = std::string("ip-10-1-0-11");
  const CaseReport report = story.judge();
  REQUIRE(report.incidents.size() == 1);
  CHECK(report.incidents[0].confidence == Confidence::undecided);
  CHECK(report.incidents[0].culprit->node == "ip-10-1-0-11");
}

TEST_CASE("a fault after which the steps go on is not called the cause") {
  Story story;
  story.add("cuda.oom", 1, "ip-10-1-0-11", 10).speaker.rank = 1;
  story.add("steps", 1, "ip-10-1-0-11", 200);
  const CaseReport report = story.judge();
  REQUIRE(report.findings.size() == 2);
  for (const Incident& incident : report.incidents) CHECK_FALSE(incident.cause.has_value());
}

TEST_CASE("the names of one node are one node, by their form and by what files say") {
  Story story;
  story.evidences().joins.push_back({NameJoin::Entity::node, "i-0abc1111bbb2222cc", "10.1.0.12", {}});
  story.add("gpu.xid.79", 0, "ip-10-1-0-12", 0).gpu = "0000:3b:00";
  story.add("gpu.lost", 2, "hyperpod-i-0abc1111bbb2222cc", 5).gpu = "0000:3b:00";
  const CaseReport report = story.judge();
  REQUIRE(report.incidents.size() == 1);
  CHECK(report.incidents[0].culprit->node == "ip-10-1-0-12");
  CHECK(report.incidents[0].chain.size() == 2);
}

TEST_CASE("a kernel line collected three times counts once") {
  Story story;
  for (ArtifactIndex artifact : {0U, 2U, 3U}) {
    Event& event = story.add("gpu.xid.79", artifact, "ip-10-1-0-12", 0.4 * artifact);
    event.gpu = "0000:3b:00";
    event.fields["xid"] = std::int64_t{79};
  }
  const CaseReport report = story.judge();
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].count == 1);
  CHECK(report.findings[0].instances.size() == 3);
}

TEST_CASE("boot-relative kernel times are joined by the wall-clock view of the same ring") {
  Story story;
  for (int i = 0; i < 3; ++i) {
    Event& boot = story.add("gpu.xid.79", 0, "ip-10-1-0-12", 100.0 + i);
    boot.fields["xid"] = std::int64_t{79 + i};
    boot.time.base = Instant::Base::boot;
    boot.time.ns -= kStart;
    Event& wall = story.add("gpu.xid.79", 2, "ip-10-1-0-12", 5100.0 + i);
    wall.fields["xid"] = std::int64_t{79 + i};
  }
  const CaseReport report = story.judge();
  for (const Instance& instance : report.findings.at(0).instances) {
    CHECK(instance.time.wall());
    CHECK(instance.time.ns >= kStart + 5100 * kSecond);
  }
}

TEST_CASE("of thousands of ranks that wait, none is left out of the chain") {
  Story story;
  story.add("gpu.xid.79", 0, "ip-10-1-0-13", 0.0);
  constexpr int kRanks = 3000;
  for (int rank = 0; rank < kRanks; ++rank) {
    Event& event = story.add("watchdog", 1, "ip-10-1-0-" + std::to_string(rank % 200), 600.0 + rank * 0.001);
    event.speaker.rank = rank;
  }
  const CaseReport report = story.judge();
  REQUIRE(report.incidents.size() == 1);
  REQUIRE(report.incidents[0].cause);
  CHECK(report.incidents[0].cause->kind == "gpu_xid");
  REQUIRE(report.incidents[0].chain.size() == 2);
  CHECK(report.incidents[0].chain[1].ranks.size() == kRanks);
  CHECK(report.incidents[0].reasons[0] == "explains 3000 of the 3000 symptoms in evidence");
}

TEST_CASE("of a lesser fault on several nodes, the one that all else is about is the culprit") {
  Story story;
  story.add("plugin", 0, "controller-1", 0.0);
  story.add("plugin", 1, "gpu-7", 60.0);
  story.add("drained", 0, "gpu-7", 30.0);
  const CaseReport report = story.judge();
  REQUIRE(report.incidents.size() == 1);
  REQUIRE(report.incidents[0].cause);
  CHECK(report.incidents[0].cause->kind == "missing_file");
  REQUIRE(report.incidents[0].culprit);
  CHECK(report.incidents[0].culprit->node == "gpu-7");
  CHECK(report.incidents[0].cause->text.find("gpu-7") != std::string::npos);
}
