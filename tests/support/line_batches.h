#pragma once
// Batches from plain text, for tests of what stands behind decode.
#include <string>
#include <string_view>

#include "model/line_batch.h"
#include "model/pattern.h"

namespace faultline::test {

inline PeeledLine peel_nothing(std::string_view line, const PeelContext&) {
  return {line, {}, {}};
}

/// The whole text is the core.
inline LineBatch batch_of(std::string text, PeelFunction peel = peel_nothing) {
  LineBatch batch;
  batch.text = std::move(text);
  batch.core_end = batch.text.size();
  batch.peel = peel;
  return batch;
}

/// A pattern with the least that matching needs.
inline Pattern pattern_of(std::string id, std::vector<std::string> any,
                          std::vector<Family> in = {Family::any}) {
  Pattern p;
  p.id = std::move(id);
  p.kind = "test_kind";
  p.any = std::move(any);
  p.families = std::move(in);
  p.file = "test.toml";
  p.line = 7;
  return p;
}

}  // namespace faultline::test
