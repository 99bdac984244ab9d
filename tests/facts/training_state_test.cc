// State files of jobs: NCCL RAS, nccl-tests, error.json.
#include <catch2/catch.hpp>

#include "facts/reading_of.h"

using namespace faultline;
using namespace faultline::test;

namespace {

std::string ras(std::string_view findings) {
  return "NCCL version 2.26.2 compiled with CUDA 12.6\nCUDA runtime version 12060, driver version "
         "12080\n\nJob summary\n===========\n\n"
         "  Nodes  Processes         GPUs  Processes     GPUs\n(total)   per node  per process    (total)  "
         "(total)\n"
         "      2          8            1         16       16\n\nErrors\n======\n\n" +
         std::string(findings);
}

}  // namespace

TEST_CASE("a RAS report without findings is quiet and gives versions", "[facts]") {
  const ReadResult result = read(ras("Warnings\n========\n\n"), as(ArtifactKind::nccl_ras));
  CHECK(result.events.empty());
  CHECK(value(result, "version.nccl") == "2.26.2");
  CHECK(value(result, "version.cuda_runtime") == "12060");
  CHECK(value(result, "version.cuda_driver") == "12080");
}

TEST_CASE("a RAS report names missing ranks and differing counts with rank, node and GPU", "[facts]") {
  const ReadResult result = read(
      ras("INCOMPLETE\n  Missing communicator data from 1 job process\n  Process 4711 on node 10.1.0.12 "
          "managing GPU 5\n\n"
          "#0-0 (fb10ac21bd32ce43) INCOMPLETE\n  Missing communicator data from 1 rank\n"
          "  Rank 13 -- GPU 5 managed by process 4711 on node 10.1.0.12\n\nWarnings\n========\n\n"
          "#0-0 (fb10ac21bd32ce43) MISMATCH\n  Communicator ranks have different AllReduce operation counts\n"
          "  14 ranks have launched up to operation 88\n  Rank 2 has launched up to operation 87 -- GPU 2 "
          "managed by process 77 on "
          "node 10.1.0.11\n\n"),
      as(ArtifactKind::nccl_ras));
  CHECK(told(result) ==
        Told{"rank_missing@16", "rank_missing@20", "collective_desync@27", "collective_desync@28"});
  CHECK(result.events[1].speaker.rank == 13);
  CHECK(result.events[1].speaker.node == "10.1.0.12");
  CHECK(result.events[1].gpu == "5");
  CHECK(field(result.events[2], "seqs") == "88");
  CHECK(result.events[2].speaker.rank == -1);
  CHECK(field(result.events[3], "seqs") == "87");
  CHECK(field(result.events[3], "ops") == "AllReduce");
  CHECK(result.events[3].speaker.rank == 2);
}

TEST_CASE("the JSON form of RAS says the same", "[facts]") {
  const ReadResult result = read(
      R"({"nccl_version":"2.29.3","cuda_runtime_version":13010,"cuda_driver_version":13010,"communicators":[
{"hash":"0x1","size":4,"ranks":[
{"rank":0,"host":"10.1.0.11","pid":1,"cuda_dev":0,"collective_counts":{"AllReduce":88,"Broadcast":1}},
{"rank":1,"host":"10.1.0.11","pid":2,"cuda_dev":1,"collective_counts":{"AllReduce":88,"Broadcast":1}},
{"rank":2,"host":"10.1.0.12","pid":3,"cuda_dev":0,"collective_counts":{"AllReduce":87,"Broadcast":1}}],
"missing_ranks":[
{"rank":3,"host":"10.1.0.12","pid":4,"cuda_dev":1,"status":{"unresponsive":true}}]}]})",
      as(ArtifactKind::nccl_ras, "r/ras.json"));
  CHECK(told(result) == Told{"rank_missing@7", "collective_desync@5", "collective_desync@3"});
  CHECK(result.events[0].speaker.rank == 3);
  CHECK(result.events[1].speaker.rank == 2);
  CHECK(field(result.events[1], "seqs") == "87");
  CHECK(result.events[2].speaker.rank == -1);
  CHECK(joined(result, "0", "10.1.0.11"));
}

