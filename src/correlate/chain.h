#pragma once
// The chain of an incident: from its head to the last symptom, one link for what several ranks or several
// sources say alike.
#include <cstddef>
#include <vector>

#include "correlate/diagnose.h"

namespace faultline::correlate {

class Chain {
 public:
  explicit Chain(const Bundle& bundle) : b_(bundle) {}
  /// Adds an episode behind what is there, or to the link that says the same.
  void add(std::size_t episode);
  /// All that was added so far stands before the cause and bears it out.
  void confirm_all();
  /// Hands the links over: ranks sorted, one head of role cause, at most 24 links, `chain_total` all of them.
  void move_into(Incident& incident);

 private:
  [[nodiscard]] const Episode& episode(std::size_t i) const { return b_.episodes[i]; }
  [[nodiscard]] const Event& first_event(std::size_t i) const { return b_.first_event(i); }
  const Bundle& b_;
  std::vector<ChainLink> links_;
};

}  // namespace faultline::correlate
