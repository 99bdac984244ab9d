// The two demo bundles and their healthy twins, built from their recipes and read as a user would give them.
// corpus/demo/README.md tells the truth about them.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/render.h"
#include "base/text.h"
#include "support/case_run.h"

using namespace faultline;
namespace fs = std::filesystem;

namespace {

class Bundles {
 public:
  Bundles() : root_(fs::temp_directory_path() / ("faultline-demo-" + std::to_string(::getpid()))) {
    const std::string builder = std::string(FAULTLINE_SOURCE_DIR) + "/corpus/demo/build.py";
    for (const char* twin : {"", "--healthy "}) {
      const std::string command =
          "python3 '" + builder + "' " + twin + "'" + root_.string() + "' > /dev/null";
      REQUIRE(std::system(command.c_str()) == 0);  // NOLINT: a fixed command of the test
    }
  }
  Bundles(const Bundles&) = delete;
  Bundles& operator=(const Bundles&) = delete;
  ~Bundles() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  [[nodiscard]] fs::path path(const std::string& name) const { return root_ / name; }

 private:
  fs::path root_;
};

const Bundles& bundles() {
  static const Bundles kBundles;
  return kBundles;
}

struct Truth {
  std::string name;
  std::string uuid;
  std::string instance;  // of the culprit
  std::string lost;      // could not be collected
  std::string cut;       // tarball that ends early
};
const Truth kTruths[] = {
    {"slurm", "GPU-f26152da-5150-4bd7-8f30-60e9b88c41d2", "i-c57cb5420003bb12b", "i-7907f8109d560f951",
     "i-1f66a8772de656496"},
    {"eks", "GPU-dfda7aab-0e84-48b1-80e8-22bebc090904", "i-b350c06ce4cd780f9", "i-97f99ad7ac0c0c344",
     "i-3dfdc6227e1c0048c"},
};

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TEST_CASE("the demo bundles: first failure, stall, witnesses, and what could not be seen", "[corpus]") {
  for (const Truth& truth : kTruths) {
    DYNAMIC_SECTION(truth.name) {
      const CaseReport report = test::run_and_check({bundles().path(truth.name).string()});
      CHECK(report.verdict.find("ip-10-1-0-13") != std::string::npos);
      CHECK(report.verdict.find("0000:86:00") != std::string::npos);
      CHECK(report.verdict.find("Xid 79") != std::string::npos);

      REQUIRE_FALSE(report.incidents.empty());
      const Incident& incident = report.incidents.front();
      CHECK(incident.primary);
      REQUIRE(incident.cause.has_value());
      CHECK(incident.cause->kind == "gpu_xid");
      CHECK(incident.confidence == Confidence::high);
      REQUIRE(incident.culprit.has_value());
      CHECK(incident.culprit->node == "ip-10-1-0-13");
      CHECK(incident.culprit->gpu == "0000:86:00");
      CHECK(contains(incident.culprit->aliases, truth.uuid));
      CHECK(contains(incident.culprit->aliases, truth.instance));
      const Finding& xid = report.findings.at(incident.cause->finding - 1);
      CHECK(field_text(xid.instances.front().fields.at("xid")) == "79");

      // 10:14:06.7; the logs give seconds.
      REQUIRE(incident.stall_start.known());
      const std::string stall = to_iso(incident.stall_start);
      CHECK(stall.substr(0, 17) == "2026-02-17T10:14:");
      CHECK(std::stod(stall.substr(17)) >= 4.7);
      CHECK(std::stod(stall.substr(17)) <= 8.7);

      std::set<std::int32_t> waited;
      for (const ChainLink& link : incident.chain) {
        const Finding& finding = report.findings.at(link.finding - 1);
        if (finding.kind == "collective_timeout") waited.insert(link.ranks.begin(), link.ranks.end());
      }
      std::set<std::int32_t> witnesses;
      for (std::int32_t rank = 0; rank < 32; ++rank) {
        if (rank < 16 || rank > 23) witnesses.insert(rank);
      }
      CHECK(waited == witnesses);

      bool cut = false;
      for (const CoverageRow& row : report.coverage.rows) {
        if (row.chain.find(truth.cut + ".tar.gz") == std::string::npos || row.kind != ArtifactKind::archive)
          continue;
        cut = cut || row.state == CoverageRow::State::partial;
      }
      CHECK(cut);
      REQUIRE(report.coverage.missing.size() == 1);
      CHECK(report.coverage.missing.front().what.find(truth.lost) != std::string::npos);
      CHECK(report.coverage.missing.front().where.find("summary.json:") != std::string::npos);
    }
  }
}

TEST_CASE("pods, addresses of pods and instance ids of the demo are one node each", "[corpus]") {
  const CaseReport report = test::run_and_check({bundles().path("eks").string()});
  std::vector<std::string> names;
  for (const NodeEntity& node : report.entities.nodes) names.push_back(node.name);
  CHECK(names == std::vector<std::string>{"ip-10-1-0-11", "ip-10-1-0-12", "ip-10-1-0-13", "ip-10-1-0-14"});
  CHECK(report.entities.contradictions.empty());
  REQUIRE(report.entities.ranks.size() == 32);
  for (const RankEntity& rank : report.entities.ranks) {
    INFO("rank " << rank.rank);
    CHECK(rank.node == "ip-10-1-0-1" + std::to_string(1 + rank.rank / 8));
    CHECK(rank.pod == "llm-pretrain-worker-" + std::to_string(rank.rank / 8));
  }
}

TEST_CASE("the healthy twins of the demo bundles are silent", "[corpus]") {
  for (const Truth& truth : kTruths) {
    DYNAMIC_SECTION(truth.name) {
      const CaseReport report = test::run_and_check({bundles().path(truth.name + "-healthy").string()});
      for (const Finding& finding : report.findings) {
        INFO(finding.pattern << ": " << finding.instances.front().evidence.text);
        CHECK(finding.severity == Severity::p2);
      }
      for (const Incident& incident : report.incidents) CHECK_FALSE(incident.cause.has_value());
      CHECK(report.coverage.missing.empty());
    }
  }
}

TEST_CASE("no secret of the demo bundles is in any output", "[corpus]") {
  for (const Truth& truth : kTruths) {
    DYNAMIC_SECTION(truth.name) {
      std::ifstream env(bundles().path(truth.name) / "env" / "rank0.env");
      std::vector<std::string> secrets;
      for (std::string line; std::getline(env, line);) {
        const std::size_t equals = line.find('=');
        const std::string name = line.substr(0, equals);
        for (const char* word : {"AWS_ACCESS_KEY_ID", "SECRET", "TOKEN=", "API_KEY"}) {
          if ((name + "=").find(word) != std::string::npos) secrets.push_back(line.substr(equals + 1));
        }
        // https://user:password@host
        const std::size_t at = line.find('@');
        if (at != std::string::npos && line.find("://") < at) {
          const std::size_t colon = line.rfind(':', at);
          secrets.push_back(line.substr(colon + 1, at - colon - 1));
        }
      }
      REQUIRE(secrets.size() >= 6);
      app::Settings settings;
      settings.paths = {bundles().path(truth.name).string()};
      const auto report = app::analyze(settings, test::engine(), {});
      REQUIRE(report.has_value());
      const auto events = app::collect(settings, test::engine(), {});
      REQUIRE(events.has_value());
      const std::string outputs = app::render_json(*report) + app::render_ndjson(*report) +
                                  app::render_text(*report, {}) + app::render_timeline(*report, {}) +
                                  app::render_events(*events);
      for (const std::string& secret : secrets) {
        CHECK(secret.size() >= 8);
        CHECK(outputs.find(secret) == std::string::npos);
      }
    }
  }
}
