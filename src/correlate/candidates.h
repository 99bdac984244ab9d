#pragma once
// Which episodes of an incident may be its cause, what each of them explains, and which of them leads. The
// rules stand at the head of diagnose.cc.
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "correlate/diagnose.h"

namespace faultline::correlate {

struct Candidate {
  std::size_t episode = 0;
  std::set<std::size_t> explained;  ///< episodes of the incident, reached over one or more edges
  std::size_t ordered = 0;          ///< of those, how many are known to come later
  std::size_t witnesses = 0;        ///< confirmations among them
  bool demoted = false;
  int score = 0;
};

class Candidates {
 public:
  /// `members`: episodes of the incident, in order of occurrence. Borrows both.
  Candidates(const std::vector<std::size_t>& members, const Bundle& bundle);

  /// The heads that are left, the best first.
  [[nodiscard]] const std::vector<Candidate>& ranked() const { return candidates_; }
  /// Is it enough to be called the cause?
  [[nodiscard]] bool nameable(const Candidate& c) const;
  /// Heads of another kind that rank as high as the best and cannot be told to be later.
  [[nodiscard]] std::vector<const Candidate*> rivals(const Candidate& best) const;
  /// The failures of a GPU that this PCIe error foretold; empty for all other episodes.
  [[nodiscard]] std::vector<std::size_t> foretold_by(std::size_t episode) const;

 private:
  [[nodiscard]] const Episode& episode(std::size_t i) const { return b_.episodes[i]; }
  [[nodiscard]] const Event& first_event(std::size_t i) const { return b_.first_event(i); }
  void link();
  [[nodiscard]] std::set<std::size_t> reach(std::size_t from) const;
  void collect();
  void demote();
  void restore_foretold();
  [[nodiscard]] bool outdone_by(const Candidate& c, const Candidate& d) const;
  [[nodiscard]] bool is_precursor(const Candidate& c) const { return !foretold_by(c.episode).empty(); }
  [[nodiscard]] bool is_wrapper(const Candidate& c) const;
  [[nodiscard]] bool leads(std::size_t a, std::size_t b) const;
  [[nodiscard]] bool same_device(const Episode& other, const Episode& best) const;
  [[nodiscard]] int score(const Candidate& c) const;

  const std::vector<std::size_t>& members_;
  const Bundle& b_;
  std::map<std::size_t, std::set<std::size_t>> direct_;
  std::set<std::pair<std::size_t, std::size_t>> ordered_;
  std::vector<Candidate> candidates_;
};

}  // namespace faultline::correlate
