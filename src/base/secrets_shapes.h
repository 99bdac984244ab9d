#pragma once
// Secrets that are known by their shape wherever they stand: key ids, provider tokens, JWTs, PEM blocks, URL
// userinfo. Internal to base.
#include <cstddef>
#include <string_view>
#include <vector>

namespace faultline::secrets {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view mask;  ///< class; points to static storage
};

/// Could the text hold a secret of any kind, by shape or by name? One pass, no allocation: most lines end
/// here.
bool may_hold_secret(std::string_view text);

/// Adds a span for every secret shape. Spans may overlap and are in no order.
void find_shapes(std::string_view text, std::vector<Span>& spans);

}  // namespace faultline::secrets
