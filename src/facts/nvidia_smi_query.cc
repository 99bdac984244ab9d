// `nvidia-smi -q`, whole or with -d, or cut by hand: keys by indent below a "GPU <pci>" line. Sections and
// keys drift with the driver (ECC has four layouts); what is judged is named by its key and the sections
// around it.
#include <algorithm>

#include "base/text.h"
#include "facts/columns.h"
#include "facts/gpu_judge.h"
#include "facts/text_readers.h"

namespace faultline::facts {
namespace {

struct QueryLine {
  std::string_view value;
  std::size_t line = 0;
};

/// `Key      : Value`; sections are lines without the colon.
std::optional<KeyValue> query_pair(std::string_view line) {
  const std::size_t at = line.find(" : ");
  if (at == std::string_view::npos) {
    const std::string_view body = trim(line);
    if (body.ends_with(" :")) return KeyValue{trim(body.substr(0, body.size() - 2)), {}};
    return std::nullopt;
  }
  return KeyValue{trim(line.substr(0, at)), trim(line.substr(at + 3))};
}

class QueryReader {
 public:
  explicit QueryReader(Reading& reading) : reading_(reading) {}

  void run() {
    for (std::size_t n = 0; n < reading_.lines().size(); ++n) {
      const std::string_view line = reading_.lines()[n];
      if (trim(line).empty()) continue;
      if (begins_gpu(line)) {
        begin_gpu(line);
        continue;
      }
      const auto pair = query_pair(line);
      if (indent_of(line) == 0) {
        if (open_ && (!pair || trim(line) != line)) finish();
        if (pair) read_head(*pair, n);
        continue;
      }
      if (open_) read_line(line, pair, n);
    }
    finish();
  }

 private:
  static bool begins_gpu(std::string_view line) {
    if (!line.starts_with("GPU ")) return false;
    const std::string_view rest = trim(line.substr(4));
    return rest.find(':') != std::string_view::npos && normal_pci(rest).has_value();
  }

  void read_head(const KeyValue& pair, std::size_t n) {
    if (pair.key == "Timestamp") {
      sampled_ = reading_.time_of(pair.value);
      head_ = true;
      reading_.timed_fact(reading_.artifact.speaker, "gpu.sampled_at", pair.value, sampled_, n);
    } else if (pair.key == "Driver Version" && pair.value != "N/A") {
      head_ = true;
      reading_.fact("version.nvidia_driver", pair.value, n);
    } else if (pair.key == "CUDA Version" && pair.value != "N/A" && head_) {
      reading_.fact("version.cuda_driver", pair.value, n);
    } else if (pair.key == "Attached GPUs") {
      reading_.fact("gpu.count", pair.value, n);
    }
  }

  void begin_gpu(std::string_view line) {
    finish();
    open_ = true;
    gpu_ = GpuIdentity{};
    gpu_.pci = *normal_pci(trim(line.substr(4)));
    stack_.clear();
    width_ = max_width_ = generation_ = max_generation_ = state_ = utilisation_ = {};
    thermal_told_ = false;
    lost_told_ = false;
  }

  void finish() {
    if (!open_) return;
    open_ = false;
    judge_link();
  }

  void read_line(std::string_view line, const std::optional<KeyValue>& pair, std::size_t n) {
    const std::size_t indent = indent_of(line);
    while (!stack_.empty() && stack_.back().indent >= indent) stack_.pop_back();
    if (!pair) {
      if (stack_.size() < 16) stack_.push_back(Level{indent, trim(line)});
      return;
    }
    read_value(*pair, n);
    // "HW Slowdown : Active" has children of its own.
    if (stack_.size() < 16) stack_.push_back(Level{indent, pair->key});
  }

  /// The section `up` levels above the key: 0 its own section.
  [[nodiscard]] std::string_view section(std::size_t up = 0) const {
    return up < stack_.size() ? stack_[stack_.size() - 1 - up].name : std::string_view{};
  }

