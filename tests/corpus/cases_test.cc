// Every case of corpus/cases: the bundle goes through the whole road, and the report must say what
// expect.json asks for, by kind, entity, evidence line, cause and culprit, and nothing of what must not
// appear.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/case_run.h"
#include "support/expectation.h"

using namespace faultline;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> folders_of(const fs::path& root) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("every corpus case gets the answer that its story tells", "[corpus]") {
  const auto folders = folders_of(fs::path(FAULTLINE_SOURCE_DIR) / "corpus" / "cases");
  REQUIRE(folders.size() >= 30);
  for (const fs::path& folder : folders) {
    DYNAMIC_SECTION(folder.filename().string()) {
      const auto expect = parse_json(text_of(folder / "expect.json"), Limits{});
      REQUIRE(expect.has_value());
      const CaseReport report = test::run_and_check({(folder / "bundle").string()});
      for (const std::string& wrong : test::shortfalls(expect->documents.front(), report)) {
        UNSCOPED_INFO(wrong);
        CHECK(wrong.empty());
      }
    }
  }
}

TEST_CASE("healthy logs that look scary give nothing above P2", "[corpus]") {
  const fs::path clean = fs::path(FAULTLINE_SOURCE_DIR) / "corpus" / "clean";
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(clean)) {
    if (!entry.is_regular_file() || entry.path().filename() == "README.md") continue;
    ++files;
    DYNAMIC_SECTION(fs::relative(entry.path(), clean).string()) {
      const CaseReport report = test::run_and_check({entry.path().string()});
      for (const Finding& finding : report.findings) {
        INFO(finding.pattern + ": " + finding.instances.front().evidence.text);
        CHECK(finding.severity == Severity::p2);
      }
      for (const Incident& incident : report.incidents) CHECK_FALSE(incident.cause.has_value());
    }
  }
  CHECK(files >= 10);
}
