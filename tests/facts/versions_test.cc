// Versions, packages, fabric devices, disks, environments.
#include <catch2/catch.hpp>

#include "facts/environment.h"
#include "facts/reading_of.h"
#include "facts/versions.h"

using namespace faultline;
using namespace faultline::test;

TEST_CASE("lines that say a version are read under the component's name", "[facts]") {
  struct Row {
    std::string_view text;
    std::string_view component;
    std::string_view said;
  };
  const Row rows[] = {
      {"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build  (dvs)",
       "nvidia_driver", "570.86.15"},
      {"NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2026",
       "nvidia_driver", "535.183.01"},
      {"nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 12.8, V12.8.61\nBuild "
       "cuda_12.8.r12.8/x",
       "cuda", "12.8.61"},
      {"CUDA Version 11.0.228", "cuda", "11.0.228"},
      {"NVIDIA-SMI version  : 570.86\nNVML version        : 570.86\nDRIVER version      : 570.86.15\nCUDA "
       "Version        : 12.8",
       "nvidia_driver", "570.86.15"},
      {"filename:       /lib/modules/6.1.0/extra/efa.ko.xz\nversion:        2.17.2g\nlicense:        GPL",
       "efa_driver", "2.17.2g"},
      {"Linux ip-10-1-0-11 6.1.0-1-amzn #1 SMP PREEMPT Thu Jan 1 00:00:00 UTC 2026 x86_64 GNU/Linux",
       "kernel", "6.1.0-1-amzn"},
      {"Kubernetes v1.31.2-eks-7f9249a", "kubelet", "1.31.2-eks-7f9249a"},
      {"NCCL version 2.27.5+cuda12.9", "nccl", "2.27.5+cuda12.9"},
      {"PyTorch version: 2.8.0+cu128\nIs debug build: False\nCUDA used to build PyTorch: 12.8", "torch",
       "2.8.0+cu128"},
      {"PyTorch version: 2.8.0+cu128\nCUDA used to build PyTorch: 12.8", "torch_cuda", "12.8"},
      {"Python version: 3.12.3 (main, Jun 1 2026) [GCC 13] (64-bit runtime)", "python", "3.12.3"},
      {"[pip3] nvidia-nccl-cu12==2.27.3\n[pip3] torch==2.8.0", "nccl", "2.27.3"},
      {"Nvidia driver version: Could not collect", "nvidia_driver", ""},
      {"Build date: 570.86.15", "nvidia_driver", ""},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(value(read(row.text), "version." + std::string(row.component)) == row.said);
  }
  CHECK(value(read("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build"),
              "gpu.kernel_module") == "open");
}

TEST_CASE("packages are split by the rules of rpm, deb, dpkg and pip", "[facts]") {
  struct Row {
    std::string_view text;
    std::string_view component;
    std::string_view said;
  };
  const Row rows[] = {
      {"libnccl-2.27.5-1+cuda12.9.x86_64", "nccl", "2.27.5"},
      {"libfabric-aws-2.4.0amzn3.0-1.amzn2023.x86_64", "libfabric", "2.4.0amzn3.0"},
      {"efa-2.17.2-1.amzn2023.noarch", "efa_driver", "2.17.2"},
      {"ii  libnccl2  2.27.5-1+cuda12.9  amd64  NVIDIA Collective Communication Library", "nccl",
       "2.27.5-1+cuda12.9"},
      {"ii  datacenter-gpu-manager  1:3.3.8  amd64  NVIDIA Data Center GPU Manager", "dcgm", "3.3.8"},
      {"ii  nvidia-fabricmanager-570  570.86.15-1  amd64  Fabric Manager", "fabric_manager", "570.86.15-1"},
      {"rc  libnccl2  2.20.5-1  amd64  removed", "nccl", ""},
      {"deepspeed==0.16.2", "deepspeed", "0.16.2"},
      {"libnccl-net-fake-tool", "nccl", ""},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(value(read(row.text, as(ArtifactKind::package_list)), "version." + std::string(row.component)) ==
          row.said);
  }
}

TEST_CASE("efa_installed_packages gives the installer and what it brought", "[facts]") {
  for (const std::string_view packages :
       {"libfabric-aws-2.4.0amzn3.0-1.amzn2023.x86_64 libnccl-ofi-1.17.0-1.amzn2023.x86_64 "
        "efa-2.17.2-1.amzn2023.noarch",
        "libfabric1-aws_2.4.0amzn3.0_amd64 libnccl-ofi_1.17.0-1_amd64 efa_2.17.2-1.amzn1_amd64"}) {
    const ReadResult result =
        read("# EFA installer version: 1.47.0\n# Debug packages installed: no\n# Packages installed:\n" +
                 std::string(packages) + "\n",
             as(ArtifactKind::efa_packages, "r/efa_installed_packages"));
    CHECK(value(result, "version.efa_installer") == "1.47.0");
    CHECK(value(result, "version.libfabric") == "2.4.0amzn3.0");
    CHECK(value(result, "version.ofi_plugin").substr(0, 6) == "1.17.0");
    CHECK(value(result, "version.efa_driver").substr(0, 6) == "2.17.2");
  }
}

