#pragma once
// What the readers of GPU tools have in common: one way to say who a GPU is, and the thresholds of the
// runbooks.
#include "facts/reading.h"

namespace faultline::facts {

struct GpuIdentity {
  std::string pci;  ///< dddd:bb:dd, or ""
  std::string index;
  std::string uuid;
  std::string serial;
  std::string product;
};
/// Facts and joins of what one line says. Masked identities (all zeros, N/A) name nothing.
void tell_identity(Reading& reading, const GpuIdentity& gpu, std::size_t line);

/// The name that events use: PCI where known, else the index.
std::string_view gpu_name(const GpuIdentity& gpu);

/// From 88 C on a data-centre GPU is about to slow down or does.
inline constexpr std::int64_t kHotCelsius = 88;
void judge_temperature(Reading& reading, std::string_view gpu, std::int64_t celsius, std::size_t line,
                       const Instant& time);

}  // namespace faultline::facts
