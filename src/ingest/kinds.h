#pragma once
// What an artifact is: by its first bytes, then by its path. A table in first-match order; overlaps are
// settled by order and say so. Extensions alone decide nothing.
#include <string_view>

#include "model/artifact.h"

namespace faultline::ingest {

struct KindGuess {
  ArtifactKind kind = ArtifactKind::plain_text;
  Family family = Family::any;
  std::string_view reason = {};  ///< for opaque kinds: why it is not read
};

/// `head`: up to 64 KiB of decoded bytes. `chain`: full chain.
KindGuess guess_kind(std::string_view chain, std::string_view head);

/// Node, group, pod, container, rank and collection from the chain (facts/artifact-formats 12.4).
struct PathIdentity {
  Speaker speaker;
  std::string instance_group;
  std::string collection;
};
PathIdentity identity_from_chain(std::string_view chain);

}  // namespace faultline::ingest