TEST_CASE("the version checker's doubled values are undone", "[facts]") {
  CHECK(facts::undoubled("v2.21.52.21.5") == "2.21.5");
  CHECK(facts::undoubled("2.21.5") == "2.21.5");
  CHECK(facts::undoubled("12.12.") == "12.12.");
  CHECK(facts::undoubled("1.14.21.14.2") == "1.14.2");
  CHECK(facts::undoubled("11") == "11");
  const ReadResult text = read(
      "========================================\nSystem "
      "Information\n========================================\n"
      "Host: ip-10-1-0-11\nKernel: 6.1.0-1-amzn\nInstance Type: p5.48xlarge\n"
      "========================================\nVersion Summary\n========================================\n"
      "NVIDIA_DRIVER: 570.86.15\nMAX_CUDA: 12.8\nNCCL: v2.21.52.21.5\nEFA_INSTALLER: 1.47.0\nAWS_OFI_NCCL: "
      "not found\n",
      as(ArtifactKind::version_report));
  CHECK(value(text, "version.nccl", "ip-10-1-0-11") == "2.21.5");
  CHECK(value(text, "version.nvidia_driver") == "570.86.15");
  CHECK(value(text, "version.kernel") == "6.1.0-1-amzn");
  CHECK(value(text, "version.ofi_plugin").empty());
  const ReadResult json = read(
      "curl: (7) Failed to connect\n"
      R"({"hostname":"ip-10-1-0-11","timestamp":"2026-01-01T00:00:00Z","instance_type":"p5.48xlarge",
"versions":{"nvidia_driver":"570.86.15","nccl":"v2.21.52.21.5","aws_ofi_nccl":"","python":"3.12.3"}})",
      as(ArtifactKind::version_report, "r/versions.json"));
  CHECK(value(json, "version.nccl", "ip-10-1-0-11") == "2.21.5");
  CHECK(value(json, "version.ofi_plugin").empty());
  CHECK(value(json, "node.instance_type") == "p5.48xlarge");
}

TEST_CASE("fi_info counts devices, not domains, and tells when there are none", "[facts]") {
  const ReadResult result = read(
      "provider: efa\n    fabric: efa\n    domain: rdmap16s27-rdm\n    version: 124.0\n"
      "provider: efa\n    fabric: efa\n    domain: rdmap16s27-dgrm\n    version: 124.0\n"
      "provider: efa\n    fabric: efa\n    domain: rdmap32s27-rdm\n    version: 124.0\n"
      "provider: tcp\n    fabric: 10.1.0.0/16\n    domain: eth0\n",
      as(ArtifactKind::fabric_info));
  CHECK(value(result, "efa.devices") == "2");
  CHECK(result.events.empty());
  CHECK(value(read("fi_info: 2.4.0amzn3.0\nlibfabric: 2.4.0amzn3.0\nlibfabric api: 2.4\n",
                   as(ArtifactKind::fabric_info)),
              "version.libfabric") == "2.4.0amzn3.0");
  CHECK(value(read("fi_getinfo: -61 (No data available)\n", as(ArtifactKind::fabric_info)), "efa.provider")
            .substr(0, 15) == "fi_getinfo: -61");
  CHECK(value(read("link rdmap16s27/1 state DOWN physical_state POLLING\n", as(ArtifactKind::fabric_info)),
              "efa.port.rdmap16s27") == "DOWN");
}

TEST_CASE("df tells a full disk, and leaves alone what is full by nature", "[facts]") {
  struct Row {
    std::string_view row;
    bool full;
    std::string_view device;
    std::string_view mount;
  };
  const Row rows[] = {
      {"/dev/nvme0n1p1   100G   92G    8G  92% /", true, "/dev/nvme0n1p1", "/"},
      {"/dev/nvme0n1p1   100G   88G   12G  88% /", false, "", ""},
      {"/dev/nvme1n1     3.5T  3.3T  200G  94% /opt/sagemaker", false, "", ""},
      {"/dev/nvme1n1     3.5T  3.4T  100G  97% /opt/my data", true, "/dev/nvme1n1", "/opt/my data"},
      {"10.1.0.9@tcp:/abc  1.2T  1.2T   0 100% /fsx", true, "10.1.0.9@tcp:/abc", "/fsx"},
      {"/a/very/long/device/name/that/df/wraps\n                 100G  100G     0 100% /data", true,
       "/a/very/long/device/name/that/df/wraps", "/data"},
      {"overlay          100G   96G    4G  96% /", true, "overlay", "/"},
      {"overlay          100G   96G    4G  96% "
       "/run/containerd/io.containerd.runtime.v2.task/k8s.io/0a/rootfs",
       false, "", ""},
      {"/dev/loop3        56M   56M     0 100% /snap/core18/2812", false, "", ""},
      {"/dev/loop4        92M   92M     0 100% /opt/image", false, "", ""},
      {"tmpfs             64M   64M     0 100% /dev/shm", false, "", ""},
      {"/dev/sr0         1.1G  1.1G     0 100% /media/cdrom", false, "", ""},
  };
  for (const Row& row : rows) {
    INFO(row.row);
    const ReadResult result =
        read("Filesystem      Size  Used Avail Use% Mounted on\n" + std::string(row.row) + "\n",
             as(ArtifactKind::disk_usage));
    CHECK(result.events.size() == (row.full ? 1 : 0));
    if (!row.full || result.events.empty()) continue;
    CHECK(field(result.events[0], "device") == row.device);
    CHECK(field(result.events[0], "mount") == row.mount);
  }
  const ReadResult inodes =
      read("Filesystem      Inodes   IUsed   IFree IUse% Mounted on\n/dev/sda1  100 100 0 100% /\n",
           as(ArtifactKind::disk_usage));
  CHECK(field(inodes.events.at(0), "what") == "inodes");
  const ReadResult lustre = read(
      "UUID                       bytes        Used   Available Use% Mounted on\n"
      "fsx-OST0003_UUID            1.1T        1.1T        9.0G  99% /fsx[OST:3]\n"
      "filesystem_summary:         4.4T        1.4T        3.0T  31% /fsx\n",
      as(ArtifactKind::disk_usage));
  CHECK(told(lustre) == Told{"disk_full@2"});
  // Another language names the columns otherwise: nothing is read, nothing is guessed.
  CHECK(read("Sys. de fichiers Taille Utilisé Dispo Uti% Monté sur\n/dev/sda1 10G 10G 0 100% /\n",
             as(ArtifactKind::disk_usage))
            .events.empty());
}

