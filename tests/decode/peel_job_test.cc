// What launchers, ranks and loggers print in front of a job's lines.
#include "decode/peel_rows.h"

using namespace faultline;
using namespace faultline::decode;
using K = ArtifactKind;

TEST_CASE("rank labels of PyTorch are global, those of torchrun local") {
  const PeelRow rows[] = {
      {"[rank3]: Traceback (most recent call last):", "Traceback (most recent call last):", "", "rank=3"},
      {"[rank3]:   File \"/w/train.py\", line 4, in <module>", "  File \"/w/train.py\", line 4, in <module>",
       "", "rank=3"},
      {"[default3]:step 4 loss 2.0", "step 4 loss 2.0", "", "local=3"},
      {"[trainer12]:step 4", "step 4", "", "local=12", K::training_log},
      {"[trainer12]:step 4", "[trainer12]:step 4", "", ""},
      {"[default3]:[rank11]:[E312 04:09:31.482913004 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught x",
       "[Rank 3] Watchdog caught x", "2025-03-12T04:09:31Z", "rank=11 local=3"},
      {"[rank9]:[E121 11:03:18.378756692 ProcessGroupNCCL.cpp:758] [Rank 1] To avoid data inconsistency",
       "[Rank 1] To avoid data inconsistency", "2026-01-21T11:03:18Z", "rank=9"},
      {"[E ProcessGroupNCCL.cpp:458] [Rank 0] Watchdog caught collective operation timeout: "
       "WorkNCCL(SeqNum=9)",
       "[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9)", "", "rank=0"},
      {"[rank25]:[E ProcessGroupNCCL.cpp:1316] [PG 0 Rank 25] Heartbeat monitor timed out!",
       "[PG 0 Rank 25] Heartbeat monitor timed out!", "", "rank=25"},
      {"[E101 00:00:01.000000000 ProcessGroupNCCL.cpp:10] [PG ID 0 PG GUID 0(default_pg) Rank 3] text",
       "[PG ID 0 PG GUID 0(default_pg) Rank 3] text", "2026-01-01T00:00:01Z", "rank=3"},
      {"[E101 00:00:01.000000000 ProcessGroupNCCL.cpp:10] [PG ID 2 PG GUID 5(dp) Rank 3] text",
       "[PG ID 2 PG GUID 5(dp) Rank 3] text", "2026-01-01T00:00:01Z", ""},
      {"[W socket.cpp:697] [c10d] The client socket has failed to connect to [::ffff:10.0.0.1]:29500",
       "[c10d] The client socket has failed to connect to [::ffff:10.0.0.1]:29500", "", ""},
      {"[rank3]:W0104 13:28:53.578000 187 site-packages/torch/utils/cpp_extension.py:2425] "
       "TORCH_CUDA_ARCH_LIST is not set",
       "TORCH_CUDA_ARCH_LIST is not set", "2026-01-04T13:28:53.578000Z", "rank=3 pid=187"},
      {"E0101 00:00:00.123000 140234 torch/distributed/elastic/multiprocessing/api.py:833] failed (exitcode: "
       "1)",
       "failed (exitcode: 1)", "2026-01-01T00:00:00.123000Z", "pid=140234"},
      {"[Rank 203] (after 20 iterations) memory (MB)", "[Rank 203] (after 20 iterations) memory (MB)", "",
       "rank=203"},
  };
  for (const PeelRow& row : rows) check_peel(row);
}

