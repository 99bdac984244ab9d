#include "packs/complaints.h"

#include <algorithm>

namespace faultline::packs {
namespace {

// Damerau-Levenshtein with neighbours swapped as one step ("sevreity"), the typing errors that happen.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

void Complaints::add(Position at, std::string what, std::string hint) {
  rows_.push_back({at, std::move(what), std::move(hint)});
}

std::vector<Problem> Complaints::problems() const {
  std::vector<Row> sorted = rows_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Row& a, const Row& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  });
  std::vector<Problem> out;
  out.reserve(sorted.size());
  for (const Row& row : sorted) out.push_back({Rung::stop, at(file_, row.at), row.what, row.hint});
  return out;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  constexpr std::size_t kLongest = 100;  // the table below is quadratic
  if (word.empty() || word.size() > kLongest) return {};
  std::string_view best;
  std::size_t least = SIZE_MAX;
  for (const std::string_view candidate : known) {
    if (candidate.size() > kLongest) continue;
    const std::size_t d = distance(word, candidate);
    // A prefix is how people shorten words ("desc", "int"); else a third of the letters may be wrong.
    const bool prefix = word.size() >= 3 && candidate.substr(0, word.size()) == word;
    const std::size_t allowed = std::max<std::size_t>(1, std::min(word.size(), candidate.size()) / 3);
    if ((d <= allowed || prefix) && d < least) {
      least = d;
      best = candidate;
    }
  }
  return best.empty() ? std::string() : "did you mean '" + std::string(best) + "'?";
}

std::string one_of(std::span<const std::string_view> known) {
  std::string text = "one of";
  for (std::size_t i = 0; i < known.size(); ++i) text += (i == 0 ? " " : ", ") + std::string(known[i]);
  return text;
}

}  // namespace faultline::packs