  void read_value(const KeyValue& pair, std::size_t n) {
    const std::string_view key = pair.key;
    const std::string_view value = pair.value;
    if (value == "GPU is lost" || value == "GPU is lost." || value == "GPU requires reset") {
      if (lost_told_) return;
      lost_told_ = true;
      reading_.event(ReaderEvent::nvidia_smi_lost, n).gpu(gpu_.pci).field("pci", gpu_.pci).time(sampled_);
      return;
    }
    if (stack_.empty()) {
      const std::string text(value);
      if (key == "Product Name") tell_identity(reading_, GpuIdentity{gpu_.pci, {}, {}, {}, text}, n);
      if (key == "GPU UUID") tell_identity(reading_, GpuIdentity{gpu_.pci, {}, text, {}, {}}, n);
      if (key == "Serial Number") tell_identity(reading_, GpuIdentity{gpu_.pci, {}, {}, text, {}}, n);
      if (key == "Performance State") state_ = {value, n};
      if (key == "Minor Number") tell("gpu.minor", value, n);
      if (key == "GPU Recovery Action") tell("gpu.recovery_action", value, n);
      if (key == "Persistence Mode") tell("gpu.persistence", value, n);
      if (key == "GSP Firmware Version") tell("gpu.gsp_firmware", value, n);
      return;
    }
    read_memory(key, value, n);
    if (section() == "GPU Reset Status" && key == "Reset Required") tell("gpu.reset_required", value, n);
    if (section(1) == "GPU Link Info" || section() == "GPU Link Info") read_link(key, value, n);
    if (section() == "Utilization" && key == "GPU") utilisation_ = {value, n};
    read_heat(key, value, n);
    if (section() == "Fabric") read_fabric(key, value, n);
    if (section() == "Clocks" && key == "SM") tell("gpu.clock.sm", value, n);
    if (section() == "Max Clocks" && key == "SM") tell("gpu.clock.sm_max", value, n);
  }

  void tell(std::string_view key, std::string_view value, std::size_t n) {
    reading_.gpu_fact(gpu_.pci, key, value, n);
  }

  void read_memory(std::string_view key, std::string_view value, std::size_t n) {
    const bool yes = value == "Yes";
    if (section() == "Remapped Rows") {
      if (key == "Pending") tell("gpu.row_remap.pending", value, n);
      if (key == "Remapping Failure Occurred") tell("gpu.row_remap.failure", value, n);
      if (key == "Correctable Error") tell("gpu.row_remap.correctable", value, n);
      if (key == "Uncorrectable Error") tell("gpu.row_remap.uncorrectable", value, n);
      if (yes && key == "Pending") event(ReaderEvent::nvidia_smi_remap_pending, n);
      if (yes && key == "Remapping Failure Occurred") event(ReaderEvent::nvidia_smi_remap_failed, n);
      return;
    }
    if (section() == "Bank Remap Availability Histogram" && key == "None")
      tell("gpu.row_remap.banks_without_spare", value, n);
    if (yes &&
        (key == "Channel Repair Pending" || key == "TPC Repair Pending" || key == "Unrepairable Memory" ||
         key == "SRAM Threshold Exceeded" || key == "Pending Page Blacklist")) {
      std::string name = lower(key);
      std::replace(name.begin(), name.end(), ' ', '_');
      tell("gpu.memory." + name, value, n);
    }
    read_ecc_counter(key, value, n);
  }

  void read_ecc_counter(std::string_view key, std::string_view value, std::size_t n) {
    // Ampere and later: Volatile { DRAM Uncorrectable }; up to Volta: Volatile { Double Bit { Total } }.
    const bool old_layout = section() == "Double Bit" && key == "Total";
    const std::string_view scope = old_layout ? section(1) : section();
    if (scope != "Volatile" && scope != "Aggregate") return;
    if (!old_layout && key.find("Uncorrectable") == std::string_view::npos) return;
    const auto count = parse_number<std::int64_t>(value);
    if (!count) return;
    const std::string scope_name = lower(scope);
    tell("gpu.ecc.uncorrected." + scope_name, value, n);
    if (*count <= 0) return;
    Draft draft = event(ReaderEvent::nvidia_smi_ecc, n);
    draft.field("count", *count).field("scope", scope_name);
    if (key.starts_with("SRAM")) draft.field("location", "sram");
    if (key.starts_with("DRAM")) draft.field("location", "dram");
    // Aggregate counters remember the GPU's whole life.
    if (scope == "Aggregate") draft.severity(Severity::p2);
  }