TEST_CASE("environments in every form give the same variables, masked", "[facts]") {
  const std::string nul(1, '\0');
  const std::string forms[] = {
      "RANK=12\nLOCAL_RANK=4\nHOSTNAME=ip-10-1-0-11\nNCCL_DEBUG=INFO\nMY_TOKEN=swordfish\nTEXT=a b=c\n",
      "declare -x RANK=\"12\"\ndeclare -x LOCAL_RANK=\"4\"\ndeclare -x HOSTNAME=\"ip-10-1-0-11\"\ndeclare -x "
      "NCCL_DEBUG=\"INFO\"\n"
      "declare -x MY_TOKEN=\"swordfish\"\ndeclare -x TEXT=\"a b=c\"\ndeclare -x OLDPWD\n",
      "export RANK='12'\nexport LOCAL_RANK='4'\nexport HOSTNAME='ip-10-1-0-11'\nexport "
      "NCCL_DEBUG='INFO'\nexport "
      "MY_TOKEN='swordfish'\nexport TEXT='a b=c'\n",
      "RANK=12" + nul + "LOCAL_RANK=4" + nul + "HOSTNAME=ip-10-1-0-11" + nul + "NCCL_DEBUG=INFO" + nul +
          "MY_TOKEN=swordfish" + nul + "TEXT=a b=c" + nul,
      "environ({'RANK': '12', 'LOCAL_RANK': '4', 'HOSTNAME': 'ip-10-1-0-11', 'NCCL_DEBUG': 'INFO', "
      "'MY_TOKEN': 'swordfish', 'TEXT': "
      "'a b=c'})",
  };
  for (const std::string& form : forms) {
    INFO(form);
    const ReadResult result = read(form, as(ArtifactKind::environment));
    CHECK(value(result, "env.NCCL_DEBUG") == "INFO");
    CHECK(value(result, "env.TEXT") == "a b=c");
    CHECK(joined(result, "12", "ip-10-1-0-11"));
    for (const Fact& fact : result.facts) {
      CHECK(fact.subject.rank == 12);
      CHECK(fact.subject.node == "ip-10-1-0-11");
      CHECK(fact.value.find("swordfish") == std::string::npos);
      CHECK(fact.evidence.text.find("swordfish") == std::string::npos);
    }
  }
}

TEST_CASE("the RANK of a pod counts pods: it is no rank of a process", "[facts]") {
  const ReadResult result =
      read("RANK=1\nWORLD_SIZE=2\nHOSTNAME=job-worker-0\nKUBERNETES_SERVICE_HOST=172.20.0.1\n",
           as(ArtifactKind::environment));
  REQUIRE_FALSE(result.facts.empty());
  CHECK(result.facts[0].subject.rank == -1);
  CHECK(result.facts[0].subject.pod == "job-worker-0");
  CHECK(result.facts[0].subject.node.empty());
}

TEST_CASE("values of several lines and shell functions do not break a dump; prose is none", "[facts]") {
  const auto all = facts::parse_environment(
      "A=1\nBASH_FUNC_module%%=() {  eval x=y\n B=wrong\n}\nCERT=line one\nline two\nC=3\nEMPTY=\nD=4\n");
  std::vector<std::string> names;
  for (const auto& variable : all) names.push_back(variable.name + "=" + variable.value);
  CHECK(names == std::vector<std::string>{"A=1", "CERT=line one\nline two", "C=3", "EMPTY=", "D=4"});
  CHECK(facts::parse_environment("The run failed.\nWe set x=1 and then y=2.\nNothing helped.\n").empty());
  CHECK_FALSE(read("The run failed.\n", as(ArtifactKind::environment)).notes.empty());
}
