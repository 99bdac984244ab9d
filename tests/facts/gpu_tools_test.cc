// nvidia-smi in all its forms, and DCGM.
#include <catch2/catch.hpp>

#include "facts/reading_of.h"

using namespace faultline;
using namespace faultline::test;

namespace {

const Given kSmi = as(ArtifactKind::nvidia_smi, "case/nvidia_smi.txt");

std::string panel(std::string_view head, std::string_view first, std::string_view second) {
  return "Tue Mar  3 10:18:26 2026\n"
         "+-----------------------------------------------------------------------------------------+\n" +
         std::string(head) +
         "\n|-----------------------------------------+------------------------+----------------------+\n"
         "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n"
         "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |\n"
         "|=========================================+========================+======================|\n" +
         std::string(first) + "\n" + std::string(second) +
         "\n|                                         |                        |             Disabled |\n"
         "+-----------------------------------------+------------------------+----------------------+\n"
         "| Processes:                                                                              |\n"
         "|    0   N/A  N/A            4242      C   python                                   99999MiB |\n";
}

constexpr std::string_view kHead =
    "| NVIDIA-SMI 570.86.15              Driver Version: 570.86.15      CUDA Version: 12.8     |";
constexpr std::string_view kNewHead =
    "| NVIDIA-SMI 610.00.01              KMD Version: 610.00.01     CUDA UMD Version: 13.3     |";
constexpr std::string_view kRow1 =
    "|   3  NVIDIA H100 80GB HBM3          On  |   00000000:5D:00.0 Off |                    0 |";
constexpr std::string_view kRow2 =
    "| N/A   35C    P0             73W /  700W |       1MiB /  81559MiB |      0%      Default |";

}  // namespace

TEST_CASE("the panel gives versions and who each GPU is, in old and new labels", "[facts]") {
  for (const std::string_view head : {kHead, kNewHead}) {
    const ReadResult result = read(panel(head, kRow1, kRow2), kSmi);
    CHECK(result.events.empty());
    CHECK(value(result, "version.nvidia_driver") == (head == kHead ? "570.86.15" : "610.00.01"));
    CHECK(value(result, "version.cuda_driver") == (head == kHead ? "12.8" : "13.3"));
    CHECK(value(result, "gpu.product", "0000:5d:00") == "NVIDIA H100 80GB HBM3");
    CHECK(value(result, "gpu.index", "0000:5d:00") == "3");
    CHECK(joined(result, "0000:5d:00", "3"));
    CHECK(value(result, "gpu.temperature", "0000:5d:00") == "35C");
  }
}

TEST_CASE("the panel tells lost, hot and miscounting GPUs by their rows", "[facts]") {
  struct Row {
    std::string_view first;
    std::string_view second;
    Told expected;
  };
  const Row rows[] = {
      {"|   3  NVIDIA H100 80GB HBM3          On  |   00000000:5D:00.0 Off |                    2 |",
       kRow2,
       {"gpu_ecc_uncorrected@8"}},
      {"|   3  NVIDIA H100 80GB HBM3          On  |   00000000:5D:00.0 Off |                  N/A |",
       kRow2,
       {}},
      {"|   3  NVIDIA H100 80GB HBM3          On  |   00000000:5D:00.0 Off |                 ERR! |",
       "|ERR!  ERR! ERR!             N/A / ERR!   |       0MiB /  81559MiB |    ERR!      Default |",
       {"gpu_lost@9"}},
      // A fan that cannot be read is no lost GPU.
      {kRow1,
       "|ERR!   35C    P0             73W /  700W |       1MiB /  81559MiB |      0%      Default |",
       {}},
      {kRow1,
       "| N/A   91C    P0            690W /  700W |   80000MiB /  81559MiB |    100%      Default |",
       {"gpu_thermal@9"}},
      {kRow1,
       "| N/A   87C    P0            690W /  700W |   80000MiB /  81559MiB |    100%      Default |",
       {}},
  };
  for (const Row& row : rows) {
    INFO(row.first << "\n" << row.second);
    const ReadResult result = read(panel(kHead, row.first, row.second), kSmi);
    CHECK(told(result) == row.expected);
    for (const Event& event : result.events) {
      CHECK(event.gpu == "0000:5d:00");
      CHECK(to_iso(event.time) == "2026-03-03T10:18:26Z");
    }
  }
}

