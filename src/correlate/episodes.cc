#include "correlate/episodes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace faultline::correlate {
namespace {

constexpr std::int64_t kEpisodeGap = 600 * kSecond;  // a fault that repeats within ten minutes is one episode

std::string episode_key(const Event& e) {
  std::string key = e.pattern;
  for (const std::string& part : {e.speaker.node, e.speaker.pod, e.gpu, std::to_string(e.speaker.rank)})
    key += "\x1f" + part;
  // Numbers that name the kind of fault (Xid 13 and Xid 43 share no episode even where one pattern serves
  // both).
  for (const char* name :
       {"xid", "sxid", "exit_code", "op", "seq", "process", "peer", "error", "local_rank"}) {
    if (const auto it = e.fields.find(name); it != e.fields.end())
      key += std::string("\x1f") + name + field_text(it->second);
  }
  return key;
}

}  // namespace

bool occurs_before(const Event& a, const Event& b) {
  if (a.time.wall() && b.time.wall() && a.time.ns != b.time.ns) return a.time.ns < b.time.ns;
  return std::tie(a.evidence.artifact, a.evidence.line, a.pattern) <
         std::tie(b.evidence.artifact, b.evidence.line, b.pattern);
}

std::vector<Episode> make_episodes(const std::vector<Event>& events, const PatternSet& patterns) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].role == Role::benign || events[i].role == Role::progress || events[i].role == Role::context)
      continue;
    groups[episode_key(events[i])].push_back(i);
  }
  std::vector<Episode> episodes;
  for (auto& [key, members] : groups) {
    std::stable_sort(members.begin(), members.end(),
                     [&](std::size_t a, std::size_t b) { return occurs_before(events[a], events[b]); });
    Episode* open = nullptr;
    for (const std::size_t i : members) {
      const Event& event = events[i];
      if (open != nullptr) {
        const Event& last = events[open->events.back()];
        if (event.time.wall() && last.time.wall() && event.time.ns - last.time.ns > kEpisodeGap)
          open = nullptr;
      }
      if (open == nullptr) {
        Episode episode;
        episode.pattern = event.pattern;
        episode.kind = event.kind;
        episode.severity = event.severity;
        episode.role = event.role;
        episode.scope = event.scope;
        episode.needs_symptom =
            event.index < patterns.patterns.size() && patterns.patterns[event.index].needs_symptom;
        episode.node = event.speaker.node;
        // A fault of a node or device is not the pod's that happens to print it (a monitoring agent).
        const bool of_machine = event.scope == Scope::node || event.scope == Scope::gpu ||
                                event.scope == Scope::nic || event.scope == Scope::cluster;
        if (!of_machine) episode.pod = event.speaker.pod;
        episode.rank = event.speaker.rank;
        episode.gpu = !event.gpu.empty()       ? event.gpu
                      : event.speaker.gpu >= 0 ? std::to_string(event.speaker.gpu)
                                               : "";
        episodes.push_back(std::move(episode));
        open = &episodes.back();
      }
      open->events.push_back(i);
    }
  }
  std::stable_sort(episodes.begin(), episodes.end(), [&](const Episode& a, const Episode& b) {
    return occurs_before(events[a.events.front()], events[b.events.front()]);
  });
  return episodes;
}

Instant effective_start(const Event& event) {
  Instant start = event.time;
  if (!start.wall()) return start;
  if (const auto ran = event.fields.find("ran_ms"); ran != event.fields.end()) {
    if (const auto* ms = std::get_if<std::int64_t>(&ran->second);
        ms != nullptr && *ms > 0 && *ms < INT64_MAX / kMillisecond) {
      start.ns -= *ms * kMillisecond;
    }
  } else if (const auto stuck = event.fields.find("stuck_s"); stuck != event.fields.end()) {
    if (const auto* s = std::get_if<std::int64_t>(&stuck->second);
        s != nullptr && *s > 0 && *s < INT64_MAX / kSecond) {
      start.ns -= *s * kSecond;
    }
  }
  return start;
}

std::vector<bool> duplicate_copies(const std::vector<Event>& events) {
  constexpr std::int64_t kSameMoment =
      2 * kSecond;  // dmesg -T and the journal round and drift by about a second
  std::vector<bool> copies(events.size(), false);
  std::map<std::string, std::vector<std::size_t>> seen;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (!event.time.wall() || event.speaker.node.empty()) continue;
    std::string key = event.pattern + "\x1f" + event.speaker.node;
    for (const auto& [name, value] : event.fields) key += "\x1f" + name + field_text(value);
    std::vector<std::size_t>& others = seen[key];
    // Only against other artifacts: two equal lines in one log are two events.
    copies[i] = std::any_of(others.begin(), others.end(), [&](std::size_t j) {
      const std::int64_t apart = events[j].time.ns - event.time.ns;
      return events[j].evidence.artifact != event.evidence.artifact && !copies[j] && apart <= kSameMoment &&
             -apart <= kSameMoment;
    });
    if (others.size() < 256) others.push_back(i);
  }
  return copies;
}

}  // namespace faultline::correlate
