#pragma once
// One node has several names (instance id, EKS node name, private DNS, IP, Slurm name); this joins them.
// Joins come from fact readers, from the form of the names themselves (hyperpod-i-0abc = i-0abc, ip-10-1-0-11
// = 10.1.0.11) and from logs whose host column must be the node that the path names. Every join keeps its
// evidence; a contradiction (one pod on two nodes) is kept and reported, never resolved silently.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "correlate/correlate.h"
#include "model/case_report.h"

namespace faultline::correlate {

class Identity {
 public:
  explicit Identity(const Evidences& evidences);

  /// The name that reports use for a node; the input itself when it was never seen.
  [[nodiscard]] std::string node_name(const std::string& any_name) const;
  /// Every name of the node, sorted, the report's own first.
  [[nodiscard]] std::vector<std::string> node_aliases(const std::string& any_name) const;
  [[nodiscard]] bool same_node(const std::string& a, const std::string& b) const;
  [[nodiscard]] bool is_pod(const std::string& name) const { return pods_.contains(name); }
  /// The pod that has this name or this address of its own; "" for all else.
  [[nodiscard]] std::string pod_named(const std::string& name) const;
  /// Node that runs a pod; "" unknown.
  [[nodiscard]] std::string node_of_pod(const std::string& pod) const;

  struct RankPlace {
    std::string node;
    std::string pod;
    std::string gpu;  ///< PCI
  };
  [[nodiscard]] const RankPlace* place_of_rank(std::int32_t rank) const;
  [[nodiscard]] const std::map<std::int32_t, RankPlace>& ranks() const { return ranks_; }
  /// Other names of a GPU of a node: PCI for an index, UUID, serial, index.
  [[nodiscard]] std::vector<std::string> gpu_aliases(const std::string& node, const std::string& gpu) const;

  /// Gives an event the joined names: a host name that is a pod becomes the pod, the node gets its report
  /// name, rank and GPU are completed from what other lines said.
  void settle(Event& event) const;

  [[nodiscard]] Entities entities() const;

 private:
  std::string find(const std::string& name) const;
  void join(const std::string& a, const std::string& b);
  void learn_node(const std::string& name);
  void learn_pods_and_nodes(const Evidences& evidences);
  void place_pod(const std::string& pod, const std::string& node);
  void learn_hosts_of_collections(const Evidences& evidences);
  void learn_ranks(const Evidences& evidences);
  void learn_gpus(const Evidences& evidences);
  void learn_gpus_of_ranks(const Evidences& evidences);
  void learn_tasks(const Evidences& evidences);
  void choose_names();

  mutable std::map<std::string, std::string> parent_;
  std::map<std::string, std::string> display_;  // root -> name
  std::set<std::string> pods_;
  std::map<std::string, std::string> pod_node_;
  std::map<std::string, std::string> pod_of_ip_;
  std::map<std::int32_t, RankPlace> ranks_;
  std::set<ArtifactIndex> task_counts_nodes_;  // logs whose srun labels are not ranks
  std::map<std::pair<ArtifactIndex, std::int32_t>, std::string> task_node_;
  std::map<std::pair<std::string, std::string>, GpuEntity> gpus_;  // (node root, pci) -> what is known
  std::vector<std::string> contradictions_;
};

}  // namespace faultline::correlate