TEST_CASE("a panel that was cut out of its frame is read by the heading of its columns", "[facts]") {
  std::string text = panel(
      kHead, "|   3  NVIDIA H100 80GB HBM3          On  |   00000000:5D:00.0 Off |                    2 |",
      kRow2);
  text.erase(0, text.find("| GPU  Name"));
  const ReadResult result = read(text, kSmi);
  CHECK(told(result) == Told{"gpu_ecc_uncorrected@4"});
  CHECK(field_text(result.events.front().fields.at("gpu")) == "3");
  CHECK(value(result, "gpu.product", "0000:5d:00") == "NVIDIA H100 80GB HBM3");
  // Other tables of three columns are none.
  text.erase(0, text.find('\n') + 1);
  CHECK(read(text, kSmi).events.empty());
}

TEST_CASE("failures of nvidia-smi are told with their reason or GPU", "[facts]") {
  struct Row {
    std::string_view text;
    std::string_view kind;
    std::string_view name;
    std::string_view said;
  };
  const Row rows[] = {
      {"Unable to determine the device handle for GPU3: 0000:5F:00.0: Unknown Error", "gpu_lost", "pci",
       "0000:5f:00"},
      {"Unable to determine the device handle for GPU0000:25:00.0: Unknown Error", "gpu_lost", "pci",
       "0000:25:00"},
      {"Unable to determine the device handle for GPU 0000:01:00.0: GPU is lost.  Reboot the system to "
       "recover this GPU",
       "gpu_lost", "pci", "0000:01:00"},
      {"Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 570.86",
       "nvml_failure", "reason", "driver_library_mismatch"},
      {"Failed to initialize NVML: Unknown Error", "nvml_failure", "reason", "unknown_error"},
      {"No devices were found", "nvml_failure", "reason", "no_devices"},
      {"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the "
       "latest NVIDIA driver is "
       "installed and running.",
       "nvml_failure", "reason", "driver_not_loaded"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const ReadResult result = read(row.text, kSmi);
    REQUIRE(result.events.size() == 1);
    CHECK(result.events[0].kind == row.kind);
    CHECK(field(result.events[0], row.name) == row.said);
  }
  const ReadResult by_index = read("Unable to determine the device handle for GPU2: Unknown Error\n", kSmi);
  CHECK(by_index.events.at(0).gpu == "2");
}

TEST_CASE("nvidia-smi that does not work on a controller or login node is no failure", "[facts]") {
  Given given = kSmi;
  for (const std::string_view group : {"controller-machine", "login-group"}) {
    given.instance_group = group;
    const ReadResult result =
        read("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", given);
    CHECK(result.events.empty());
    CHECK_FALSE(result.notes.empty());
  }
  CHECK(read("bash: nvidia-smi: command not found\n", kSmi).events.empty());
}

namespace {

std::string query(std::string_view body, std::string_view pad = "            ") {
  std::string out =
      "\n==============NVSMI LOG==============\n\nTimestamp" + std::string(pad) +
      " : Tue Mar  3 10:18:26 2026\nDriver Version" + std::string(pad) + " : 550.90.07\nCUDA Version" +
      std::string(pad) +
      " : 12.4\n\nAttached GPUs : 8\nGPU 00000000:9B:00.0\n    Product Name : NVIDIA H100 80GB HBM3\n"
      "    GPU UUID : GPU-0a1b2c3d-1111-2222-3333-444455556666\n    Serial Number : 1650000000001\n";
  return out + std::string(body);
}
constexpr std::size_t kBody = 13;  // the body's first line, from 1

std::string at(std::string_view kind, std::size_t line) {
  return std::string(kind) + "@" + std::to_string(kBody + line);
}

}  // namespace

TEST_CASE("the query tells memory, link, heat and fabric states by section and key", "[facts]") {
  struct Row {
    std::string_view body;
    Told expected;
  };
  const Row rows[] = {
      {"    Remapped Rows\n        Correctable Error : 0\n        Uncorrectable Error : 1\n        Pending : "
       "Yes\n"
       "        Remapping Failure Occurred : No\n",
       {at("gpu_row_remap_pending", 3)}},
      {"    Remapped Rows\n        Pending : No\n        Remapping Failure Occurred : Yes\n",
       {at("gpu_row_remap_failed", 2)}},
      {"    ECC Mode\n        Current : Enabled\n        Pending : Enabled\n    Remapped Rows : N/A\n", {}},
      {"    ECC Errors\n        Volatile\n            SRAM Correctable : 0\n            SRAM Uncorrectable "
       "Parity : 0\n"
       "            SRAM Uncorrectable SEC-DED : 2\n            DRAM Correctable : 163\n            DRAM "
       "Uncorrectable : 1\n",
       {at("gpu_ecc_uncorrected", 4), at("gpu_ecc_uncorrected", 6)}},
      {"    ECC Errors\n        Volatile\n            Single Bit\n                Total : 9\n            "
       "Double Bit\n"
       "                Device Memory : 1\n                Total : 1\n",
       {at("gpu_ecc_uncorrected", 6)}},
      {"    ECC Errors\n        Volatile\n            DRAM Uncorrectable : N/A\n        Aggregate\n          "
       "  DRAM Correctable : 12\n"
       "        Aggregate Uncorrectable SRAM Sources\n            SRAM L2 : 0\n",
       {}},
      {"    PCI\n        GPU Link Info\n            Link Width\n                Max : 16x\n                "
       "Current : 8x\n",
       {at("gpu_pcie_degraded", 4)}},
      // An idle link that trains down, in speed or in a saving state in width, is no fault.
      {"    PCI\n        GPU Link Info\n            PCIe Generation\n                Max : 5\n               "
       " Current : 1\n"
       "            Link Width\n                Max : 16x\n                Current : 16x\n    Performance "
       "State : P0\n"
       "    Utilization\n        GPU : 0 %\n",
       {}},
      {"    PCI\n        GPU Link Info\n            Link Width\n                Max : 16x\n                "
       "Current : 4x\n"
       "    Performance State : P8\n    Utilization\n        GPU : 0 %\n",
       {}},
      {"    PCI\n        GPU Link Info\n            PCIe Generation\n                Max : 5\n               "
       " Current : 3\n"
       "    Performance State : P0\n    Utilization\n        GPU : 98 %\n",
       {at("gpu_pcie_degraded", 4)}},
      {"    Clocks Event Reasons\n        SW Power Cap : Active\n        HW Slowdown : Active\n"
       "            HW Thermal Slowdown : Active\n            HW Power Brake Slowdown : Not Active\n",
       {at("gpu_thermal", 3)}},
      {"    Clocks Throttle Reasons\n        Idle : Active\n        SW Power Cap : Active\n        HW "
       "Slowdown : Not Active\n"
       "            HW Thermal Slowdown : Not Active\n",
       {}},
      {"    Temperature\n        GPU Current Temp : 90 C\n        GPU T.Limit Temp : -2 C\n",
       {at("gpu_thermal", 1)}},
      {"    Fabric\n        State : In Progress\n        Status : N/A\n",
       {at("gpu_fabric_not_initialized", 1)}},
      {"    Fabric\n        State : Completed\n        Status : Success\n", {}},
      {"    Fabric\n        State : N/A\n        Status : N/A\n", {}},
      {"    Utilization\n        GPU : GPU is lost\n", {at("gpu_lost", 1)}},
      {"    ECC Mode\n        Current : Unknown Error\n        Pending : Unknown Error\n", {}},
  };
  for (const Row& row : rows) {
    INFO(row.body);
    const ReadResult result = read(query(row.body), as(ArtifactKind::nvidia_smi_query));
    CHECK(told(result) == row.expected);
    for (const Event& event : result.events) CHECK(event.gpu == "0000:9b:00");
  }
}

TEST_CASE("the query's counters carry scope and place; old errors weigh less", "[facts]") {
  const ReadResult result =
      read(query("    ECC Errors\n        Volatile\n            SRAM Uncorrectable : 3\n        Aggregate\n"
                 "            DRAM Uncorrectable : 5\n"),
           as(ArtifactKind::nvidia_smi_query));
  REQUIRE(result.events.size() == 2);
  CHECK(field(result.events[0], "scope") == "volatile");
  CHECK(field(result.events[0], "location") == "sram");
  CHECK(field(result.events[0], "count") == "3");
  CHECK(result.events[0].severity == Severity::p1);
  CHECK(field(result.events[1], "scope") == "aggregate");
  CHECK(result.events[1].severity == Severity::p2);
  CHECK(joined(result, "0000:9b:00", "GPU-0a1b2c3d-1111-2222-3333-444455556666"));
  CHECK(joined(result, "0000:9b:00", "1650000000001"));
  CHECK(value(result, "version.nvidia_driver") == "550.90.07");
}

TEST_CASE("masked identities of GPUs join nothing", "[facts]") {
  const ReadResult result = read(
      "GPU 00000000:9B:00.0\n    GPU UUID : GPU-00000000-0000-0000-0000-000000000000\n    Serial Number : "
      "0000000000000\n",
      as(ArtifactKind::nvidia_smi_query));
  CHECK(result.joins.empty());
}

TEST_CASE("CSV of nvidia-smi is read by its header", "[facts]") {
  const ReadResult remap = read(
      "gpu_bus_id, remapped_rows.correctable, remapped_rows.uncorrectable, remapped_rows.pending, "
      "remapped_rows.failure\n"
      "00000000:53:00.0, 0, 0, 0, 0\n00000000:64:00.0, 0, 1, 1, 0\n00000000:75:00.0, 0, 1, No, Yes\n",
      kSmi);
  CHECK(told(remap) == Told{"gpu_row_remap_pending@3", "gpu_row_remap_failed@4"});
  const ReadResult query_gpu = read(
      "index, pci.bus_id, name, driver_version, temperature.gpu, ecc.errors.uncorrected.volatile.total, "
      "pstate, "
      "pcie.link.width.current, pcie.link.width.max, pcie.link.gen.current\n"
      "0, 00000000:53:00.0, NVIDIA A100-SXM4-40GB, 535.183.01, 45, 0, P0, 16, 16, 1\n"
      "1, 00000000:64:00.0, NVIDIA A100-SXM4-40GB, 535.183.01, 93, [N/A], P0, 8, 16, 4\n"
      "2, 00000000:75:00.0, NVIDIA A100-SXM4-40GB, 535.183.01, 40, 7, P0, 16, 16, 4\n",
      kSmi);
  CHECK(told(query_gpu) == Told{"gpu_thermal@3", "gpu_pcie_degraded@3", "gpu_ecc_uncorrected@4"});
  CHECK(value(query_gpu, "gpu.index", "0000:75:00") == "2");
  CHECK(read("time, rank, loss\n1, 2, 3\n", kSmi).facts.empty());
}

namespace {

std::string links(std::string_view product, const std::vector<std::string>& gpus) {
  std::string out;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    out += "GPU " + std::to_string(i) + ": " + std::string(product) +
           " (UUID: GPU-0a1b2c3d-0000-0000-0000-00000000000" + std::to_string(i + 1) + ")\n" + gpus[i];
  }
  return out;
}

}  // namespace