  Draft event(ReaderEvent id, std::size_t n) {
    Draft draft = reading_.event(id, n);
    draft.gpu(gpu_.pci).field("pci", gpu_.pci).time(sampled_);
    return draft;
  }

  void read_link(std::string_view key, std::string_view value, std::size_t n) {
    if (section() == "Link Width") {
      if (key == "Max") max_width_ = {value, n};
      if (key == "Current") width_ = {value, n};
    }
    if (section() == "PCIe Generation") {
      if (key == "Max") max_generation_ = {value, n};
      if (key == "Current") generation_ = {value, n};
    }
  }

  void read_heat(std::string_view key, std::string_view value, std::size_t n) {
    if (section() == "Temperature" && key == "GPU Current Temp") {
      const std::size_t blank = value.find(" C");
      tell("gpu.temperature", value, n);
      const auto celsius = parse_number<std::int64_t>(value.substr(0, blank));
      if (celsius) judge_temperature(reading_, gpu_.pci, *celsius, n, sampled_);
      return;
    }
    // Up to driver 530 the section is named "Clocks Throttle Reasons".
    const bool slow = key == "HW Thermal Slowdown" || key == "SW Thermal Slowdown";
    if (slow && value == "Active" && !thermal_told_ && in_section("Reasons")) {
      thermal_told_ = true;
      event(ReaderEvent::nvidia_smi_thermal, n).field("reason", key);
    }
  }

  [[nodiscard]] bool in_section(std::string_view part) const {
    return std::any_of(stack_.begin(), stack_.end(),
                       [&](const Level& level) { return level.name.find(part) != std::string_view::npos; });
  }

  void read_fabric(std::string_view key, std::string_view value, std::size_t n) {
    if (key == "State") tell("gpu.fabric.state", value, n);
    if (key == "Status") tell("gpu.fabric.status", value, n);
    const bool not_ready =
        (key == "State" && (value == "In Progress" || value == "Not Started")) ||
        (key == "Status" && value != "Success" && value != "N/A" && value != "Not Supported");
    if (not_ready) event(ReaderEvent::nvidia_smi_fabric, n).field("state", value);
  }

  static std::optional<std::int64_t> lanes(const QueryLine& said) {
    std::string_view value = said.value;
    if (value.ends_with('x')) value.remove_suffix(1);
    return parse_number<std::int64_t>(value);
  }

  void judge_link() {
    tell("gpu.pcie.width", width_.value, width_.line);
    tell("gpu.pcie.max_width", max_width_.value, max_width_.line);
    tell("gpu.pcie.generation", generation_.value, generation_.line);
    tell("gpu.pcie.max_generation", max_generation_.value, max_generation_.line);
    const auto width = lanes(width_);
    const auto max_width = lanes(max_width_);
    // A GPU in a saving state may train its link down.
    const bool saving = state_.value.size() >= 2 && state_.value[0] == 'P' && state_.value[1] >= '5';
    const auto busy = parse_number<std::int64_t>(utilisation_.value.substr(0, utilisation_.value.find(' ')));
    if (width && max_width && *width > 0 && *width < *max_width && !saving) {
      event(ReaderEvent::nvidia_smi_pcie, width_.line).field("width", *width).field("max_width", *max_width);
      return;
    }
    const auto generation = lanes(generation_);
    const auto max_generation = lanes(max_generation_);
    if (generation && max_generation && *generation < *max_generation && busy.value_or(0) >= 50 && !saving) {
      event(ReaderEvent::nvidia_smi_pcie, generation_.line)
          .field("generation", *generation)
          .field("max_generation", *max_generation);
    }
  }

  struct Level {
    std::size_t indent;
    std::string_view name;
  };
  Reading& reading_;
  bool head_ = false;
  bool open_ = false;
  bool thermal_told_ = false;
  bool lost_told_ = false;
  Instant sampled_;
  GpuIdentity gpu_;
  std::vector<Level> stack_;
  QueryLine width_, max_width_, generation_, max_generation_, state_, utilisation_;
};

}  // namespace

void read_nvidia_smi_query(Reading& reading) {
  QueryReader(reading).run();
}

}  // namespace faultline::facts
