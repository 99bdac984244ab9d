#include "facts/gpu_judge.h"

#include <algorithm>

namespace faultline::facts {
namespace {

bool names_something(std::string_view value) {
  if (value.empty() || value == "N/A" || value == "[N/A]") return false;
  const std::size_t digits = value.starts_with("GPU-") ? 4 : 0;
  return std::any_of(value.begin() + static_cast<std::ptrdiff_t>(digits), value.end(),
                     [](char c) { return c != '0' && c != '-'; });
}

}  // namespace

std::string_view gpu_name(const GpuIdentity& gpu) {
  return gpu.pci.empty() ? gpu.index : gpu.pci;
}

void tell_identity(Reading& reading, const GpuIdentity& gpu, std::size_t line) {
  const std::string_view name = gpu_name(gpu);
  if (name.empty()) return;
  using Entity = NameJoin::Entity;
  reading.gpu_fact(name, "gpu.index", gpu.index, line);
  reading.gpu_fact(name, "gpu.product", gpu.product, line);
  if (!gpu.pci.empty() && !gpu.index.empty()) reading.join(Entity::gpu, gpu.pci, gpu.index, line);
  if (names_something(gpu.uuid)) {
    reading.gpu_fact(name, "gpu.uuid", gpu.uuid, line);
    reading.join(Entity::gpu, name, gpu.uuid, line);
  }
  if (names_something(gpu.serial)) {
    reading.gpu_fact(name, "gpu.serial", gpu.serial, line);
    reading.join(Entity::gpu, name, gpu.serial, line);
  }
}

void judge_temperature(Reading& reading, std::string_view gpu, std::int64_t celsius, std::size_t line,
                       const Instant& time) {
  if (celsius < kHotCelsius || celsius > 150) return;  // beyond is no temperature
  Draft draft = reading.event(ReaderEvent::nvidia_smi_thermal, line);
  draft.gpu(gpu).field("celsius", celsius).time(time);
  if (gpu.find(':') != std::string_view::npos) draft.field("pci", gpu);
}

}  // namespace faultline::facts
