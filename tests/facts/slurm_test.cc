// Output of Slurm's commands.
#include <catch2/catch.hpp>

#include "facts/reading_of.h"

using namespace faultline;
using namespace faultline::test;

namespace {
const Given kSlurm = as(ArtifactKind::slurm_command, "case/sinfo.txt");
}

TEST_CASE("sinfo tells nodes that are down or drained, host lists expanded", "[facts]") {
  const ReadResult result = read(
      "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
      "dev*         up   infinite      1  down* ip-10-1-0-11\n"
      "dev*         up   infinite      2   drng ip-10-1-0-[12-13]\n"
      "dev*         up   infinite      4  idle~ ip-10-1-0-[20-23]\n"
      "dev*         up   infinite      1 reboot^ ip-10-1-0-30\n"
      "dev*         up   infinite      1  down~ ip-10-1-0-31\n"
      "dev*         up   infinite      3  alloc ip-10-1-0-[40-42]\n",
      kSlurm);
  CHECK(told(result) == Told{"slurm_node_down@2", "slurm_node_drained@3", "slurm_node_drained@3"});
  CHECK(result.events[0].speaker.node == "ip-10-1-0-11");
  CHECK(result.events[2].speaker.node == "ip-10-1-0-13");
  CHECK(value(result, "slurm.node_state", "ip-10-1-0-41") == "alloc");
}

TEST_CASE("sinfo -R tells who drained which node, why and when", "[facts]") {
  struct Row {
    std::string_view reason;
    std::string_view kind;
    Severity severity;
    std::string_view cause;
  };
  const Row rows[] = {
      {"Not responding", "slurm_node_down", Severity::p0, ""},
      {"Kill task failed", "slurm_node_drained", Severity::p1, ""},
      {"gres/gpu count repor", "slurm_node_drained", Severity::p1, "gres_mismatch"},
      {"Action:Replace", "slurm_node_drained", Severity::p1, ""},
      {"Prolog error", "slurm_node_drained", Severity::p1, "prolog_epilog_failure"},
      {"Low RealMemory (repo", "slurm_node_drained", Severity::p1, "slurm_config_mismatch"},
      {"gpu 3 xid 79, reboot", "slurm_node_drained", Severity::p1, ""},
      {"update : reboot issu", "slurm_node_drained", Severity::p2, ""},
      {"maintenance 14:00", "slurm_node_drained", Severity::p2, ""},
  };
  for (const Row& row : rows) {
    std::string reason(row.reason);
    reason.resize(20, ' ');
    const ReadResult result = read("REASON               USER      TIMESTAMP           NODELIST\n" + reason +
                                       " slurm     2026-03-03T10:11:12 ip-10-1-0-11\n",
                                   kSlurm);
    INFO(row.reason);
    REQUIRE_FALSE(result.events.empty());
    REQUIRE(result.events.size() == (row.cause.empty() ? 1 : 2));
    if (!row.cause.empty()) CHECK(result.events[1].kind == row.cause);
    CHECK(result.events[0].kind == row.kind);
    CHECK(result.events[0].severity == row.severity);
    CHECK(field(result.events[0], "reason") == row.reason);
    CHECK(field(result.events[0], "set_by") == "slurm");
    CHECK(to_iso(result.events[0].time) == "2026-03-03T10:11:12Z");
    CHECK(result.events[0].speaker.node == "ip-10-1-0-11");
  }
}

TEST_CASE("of repeated snapshots the last one counts", "[facts]") {
  const std::string with =
      "[2026-08-28T12:13:50.389123]\nREASON               USER      TIMESTAMP           NODELIST\n"
      "Kill task failed     root      2026-08-28T12:13:06 n[0-1]\n\n";
  const std::string without =
      "[2026-08-28T12:16:55.863129]\nREASON               USER      TIMESTAMP           NODELIST\n\n";
  CHECK(read(with + without, kSlurm).events.empty());
  CHECK(told(read(without + with, kSlurm)) == Told{"slurm_node_drained@6", "slurm_node_drained@6"});
}

