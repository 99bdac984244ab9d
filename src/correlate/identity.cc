#include "correlate/identity.h"

#include <algorithm>

#include "base/text.h"

namespace faultline::correlate {
namespace {

bool is_instance_id(std::string_view name) {
  if (!name.starts_with("i-") || (name.size() != 10 && name.size() != 19)) return false;
  return name.find_first_not_of("0123456789abcdef", 2) == std::string_view::npos;
}

bool is_ipv4(std::string_view name) {
  const auto parts = split(name, '.');
  return parts.size() == 4 && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
           const auto number = parse_number<unsigned>(part);
           return number && *number < 256;
         });
}

bool is_ip(std::string_view name) {
  return is_ipv4(name) || name.find(':') != std::string_view::npos;  // no name of a node holds a colon
}

// ip-10-1-0-11 -> 10.1.0.11; empty when the name is not of that form.
std::string ip_of_host(std::string_view host) {
  if (!host.starts_with("ip-")) return {};
  std::string ip(host.substr(3));
  std::replace(ip.begin(), ip.end(), '-', '.');
  return is_ipv4(ip) ? ip : std::string();
}

// Names that follow from the form of a name alone.
std::vector<std::string> derived_names(const std::string& name) {
  std::vector<std::string> names;
  if (name.starts_with("hyperpod-") && is_instance_id(std::string_view(name).substr(9)))
    names.push_back(name.substr(9));
  if (is_ipv4(name)) return names;
  const std::string short_name = name.substr(0, name.find('.'));
  if (short_name.size() != name.size() && !short_name.empty()) names.push_back(short_name);
  if (std::string ip = ip_of_host(short_name); !ip.empty()) names.push_back(std::move(ip));
  return names;
}

// Lower is better: what people call the node first. Instance ids are last but bare IPs, since logs speak of
// hosts.
int name_rank(const std::string& name) {
  if (is_ipv4(name)) return 5;
  if (is_instance_id(name)) return 3;
  if (name.starts_with("hyperpod-i-")) return 1;
  if (name.find('.') != std::string::npos) return 4;
  return 0;
}

// Logs whose host column is the machine that wrote them (not a relay's): a syslog collected inside a node's
// own tarball names that node.
bool host_column_is_own(ArtifactKind kind) {
  switch (kind) {
    case ArtifactKind::kernel_log:
    case ArtifactKind::syslog:
    case ArtifactKind::journal_text:
    case ArtifactKind::journal_json:
    case ArtifactKind::journal_export:
    case ArtifactKind::journal_binary:
      return true;
    default:
      return false;
  }
}

}  // namespace

Identity::Identity(const Evidences& evidences) {
  learn_pods_and_nodes(evidences);
  learn_hosts_of_collections(evidences);
  choose_names();
  learn_tasks(evidences);
  learn_ranks(evidences);
  learn_gpus(evidences);
}

std::string Identity::find(const std::string& name) const {
  const auto it = parent_.find(name);
  if (it == parent_.end() || it->second == name) return name;
  std::string root = find(it->second);
  it->second = root;
  return root;
}

void Identity::learn_node(const std::string& name) {
  if (name.empty() || parent_.contains(name)) return;
  parent_[name] = name;
  for (const std::string& other : derived_names(name)) join(name, other);
}

void Identity::join(const std::string& a, const std::string& b) {
  learn_node(a);
  learn_node(b);
  const std::string ra = find(a);
  const std::string rb = find(b);
  if (ra == rb || a.empty() || b.empty()) return;
  // The smaller text becomes the root, so that the result does not depend on the order of joins.
  if (ra < rb)
    parent_[rb] = ra;
  else
    parent_[ra] = rb;
}

