// `nvidia-smi nvlink --status` and `-e`. A GPU without any link, on a machine where none has one, has no
// NVLink to lose (a PCIe card, or one GPU of a baseboard given to a virtual machine).
#include <algorithm>

#include "base/text.h"
#include "facts/columns.h"
#include "facts/text_readers.h"

namespace faultline::facts {
namespace {

struct LinkLine {
  std::int64_t link = 0;
  std::size_t line = 0;
};

struct LinkGpu {
  std::string index;
  bool sxm = false;
  std::size_t line = 0;
  std::size_t active = 0;
  std::vector<LinkLine> inactive;
  std::size_t all_inactive_line = SIZE_MAX;
};

// Counters that stand still on a good link. FEC buckets, BER and raw lane errors do not.
constexpr std::string_view kCounters[] = {
    "Buffer overrun Errors",
    "CRC Errors",
    "Link recovery failed events",
    "Local link integrity Errors",
    "Malformed packet Errors",
    "Recovery Errors",
    "Replay Errors",
    "Rx Errors",
    "Rx General Errors",
    "Rx remote Errors",
    "Tx discards",
};

class NvlinkReader {
 public:
  explicit NvlinkReader(Reading& reading) : reading_(reading) {}

  void run() {
    for (std::size_t n = 0; n < reading_.lines().size(); ++n) {
      const std::string_view line = trim(reading_.lines()[n]);
      if (line.starts_with("GPU ") && line.find("UUID: GPU-") != std::string_view::npos) {
        begin_gpu(line, n);
      } else if (gpus_.empty()) {
        continue;
      } else if (line.starts_with("Link ")) {
        read_link(line, n);
      } else if (lower(line).find("all links are inactive") != std::string::npos) {
        gpus_.back().all_inactive_line = n;
      }
    }
    judge();
  }

 private:
  void begin_gpu(std::string_view line, std::size_t n) {
    LinkGpu gpu;
    gpu.index = std::string(line.substr(4, line.find(':') - 4));
    // Products of an NVLink baseboard: "A100-SXM4-80GB", "H100 80GB HBM3", "H200", "B200".
    for (const std::string_view word : {"SXM", "HBM3", "H200", "B200", "B300", "GB300"}) {
      gpu.sxm = gpu.sxm || line.substr(0, line.find(" (UUID")).find(word) != std::string_view::npos;
    }
    gpu.line = n;
    gpus_.push_back(std::move(gpu));
  }

  void read_link(std::string_view line, std::size_t n) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) return;
    const auto link = parse_number<std::int64_t>(line.substr(5, colon - 5));
    if (!link) return;
    LinkGpu& gpu = gpus_.back();
    const std::string_view rest = trim(line.substr(colon + 2));
    if (iequals(rest, "<inactive>")) {
      gpu.inactive.push_back({*link, n});
    } else if (rest.ends_with("GB/s")) {
      ++gpu.active;
    } else {
      read_counter(gpu, *link, rest, n);
    }
  }

  void read_counter(const LinkGpu& gpu, std::int64_t link, std::string_view rest, std::size_t n) {
    const auto pair = key_value(rest);
    if (!pair || std::find(std::begin(kCounters), std::end(kCounters), pair->key) == std::end(kCounters))
      return;
    const auto count = parse_number<std::int64_t>(pair->value.substr(0, pair->value.find(' ')));
    if (!count || *count <= 0) return;
    // Recoveries and replays hold the traffic up; a few CRC errors are repaired on the fly.
    const bool heavy = pair->key == "Recovery Errors" || pair->key == "Link recovery failed events";
    Draft draft = reading_.event(ReaderEvent::nvidia_smi_nvlink_errors, n);
    draft.gpu(gpu.index).field("link", link).field("count", *count).field("counter", pair->key);
    if (heavy) draft.severity(Severity::p1);
  }

  void judge() {
    const bool any_active =
        std::any_of(gpus_.begin(), gpus_.end(), [](const LinkGpu& g) { return g.active > 0; });
    const auto baseboard = std::count_if(gpus_.begin(), gpus_.end(), [](const LinkGpu& g) { return g.sxm; });
    for (const LinkGpu& gpu : gpus_) {
      if (gpu.active + gpu.inactive.size() > 0) {
        reading_.gpu_fact(gpu.index, "gpu.nvlink.active", std::to_string(gpu.active), gpu.line);
      }
      const bool has_nvlink = any_active || (gpu.sxm && baseboard > 1);
      if (!has_nvlink) continue;
      for (const LinkLine& link : gpu.inactive) {
        reading_.event(ReaderEvent::nvidia_smi_nvlink_inactive, link.line)
            .gpu(gpu.index)
            .field("link", link.link);
      }
      if (gpu.all_inactive_line != SIZE_MAX) {
        reading_.event(ReaderEvent::nvidia_smi_nvlink_inactive, gpu.all_inactive_line).gpu(gpu.index);
      }
    }
  }

  Reading& reading_;
  std::vector<LinkGpu> gpus_;
};

}  // namespace

void read_nvlink(Reading& reading) {
  NvlinkReader(reading).run();
}

void read_gpu_topology(Reading& reading) {
  // Rows "GPU0  X  NV18 ..." below a header "GPU0 GPU1 ... CPU Affinity".
  const auto is_gpu = [](std::string_view word) {
    return word.starts_with("GPU") && word.size() > 3 && parse_number<unsigned>(word.substr(3)).has_value();
  };
  for (std::size_t head = 0; head < reading.lines().size(); ++head) {
    const auto names = split_words(reading.lines()[head]);
    std::size_t gpus = 0;
    while (gpus < names.size() && is_gpu(names[gpus])) ++gpus;
    if (gpus < 2 || names[0] != "GPU0") continue;
    struct Row {
      std::size_t line;
      std::size_t linked = 0;
      std::size_t switched = 0;
    };
    std::vector<Row> rows;
    if (gpus > 64) continue;  // no machine, and each row would be asked for each head
    for (std::size_t n = head + 1; n < reading.lines().size() && rows.size() < gpus; ++n) {
      const auto cells = split_words(reading.lines()[n]);
      if (cells.size() <= gpus || !is_gpu(cells[0])) break;
      Row row{n};
      for (std::size_t i = 1; i <= gpus; ++i) {
        if (!cells[i].starts_with("NV")) continue;
        ++row.linked;
        if (parse_number<unsigned>(cells[i].substr(2)).value_or(0) >= 12) ++row.switched;
      }
      reading.gpu_fact(std::to_string(rows.size()), "gpu.nvlink.peers", std::to_string(row.linked), n);
      rows.push_back(row);
      head = n;
    }
    // Behind a switch every GPU reaches every other; where most do, one that reaches none is out.
    const auto full = static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [&](const Row& r) { return r.switched + 2 >= gpus && r.switched > 0; }));
    if (rows.size() != gpus || full * 2 <= gpus) continue;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].linked == 0) {
        reading.event(ReaderEvent::nvidia_smi_nvlink_inactive, rows[i].line).gpu(std::to_string(i));
      }
    }
  }
}

}  // namespace faultline::facts
