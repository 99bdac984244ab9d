#pragma once
// The examples of the packs, run for real: every hit is confirmed with its fields, every alternative has one,
// no miss is confirmed, and no hit belongs to another pattern that weighs as much. Lines go straight to
// the extractor, past framers and scanner: quick enough to run after each edit of a pack.
#include <vector>

#include "base/result.h"
#include "extract/extractor.h"
#include "model/line_batch.h"
#include "model/pattern.h"

namespace faultline::extract {

/// `peel` is what decode uses; the examples are tried as they stand. Problems of rung stop, in the order of
/// ids.
std::vector<Problem> check_examples(const PatternSet& patterns, const Extractor& extractor,
                                    PeelFunction peel);

}  // namespace faultline::extract
