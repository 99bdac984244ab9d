#include "facts/versions.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "facts/text_readers.h"

namespace faultline::facts {
namespace {

struct PackageRow {
  std::string_view name;
  std::string_view component;
};
// Packages whose version decides something. Names that end in '-' are heads: "nvidia-fabricmanager-570".
constexpr PackageRow kPackages[] = {
    {"aws-ofi-nccl", "ofi_plugin"},
    {"datacenter-gpu-manager", "dcgm"},
    {"datacenter-gpu-manager-4-core", "dcgm"},
    {"deepspeed", "deepspeed"},
    {"efa", "efa_driver"},
    {"gdrcopy", "gdrcopy"},
    {"libfabric-aws", "libfabric"},
    {"libfabric1-aws", "libfabric"},
    {"libnccl", "nccl"},
    {"libnccl-ofi", "ofi_plugin"},
    {"libnccl2", "nccl"},
    {"nvidia-container-toolkit", "nvidia_container_toolkit"},
    {"nvidia-fabric-manager", "fabric_manager"},
    {"nvidia-fabricmanager", "fabric_manager"},
    {"nvidia-nccl-cu11", "nccl"},
    {"nvidia-nccl-cu12", "nccl"},
    {"nvidia-nccl-cu13", "nccl"},
    {"rdma-core", "rdma_core"},
    {"torch", "torch"},
    {"transformers", "transformers"},
};
static_assert(std::is_sorted(std::begin(kPackages), std::end(kPackages),
                             [](const PackageRow& a, const PackageRow& b) { return a.name < b.name; }));

struct SummaryRow {
  std::string_view key;  ///< of the summary, upper case; lower case in the JSON form
  std::string_view component;
};
constexpr SummaryRow kSummary[] = {
    {"AWS_OFI_NCCL", "ofi_plugin"},
    {"CUDA_TOOLKIT", "cuda"},
    {"CUDNN", "cudnn"},
    {"EFA_INSTALLER", "efa_installer"},
    {"GDRCOPY", "gdrcopy"},
    {"LIBFABRIC", "libfabric"},
    {"MAX_CUDA", "cuda_driver"},
    {"NCCL", "nccl"},
    {"NVIDIA_DRIVER", "nvidia_driver"},
    {"PYTHON", "python"},
    {"PYTORCH", "torch"},
};
static_assert(std::is_sorted(std::begin(kSummary), std::end(kSummary),
                             [](const SummaryRow& a, const SummaryRow& b) { return a.key < b.key; }));

bool digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

void tell_version(Reading& reading, const Speaker& subject, std::string_view component,
                  std::string_view value, std::size_t line) {
  value = trim(value);
  if (value.size() > 1 && value[0] == 'v' && digit(value[1])) value.remove_prefix(1);
  if (const std::size_t colon = value.find(':'); colon == 1 && digit(value[0])) value.remove_prefix(2);
  // "not found", "N/A", error texts: what begins without a digit is no version.
  if (value.empty() || !digit(value.front()) || value.size() > 128) return;
  reading.fact(subject, "version." + std::string(component), value, line);
}

void tell_version(Reading& reading, std::string_view component, std::string_view value, std::size_t line) {
  tell_version(reading, reading.artifact.speaker, component, value, line);
}

std::string_view component_of_package(std::string_view name) {
  name = name.substr(0, name.find(':'));  // dpkg's architecture
  const auto* row = std::lower_bound(std::begin(kPackages), std::end(kPackages), name,
                                     [](const PackageRow& r, std::string_view n) { return r.name < n; });
  if (row != std::end(kPackages) && row->name == name) return row->component;
  // Branch packages: nvidia-fabricmanager-570, nvidia-driver-570-server-open.
  if (name.starts_with("nvidia-fabricmanager-") && digit(name.back())) return "fabric_manager";
  if (name.starts_with("nvidia-driver-") && name.size() > 16 && digit(name[14])) return "nvidia_driver";
  return {};
}

std::optional<PackageVersion> version_of_package(std::string_view package) {
  if (const std::size_t pip = package.find("=="); pip != std::string_view::npos) {
    const auto component = component_of_package(package.substr(0, pip));
    if (component.empty()) return std::nullopt;
    return PackageVersion{component, package.substr(pip + 2)};
  }
  if (const std::size_t deb = package.find('_'); deb != std::string_view::npos && package.find('-') > 0) {
    const std::size_t end = package.find('_', deb + 1);
    if (end != std::string_view::npos) {
      const auto component = component_of_package(package.substr(0, deb));
      if (!component.empty()) return PackageVersion{component, package.substr(deb + 1, end - deb - 1)};
    }
  }
  // rpm: from the right, ".arch", "-release", "-version".
  const std::size_t release = package.rfind('-');
  if (release == std::string_view::npos || release == 0) return std::nullopt;
  const std::size_t version = package.rfind('-', release - 1);
  if (version == std::string_view::npos) return std::nullopt;
  const auto component = component_of_package(package.substr(0, version));
  if (component.empty()) return std::nullopt;
  return PackageVersion{component, package.substr(version + 1, release - version - 1)};
}

std::string_view undoubled(std::string_view value) {
  value = trim(value);
  if (value.size() > 1 && value[0] == 'v' && digit(value[1])) value.remove_prefix(1);
  const std::size_t half = value.size() / 2;
  const bool doubled = value.size() >= 6 && value.size() % 2 == 0 &&
                       value.substr(0, half) == value.substr(half) &&
                       value.substr(0, half).find('.') != std::string_view::npos && value.back() != '.';
  return doubled ? value.substr(0, half) : value;
}

bool read_version_document(Reading& reading, const JsonValue& value) {
  const JsonValue* versions = value.find("versions");
  if (versions == nullptr || !versions->is_object() || versions->find("nvidia_driver") == nullptr)
    return false;
  Speaker who = reading.artifact.speaker;
  const std::size_t head = reading.lines().at_offset(value.offset);
  if (const std::string_view host = value.text("hostname"); !host.empty()) {
    reading.join(NameJoin::Entity::node, who.node, host, head);
    if (who.node.empty()) who.node = std::string(host);
    reading.fact(who, "node.hostname", host, head);
  }
  reading.fact(who, "node.instance_type", value.text("instance_type"), head);
  for (const auto& [key, member] : versions->members) {
    for (const SummaryRow& row : kSummary) {
      if (lower(row.key) == key) {
        tell_version(reading, who, row.component, undoubled(member.string),
                     reading.lines().at_offset(member.offset));
      }
    }
  }
  return true;
}

void read_version_report(Reading& reading) {
  bool summary = false;
  Speaker who = reading.artifact.speaker;
  for (std::size_t n = 0; n < reading.lines().size(); ++n) {
    const std::string_view line = trim(reading.lines()[n]);
    if (line == "Version Summary") {
      summary = true;
      continue;
    }
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, colon);
    const std::string_view value = trim(line.substr(colon + 2));
    if (!summary) {
      if (key == "Host") {
        reading.join(NameJoin::Entity::node, who.node, value, n);
        if (who.node.empty()) who.node = std::string(value);
        reading.fact(who, "node.hostname", value, n);
      }
      if (key == "Kernel") tell_version(reading, who, "kernel", value, n);
      if (key == "Instance Type") reading.fact(who, "node.instance_type", value, n);
      continue;
    }
    const auto* row = std::lower_bound(std::begin(kSummary), std::end(kSummary), key,
                                       [](const SummaryRow& r, std::string_view k) { return r.key < k; });
    if (row != std::end(kSummary) && row->key == key)
      tell_version(reading, who, row->component, undoubled(value), n);
  }
}

}  // namespace faultline::facts