TEST_CASE("an inactive NVLink is a fault where the machine has NVLink", "[facts]") {
  const std::string up = "\t Link 0: 26.562 GB/s\n\t Link 1: 26.562 GB/s\n";
  const std::string one_down = "\t Link 0: 26.562 GB/s\n\t Link 1: <inactive>\n";
  const std::string all_down = "\t Link 0: <inactive>\n\t Link 1: <inactive>\n";
  CHECK(read(links("NVIDIA H100 80GB HBM3", {up, up}), kSmi).events.empty());
  const ReadResult one = read(links("NVIDIA H100 80GB HBM3", {up, one_down}), kSmi);
  CHECK(told(one) == Told{"nvlink_inactive@6"});
  CHECK(one.events[0].gpu == "1");
  CHECK(field(one.events[0], "link") == "1");
  CHECK(read(links("NVIDIA H100 80GB HBM3", {all_down, all_down}), kSmi).events.size() == 4);
  // A PCIe card, and one GPU of a baseboard given to a virtual machine.
  CHECK(read(links("NVIDIA H100 PCIe", {all_down, all_down}), kSmi).events.empty());
  CHECK(read(links("NVIDIA H100 80GB HBM3", {all_down}), kSmi).events.empty());
  CHECK(value(one, "gpu.nvlink.active", "0") == "2");
}

