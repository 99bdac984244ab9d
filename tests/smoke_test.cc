#include <catch2/catch.hpp>

#include "model/artifact.h"

using namespace faultline;

TEST_CASE("every family has a name that reads back") {
  for (std::size_t i = 0; i < kFamilyCount; ++i) {
    const auto family = static_cast<Family>(i);
    CHECK(family_from_name(family_name(family)) == family);
  }
  CHECK_FALSE(family_from_name("training "));
}