namespace {

std::string nccl_test(std::string_view footer) {
  return "# nThread 1 nGpus 1 minBytes 8 maxBytes 2147483648 step: 2(factor) warmup iters: 5 iters: 20 "
         "validation: 1\n#\n# Using devices\n"
         "#  Rank  0 Group  0 Pid    123 on ip-10-1-0-11 device  0 [0000:53:00] NVIDIA H100 80GB HBM3\n"
         "#  Rank  1 Pid    124 on ip-10-1-0-12 device  0 [0x53] NVIDIA H100 80GB HBM3\n#\n"
         "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   "
         "algbw   busbw #wrong\n"
         "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  "
         "(GB/s)  (GB/s)\n"
         "           8             2     float     sum      -1     41.0    0.00    0.00      0     40.2    "
         "0.00    0.00      0\n"
         "  2147483648     536870912     float     sum      -1  21795.0   98.53  184.75      0  21821.0   "
         "98.41  184.53      0\n" +
         std::string(footer);
}

}  // namespace

TEST_CASE("an nccl test succeeded only when it says so at its end", "[facts]") {
  struct Row {
    std::string_view footer;
    Told expected;
    std::string_view average;
  };
  const Row rows[] = {
      {"# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 92.3\n#\n", {"job_succeeded@12"}, "92.3"},
      {"# Out of bounds values : 0 OK\n#\n# Collective test concluded: all_reduce_perf\n",
       {"job_succeeded@13"},
       ""},
      {"# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 92.3 OK\n# Collective test concluded: "
       "all_reduce_perf\n",
       {"job_succeeded@12"},
       "92.3"},
      {"# Out of bounds values : 3 FAILED\n# Avg bus bandwidth    : 92.3\n#\n", {}, ""},
      {"# Out of bounds values : 0 OK\n", {}, ""},
      {"", {}, ""},
      {"# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 12.5 FAILED\n",
       {"bandwidth_low@12", "job_succeeded@12"},
       "12.5"},
  };
  for (const Row& row : rows) {
    INFO(row.footer);
    const ReadResult result = read(nccl_test(row.footer), as(ArtifactKind::nccl_tests));
    CHECK(told(result) == row.expected);
    if (!row.expected.empty())
      CHECK(field(events_of(result, "job_succeeded").at(0), "avg_busbw") == row.average);
    CHECK(joined(result, "0", "ip-10-1-0-11"));
    CHECK(joined(result, "0", "0000:53:00"));
    CHECK(joined(result, "1", "ip-10-1-0-12"));
  }
  CHECK(value(read(nccl_test(rows[0].footer), as(ArtifactKind::nccl_tests)), "nccl_tests.peak_busbw") ==
        "184.75");
}

TEST_CASE("error.json tells the exception with its time; the launcher's own errors are none", "[facts]") {
  Given given = as(ArtifactKind::torchrun_error, "logs/run_x/attempt_0/3/error.json");
  given.speaker.local_rank = 3;
  const ReadResult result = read(
      R"({"message":{"message":"RuntimeError: shapes cannot be multiplied","extraInfo":{"py_callstack":"Traceback","timestamp":"1767225600"}}})",
      given);
  CHECK(told(result) == Told{"python_exception@1"});
  CHECK(field(result.events[0], "error") == "RuntimeError");
  CHECK(to_iso(result.events[0].time) == "2026-01-01T00:00:00Z");
  CHECK(result.events[0].speaker.local_rank == 3);
  const ReadResult oom = read(
      R"({"message":{"message":"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has","extraInfo":{"timestamp":"1767225600"}}})",
      given);
  CHECK(told(oom) == Told{"cuda_oom@1"});
  CHECK(field(oom.events[0], "tried") == "2.50 GiB");
  CHECK(
      read(
          R"({"message":"torch.distributed.elastic.multiprocessing.errors.ChildFailedError: train.py FAILED"})",
          given)
          .events.empty());
  CHECK(told(read(R"({"message":"ValueError: bad"})", given)) == Told{"python_exception@1"});
  // Anybody's document with a message is not one of these.
  CHECK(read(R"({"message":"ValueError: bad"})", as(ArtifactKind::aws_json)).events.empty());
}
