// What nvidia-smi says when it or a GPU does not work, in any output of it; and `nvidia-smi -L`.
#include "base/text.h"
#include "facts/gpu_judge.h"
#include "facts/text_readers.h"

namespace faultline::facts {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// "GPU3: 0000:5F:00.0: Unknown Error", "GPU0000:25:00.0: Unknown Error", "GPU 0000:01:00.0: Not Found",
// "GPU2: Unknown Error": an address where there is one, else the index.
GpuIdentity gpu_in(std::string_view rest) {
  GpuIdentity gpu;
  rest = trim(rest);
  std::size_t digits = 0;
  while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') ++digits;
  if (digits > 0 && digits < 4 && digits < rest.size() && rest[digits] == ':' &&
      rest.substr(digits, 2) == ": ") {
    gpu.index = std::string(rest.substr(0, digits));
    rest = trim(rest.substr(digits + 1));
  }
  const std::string_view address = rest.substr(0, rest.find(": "));
  if (const auto pci = normal_pci(address); pci && address.find(':') != std::string_view::npos)
    gpu.pci = *pci;
  return gpu;
}

// A node that has no GPU to lose: nvidia-smi fails there in good health.
bool needs_no_gpu(const Artifact& artifact) {
  for (const std::string_view word : {"controller", "login", "head"}) {
    if (icontains(artifact.instance_group, word)) return true;
  }
  return false;
}

void nvml(Reading& reading, std::size_t n, std::string_view reason) {
  if (needs_no_gpu(reading.artifact)) {
    reading.note("nvidia-smi does not work here; the instance group suggests a node without GPUs");
    return;
  }
  reading.event(ReaderEvent::nvidia_smi_nvml, n).field("reason", reason);
}

void read_device_line(Reading& reading, std::string_view line, std::size_t n) {
  // "GPU 3: NVIDIA H100 80GB HBM3 (UUID: GPU-...)"
  const std::size_t colon = line.find(": ");
  const std::size_t open = line.find(" (UUID: GPU-");
  if (!line.starts_with("GPU ") || colon == std::string_view::npos || open == std::string_view::npos ||
      open < colon)
    return;
  const std::string_view index = line.substr(4, colon - 4);
  if (!parse_number<unsigned>(index)) return;
  std::string_view uuid = line.substr(open + 8);
  uuid = uuid.substr(0, uuid.find(')'));
  tell_identity(reading,
                GpuIdentity{{},
                            std::string(index),
                            std::string(uuid),
                            {},
                            std::string(line.substr(colon + 2, open - colon - 2))},
                n);
}

}  // namespace

void read_nvidia_smi_failures(Reading& reading) {
  constexpr std::string_view kHandle = "Unable to determine the device handle for GPU";
  for (std::size_t n = 0; n < reading.lines().size(); ++n) {
    const std::string_view line = reading.lines()[n];
    if (const std::size_t at = line.find(kHandle); at != std::string_view::npos) {
      const GpuIdentity gpu = gpu_in(line.substr(at + kHandle.size()));
      reading.event(ReaderEvent::nvidia_smi_lost, n).gpu(gpu_name(gpu)).field("pci", gpu.pci);
    } else if (has(line, "Failed to initialize NVML: ")) {
      nvml(reading, n,
           has(line, "Driver/library version mismatch") ? "driver_library_mismatch"
           : has(line, "Insufficient Permissions")      ? "insufficient_permissions"
           : has(line, "Unknown Error")                 ? "unknown_error"
                                                        : trim(line.substr(line.find("NVML: ") + 6)));
    } else if (has(line, "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver")) {
      nvml(reading, n, "driver_not_loaded");
    } else if (trim(line) == "No devices were found") {
      nvml(reading, n, "no_devices");
    } else {
      read_device_line(reading, line, n);
    }
  }
}

}  // namespace faultline::facts