TEST_CASE("labels of srun, mpirun, pdsh and Ray are peeled") {
  const PeelRow rows[] = {
      {"3: [rank3]: Traceback (most recent call last):", "Traceback (most recent call last):", "",
       "rank=3 task=3"},
      {" 12: step 1", "step 1", "", "task=12", K::training_log, Lead::task_labels},
      {"1: [default5]:step 1", "step 1", "", "local=5 task=1", K::training_log, Lead::task_labels},
      {"1: [default5]:[rank13]:[E ProcessGroupNCCL.cpp:1] x", "x", "", "rank=13 local=5 task=1"},
      {"2: [Rank 17] saved", "[Rank 17] saved", "", "rank=17 task=2", K::training_log, Lead::task_labels},
      {"[1,3]<stderr>:gpu-host-11:34476:34996 [0] NCCL INFO init.cc:903 -> 5", "NCCL INFO init.cc:903 -> 5",
       "", "node=gpu-host-11 stream=stderr rank=3 gpu=0 pid=34476"},
      {"[1,2]<stdout>: .. bench-0 pid 126: Test failure common.cu:844",
       " .. bench-0 pid 126: Test failure common.cu:844", "", "stream=stdout rank=2"},
      {"[1,2]<stdout>:", "", "", "stream=stdout rank=2"},
      {"10.60.190.107: {'loss': 0.2387}", "{'loss': 0.2387}", "", "node=10.60.190.107"},
      {"10.60.36.18: [rank19]:[E111 11:53:48.724368703 ProcessGroupNCCL.cpp:1895] [PG ID 1 PG GUID 1 Rank "
       "19] ended",
       "[PG ID 1 PG GUID 1 Rank 19] ended", "2026-01-11T11:53:48Z", "node=10.60.36.18 rank=19"},
      {"bench-worker-0: bench-worker-0:4227:5797 [5] NCCL INFO NVLS off", "NCCL INFO NVLS off", "",
       "node=bench-worker-0 gpu=5 pid=4227"},
      {"node-1: hello", "hello", "", "node=node-1", K::training_log, Lead::host_labels},
      {"(TrainWorker pid=123, ip=10.1.2.3) text", "text", "", "node=10.1.2.3 pid=123"},
      {"(WorkerDict pid=631642)     scheduler.event_loop()", "    scheduler.event_loop()", "", "pid=631642"},
      {"(VllmWorker rank=2 pid=21889) INFO 01-03 10:56:47 [custom_all_reduce.py:196] Registering",
       "Registering", "2026-01-03T10:56:47Z", "rank=2 pid=21889"},
      {"(CommandActor pid=515, ip=10.60.31.224) [0]:[W socket.cpp:558] [c10d] The IPv6", "[c10d] The IPv6",
       "", "node=10.60.31.224 local=0 pid=515"},
      {"(CommandActor pid=515, ip=10.60.31.224) [0]:  File \"a.py\"", "  File \"a.py\"", "",
       "node=10.60.31.224 local=0 pid=515"},
      {"trainer-1  | [rank3]: x", "x", "", "container=trainer-1 rank=3"},
      {"trainer_2   | step 1", "step 1", "", "container=trainer_2"},
  };
  for (const PeelRow& row : rows) check_peel(row);
}

TEST_CASE("NCCL lines give host, process and device") {
  const PeelRow rows[] = {
      {"ip-10-1-0-11:350:866 [3] NCCL INFO Bootstrap: Using eth0:10.1.0.11<0>",
       "NCCL INFO Bootstrap: Using eth0:10.1.0.11<0>", "", "node=ip-10-1-0-11 gpu=3 pid=350"},
      {"[2026-01-04 13:45:44] job-worker-0:350:866 [0] misc/socket.cc:880 NCCL WARN socketTryAccept: failed",
       "misc/socket.cc:880 NCCL WARN socketTryAccept: failed", "2026-01-04T13:45:44Z",
       "node=job-worker-0 gpu=0 pid=350"},
      {"[2026-01-04 13:45:44] tn-0:350:866 [0] int cm_req_handle(nccl_net_ofi_context_t*, fid_cq*):99 NCCL "
       "WARN NET/OFI Request",
       "int cm_req_handle(nccl_net_ofi_context_t*, fid_cq*):99 NCCL WARN NET/OFI Request",
       "2026-01-04T13:45:44Z", "node=tn-0 gpu=0 pid=350"},
      {"2b3c4d5e6f7a:1659:1660 NCCL CALL ncclAllReduce(1)", "NCCL CALL ncclAllReduce(1)", "",
       "node=2b3c4d5e6f7a pid=1659"},
      {"a:1:2 [0] NCCL INFO 3: [rank1]: not a prefix here", "NCCL INFO 3: [rank1]: not a prefix here", "",
       "node=a gpu=0 pid=1"},
      {"NCCL version 2.28.3+cuda12.9", "NCCL version 2.28.3+cuda12.9", "", ""},
      {"libfabric:421310:1767225600::efa:cq:efa_rdm_txe_handle_error():737<warn> err: 5",
       "libfabric:421310:1767225600::efa:cq:efa_rdm_txe_handle_error():737<warn> err: 5",
       "2026-01-01T00:00:00Z", "pid=421310"},
  };
  for (const PeelRow& row : rows) check_peel(row);
}

