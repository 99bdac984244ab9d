#pragma once
// The YAML that kubectl prints, and no more: block maps and sequences, plain, quoted and block scalars,
// folded long lines, several documents, empty flow collections. No anchors, tags or merges: such values stay
// text. Gives the same tree as JSON, with byte offsets. Never fails: what does not fit is skipped and
// counted.
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/limits.h"

namespace faultline::facts {

struct YamlDocuments {
  std::vector<JsonValue> documents;
  std::size_t skipped_lines = 0;
};
YamlDocuments parse_yaml(std::string_view text, const Limits& limits);

/// Does the text begin as kubectl's YAML does: `apiVersion:` or `kind:` at a line's head near the start?
bool looks_like_yaml(std::string_view text);

}  // namespace faultline::facts
