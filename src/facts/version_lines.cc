// Versions that a line says by itself: /proc/driver/nvidia/version, nvcc, nvidia-smi --version, modinfo,
// uname, os-release, kubelet --version, collect_env of torch, version.json of CUDA.
#include "base/text.h"
#include "facts/columns.h"
#include "facts/text_readers.h"
#include "facts/versions.h"

namespace faultline::facts {
namespace {

// Heads of lines whose rest is a version. The heads stand at the line's begin.
struct HeadRow {
  std::string_view head;
  std::string_view component;
};
constexpr HeadRow kHeads[] = {
    {"PyTorch version: ", "torch"},      {"CUDA used to build PyTorch: ", "torch_cuda"},
    {"Python version: ", "python"},      {"Nvidia driver version: ", "nvidia_driver"},
    {"CUDA runtime version: ", "cuda"},  {"cuDNN version: ", "cudnn"},
    {"DRIVER version", "nvidia_driver"}, {"Kubernetes v", "kubelet"},
    {"NCCL version ", "nccl"},           {"Fabric Manager version is : ", "fabric_manager"},
};

bool is_python_3(std::string_view value) {
  return value.starts_with("3.");
}

class VersionLines {
 public:
  explicit VersionLines(Reading& reading) : reading_(reading) {}

  void run() {
    for (number_ = 0; number_ < reading_.lines().size(); ++number_) {
      const std::string_view line = trim(reading_.lines()[number_]);
      if (line.empty() || line.size() > 1024) {
        module_.clear();
        continue;
      }
      read_head(line);
      read_driver(line);
      read_module(line);
      read_system(line);
      if (line.starts_with("[pip3] ") || line.starts_with("[conda] ")) read_package(line);
    }
  }

 private:
  void tell(std::string_view component, std::string_view value) {
    const std::string_view first = value.substr(0, value.find_first_of(" \t,("));
    tell_version(reading_, component, first, number_);
  }

  void read_head(std::string_view line) {
    for (const HeadRow& row : kHeads) {
      if (!line.starts_with(row.head)) continue;
      std::string_view rest = line.substr(row.head.size());
      if (rest.starts_with(" ") || rest.starts_with(":"))
        rest = rest.substr(std::min(rest.size(), rest.find(':') + 1));
      rest = trim(rest);
      if (row.component == "python" && !is_python_3(rest)) continue;
      tell(row.component, rest);
    }
    // version.txt of a toolkit
    if (line.starts_with("CUDA Version ") && line.find(':') == std::string_view::npos)
      tell("cuda", line.substr(13));
  }

  void read_driver(std::string_view line) {
    // "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.00.11  Release Build ..."
    if (line.starts_with("NVRM version: NVIDIA UNIX ")) {
      const std::size_t at = line.find("Kernel Module");
      if (at == std::string_view::npos) return;
      for (const std::string_view word : split_words(line.substr(at))) {
        if (word.find('.') != std::string_view::npos && word[0] >= '0' && word[0] <= '9') {
          tell("nvidia_driver", word);
          break;
        }
      }
      reading_.fact("gpu.kernel_module",
                    line.find("Open Kernel Module") != std::string_view::npos ? "open" : "proprietary",
                    number_);
    }
    // "Cuda compilation tools, release 12.8, V12.8.61"
    if (line.starts_with("Cuda compilation tools, release ")) {
      const std::size_t at = line.rfind(", V");
      tell("cuda", at == std::string_view::npos ? line.substr(32) : line.substr(at + 3));
    }
  }

  // modinfo: the name stands in "filename:", the version in "version:".
  void read_module(std::string_view line) {
    if (line.starts_with("filename:")) {
      std::string_view file =
          line.substr(line.rfind('/') == std::string_view::npos ? 9 : line.rfind('/') + 1);
      module_ = std::string(trim(file.substr(0, file.find(".ko"))));
    } else if (line.starts_with("version:") && !module_.empty()) {
      const std::string_view value = trim(line.substr(8));
      if (module_ == "efa") tell("efa_driver", value);
      if (module_ == "nvidia") tell("nvidia_driver", value);
      if (module_ == "lustre") tell("lustre", value);
      if (module_ == "gdrdrv") tell("gdrcopy", value);
    }
  }

  void read_system(std::string_view line) {
    if (line.starts_with("Linux ")) {
      // "Linux ip-10-1-0-11 6.1.0-amzn #1 SMP ..."
      const auto words = split_words(line);
      if (words.size() >= 4 && words[2].find('.') != std::string_view::npos && words[3].starts_with('#')) {
        tell("kernel", words[2]);
        reading_.fact("node.hostname", words[1], number_);
        reading_.join(NameJoin::Entity::node, reading_.artifact.speaker.node, words[1], number_);
      }
    } else if (line.starts_with("btime ")) {
      // /proc/stat: when this kernel started; turns times since boot into wall time.
      const std::string_view value = trim(line.substr(6));
      const auto parsed = try_epoch(value);
      if (parsed && parsed->length == value.size()) {
        reading_.timed_fact(reading_.artifact.speaker, "node.boot_time", value, parsed->time, number_);
      }
    } else if (line.starts_with("PRETTY_NAME=")) {
      std::string_view value = line.substr(12);
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
        value = value.substr(1, value.size() - 2);
      reading_.fact("node.os_image", value, number_);
    }
  }

  void read_package(std::string_view line) {
    const auto words = split_words(line);
    if (words.size() < 2) return;
    if (const auto found = version_of_package(words[1])) {
      tell(found->component, found->version);
    } else if (words.size() >= 3) {
      const auto component = component_of_package(words[1]);
      if (!component.empty()) tell(component, words[2]);
    }
  }

  Reading& reading_;
  std::size_t number_ = 0;
  std::string module_;
};

}  // namespace

void read_version_lines(Reading& reading) {
  VersionLines(reading).run();
}

void read_efa_packages(Reading& reading) {
  constexpr std::string_view kHead = "EFA installer version: ";
  bool inside = false;
  for (std::size_t n = 0; n < reading.lines().size(); ++n) {
    const std::string_view line = trim(reading.lines()[n]);
    if (const std::size_t at = line.find(kHead); at != std::string_view::npos) {
      inside = true;
      tell_version(reading, "efa_installer", line.substr(at + kHead.size()), n);
      continue;
    }
    if (!inside || line.starts_with('#')) continue;
    if (line.empty()) {
      inside = false;
      continue;
    }
    bool any = false;
    for (const std::string_view package : split_words(line)) {
      if (const auto found = version_of_package(package)) {
        tell_version(reading, found->component, found->version, n);
        any = true;
      }
    }
    if (!any) inside = false;
  }
}

void read_package_list(Reading& reading) {
  for (std::size_t n = 0; n < reading.lines().size(); ++n) {
    const std::string_view line = trim(reading.lines()[n]);
    // dpkg -l: "ii  libnccl2  2.27.5-1+cuda12.9  amd64  text"; "rc" is removed.
    if (line.starts_with("ii ") || line.starts_with("hi ")) {
      const auto words = split_words(line);
      if (words.size() < 3) continue;
      const auto component = component_of_package(words[1]);
      if (!component.empty()) tell_version(reading, component, words[2], n);
    } else if (line.find(' ') == std::string_view::npos && line.size() < 256) {
      if (const auto found = version_of_package(line))
        tell_version(reading, found->component, found->version, n);
    }
  }
}

}  // namespace faultline::facts
