#include "correlate/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"

namespace faultline::correlate {

std::string place_text(const Episode& e, const Identity& identity) {
  std::vector<std::string> parts;
  if (!e.node.empty()) parts.push_back("node " + identity.node_name(e.node));
  if (!e.pod.empty()) parts.push_back("pod " + e.pod);
  // A PCIe error is told by a port as often as by a GPU.
  if (!e.gpu.empty()) parts.push_back(fmt::format("{} {}", device_word(e.kind), e.gpu));
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

namespace {

// The one value that is not empty; "" when there are several or none.
template <class Get>
std::string only_value(const std::vector<std::size_t>& members, const std::vector<Episode>& episodes,
                       Get&& get) {
  std::string value;
  for (const std::size_t i : members) {
    const std::string own = get(episodes[i]);
    if (own.empty() || own == value) continue;
    if (!value.empty()) return {};
    value = own;
  }
  return value;
}

std::string node_of(const Episode& e) {
  return e.node;
}
std::string pod_of(const Episode& e) {
  return e.pod;
}
std::string gpu_of(const Episode& e) {
  return e.gpu;
}
// A GPU goes by its index in one tool and by its PCI address in another.
std::string only_gpu(const std::vector<std::size_t>& heads, const std::vector<Episode>& episodes,
                     const Identity& identity) {
  std::string value = only_value(heads, episodes, gpu_of);
  if (!value.empty()) return value;
  for (const std::size_t i : heads) {
    const std::string& own = episodes[i].gpu;
    if (own.empty()) continue;
    if (value.empty()) value = own;
    if (own == value) continue;
    const auto names = identity.gpu_aliases(episodes[i].node, own);
    if (std::find(names.begin(), names.end(), value) == names.end()) return {};
    if (own.find(':') != std::string::npos) value = own;
  }
  return value;
}

std::string rank_of(const Episode& e) {
  return e.rank < 0 ? std::string() : std::to_string(e.rank);
}

void add_aliases(Culprit& culprit, const std::vector<std::size_t>& heads, const std::vector<Event>& events,
                 const std::vector<Episode>& episodes, const Identity& identity) {
  const auto add = [&](std::string name) {
    const auto& have = culprit.aliases;
    if (std::find(have.begin(), have.end(), name) == have.end()) culprit.aliases.push_back(std::move(name));
  };
  if (!culprit.node.empty()) {
    culprit.node = identity.node_name(culprit.node);
    for (std::string& name : identity.node_aliases(culprit.node)) {
      if (name != culprit.node) add(std::move(name));
    }
  }
  if (culprit.gpu.empty()) return;
  for (std::string& name : identity.gpu_aliases(culprit.node, culprit.gpu)) add(std::move(name));
  for (const std::size_t i : heads) {
    for (const std::size_t e : episodes[i].events) {
      const auto uuid = events[e].fields.find("gpu_uuid");
      if (uuid != events[e].fields.end()) add(field_text(uuid->second));
    }
  }
}

}  // namespace

std::optional<Culprit> make_culprit(const std::vector<std::size_t>& heads,
                                    const std::vector<std::size_t>& witnesses,
                                    const std::vector<std::size_t>& neighbours,
                                    const std::vector<Event>& events, const std::vector<Episode>& episodes,
                                    const Identity& identity) {
  Culprit culprit;
  const auto ask = [&](const std::vector<std::size_t>& whom) {
    if (culprit.pod.empty()) culprit.pod = only_value(whom, episodes, pod_of);
    if (culprit.node.empty()) culprit.node = only_value(whom, episodes, node_of);
    if (!culprit.rank) culprit.rank = parse_number<std::int32_t>(only_value(whom, episodes, rank_of));
  };
  ask(heads);
  culprit.gpu = only_gpu(heads, episodes, identity);
  // The line of the cause may not say where it was printed ("AssertionError: ..."): the first of what it
  // brought down does ("task 0: Exited with exit code 1").
  const bool placed = std::any_of(heads.begin(), heads.end(), [&](std::size_t i) {
    return episodes[i].rank >= 0 || !episodes[i].node.empty() || !episodes[i].pod.empty();
  });
  if (!placed && !witnesses.empty()) ask({witnesses.front()});
  // Told on several nodes (a controller and a worker): the one where something broke.
  if (placed && culprit.node.empty()) {
    const std::string hurt = only_value(witnesses, episodes, node_of);
    const bool told =
        std::any_of(heads.begin(), heads.end(), [&](std::size_t i) { return episodes[i].node == hurt; });
    if (told) culprit.node = hurt;
  }
  if (!placed && culprit.node.empty() && culprit.pod.empty()) {
    culprit.pod = only_value(neighbours, episodes, pod_of);
    culprit.node = only_value(neighbours, episodes, node_of);
  }
  // A task that hangs in the kernel hangs for a device; only one is spoken of.
  const std::string& kind = episodes[heads.front()].kind;
  if (culprit.gpu.empty() && (kind == "hung_task" || kind == "soft_lockup" || kind == "kernel_panic")) {
    culprit.gpu = only_value(neighbours, episodes, gpu_of);
  }
  if (!culprit.rank && !culprit.gpu.empty() && !culprit.node.empty()) {
    for (const auto& [rank, place] : identity.ranks()) {
      if (place.gpu == culprit.gpu && identity.same_node(place.node, culprit.node)) culprit.rank = rank;
    }
  }
  if (culprit.node.empty() && culprit.pod.empty() && culprit.gpu.empty() && !culprit.rank)
    return std::nullopt;
  add_aliases(culprit, heads, events, episodes, identity);
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
