#include "facts/reader_events.h"

#include <iterator>

#include "facts/facts.h"

namespace faultline::facts {
namespace {

constexpr Severity kP0 = Severity::p0;
constexpr Severity kP1 = Severity::p1;
constexpr Severity kP2 = Severity::p2;
using R = Role;
using S = Scope;

// id, kind, title, severity, role, scope, meaning, next, reference
constexpr ReaderEventInfo kEvents[] = {
    {"facts.aws.group_lacks_rule", "security_group_blocking",
     "A security group lacks a rule the traffic needs", kP1, R::cause, S::cluster,
     "The rules of the group, as exported, admit nothing on the port that its own name says it serves.",
     "Compare the group's rules with the ports of the service behind it.", "references/debugging-guide.md#2"},
    {"facts.aws.group_lacks_self", "security_group_missing_self_reference",
     "Security group without its self-reference", kP1, R::cause, S::cluster,
     "EFA traffic is only admitted by a rule for all protocols whose peer is the group itself, inbound and "
     "outbound. A "
     "rule for 0.0.0.0/0 does not replace it.",
     "Check that the group is attached to the nodes of the job, then add the missing rule.",
     "references/debugging-guide.md#2"},
    {"facts.dcgm.fabric_not_ready", "gpu_fabric_not_initialized", "NVLink fabric not ready (DCGM)", kP0,
     R::cause, S::node,
     "DCGM could not start CUDA: the NVLink fabric of the node is not initialised, so its tests never ran.",
     "Check the fabric manager: running, and of exactly the driver's version.",
     "references/debugging-guide.md#7"},
    {"facts.dcgm.health_failed", "dcgm_failure", "DCGM health watch reports a failure", kP1, R::confirmation,
     S::gpu, "A DCGM health watch is in state Failure.",
     "Read the subsystem and message; compare with the kernel log of the time.",
     "references/debugging-guide.md#21"},
    {"facts.dcgm.test_failed", "dcgm_failure", "A DCGM diagnostic test failed", kP1, R::confirmation, S::gpu,
     "A test of dcgmi diag ended with Fail. Skipped tests are no failures.",
     "Read the warnings under the test: a test that could not start says nothing about the hardware.",
     "references/debugging-guide.md#21"},
    {"facts.disk.full", "disk_full", "A file system is full or nearly full", kP1, R::cause, S::node,
     "Little or no space is left. Kubelet evicts, container images and logs fail, checkpoints are cut.",
     "Find what grew, or enlarge the volume.", "references/node-hardware.md#9"},
    {"facts.kubernetes.aborted", "process_aborted", "A container ended with SIGABRT (134)", kP1, R::cascade,
     S::pod, "Exit code 134 is SIGABRT: normally an uncaught exception in native code.",
     "Read the last lines of the container's log before the end.", "references/debugging-guide.md#20"},
    {"facts.kubernetes.cni", "cni_failure", "A pod gets no network", kP0, R::cause, S::pod,
     "The sandbox of the pod could not be given a network; the pod stays in ContainerCreating.",
     "Check free addresses of the subnet and the aws-node pod of that node.",
     "references/node-hardware.md#15"},
    {"facts.kubernetes.condition", "node_condition", "A node has a problem condition", kP1, R::cause, S::node,
     "A pressure or problem condition of the node is set, or its taint is.",
     "Read the reason and message of the condition and the node's events of that time.",
     "references/operations.md#6"},
    {"facts.kubernetes.crash_loop", "crash_loop", "A container is in CrashLoopBackOff", kP1, R::cascade,
     S::pod, "The container ends again and again; the kubelet waits longer each time.",
     "Read its last state: reason and exit code, and the log of the previous run.",
     "references/debugging-guide.md#20"},
    {"facts.kubernetes.driver_upgrade", "driver_upgrade_failed",
     "The GPU operator marked a driver upgrade as failed", kP2, R::context, S::node,
     "The upgrade of the GPU driver of this node ended in upgrade-failed.",
     "Read the log of the driver and validator pods of that node.", "references/debugging-guide.md#7"},
    {"facts.kubernetes.evicted", "eviction", "A pod was evicted or rejected by the kubelet", kP1, R::cascade,
     S::pod,
     "The kubelet ended or refused the pod to protect the node, or since a device could not be given to it.",
     "Read the resource in the message and the node's conditions of that time.",
     "references/debugging-guide.md#20"},
    {"facts.kubernetes.image_pull", "image_pull_failure", "An image cannot be pulled", kP0, R::cause, S::pod,
     "The container's image does not arrive; the container never starts.",
     "Read the tail of the message: 403 is permission, 404 the name, 429 a rate limit, a timeout the "
     "network.",
     "references/debugging-guide.md#20"},
    {"facts.kubernetes.killed_137", "container_killed_137", "A container was killed (137), not for memory",
     kP1, R::cascade, S::pod, "The container got SIGKILL, and its status does not say OOMKilled.",
     "Look for who killed it: a probe, an eviction, a delete, a node that shut down, or the kernel log.",
     "references/debugging-guide.md#4"},
    {"facts.kubernetes.mount", "mount_failure", "A volume cannot be mounted", kP0, R::cause, S::pod,
     "The pod waits for a volume that cannot be attached or mounted.",
     "Read the tail of the message; check the driver's pods, the security group of the file system and its "
     "state.",
     "references/debugging-guide.md#20"},
    {"facts.kubernetes.network_policy", "network_policy_blocking", "A NetworkPolicy admits nothing", kP1,
     R::cause, S::cluster,
     "The policy selects every pod of its namespace and admits no traffic in this direction, and no other "
     "policy of the "
     "namespace in this file does.",
     "Admit traffic between the pods of the job.", "references/debugging-guide.md#16"},
    {"facts.kubernetes.node_not_ready", "node_not_ready", "A node is not ready", kP0, R::cascade, S::node,
     "The kubelet of the node reports that it cannot run pods, or reports nothing any more.",
     "Look at what came before: memory, disk, a kernel failure, a reboot.", "references/operations.md#6"},
    {"facts.kubernetes.node_reboot", "node_boot", "A node was rebooted", kP2, R::context, S::node,
     "An event says that the node came back with a new boot id.", "Find out who rebooted it and why.",
     "references/debugging-guide.md#7"},
    {"facts.kubernetes.npd_oom_cgroup", "cgroup_oom", "Out of memory in a cgroup (reported as an event)", kP0,
     R::cause, S::pod,
     "The kernel killed a process for a memory cgroup; the node problem detector copied the line.",
     "Raise the container's memory limit, or lower its use.", "references/debugging-guide.md#4"},
    {"facts.kubernetes.npd_oom_host", "host_oom", "The node ran out of memory (reported as an event)", kP0,
     R::cause, S::node,
     "The kernel killed a process since the machine had no memory; the node problem detector copied the "
     "line.",
     "Look at the memory limits of the pods on this node.", "references/debugging-guide.md#4"},
    {"facts.kubernetes.oom_killed", "container_oom_killed", "A container was OOMKilled", kP0, R::confirmation,
     S::pod, "The container's status says that the kernel killed it for memory.",
     "Compare with its memory limit and the kernel log of the node.", "references/debugging-guide.md#4"},
    {"facts.kubernetes.pending", "pod_pending", "A pod cannot be scheduled", kP1, R::cause, S::pod,
     "The scheduler finds no node for the pod.",
     "Read the counts in the message: resources, taints, affinity; compare with the nodes.",
     "references/debugging-guide.md#20"},
    {"facts.kubernetes.preempted", "preempted", "A pod was preempted", kP1, R::cause, S::pod,
     "The pod was removed on purpose for one of higher priority.", "Check priorities and quotas.",
     "references/debugging-guide.md#20"},
    {"facts.kubernetes.probe", "probe_failure", "A probe failed and the kubelet acted on it", kP0, R::cause,
     S::pod, "The kubelet restarts a container whose liveness or startup probe fails.",
     "Compare the probe's delay, period and threshold with how long the program needs.",
     "references/debugging-guide.md#20"},
    {"facts.kubernetes.segfault", "process_segfault", "A container ended with SIGSEGV (139)", kP0, R::cause,
     S::pod, "Exit code 139 is SIGSEGV: a memory access error in native code.",
     "Read the last lines of its log, and look for a core file.", "references/debugging-guide.md#20"},
    {"facts.kubernetes.start_failure", "container_start_failure", "A container could not be started", kP0,
     R::cause, S::pod, "The runtime could not start the container: command, device, secret or hook.",
     "Read the message: it names what is missing.", "references/debugging-guide.md#20"},
    {"facts.kubernetes.system_oom", "system_oom_event", "Kubelet saw an out-of-memory kill", kP0,
     R::confirmation, S::node,
     "The kernel killed a process on this node. The event does not say whether the machine or a cgroup was "
     "out of memory.",
     "Read the kernel log of the node for the constraint and the cgroup.", "references/debugging-guide.md#4"},
    {"facts.kubernetes.xid", "gpu_xid", "Kubernetes reports an Xid of a GPU", kP1, R::confirmation, S::gpu,
     "A condition, annotation or event of the node quotes an Xid line of the driver.",
     "Read the node's kernel log for the line itself.", "references/node-hardware.md#6"},
    {"facts.nccl_ras.mismatch", "collective_desync", "NCCL RAS: ranks differ in their operation counts", kP1,
     R::confirmation, S::rank,
     "Ranks of one communicator had launched different numbers of operations when the report was taken. The "
     "ranks "
     "listed are the smaller group, which may be ahead or behind.",
     "Take a second report: a difference that stays is a hang, one that goes was timing.",
     "references/debugging-guide.md#9"},
    {"facts.nccl_ras.missing", "rank_missing", "NCCL RAS: ranks of a communicator are missing", kP0, R::cause,
     S::rank, "Ranks of a communicator did not report to RAS or are reported dead.",
     "Look at the processes and the node of the ranks named.", "references/debugging-guide.md#9"},
    {"facts.nccl_tests.passed", "job_succeeded", "An NCCL test ran to its end", kP2, R::progress, S::cluster,
     "The test reached its closing lines with no wrong value.", "Compare large-message bandwidth only.",
     "references/performance-testing.md#1"},
    {"facts.nccl_tests.slow", "bandwidth_low", "An NCCL test missed the bandwidth it was given", kP1,
     R::confirmation, S::cluster, "The test was started with a minimum bandwidth and ended below 90 % of it.",
     "Compare the large sizes with a good pair of nodes.", "references/performance-testing.md#6"},
    {"facts.nvidia_smi.ecc", "gpu_ecc_uncorrected", "Uncorrectable ECC errors are counted", kP1,
     R::confirmation, S::gpu,
     "A counter of uncorrectable memory errors is above zero. Aggregate counters keep old errors.",
     "Look for Xid 48, 63, 64, 94 or 95 of that GPU, and at the row-remap state.",
     "references/debugging-guide.md#21"},
    {"facts.nvidia_smi.fabric", "gpu_fabric_not_initialized", "NVLink fabric not ready", kP0, R::cause,
     S::node, "The GPU's fabric state is not Completed: CUDA cannot start on this node.",
     "Check the fabric manager: running, and of exactly the driver's version.",
     "references/debugging-guide.md#7"},
    {"facts.nvidia_smi.lost", "gpu_lost", "A GPU does not answer", kP0, R::cause, S::gpu,
     "nvidia-smi cannot reach the GPU any more.",
     "Read the kernel log for Xid 79 and PCIe lines; reboot, then replace.",
     "references/debugging-guide.md#7"},
    {"facts.nvidia_smi.nvlink_errors", "nvlink_error_counters", "NVLink error counters above zero", kP2,
     R::confirmation, S::gpu, "A counter of errors of an NVLink is above zero since the driver was loaded.",
     "Compare with a second reading: only growth matters.", "references/debugging-guide.md#7"},
    {"facts.nvidia_smi.nvlink_inactive", "nvlink_inactive", "An NVLink is inactive", kP1, R::cause, S::gpu,
     "A link of the GPU is down while others are up, or all are down.",
     "Check the fabric manager and the kernel log for SXid and Xid 74.", "references/debugging-guide.md#7"},
    {"facts.nvidia_smi.nvml", "nvml_failure", "nvidia-smi cannot work", kP0, R::cause, S::node,
     "The driver library cannot talk to the driver.",
     "See the reason: mismatch and no driver need a reboot or a new driver.",
     "references/debugging-guide.md#7"},
    {"facts.nvidia_smi.pcie", "gpu_pcie_degraded", "A PCIe link of a GPU is narrower than it can be", kP1,
     R::cause, S::gpu,
     "The link runs with fewer lanes than both ends support. Speed alone is no sign: idle links train down.",
     "Reboot; replace the node if it comes back.", "references/debugging-guide.md#7"},
    {"facts.nvidia_smi.remap_failed", "gpu_row_remap_failed", "Row remapping of a GPU failed", kP0, R::cause,
     S::gpu, "The GPU has no spare rows left for a bad one.", "Replace the node.",
     "references/debugging-guide.md#21"},
    {"facts.nvidia_smi.remap_pending", "gpu_row_remap_pending", "A row remap waits for a GPU reset", kP1,
     R::cause, S::gpu, "A bad row is marked; the remap takes effect at the next reset of the GPU.",
     "Drain and reboot; replace only if it stays.", "references/debugging-guide.md#21"},
    {"facts.nvidia_smi.thermal", "gpu_thermal", "A GPU is too hot or slows down for heat", kP1, R::cause,
     S::gpu, "The GPU is at or above 88 C, or the hardware slows it down for heat.",
     "Check cooling and neighbours; replace the node.", "references/performance-details.md#3"},
    {"facts.slurm.cancelled", "scheduler_cancelled", "A Slurm job was cancelled", kP1, R::cause, S::cluster,
     "The accounting says CANCELLED: somebody or something asked for it.",
     "Find out who: the uid is printed when known.", "references/debugging-guide.md#8"},
    {"facts.slurm.config", "slurm_config_mismatch", "A node's hardware is less than slurm.conf says", kP1,
     R::cause, S::node,
     "The controller drained the node since it reports less memory, fewer CPUs or less disk than configured.",
     "Compare slurmd -C on the node with its line in slurm.conf.", "references/debugging-guide.md#8"},
    {"facts.slurm.gres", "gres_mismatch", "A node reports fewer GPUs than configured", kP0, R::cause, S::node,
     "slurmd counted fewer GPUs at its start than gres.conf says: one is lost, or the file is wrong.",
     "Compare nvidia-smi -L on the node with gres.conf, and read its kernel log.",
     "references/debugging-guide.md#8"},
    {"facts.slurm.node_down", "slurm_node_down", "Slurm lists a node as DOWN", kP0, R::cause, S::node,
     "The controller took the node out of service.", "Read the reason, the node's kernel log and slurmd log.",
     "references/debugging-guide.md#8"},
    {"facts.slurm.node_drained", "slurm_node_drained", "Slurm lists a node as drained", kP1, R::context,
     S::node, "The node takes no new jobs; the reason says who did it and why.",
     "Read the reason and when it was set.", "references/debugging-guide.md#8"},
    {"facts.slurm.node_fail", "node_failure", "A Slurm job ended since a node was lost", kP0, R::cause,
     S::node, "The accounting says NODE_FAIL.", "Find the node in slurmctld.log and look at its kernel log.",
     "references/debugging-guide.md#8"},
    {"facts.slurm.oom", "slurm_oom_kill", "A Slurm step was killed for memory", kP0, R::cause, S::cluster,
     "The accounting says OUT_OF_MEMORY for the step.",
     "Ask for more memory, or use less; see the kernel log for the process.",
     "references/debugging-guide.md#4"},
    {"facts.slurm.preempted", "preempted", "A Slurm job was preempted", kP1, R::cause, S::cluster,
     "The accounting says PREEMPTED or REQUEUED.", "Check partition priorities.",
     "references/debugging-guide.md#8"},
    {"facts.slurm.prolog", "prolog_epilog_failure", "A prolog or epilog script failed", kP1, R::cause,
     S::node, "The controller drained the node since a script around jobs failed there.",
     "Read the script's output in slurmd.log.", "references/debugging-guide.md#8"},
    {"facts.slurm.time_limit", "scheduler_time_limit", "A Slurm job reached its time limit", kP1, R::cause,
     S::cluster, "The accounting says TIMEOUT.", "Ask for more time, or checkpoint before the end.",
     "references/debugging-guide.md#8"},
    {"facts.torchrun.cuda_oom", "cuda_oom", "A worker ran out of GPU memory (error.json)", kP0, R::cause,
     S::rank, "The entry point of the worker ended since the CUDA allocator found no memory.",
     "Reduce the batch or shard more; look for other processes on that GPU.",
     "references/debugging-guide.md#11"},
    {"facts.torchrun.exception", "python_exception", "A worker reported an exception (error.json)", kP0,
     R::cause, S::rank, "The entry point of the worker ended with this exception.",
     "Read the call stack in the file.", "references/debugging-guide.md#1"},
};

constexpr bool sorted() {
  for (std::size_t i = 1; i < std::size(kEvents); ++i) {
    if (!(kEvents[i - 1].id < kEvents[i].id)) return false;
  }
  return true;
}
static_assert(sorted(), "rows follow the enum, which follows the ids");
static_assert(std::size(kEvents) == static_cast<std::size_t>(ReaderEvent::torchrun_exception) + 1);

}  // namespace

std::span<const ReaderEventInfo> reader_events() {
  return kEvents;
}

const ReaderEventInfo& reader_event(ReaderEvent event) {
  return kEvents[static_cast<std::size_t>(event)];
}

}  // namespace faultline::facts
