#include "correlate/incidents.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace faultline::correlate {
namespace {

// Two failures further apart are two incidents: the longest usual chain is a watchdog timeout (10 or 30
// minutes) plus its teardown.
constexpr std::int64_t kIncidentGap = 2400 * kSecond;
// A symptom may be stamped a little before its cause: the kernel log of one node against the job log of
// another.
constexpr std::int64_t kClockSlack = 5 * kSecond;

bool place_allows(const Episode& cause, const Episode& symptom) {
  if (strikes_whole_job(symptom.kind)) return true;
  if (!cause.node.empty() && !symptom.node.empty() && cause.node != symptom.node) return false;
  if (cause.scope == Scope::gpu && symptom.scope == Scope::gpu && !cause.gpu.empty() &&
      !symptom.gpu.empty() && cause.gpu.find(':') != std::string::npos &&
      symptom.gpu.find(':') != std::string::npos) {
    return cause.gpu == symptom.gpu;
  }
  return true;
}

}  // namespace

Link link_between(const Episode& cause, const Episode& symptom, const std::vector<Event>& events,
                  const Edges& edges) {
  Link link;
  const auto window = edges.within(cause.pattern, cause.kind, symptom.pattern, symptom.kind);
  if (!window || !place_allows(cause, symptom)) return link;
  const Event& first = events[cause.events.front()];
  const Event& effect = events[symptom.events.front()];
  const Event& last_effect = events[symptom.events.back()];
  if (first.time.wall() && effect.time.wall()) {
    if (first.time.ns > last_effect.time.ns + kClockSlack) return link;  // the symptom was over before
    const std::int64_t delay = effective_start(effect).ns - first.time.ns;
    if (*window > 0 && delay > *window * kSecond) return link;
    link.allowed = true;
    link.order_known = first.time.ns <= effect.time.ns;
    return link;
  }
  // Without times, the lines of one file stand in order; between files nothing is known, and nothing forbids
  // it.
  const auto before = certainly_before(first, last_effect);
  if (before.has_value() && !*before) return link;
  link.allowed = true;
  link.order_known = before.value_or(false);
  return link;
}

std::vector<std::vector<std::size_t>> cut_incidents(const std::vector<Episode>& episodes,
                                                    const std::vector<Event>& events) {
  // Timed episodes are cut where nothing happened for long; the untimed go with the timed ones of their
  // artifact, else with the largest incident (one file without times is one incident).
  std::vector<std::size_t> timed, untimed;
  for (std::size_t i = 0; i < episodes.size(); ++i) {
    (events[episodes[i].events.front()].time.wall() ? timed : untimed).push_back(i);
  }
  const auto begin_of = [&](std::size_t i) { return effective_start(events[episodes[i].events.front()]).ns; };
  const auto end_of = [&](std::size_t i) { return events[episodes[i].events.back()].time.ns; };
  std::stable_sort(timed.begin(), timed.end(),
                   [&](std::size_t a, std::size_t b) { return begin_of(a) < begin_of(b); });

  std::vector<std::vector<std::size_t>> incidents;
  std::int64_t busy_until = 0;
  for (const std::size_t i : timed) {
    if (incidents.empty() || begin_of(i) - busy_until > kIncidentGap) {
      incidents.emplace_back();
      busy_until = end_of(i);
    }
    incidents.back().push_back(i);
    busy_until = std::max(busy_until, end_of(i));
  }
  std::map<ArtifactIndex, std::size_t> incident_of_artifact;  // the last incident that a file takes part in
  for (std::size_t n = 0; n < incidents.size(); ++n) {
    for (const std::size_t i : incidents[n])
      incident_of_artifact[events[episodes[i].events.front()].evidence.artifact] = n;
  }
  for (const std::size_t i : untimed) {
    if (incidents.empty()) incidents.emplace_back();
    const auto own = incident_of_artifact.find(events[episodes[i].events.front()].evidence.artifact);
    std::size_t target = own == incident_of_artifact.end() ? incidents.size() : own->second;
    if (target == incidents.size()) {
      target = static_cast<std::size_t>(
          std::max_element(incidents.begin(), incidents.end(),
                           [](const auto& a, const auto& b) { return a.size() < b.size(); }) -
          incidents.begin());
    }
    incidents[target].push_back(i);
  }
  for (auto& incident : incidents) std::sort(incident.begin(), incident.end());
  return incidents;
}

}  // namespace faultline::correlate
