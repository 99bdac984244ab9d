#include "correlate/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace faultline::correlate {

std::string place_text(const Episode& e, const Identity& identity) {
  std::vector<std::string> parts;
  if (!e.node.empty()) parts.push_back("node " + identity.node_name(e.node));
  if (!e.pod.empty()) parts.push_back("pod " + e.pod);
  if (!e.gpu.empty()) parts.push_back("GPU " + e.gpu);
  if (e.rank >= 0) parts.push_back("rank " + std::to_string(e.rank));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string fold_ranks(std::vector<std::int32_t> ranks) {
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t j = i;
    while (j + 1 < ranks.size() && ranks[j + 1] == ranks[j] + 1) ++j;
    if (!text.empty()) text += ",";
    text += std::to_string(ranks[i]);
    if (j > i) text += "-" + std::to_string(ranks[j]);
    i = j + 1;
  }
  return text;
}

std::optional<Culprit> make_culprit(const Episode& first, const std::vector<std::size_t>& same,
                                    const std::vector<Event>& events, const std::vector<Episode>& episodes,
                                    const Identity& identity) {
  Culprit culprit;
  culprit.node = first.node;
  culprit.pod = first.pod;
  culprit.gpu = first.gpu;
  if (first.rank >= 0) culprit.rank = first.rank;
  // The node, rank or pod may stand on another line of the same failure.
  const Event& event = events[first.events.front()];
  for (const std::size_t i : same) {
    const Episode& e = episodes[i];
    if (e.node != culprit.node) culprit.node.clear();
    if (e.pod != culprit.pod) culprit.pod.clear();
    if (e.gpu != culprit.gpu) culprit.gpu.clear();
    if (culprit.rank && e.rank != *culprit.rank) culprit.rank.reset();
  }
  if (!culprit.rank && !culprit.gpu.empty()) {
    for (const auto& [rank, place] : identity.ranks()) {
      if (place.gpu == culprit.gpu && !culprit.node.empty() && identity.same_node(place.node, culprit.node))
        culprit.rank = rank;
    }
  }
  if (culprit.node.empty() && culprit.pod.empty() && culprit.gpu.empty() && !culprit.rank)
    return std::nullopt;
  if (!culprit.node.empty()) {
    culprit.node = identity.node_name(culprit.node);
    culprit.aliases = identity.node_aliases(culprit.node);
    culprit.aliases.erase(culprit.aliases.begin());
  }
  if (!culprit.gpu.empty()) {
    for (std::string& name : identity.gpu_aliases(culprit.node, culprit.gpu))
      culprit.aliases.push_back(std::move(name));
    if (const auto uuid = event.fields.find("gpu_uuid"); uuid != event.fields.end())
      culprit.aliases.push_back(field_text(uuid->second));
  }
  return culprit;
}

std::optional<Culprit> where_to_look(const std::vector<std::size_t>& members,
                                     const std::vector<Event>& events, const std::vector<Episode>& episodes,
                                     const Identity& identity, std::vector<std::string>& reasons) {
  // Only symptoms that speak of another side accuse it: a closed socket, an unresponsive receiver.
  std::map<std::string, std::size_t> accused;
  for (const std::size_t i : members) {
    for (const std::size_t e : episodes[i].events) {
      for (const char* name : {"peer", "host"}) {
        const auto peer = events[e].fields.find(name);
        if (peer == events[e].fields.end()) continue;
        std::string node = identity.node_name(field_text(peer->second));
        // "connection closed by peer" printed on the accused machine itself accuses nobody.
        if (!node.empty() && !identity.same_node(node, events[e].speaker.node)) ++accused[node];
        break;
      }
    }
  }
  Culprit culprit;
  if (accused.size() == 1) {
    culprit.node = accused.begin()->first;
    reasons.push_back(
        fmt::format("{} line(s) name {} as the side that ended or does not answer: look there next",
                    accused.begin()->second, culprit.node));
  } else if (accused.empty()) {
    std::string node, pod;
    bool one_node = true, one_pod = true;
    for (const std::size_t i : members) {
      const Episode& e = episodes[i];
      if (e.scope != Scope::node && e.scope != Scope::gpu && e.scope != Scope::pod) continue;
      if (!e.node.empty() && node.empty()) node = e.node;
      if (!e.pod.empty() && pod.empty()) pod = e.pod;
      one_node = one_node && (e.node.empty() || e.node == node);
      one_pod = one_pod && (e.pod.empty() || e.pod == pod);
    }
    if (one_node) culprit.node = node;
    if (one_pod) culprit.pod = pod;
    if (!culprit.node.empty())
      reasons.push_back("all of it is about node " + identity.node_name(culprit.node));
  }
  if (culprit.node.empty() && culprit.pod.empty()) return std::nullopt;
  if (!culprit.node.empty()) {
    culprit.node = identity.node_name(culprit.node);
    culprit.aliases = identity.node_aliases(culprit.node);
    culprit.aliases.erase(culprit.aliases.begin());
  }
  return culprit;
}

Instant stall_start(const std::vector<std::size_t>& members, const std::vector<Event>& events,
                    const std::vector<Episode>& episodes) {
  constexpr std::int64_t kTogether = 30 * kSecond;  // ranks enter one collective within seconds of each other
  std::vector<Instant> starts;
  for (const std::size_t i : members) {
    if (episodes[i].kind != "collective_timeout") continue;
    for (const std::size_t e : episodes[i].events) {
      if (!events[e].fields.contains("ran_ms") || events[e].time.source == Instant::Source::inherited)
        continue;
      if (const Instant start = effective_start(events[e]); start.wall()) starts.push_back(start);
    }
  }
  if (starts.empty()) return {};
  std::sort(starts.begin(), starts.end(), [](const Instant& a, const Instant& b) { return a.ns < b.ns; });
  const std::int64_t first = starts.front().ns;
  std::erase_if(starts, [&](const Instant& s) { return s.ns > first + kTogether; });
  Instant middle = starts[starts.size() / 2];
  middle.precision_ns = std::max(middle.precision_ns, starts.back().ns - first);
  return middle;
}

}  // namespace faultline::correlate
