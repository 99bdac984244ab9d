#pragma once
// What only the whole set of packs can tell: kinds, what explains what, overlaps, references.
#include <vector>

#include "model/pattern.h"
#include "packs/complaints.h"
#include "packs/document.h"

namespace faultline::packs {

/// A pattern with the table and the file it came from, for positions.
struct LoadedPattern {
  Pattern pattern;
  const Node* table = nullptr;
  Complaints* complaints = nullptr;
};

/// `patterns` is sorted by id, each id once.
void lint_set(std::vector<LoadedPattern>& patterns);

}  // namespace faultline::packs
