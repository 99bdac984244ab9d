#pragma once
// Patterns over one batch, through matcher and extractor as the app drives them.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "extract/extractor.h"
#include "match/matcher.h"
#include "support/line_batches.h"

namespace faultline::test {

inline std::vector<Event> events_of(const std::vector<Pattern>& patterns, const LineBatch& batch,
                                    const Artifact& artifact = {}, const Limits& limits = {}) {
  PatternSet set;
  set.patterns = patterns;
  const auto matcher = match::Matcher::make(set);
  const auto extractor = extract::Extractor::make(set, limits);
  REQUIRE(matcher);
  REQUIRE(extractor);
  const auto scratch = (*matcher)->make_scratch();
  std::vector<Hit> hits;
  REQUIRE((*matcher)->scan(Family::any, batch, *scratch, hits));
  std::vector<Event> events;
  (*extractor)->confirm(artifact, batch, hits, events);
  return events;
}

/// "name=value name=value", in the order of the names.
inline std::string fields_text(const Event& event) {
  std::string text;
  for (const auto& [name, value] : event.fields)
    text += (text.empty() ? "" : " ") + name + "=" + field_text(value);
  return text;
}

}  // namespace faultline::test