void Identity::learn_pods_and_nodes(const Evidences& evidences) {
  for (const NameJoin& j : evidences.joins) {
    if (j.entity == NameJoin::Entity::node) join(j.a, j.b);
    if (j.entity == NameJoin::Entity::pod && !j.a.empty()) pods_.insert(j.a);
  }
  for (const Event& event : evidences.events) {
    if (!event.speaker.pod.empty()) pods_.insert(event.speaker.pod);
  }
  for (const Fact& fact : evidences.facts) {
    if (fact.subject.pod.empty()) continue;
    pods_.insert(fact.subject.pod);
    if (fact.key == "pod.node") place_pod(fact.subject.pod, fact.value);
  }
  // The other name of a pod is its address, or the node or the node's address that it shares. An address that
  // two pods had, one after the other, names none.
  for (const NameJoin& j : evidences.joins) {
    if (j.entity != NameJoin::Entity::pod || j.a.empty() || j.b.empty()) continue;
    if (is_ip(j.b) && !parent_.contains(j.b)) {
      const auto [it, added] = pod_of_ip_.emplace(j.b, j.a);
      if (!added && it->second != j.a) it->second.clear();
    } else {
      place_pod(j.a, j.b);
    }
  }
  const auto learn = [&](const std::string& name) {
    if (!pods_.contains(name) && !pod_of_ip_.contains(name)) learn_node(name);
  };
  for (const auto& [pod, node] : pod_node_) learn(node);
  for (const Event& event : evidences.events) learn(event.speaker.node);
  for (const Event& event : evidences.events) {
    const auto name = event.fields.find("node");
    if (name != event.fields.end()) learn(field_text(name->second));
  }
  for (const Fact& fact : evidences.facts) learn(fact.subject.node);
  for (const CoverageRow& row : evidences.coverage.rows) learn(row.node);
}

void Identity::place_pod(const std::string& pod, const std::string& node) {
  const auto [it, added] = pod_node_.emplace(pod, node);
  if (added || same_node(it->second, node)) return;
  const std::string both = "pod " + pod + " is on " + it->second + " and on " + node;
  if (std::find(contradictions_.begin(), contradictions_.end(), both) == contradictions_.end())
    contradictions_.push_back(both);
}

void Identity::learn_hosts_of_collections(const Evidences& evidences) {
  // artifact -> the one host that its lines name, or "" when they name several
  std::map<ArtifactIndex, std::string> host;
  for (const Event& event : evidences.events) {
    const ArtifactIndex artifact = event.evidence.artifact;
    if (artifact >= evidences.coverage.rows.size() || event.speaker.node.empty()) continue;
    if (!host_column_is_own(evidences.coverage.rows[artifact].kind)) continue;
    const auto [it, added] = host.emplace(artifact, event.speaker.node);
    if (!added && it->second != event.speaker.node) it->second.clear();
  }
  for (const auto& [artifact, name] : host) {
    const std::string& node = evidences.coverage.rows[artifact].node;
    if (!name.empty() && !node.empty() && is_instance_id(node)) join(node, name);
  }
}

void Identity::choose_names() {
  std::map<std::string, std::vector<std::string>> groups;
  for (const auto& [name, parent] : parent_) groups[find(name)].push_back(name);
  for (const auto& [root, names] : groups) {
    display_[root] =
        *std::min_element(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
          return std::pair(name_rank(a), a) < std::pair(name_rank(b), b);
        });
  }
}

std::string Identity::node_name(const std::string& any_name) const {
  const auto it = display_.find(find(any_name));
  return it == display_.end() ? any_name : it->second;
}

std::vector<std::string> Identity::node_aliases(const std::string& any_name) const {
  const std::string root = find(any_name);
  const std::string own = node_name(any_name);
  std::vector<std::string> names = {own};
  for (const auto& [name, parent] : parent_) {
    if (name != own && find(name) == root) names.push_back(name);
  }
  return names;
}

bool Identity::same_node(const std::string& a, const std::string& b) const {
  return find(a) == find(b);
}

