#pragma once
// Holds the events of one input within bounds. Per (artifact, pattern, entity) the first and the last
// instances are kept whole and the ones between are counted on the last of the first group, so that a storm
// of a million equal lines costs as much as a hundred. Folding depends on the order of events alone.
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/limits.h"
#include "model/event.h"

namespace faultline::app {

class EventStore {
 public:
  explicit EventStore(const Limits& limits) : limits_(limits) {}
  void add(Event&& event);
  /// Everything kept, in the order it was added. The store is empty afterwards.
  std::vector<Event> take();
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  struct Kept {
    Event event;
    std::uint64_t order;
  };
  struct Group {
    std::vector<Kept> first;
    std::deque<Kept> last;
    std::uint64_t folded = 0;
  };
  const Limits& limits_;
  std::map<std::string, Group, std::less<>> groups_;
  std::uint64_t next_order_ = 0;
  std::uint64_t kept_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace faultline::app
