#pragma once
// One byte stream of a bundle: what it is called, what it is, and whom its path says it belongs to.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace faultline {

/// Which patterns a text is matched with: one Hyperscan database a family. `in = [...]` of a pattern names
/// families by these names.
enum class Family : std::uint8_t {
  kernel,      ///< kernel ring: dmesg, kern.log, /dev/kmsg
  system,      ///< syslog, journal, systemd status: kernel lines and daemons together
  training,    ///< what a job prints: pod logs, Slurm output, NCCL debug files
  kubernetes,  ///< kubelet, containerd, kubectl text
  slurm,       ///< slurmctld, slurmd, and the output of Slurm's commands
  gpu,         ///< nvidia-smi, dcgmi, fabric manager, bug reports
  agent,       ///< HyperPod agents: health monitoring, deep health check, lifecycle scripts
  any,         ///< text of unknown origin: matched with every pattern
};
inline constexpr std::size_t kFamilyCount = 8;
std::string_view family_name(Family family);
std::optional<Family> family_from_name(std::string_view name);
/// Is a pattern that names `wanted` in the database of `family`? Kernel lines occur in syslogs and in job
/// output, so families include one another: the table is in artifact.cc.
bool family_includes(Family family, Family wanted);

/// How an artifact is treated once its kind is known.
enum class Treatment : std::uint8_t {
  log,      ///< decoded and matched
  state,    ///< read by a fact reader only
  both,     ///< read by a fact reader, and its lines matched
  opaque,   ///< recognised and deliberately not read (scripts, base64, images): skipped with that reason
  archive,  ///< a container; its members are artifacts
};

enum class ArtifactKind : std::uint8_t {
  // logs of the kernel and the system
  dmesg,
  kmsg,
  kernel_log,
  syslog,
  journal_text,
  journal_json,
  journal_export,
  journal_binary,
  klog,
  systemd_status,
  // logs of containers and jobs
  cri_log,
  docker_json_log,
  pod_log,
  training_log,
  nccl_debug_log,
  nccl_tests,
  nccl_ras,
  stack_dump,
  // CloudWatch
  cloudwatch_export,
  cloudwatch_json,
  cloudwatch_csv,
  cloudwatch_tail,
  container_insights,
  // agents and daemons
  hyperpod_agent_log,
  lifecycle_log,
  slurm_daemon_log,
  fabric_manager_log,
  plain_text,
  // kubectl
  kubectl_table,
  kubectl_describe,
  kubectl_events,
  kubectl_json,
  kubectl_yaml,
  // Slurm
  slurm_command,
  slurm_config,
  // GPU tools
  nvidia_smi,
  nvidia_smi_query,
  dcgm,
  nvidia_bug_report,
  nvidia_module_version,
  // identity and collection
  identity,
  timestamp,
  resource_config,
  issue_summary,
  aws_json,
  torchrun_error,
  flight_recorder,
  nccl_topology,
  // host state
  environment,
  efa_packages,
  fabric_info,
  package_list,
  version_report,
  disk_usage,
  network_config,
  process_list,
  pci_list,
  limits,
  command_output,
  config_file,
  // not read
  diagnostic_report,
  script,
  markup,
  base64,
  image,
  executable,
  model_checkpoint,
  database,
  binary,
  empty,
  // containers
  archive,
};

struct KindInfo {
  ArtifactKind kind;
  std::string_view name;  ///< as printed in coverage
  Family family;
  Treatment treatment;
};
/// One row a kind, in the order of the enum (tested).
const KindInfo& kind_info(ArtifactKind kind);
inline std::string_view kind_name(ArtifactKind kind) {
  return kind_info(kind).name;
}

/// Who printed a line, as far as it is known. Empty text and -1 mean: not known.
struct Speaker {
  std::string node;  ///< any name of the node; joined later
  std::string pod;
  std::string container;
  std::string stream;      ///< stdout, stderr, CloudWatch stream, syslog ident
  std::int32_t rank = -1;  ///< global rank
  std::int32_t local_rank = -1;
  std::int32_t task = -1;  ///< label of srun -l: a rank where each task is one process, a node under torchrun
  std::int32_t gpu = -1;   ///< local CUDA device that the line's prefix prints
  std::int64_t pid = -1;
  friend bool operator==(const Speaker&, const Speaker&) = default;
};

using ArtifactIndex = std::uint32_t;

struct Artifact {
  ArtifactIndex index = 0;  ///< position in the order of the walk; set by the app when results are merged
  std::string chain;        ///< `case.zip!worker1.tar.gz!report/kern.log`; bytes as found
  ArtifactKind kind = ArtifactKind::plain_text;
  Family family = Family::any;  ///< usually kind_info(kind).family; content may narrow or widen it
  Speaker speaker;              ///< from the path: node, pod, container, rank
  std::string instance_group;
  std::optional<std::int64_t> modified_ns;  ///< member or file time, ns since the epoch
  /// The top directory or archive that makes one collection of one node, for joining identity and collection
  /// time: prefix of `chain`; empty when there is none.
  std::string collection;

  /// Last path component of the chain.
  [[nodiscard]] std::string_view name() const;
};

}  // namespace faultline