TEST_CASE("a reason whose node is in service again is a remnant", "[facts]") {
  const ReadResult result = read(
      "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\ndev*         up   infinite      1   idle n1\n"
      "dev*         up   infinite      1   down n2\n\n"
      "REASON               USER      TIMESTAMP           NODELIST\nNot responding       slurm     "
      "2026-03-03T10:11:12 n[1-2]\n",
      kSlurm);
  CHECK(told(result) == Told{"slurm_node_down@6"});
  CHECK(result.events[0].speaker.node == "n2");
}

namespace {

/// A row of sacct's default columns: 12 left, then 10 right each.
std::string row(std::string_view id, std::string_view name, std::string_view state, std::string_view code) {
  std::string out(id);
  out.resize(12, ' ');
  for (const std::string_view cell :
       {name, std::string_view("gpu"), std::string_view("acct"), std::string_view("16"), state}) {
    out += ' ' + std::string(10 - cell.size(), ' ') + std::string(cell);
  }
  return out + ' ' + std::string(8 - code.size(), ' ') + std::string(code) + " \n";
}

}  // namespace

TEST_CASE("sacct tells the end of a job, and a step's memory kill as the step's own", "[facts]") {
  const std::string head =
      "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode \n"
      "------------ ---------- ---------- ---------- ---------- ---------- -------- \n";
  const ReadResult oom =
      read(head + row("812", "train", "OUT_OF_ME+", "0:125") + row("812.batch", "batch", "COMPLETED", "0:0") +
               row("812.0", "train", "OUT_OF_ME+", "0:125"),
           kSlurm);
  CHECK(told(oom) == Told{"slurm_oom_kill@5"});
  CHECK(field(oom.events[0], "step") == "812.0");
  CHECK(field(oom.events[0], "job") == "812");
  const ReadResult timeout =
      read(head + row("812", "train", "TIMEOUT", "0:0") + row("812.batch", "batch", "CANCELLED", "0:15") +
               row("812.0", "train", "CANCELLED", "0:15"),
           kSlurm);
  CHECK(told(timeout) == Told{"scheduler_time_limit@3"});
  CHECK(read(head + row("812", "train", "FAILED", "1:0") + row("812.0", "train", "COMPLETED", "0:0"), kSlurm)
            .events.empty());
}

TEST_CASE("sacct -P is read by its header; a list of many jobs is a history", "[facts]") {
  const std::string head = "JobID|JobName|State|ExitCode|End|NodeList\n";
  const ReadResult one = read(head +
                                  "77|train|CANCELLED by 1000|0:0|2026-03-03T10:11:12|n1\n"
                                  "77.0|train|CANCELLED|0:15|2026-03-03T10:11:13|n1\n",
                              kSlurm);
  CHECK(told(one) == Told{"scheduler_cancelled@2"});
  CHECK(one.events[0].severity == Severity::p1);
  CHECK(one.events[0].speaker.node == "n1");
  CHECK(to_iso(one.events[0].time) == "2026-03-03T10:11:12Z");
  CHECK(value(one, "job.77.state") == "CANCELLED by 1000 0:0");
  const ReadResult many =
      read(head +
               "77|train|NODE_FAIL|0:0|2026-03-03T10:11:12|n[1-4]\n78|x|PREEMPTED|0:0|Unknown|n1\n"
               "79|x|COMPLETED|0:0|2026-03-03T11:11:12|n1\n",
           kSlurm);
  CHECK(told(many) == Told{"node_failure@2", "preempted@3"});
  for (const Event& event : many.events) CHECK(event.severity == Severity::p2);
}

