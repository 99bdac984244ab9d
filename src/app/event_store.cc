#include "app/event_store.h"

#include <algorithm>

namespace faultline::app {
namespace {

// Everything that makes two events "of one entity". Fields are in it when they name a thing (a GPU, a peer,
// an operation), which numbers that grow with every line (sequence, step) must not: those would defeat
// folding.
std::string group_key(const Event& event) {
  std::string key = std::to_string(event.evidence.artifact);
  const auto append = [&key](std::string_view part) {
    key += '\x1f';
    key += part;
  };
  append(event.pattern);
  append(event.speaker.node);
  append(event.speaker.pod);
  append(event.speaker.container);
  append(std::to_string(event.speaker.rank));
  append(event.gpu);
  append(event.nic);
  return key;
}

}  // namespace

void EventStore::add(Event&& event) {
  Group& group = groups_[group_key(event)];
  const std::uint64_t order = next_order_++;
  if (group.first.size() < limits_.max_instances_first) {
    if (kept_ >= limits_.max_events) {
      ++dropped_;
      if (!group.first.empty()) group.first.back().event.repeats += event.repeats;
      return;
    }
    ++kept_;
    group.first.push_back({std::move(event), order});
    return;
  }
  if (group.last.size() >= limits_.max_instances_last) {
    group.folded += group.last.front().event.repeats;
    group.last.pop_front();
  } else {
    ++kept_;
  }
  group.last.push_back({std::move(event), order});
}

std::vector<Event> EventStore::take() {
  std::vector<Kept> all;
  for (auto& [key, group] : groups_) {
    if (group.folded > 0) group.first.back().event.repeats += group.folded;
    std::move(group.first.begin(), group.first.end(), std::back_inserter(all));
    std::move(group.last.begin(), group.last.end(), std::back_inserter(all));
  }
  groups_.clear();
  kept_ = 0;
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.order < b.order; });
  std::vector<Event> events;
  events.reserve(all.size());
  for (Kept& kept : all) events.push_back(std::move(kept.event));
  return events;
}

}  // namespace faultline::app
