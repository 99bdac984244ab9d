#include "extract/thinning.h"

#include <unordered_map>

namespace faultline::extract {
namespace {

constexpr std::size_t kEnds = 8;  // lines of one pattern that are kept at each end of a batch

}  // namespace

std::vector<Proposed> thinned(const std::vector<Hit>& hits, const std::vector<Pattern>& patterns,
                              const std::function<bool(const Hit&)>& may_match) {
  std::vector<Proposed> all;
  all.reserve(hits.size());
  std::unordered_map<PatternIndex, std::vector<std::size_t>> progress;  // indices into `all`
  for (const Hit& hit : hits) {
    if (patterns[hit.pattern].role == Role::progress) progress[hit.pattern].push_back(all.size());
    all.push_back({hit, 0});
  }
  std::vector<bool> dropped(all.size(), false);
  for (const auto& [pattern, lines] : progress) {
    if (lines.size() <= 2 * kEnds) continue;
    const auto keeps = [&](std::size_t line) {
      const bool may = may_match(all[line].hit);
      dropped[line] = !may;
      return may;
    };
    std::size_t front = 0;
    for (std::size_t kept = 0; front < lines.size() && kept < kEnds; ++front)
      kept += keeps(lines[front]) ? 1 : 0;
    std::size_t back = lines.size();
    for (std::size_t kept = 0; back > front && kept < kEnds; --back) kept += keeps(lines[back - 1]) ? 1 : 0;
    for (std::size_t i = front; i < back; ++i) dropped[lines[i]] = true;
    if (back > front) all[lines[front - 1]].folded = back - front;  // the eighth of the front: it was kept
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!dropped[i]) all[kept++] = all[i];
  }
  all.resize(kept);
  return all;
}

}  // namespace faultline::extract