TEST_CASE("scontrol show node gives names, state and reason; planned states are no failures", "[facts]") {
  const auto node = [](std::string_view state, std::string_view reason) {
    return "NodeName=ip-10-1-0-11 Arch=x86_64 CoresPerSocket=48\n   Gres=gpu:8 \n"
           "   NodeAddr=10.1.0.11 NodeHostName=ip-10-1-0-11 Version=24.11\n   RealMemory=2000000 AllocMem=0 "
           "FreeMem=1\n   State=" +
           std::string(state) +
           " ThreadsPerCore=2\n   BootTime=2026-03-01T00:00:00 SlurmdStartTime=2026-03-01T00:01:00\n"
           "   InstanceId=i-0abc1111def222233 InstanceType=ml.p5.48xlarge\n" +
           (reason.empty() ? std::string()
                           : "   Reason=" + std::string(reason) + " [root@2026-03-03T10:11:12]\n") +
           "\n";
  };
  const ReadResult down = read(node("DOWN*+CLOUD", "Not responding"), kSlurm);
  CHECK(told(down) == Told{"slurm_node_down@8"});
  CHECK(field(down.events[0], "reason") == "Not responding");
  CHECK(field(down.events[0], "set_by") == "root");
  CHECK(to_iso(down.events[0].time) == "2026-03-03T10:11:12Z");
  CHECK(joined(down, "ip-10-1-0-11", "10.1.0.11"));
  CHECK(joined(down, "ip-10-1-0-11", "i-0abc1111def222233"));
  CHECK(value(down, "slurm.gres") == "gpu:8");
  CHECK(told(read(node("IDLE+DRAIN", "Kill task failed"), kSlurm)) == Told{"slurm_node_drained@8"});
  CHECK(read(node("IDLE+CLOUD", ""), kSlurm).events.empty());
  CHECK(read(node("IDLE+CLOUD+POWERED_DOWN", ""), kSlurm).events.empty());
  CHECK(read(node("DOWN+DRAIN+REBOOT_ISSUED", "update"), kSlurm).events.empty());
}

TEST_CASE("scontrol show job tells how it ended; ping tells the controllers", "[facts]") {
  const auto job = [](std::string_view state) {
    return "JobId=812 JobName=train\n   UserId=u(1000) GroupId=g(1000)\n   JobState=" + std::string(state) +
           " Reason=None Dependency=(null)\n   Requeue=1 Restarts=0 BatchFlag=1 ExitCode=0:15\n"
           "   StartTime=2026-03-03T09:00:00 EndTime=2026-03-03T10:00:00\n   NodeList=ip-10-1-0-[11-12]\n   "
           "BatchHost=ip-10-1-0-11\n"
           "   Command=/home/u/run.sh --reason=x\n\n";
  };
  const ReadResult result = read(job("TIMEOUT"), kSlurm);
  CHECK(told(result) == Told{"scheduler_time_limit@3"});
  CHECK(to_iso(result.events[0].time) == "2026-03-03T10:00:00Z");
  CHECK(value(result, "job.812.nodes") == "ip-10-1-0-[11-12]");
  CHECK(told(read(job("NODE_FAIL"), kSlurm)) == Told{"node_failure@3"});
  CHECK(read(job("RUNNING"), kSlurm).events.empty());
  CHECK(read(job("COMPLETED"), kSlurm).events.empty());
  CHECK(value(read("Slurmctld(primary) at ip-10-1-0-5 is DOWN\n", kSlurm), "slurm.controller.primary") ==
        "DOWN");
}

TEST_CASE("squeue gives states and reasons as facts, of the last snapshot", "[facts]") {
  const std::string head =
      "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n";
  const ReadResult result = read(
      head + "                 8  standard     JobB    rocky PD       0:00      2 (Resources)\n\n" + head +
          "                 9  standard     JobC    rocky PD       0:00      2 (Nodes required for job are "
          "DOWN, DRAINED)\n                 7  standard     JobA    rocky  R       0:01      2 n[0-1]\n",
      kSlurm);
  CHECK(result.events.empty());
  CHECK(value(result, "job.9.reason") == "(Nodes required for job are DOWN, DRAINED)");
  CHECK(value(result, "job.7.nodes") == "n[0-1]");
  CHECK(value(result, "job.8.state").empty());
}
