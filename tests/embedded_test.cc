#include "packs/embedded.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace faultline;

TEST_CASE("embedded files are sorted by path and hold the bytes of the repository") {
  const auto files = packs::embedded_files();
  REQUIRE_FALSE(files.empty());
  CHECK(std::is_sorted(files.begin(), files.end(),
                       [](const auto& a, const auto& b) { return a.path < b.path; }));
  const auto ledger =
      std::find_if(files.begin(), files.end(), [](const auto& f) { return f.path == "patterns/ids.txt"; });
  REQUIRE(ledger != files.end());
  CHECK(ledger->content.substr(0, 12) == "# The ledger");
  CHECK(ledger->content.back() == '\n');
}