std::string Identity::pod_named(const std::string& name) const {
  if (pods_.contains(name)) return name;
  const auto by_address = pod_of_ip_.find(name);
  return by_address == pod_of_ip_.end() ? std::string() : by_address->second;
}

std::string Identity::node_of_pod(const std::string& pod) const {
  const auto it = pod_node_.find(pod);
  return it == pod_node_.end() ? std::string() : node_name(it->second);
}

// srun -l puts the number of the task before each line. Where a torchrun runs under each task it counts
// nodes: seen when a line names another rank itself, or when the elastic agent speaks.
void Identity::learn_tasks(const Evidences& evidences) {
  for (const Event& event : evidences.events) {
    const Speaker& s = event.speaker;
    if (s.task < 0) continue;
    const bool agent = event.pattern.starts_with("elastic.") || s.local_rank >= 0;
    if (agent || (s.rank >= 0 && s.rank != s.task)) task_counts_nodes_.insert(event.evidence.artifact);
    if (!s.node.empty()) task_node_.emplace(std::pair(event.evidence.artifact, s.task), s.node);
  }
}

void Identity::learn_ranks(const Evidences& evidences) {
  for (const NameJoin& j : evidences.joins) {
    const auto rank = parse_number<std::int32_t>(j.a);
    if (!rank || *rank < 0) continue;
    if (j.entity == NameJoin::Entity::rank_node) {
      const std::string pod = pod_named(j.b);
      if (!pod.empty()) ranks_[*rank].pod = pod;
      ranks_[*rank].node = pod.empty() ? node_name(j.b) : node_of_pod(pod);
    }
    if (j.entity == NameJoin::Entity::rank_gpu) ranks_[*rank].gpu = j.b;
  }
  for (const Event& event : evidences.events) {
    if (event.speaker.rank < 0) continue;
    RankPlace& place = ranks_[event.speaker.rank];
    std::string pod = event.speaker.pod;
    std::string node = event.speaker.node;
    if (const std::string named = pod_named(node); !named.empty()) {
      if (pod.empty()) pod = named;
      node = node_of_pod(pod);
    }
    if (node.empty() && !pod.empty()) node = node_of_pod(pod);
    if (place.node.empty() && !node.empty()) place.node = node_name(node);
    if (place.pod.empty()) place.pod = pod;
  }
  learn_gpus_of_ranks(evidences);
}

// NCCL's init line gives rank and bus together, but its rank counts inside the communicator: only the largest
// one can be the world, and a rank that it places on two GPUs is placed nowhere.
void Identity::learn_gpus_of_ranks(const Evidences& evidences) {
  std::map<std::int32_t, std::set<std::pair<std::string, std::string>>> claims;  // rank -> node, PCI
  std::int64_t world = 0;
  for (const Event& event : evidences.events) {
    const auto bus = event.fields.find("bus_id");
    if (bus == event.fields.end() || event.speaker.rank < 0) continue;
    const auto size = event.fields.find("nranks");
    const auto* nranks = size == event.fields.end() ? nullptr : std::get_if<std::int64_t>(&size->second);
    if (nranks != nullptr && *nranks > world) {
      world = *nranks;
      claims.clear();
    }
    if (nranks != nullptr && *nranks < world) continue;
    if (const auto pci = pci_from_nccl_bus_id(field_text(bus->second)))
      claims[event.speaker.rank].insert({event.speaker.node, *pci});
  }
  for (const auto& [rank, places] : claims) {
    std::string& gpu = ranks_[rank].gpu;
    if (gpu.empty() && places.size() == 1) gpu = places.begin()->second;
  }
}