TEST_CASE("counters of NVLink count only where a good link stands still", "[facts]") {
  const ReadResult result =
      read(links("NVIDIA B200", {"\t Link 0: Replay Errors: 0\n\t Link 0: Recovery Errors: 3\n\t Link 0: CRC "
                                 "Errors: 12\n\t Link 0: FEC Errors - 0: 99999999\n\t Link 0: Effective BER: "
                                 "15e-255\n\t Link 1: Symbol BER: 1e-7\n"}),
           kSmi);
  CHECK(told(result) == Told{"nvlink_error_counters@3", "nvlink_error_counters@4"});
  CHECK(field(result.events[0], "count") == "3");
  CHECK(result.events[0].severity == Severity::p1);
  CHECK(result.events[1].severity == Severity::p2);
}

TEST_CASE("a topology matrix tells only a GPU that fell out of the switch", "[facts]") {
  const std::string head = "        GPU0    GPU1    GPU2    GPU3    CPU Affinity    NUMA Affinity\n";
  CHECK(read(head + "GPU0     X      NV18    NV18    NV18    0-23    0\nGPU1    NV18     X      NV18    NV18 "
                    "   0-23    0\n"
                    "GPU2    NV18    NV18     X      NV18    0-23    0\nGPU3    NV18    NV18    NV18     X   "
                    "   0-23    0\n",
             kSmi)
            .events.empty());
  const ReadResult out = read(head +
                                  "GPU0     X      NV18    NV18    SYS     0-23    0\nGPU1    NV18     X     "
                                  " NV18    SYS     0-23    0\n"
                                  "GPU2    NV18    NV18     X      SYS     0-23    0\nGPU3    SYS     SYS    "
                                  " SYS      X      0-23    0\n",
                              kSmi);
  CHECK(told(out) == Told{"nvlink_inactive@5"});
  CHECK(out.events[0].gpu == "3");
  // A mesh of single links, and cards without NVLink.
  CHECK(read(head + "GPU0     X      NV1     NV2     SYS     0-23    0\nGPU1    NV1      X      SYS     NV2  "
                    "   0-23    0\n"
                    "GPU2    NV2     SYS      X      NV1     0-23    0\nGPU3    SYS     NV2     NV1      X   "
                    "   0-23    0\n",
             kSmi)
            .events.empty());
  CHECK(read(head + "GPU0     X      PHB     SYS     SYS     0-23    0\nGPU1    PHB      X      SYS     SYS  "
                    "   0-23    0\n"
                    "GPU2    SYS     SYS      X      PHB     0-23    0\nGPU3    SYS     SYS     PHB      X   "
                    "   0-23    0\n",
             kSmi)
            .events.empty());
}