TEST_CASE("loggers inside the program are peeled with their level") {
  const PeelRow rows[] = {
      {"2026-01-01 00:00:00,123 - INFO - step 1", "step 1", "2026-01-01T00:00:00.123Z", ""},
      {"2026-01-01 00:00:00,123 - trainer - INFO - step 1", "trainer - INFO - step 1",
       "2026-01-01T00:00:00.123Z", ""},
      {"[2026-01-01 00:00:00,123] [INFO] step 1", "step 1", "2026-01-01T00:00:00.123Z", ""},
      {"[2026-01-01 00:00:00,123] [INFO] [engine.py:12:func] [Rank 7] step", "[Rank 7] step",
       "2026-01-01T00:00:00.123Z", "rank=7"},
      {"[2026-01-01 00:00:00,123] torch.distributed.elastic.multiprocessing.api: [ERROR] failed (exitcode: "
       "1)",
       "torch.distributed.elastic.multiprocessing.api: [ERROR] failed (exitcode: 1)",
       "2026-01-01T00:00:00.123Z", ""},
      {"[2024-05-03 17:45:22][INFO][training:184] - time to initialize", "time to initialize",
       "2024-05-03T17:45:22Z", ""},
      {" [2026-01-01 00:00:00] iteration      100/  1000 | lm loss: 2.0E+00 |",
       "iteration      100/  1000 | lm loss: 2.0E+00 |", "2026-01-01T00:00:00Z", ""},
      {"[2025-07-04 11:06:13 TP1] Cache flushed", "Cache flushed", "2025-07-04T11:06:13Z", ""},
      {"[03/20/23 18:20:53] INFO     colossalai - INFO: x", "    colossalai - INFO: x",
       "2023-03-20T18:20:53Z", ""},
      {"2026-01-01 00:00:00.942765: I tensorflow/core/gpu_device.cc:1639] Created device", "Created device",
       "2026-01-01T00:00:00.942765Z", ""},
      {"2026-01-01 00:00:00.123 | INFO     | mod:fn:12 - text", "mod:fn:12 - text",
       "2026-01-01T00:00:00.123Z", ""},
      {"2023-08-11 09:12:38,418 WARN  [io.quarkus] (main) Profile", " [io.quarkus] (main) Profile",
       "2023-08-11T09:12:38.418Z", ""},
      {"DEBUG 09-03 10:56:47 [utils.py:741] Waiting for 1 proc", "Waiting for 1 proc", "2025-09-03T10:56:47Z",
       ""},
      {"[Mar 03 2026 10:11:12] [ERROR] [tid 1877] detected NVSwitch fatal error 20034",
       "detected NVSwitch fatal error 20034", "2026-03-03T10:11:12Z", "", K::fabric_manager_log},
      {"I0101 00:00:00.123456    1234 kubelet.go:12] \"Skipping\" pod=\"a/b\"", "\"Skipping\" pod=\"a/b\"",
       "2026-01-01T00:00:00.123456Z", "pid=1234"},
      {"[2026-01-01T10:11:12.123] error: Nodes n-1 not responding", "error: Nodes n-1 not responding",
       "2026-01-01T10:11:12.123Z", "", K::slurm_daemon_log},
      {"[2026-01-01T10:11:12.123] [12.batch] task 0 exited", "task 0 exited", "2026-01-01T10:11:12.123Z", "",
       K::slurm_daemon_log},
      {"time=\"2026-01-01T00:00:00.123456789Z\" level=error msg=\"x\"",
       "time=\"2026-01-01T00:00:00.123456789Z\" level=error msg=\"x\"", "2026-01-01T00:00:00.123456789Z", ""},
      {"{\"level\":\"info\",\"ts\":\"2026-01-01T00:00:00Z\",\"msg\":\"m\"}",
       "{\"level\":\"info\",\"ts\":\"2026-01-01T00:00:00Z\",\"msg\":\"m\"}", "2026-01-01T00:00:00Z", ""},
  };
  for (const PeelRow& row : rows) check_peel(row);
}

