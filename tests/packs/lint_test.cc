// [lint]: the built-in packs against all structural rules. Prints every problem, so that a pack author can
// run `faultline_tests "[lint]"` after each edit.
#include <catch2/catch.hpp>

#include <iostream>

#include "decode/decode.h"
#include "extract/examples.h"
#include "extract/extractor.h"
#include "match/matcher.h"
#include "packs/packs.h"

using namespace faultline;

namespace {

// Straight to the terminal: Catch would fold the lines.
void print(const std::vector<Problem>& problems) {
  for (const Problem& p : problems) {
    std::cout << p.where << ": " << p.what << (p.hint.empty() ? "" : " (" + p.hint + ")") << '\n';
  }
  if (!problems.empty()) std::cout << problems.size() << " problems" << std::endl;
}

}  // namespace

TEST_CASE("the built-in packs have no structural problem", "[lint]") {
  const packs::LoadedPacks loaded = packs::load_packs(packs::builtin_packs());
  print(loaded.problems);
  CHECK(loaded.problems.empty());
}

TEST_CASE("every expression of the built-in packs compiles in both engines", "[lint]") {
  const packs::LoadedPacks loaded = packs::load_packs(packs::builtin_packs());
  const auto matcher = match::Matcher::make(loaded.set);
  if (!matcher) print({matcher.error()});
  REQUIRE(matcher);
  for (std::size_t i = 0; i < kFamilyCount; ++i) {
    const Family family[] = {static_cast<Family>(i)};
    const auto prepared = (*matcher)->prepare(family);
    if (!prepared) print({prepared.error()});
    CHECK(prepared);
  }
  const auto extractor = extract::Extractor::make(loaded.set, Limits{});
  if (!extractor) print({extractor.error()});
  CHECK(extractor);
}

TEST_CASE("the built-in packs match their hits and none of their misses", "[lint]") {
  const packs::LoadedPacks loaded = packs::load_packs(packs::builtin_packs());
  const auto extractor = extract::Extractor::make(loaded.set, Limits{});
  REQUIRE(extractor);
  const auto problems = extract::check_examples(loaded.set, **extractor, decode::peel_line);
  print(problems);
  CHECK(problems.empty());
}

TEST_CASE("the ledger of ids and the built-in packs agree", "[ledger]") {
  const packs::LoadedPacks loaded = packs::load_packs(packs::builtin_packs());
  const auto problems = packs::check_ledger(loaded.set);
  print(problems);
  CHECK(problems.empty());
}