namespace {

std::string diag(std::string_view rows) {
  return "Successfully ran diagnostic for group.\n"
         "+---------------------------+------------------------------------------------+\n"
         "| Diagnostic                | Result                                         |\n"
         "+===========================+================================================+\n"
         "| DCGM Version              | 3.3.8                                          |\n"
         "| Driver Version Detected   | 550.90.07                                      |\n" +
         std::string(rows);
}

}  // namespace

TEST_CASE("DCGM's table tells failed tests with their GPU, and not the skipped ones", "[facts]") {
  const ReadResult result =
      read(diag("| Persistence Mode          | Pass                                           |\n"
                "| Info                      | Persistence mode for GPU 0 is disabled. Fail   |\n"
                "| PCIe                      | Skip - All                                     |\n"
                "| GPU Memory                | Fail - GPUs: 3, 5                              |\n"
                "| Warning                   | GPU 3 There was a memory mismatch              |\n"
                "| Diagnostic                | Fail                                           |\n"
                "| SM Stress                 | Pass - All                                     |\n"),
           as(ArtifactKind::dcgm));
  CHECK(told(result) == Told{"dcgm_failure@10", "dcgm_failure@10", "dcgm_failure@12"});
  CHECK(result.events[0].gpu == "3");
  CHECK(result.events[1].gpu == "5");
  CHECK(field(result.events[0], "test") == "GPU Memory");
  CHECK(value(result, "version.dcgm") == "3.3.8");
  CHECK(value(result, "version.nvidia_driver") == "550.90.07");
}