TEST_CASE("a message that only begins like a prefix is left whole") {
  const std::string_view lines[] = {
      "12: text of a list",
      "0: NVIDIA H100 80GB HBM3",
      "128 M     Trainable params",
      "204 total pagecache pages",
      "  0 | model     | BeatGANsAutoencModel | 128 M",
      "[0]:",
      "[0]: the first failure",
      "[ 1418]     0  1418    10885     1524      25        0             0 manage_addresse",
      "[...]",
      "[Auto Resume] Info: JobID: 31 StepID: 0 Retrying step",
      "[INFO] no stamp before the level",
      "x1004c2s3b0n1.hsn.cluster.example: rank 25 died from signal 6 and dumped core",
      "slurmstepd-ip-10-1-0-11: error: Detected 1 oom_kill event",
      "libcudart.so.12: cannot open shared object file: No such file or directory",
      "nvidia-nvswitch3: SXid (PCI:0000:07:00.0): 22013, Non-fatal",
      "python3.11: can't open file",
      "train-2.py: error: the following arguments are required",
      "srun: error: node-1: task 0: Exited with exit code 1",
      "NVRM: Xid (PCI:0000:3b:00): 79, pid=4242, name=python, GPU has fallen off the bus.",
      "Map: 100%|##########| 36718/36718 [00:01<00:00, 22974.66 examples/s]",
      "(most recent call first):",
      "(pid 12) is not Ray",
      "ncclRemoteError: A call failed possibly due to a network error",
      "ValueError: 3: bad",
      "<html>",
      "<6 unread>",
      "INFO:root:step 1",
      "Jan 2026 was cold",
      "2026-01-01 is a date, not a stamp",
      "10.1.2.3 is an address",
      "1,2,3,4;5",
      "[1,3] is a list",
      "[rank]: none",
      "WARNING 12 of 16 ranks joined",
      "job-1 | state | RUNNING | 3",
      "a-1 | b | c",
  };
  for (const std::string_view line : lines) check_peel({line, line, "", ""});
}

TEST_CASE("copied line numbers do not hide the prefix behind them, nor become ranks") {
  const PeelRow rows[] = {
      {" 111  [rank1]: Traceback (most recent call last):", "Traceback (most recent call last):", "",
       "rank=1"},
      {"66  cn27:2490960:2491125 [0] NCCL INFO socketPollConnect", "NCCL INFO socketPollConnect", "",
       "node=cn27 gpu=0 pid=2490960"},
      {" 127  srun: error: cn27: task 1: Exited with exit code 1",
       "srun: error: cn27: task 1: Exited with exit code 1", "", ""},
      {"12: text", "text", "", "", K::plain_text, Lead::line_numbers},
      {"44  From Rank: 0, ==> Initializing", "From Rank: 0, ==> Initializing", "", "", K::plain_text,
       Lead::line_numbers},
      {"123456: [rank1]: x", "x", "", "rank=1"},
  };
  for (const PeelRow& row : rows) check_peel(row);
}
