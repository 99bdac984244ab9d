// `nvidia-smi --query-gpu=... --format=csv` with its header row: columns by name, units in brackets.
#include "base/text.h"
#include "facts/gpu_judge.h"
#include "facts/text_readers.h"

namespace faultline::facts {
namespace {

class CsvTable {
 public:
  explicit CsvTable(std::string_view header) {
    for (std::string_view name : split(header, ',')) {
      name = trim(name);
      names_.push_back(trim(name.substr(0, name.find(" ["))));
    }
  }
  [[nodiscard]] bool known() const {
    static constexpr std::string_view kHeads[] = {"index",      "name",      "uuid",     "gpu_bus_id",
                                                  "pci.bus_id", "timestamp", "gpu_uuid", "driver_version"};
    if (names_.size() < 2) return false;
    for (const std::string_view head : kHeads) {
      if (names_[0] == head || names_[1] == head) {
        return find("name") || find("uuid") || find("gpu_bus_id") || find("pci.bus_id") ||
               find("driver_version");
      }
    }
    return false;
  }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return i;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string_view> names_;
};

class CsvReader {
 public:
  CsvReader(Reading& reading, const CsvTable& table, std::string_view row, std::size_t n)
      : reading_(reading), table_(table), n_(n) {
    for (const std::string_view cell : split(row, ',')) cells_.push_back(trim(cell));
  }
  [[nodiscard]] bool fits() const { return cells_.size() == table_.size(); }

  void run() {
    GpuIdentity gpu;
    for (const std::string_view name : {"pci.bus_id", "gpu_bus_id"}) {
      if (const auto pci = normal_pci(get(name))) gpu.pci = *pci;
    }
    gpu.index = std::string(get("index"));
    gpu.product = std::string(get("name"));
    gpu.uuid = std::string(get("uuid"));
    if (gpu.uuid.empty()) gpu.uuid = std::string(get("gpu_uuid"));
    gpu.serial = std::string(get("serial"));
    tell_identity(reading_, gpu, n_);
    gpu_ = std::move(gpu);
    if (const auto version = get("driver_version"); !version.empty() && version.front() != '[') {
      reading_.fact("version.nvidia_driver", version, n_);
    }
    sampled_ = reading_.time_of(get("timestamp"));
    judge();
  }

 private:
  [[nodiscard]] std::string_view get(std::string_view name) const {
    const auto at = table_.find(name);
    return at ? cells_[*at] : std::string_view{};
  }
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const {
    const std::string_view cell = get(name);
    return parse_number<std::int64_t>(cell.substr(0, cell.find(' ')));
  }
  [[nodiscard]] bool yes(std::string_view name) const { return get(name) == "Yes" || get(name) == "1"; }

  Draft event(ReaderEvent id) {
    Draft draft = reading_.event(id, n_);
    draft.gpu(gpu_name(gpu_)).field("pci", gpu_.pci).time(sampled_);
    return draft;
  }

  void judge() {
    for (const std::string_view cell : cells_) {
      if (cell == "[GPU is lost]" || cell == "GPU is lost" || cell == "[GPU requires reset]") {
        event(ReaderEvent::nvidia_smi_lost);
        return;
      }
    }
    for (const std::string_view scope : {"volatile", "aggregate"}) {
      const auto count = number("ecc.errors.uncorrected." + std::string(scope) + ".total");
      if (!count || *count <= 0) continue;
      Draft draft = event(ReaderEvent::nvidia_smi_ecc);
      draft.field("count", *count).field("scope", scope);
      if (scope == "aggregate") draft.severity(Severity::p2);
    }
    if (yes("remapped_rows.pending")) event(ReaderEvent::nvidia_smi_remap_pending);
    if (yes("remapped_rows.failure")) event(ReaderEvent::nvidia_smi_remap_failed);
    if (const auto celsius = number("temperature.gpu")) {
      judge_temperature(reading_, gpu_name(gpu_), *celsius, n_, sampled_);
      reading_.gpu_fact(gpu_name(gpu_), "gpu.temperature", get("temperature.gpu"), n_);
    }
    for (const std::string_view head : {"clocks_throttle_reasons.", "clocks_event_reasons."}) {
      for (const std::string_view name : {"hw_thermal_slowdown", "sw_thermal_slowdown"}) {
        if (get(std::string(head) + std::string(name)) != "Active") continue;
        event(ReaderEvent::nvidia_smi_thermal).field("reason", name);
        return judge_link();
      }
    }
    judge_link();
  }

  void judge_link() {
    const auto width = number("pcie.link.width.current");
    const auto max_width = number("pcie.link.width.max");
    const std::string_view state = get("pstate");
    const bool saving = state.size() >= 2 && state[0] == 'P' && state[1] >= '5';
    if (width && max_width && *width > 0 && *width < *max_width && !saving) {
      event(ReaderEvent::nvidia_smi_pcie).field("width", *width).field("max_width", *max_width);
    }
  }

  Reading& reading_;
  const CsvTable& table_;
  std::size_t n_;
  std::vector<std::string_view> cells_;
  GpuIdentity gpu_;
  Instant sampled_;
};

}  // namespace

void read_nvidia_smi_csv(Reading& reading) {
  std::optional<CsvTable> table;
  for (std::size_t n = 0; n < reading.lines().size(); ++n) {
    const std::string_view line = reading.lines()[n];
    if (line.find(',') == std::string_view::npos) {
      table.reset();
      continue;
    }
    if (line.size() < 8192) {
      if (CsvTable next(line); next.known()) {
        table = std::move(next);
        continue;
      }
    }
    if (!table) continue;
    CsvReader row(reading, *table, line, n);
    if (row.fits()) {
      row.run();
    } else {
      table.reset();
    }
  }
}

}  // namespace faultline::facts
