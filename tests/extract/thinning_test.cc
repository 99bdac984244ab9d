#include "extract/thinning.h"

#include <catch2/catch.hpp>

#include "support/engine.h"

using namespace faultline;
using extract::Proposed;

namespace {

std::vector<Pattern> two_patterns() {
  Pattern progress = test::pattern_of("a.b.c", {"step"});
  progress.role = Role::progress;
  return {progress, test::pattern_of("a.b.d", {"error"})};
}

std::vector<Hit> hits_of(PatternIndex pattern, std::uint32_t count) {
  std::vector<Hit> hits;
  for (std::uint32_t i = 0; i < count; ++i) hits.push_back({pattern, i});
  return hits;
}

std::vector<std::uint32_t> positions(const std::vector<Proposed>& all) {
  std::vector<std::uint32_t> places;
  for (const Proposed& p : all) places.push_back(p.hit.position);
  return places;
}

}  // namespace

TEST_CASE("of progress lines both ends are kept and the middle is counted") {
  const auto kept = extract::thinned(hits_of(0, 1000), two_patterns(), [](const Hit&) { return true; });
  CHECK(positions(kept) ==
        std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 992, 993, 994, 995, 996, 997, 998, 999});
  for (const Proposed& p : kept) CHECK(p.folded == (p.hit.position == 7 ? 984 : 0));
}

TEST_CASE("the ends of progress are lines that may match, however deep they lie") {
  std::uint32_t asked = 0;
  const auto kept = extract::thinned(hits_of(0, 1000), two_patterns(), [&](const Hit& hit) {
    ++asked;
    return hit.position >= 100 && hit.position < 900;
  });
  CHECK(positions(kept) == std::vector<std::uint32_t>{100, 101, 102, 103, 104, 105, 106, 107, 892, 893, 894,
                                                      895, 896, 897, 898, 899});
  CHECK(kept[7].folded == 784);
  CHECK(asked == 216);
  CHECK(extract::thinned(hits_of(0, 1000), two_patterns(), [](const Hit&) { return false; }).empty());
}

TEST_CASE("few progress lines and all other lines are left alone") {
  const auto never = [](const Hit&) -> bool { throw 1; };
  CHECK(extract::thinned(hits_of(0, 16), two_patterns(), never).size() == 16);
  CHECK(extract::thinned(hits_of(1, 1000), two_patterns(), never).size() == 1000);
}