void Identity::learn_gpus(const Evidences& evidences) {
  for (const Event& event : evidences.events) {
    const auto uuid = event.fields.find("gpu_uuid");
    if (uuid == event.fields.end() || event.speaker.node.empty() || !normal_pci(event.gpu)) continue;
    GpuEntity& gpu = gpus_[{find(event.speaker.node), *normal_pci(event.gpu)}];
    gpu.pci = *normal_pci(event.gpu);
    gpu.node = node_name(event.speaker.node);
    gpu.uuid = field_text(uuid->second);
  }
  for (const Fact& fact : evidences.facts) {
    if (!fact.key.starts_with("gpu.") || fact.gpu.empty()) continue;
    const auto pci = normal_pci(fact.gpu);
    if (!pci) continue;
    GpuEntity& gpu = gpus_[{find(fact.subject.node), *pci}];
    gpu.pci = *pci;
    gpu.node = node_name(fact.subject.node);
    if (fact.key == "gpu.uuid") gpu.uuid = fact.value;
    if (fact.key == "gpu.serial") gpu.serial = fact.value;
    if (fact.key == "gpu.product") gpu.product = fact.value;
    if (fact.key == "gpu.index") gpu.index = parse_number<std::int32_t>(fact.value).value_or(-1);
  }
}

std::vector<std::string> Identity::gpu_aliases(const std::string& node, const std::string& gpu) const {
  std::vector<std::string> names;
  const std::string root = find(node);
  for (const auto& [key, entity] : gpus_) {
    // Without a node in the input, a PCI address or index means something only when one node has GPUs at all.
    if (!node.empty() && key.first != root && !key.first.empty()) continue;
    const std::string index = entity.index < 0 ? std::string() : std::to_string(entity.index);
    if (entity.pci != gpu && entity.uuid != gpu && (index.empty() || index != gpu)) continue;
    for (const std::string& name : {entity.pci, entity.uuid, entity.serial, index}) {
      if (!name.empty() && name != gpu) names.push_back(name);
    }
  }
  return names;
}

void Identity::settle(Event& event) const {
  Speaker& speaker = event.speaker;
  if (speaker.task >= 0) {
    const bool is_node = task_counts_nodes_.contains(event.evidence.artifact);
    if (!is_node && speaker.rank < 0) speaker.rank = speaker.task;
    const auto node = task_node_.find({event.evidence.artifact, speaker.task});
    if (speaker.node.empty() && node != task_node_.end()) speaker.node = node->second;
  }
  if (const std::string pod = pod_named(speaker.node); !pod.empty()) {
    if (speaker.pod.empty()) speaker.pod = pod;
    speaker.node = node_of_pod(speaker.pod);
  }
  if (speaker.node.empty() && !speaker.pod.empty()) speaker.node = node_of_pod(speaker.pod);
  if (const RankPlace* place = place_of_rank(speaker.rank)) {
    if (speaker.node.empty()) speaker.node = place->node;
    if (speaker.pod.empty()) speaker.pod = place->pod;
    if (event.gpu.empty() && speaker.gpu < 0) event.gpu = place->gpu;
  }
  if (!speaker.node.empty()) speaker.node = node_name(speaker.node);
}

const Identity::RankPlace* Identity::place_of_rank(std::int32_t rank) const {
  const auto it = ranks_.find(rank);
  return it == ranks_.end() ? nullptr : &it->second;
}

Entities Identity::entities() const {
  Entities all;
  for (const auto& [root, name] : display_) {
    NodeEntity node;
    node.name = name;
    node.aliases = node_aliases(name);
    node.aliases.erase(node.aliases.begin());
    all.nodes.push_back(std::move(node));
  }
  std::sort(all.nodes.begin(), all.nodes.end(),
            [](const NodeEntity& a, const NodeEntity& b) { return a.name < b.name; });
  all.pods.assign(pods_.begin(), pods_.end());
  for (const auto& [rank, place] : ranks_) all.ranks.push_back({rank, place.node, place.pod, place.gpu});
  for (const auto& [key, gpu] : gpus_) all.gpus.push_back(gpu);
  all.contradictions = contradictions_;
  return all;
}

}  // namespace faultline::correlate