TEST_CASE("DCGM 4 lists GPUs below the test, and its JSON says the same", "[facts]") {
  const ReadResult text =
      read(diag("| memory                    | Fail                                           |\n"
                "|                           | GPU0: Pass                                     |\n"
                "|                           | GPU1: Fail                                     |\n"),
           as(ArtifactKind::dcgm));
  CHECK(told(text) == Told{"dcgm_failure@7", "dcgm_failure@9"});
  CHECK(text.events[1].gpu == "1");
  const ReadResult json = read(R"({"DCGM Diagnostic":{"test_categories":[{"category":"Hardware","tests":[
{"name":"memory","results":[
{"entity_group":"GPU","entity_group_id":1,"entity_id":0,"status":"Pass"},
{"entity_group":"GPU","entity_group_id":1,"entity_id":1,"status":"Fail","warnings":[{"warning":"mismatch","error_id":8}]}],
"test_summary":{"status":"Fail"}},
{"name":"pcie","results":[{"gpu_ids":"0,1","status":"Skip"}]}]}]},
"metadata":{"version":"4.2.0","Driver Version Detected":"570.86.15"}})",
                               as(ArtifactKind::dcgm, "case/diag.json"));
  CHECK(told(json) == Told{"dcgm_failure@4"});
  CHECK(json.events[0].gpu == "1");
  CHECK(value(json, "version.dcgm") == "4.2.0");
}

TEST_CASE("DCGM that could not start CUDA names the fabric, even when the words wrap", "[facts]") {
  const ReadResult result =
      read(diag("| GPU Memory                | Fail - All                                     |\n"
                "| Warning                   | GPU 0 Error using CUDA API cuInit 'system not  |\n"
                "|                           |  yet initialized'. Check the log.              |\n"),
           as(ArtifactKind::dcgm));
  CHECK(told(result) == Told{"dcgm_failure@7", "gpu_fabric_not_initialized@8"});
}

TEST_CASE("DCGM health tells failed watches, and a link that is down as such", "[facts]") {
  const auto health = [](std::string_view state) {
    return "+---------------------------+----------------------------------------------------------+\n"
           "| Health Monitor Report                                                                |\n"
           "+===========================+==========================================================+\n"
           "| Overall Health            | " +
           std::string(state) +
           "                                                  |\n"
           "| GPU                       |                                                          |\n"
           "| -> 4                      | " +
           std::string(state) +
           "                                                  |\n"
           "|    -> Errors              |                                                          |\n"
           "|       -> NVLINK system    | " +
           std::string(state) +
           "                                                  |\n"
           "|                           | GPU 4's NvLink link 11 is                                |\n"
           "|                           | currently down                                           |\n";
  };
  const ReadResult result = read(health("Failure"), as(ArtifactKind::dcgm));
  REQUIRE(told(result) == Told{"dcgm_failure@8", "nvlink_inactive@9"});
  CHECK(field(result.events[1], "link") == "11");
  CHECK(result.events[0].gpu == "4");
  CHECK(field(result.events[0], "test") == "NVLINK system");
  CHECK(value(result, "dcgm.health") == "Failure");
  CHECK(read("| Health Monitor Report |\n| Overall Health            | Healthy                               "
             "                   |\n",
             as(ArtifactKind::dcgm))
            .events.empty());
}
