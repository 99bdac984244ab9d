// The default panel of nvidia-smi, all eras: three cells a row, two text rows a GPU (a third for MIG). About
// driver 610 the labels became "KMD Version" and "CUDA UMD Version".
#include "base/text.h"
#include "facts/gpu_judge.h"
#include "facts/text_readers.h"

namespace faultline::facts {
namespace {

std::string_view word_after(std::string_view line, std::string_view label) {
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return {};
  const auto words = split_words(line.substr(at + label.size(), 64));
  return words.empty() || words[0] == "|" ? std::string_view{} : words[0];
}

std::vector<std::string_view> cells_of(std::string_view line) {
  line = trim(line);
  if (line.size() < 3 || line.front() != '|' || line.back() != '|') return {};
  auto cells = split(line.substr(1, line.size() - 2), '|');
  for (std::string_view& cell : cells) cell = trim(cell);
  return cells;
}

std::size_t count_errors(std::string_view cell) {
  std::size_t n = 0;
  for (std::size_t at = cell.find("ERR!"); at != std::string_view::npos; at = cell.find("ERR!", at + 4)) ++n;
  return n;
}

class PanelReader {
 public:
  explicit PanelReader(Reading& reading) : reading_(reading) {}

  void run() {
    for (std::size_t n = 0; n < reading_.lines().size(); ++n) {
      const std::string_view line = reading_.lines()[n];
      if (line.find("| NVIDIA-SMI ") != std::string_view::npos &&
          line.find("Version:") != std::string_view::npos) {
        in_panel_ = true;
        read_head(line, n);
        continue;
      }
      // A panel that was cut out of its frame still has the heading of its columns.
      if (line.find("Bus-Id") != std::string_view::npos && line.find("Uncorr. ECC") != std::string_view::npos)
        in_panel_ = true;
      if (!in_panel_) continue;
      if (line.find("Processes:") != std::string_view::npos) {
        in_panel_ = false;
        continue;
      }
      const auto cells = cells_of(line);
      if (cells.size() != 3) continue;
      const auto bus = split_words(cells[1]);
      const auto pci = bus.empty() ? std::nullopt : normal_pci(bus[0]);
      if (pci && bus[0].find(':') != std::string_view::npos) {
        read_first_row(cells, *pci, n);
      } else if (!pci_.empty()) {
        read_second_row(cells, n);
        pci_.clear();
      }
    }
  }

 private:
  void read_head(std::string_view line, std::size_t n) {
    std::string_view driver = word_after(line, "Driver Version:");
    if (driver.empty()) driver = word_after(line, "KMD Version:");
    std::string_view cuda = word_after(line, "CUDA Version:");
    if (cuda.empty()) cuda = word_after(line, "CUDA UMD Version:");
    if (driver != "N/A") reading_.fact("version.nvidia_driver", driver, n);
    if (cuda != "N/A") reading_.fact("version.cuda_driver", cuda, n);
    // The line above the frame is the date.
    sampled_ = n >= 2 ? reading_.time_of(reading_.lines()[n - 2]) : Instant{};
    if (sampled_.known()) {
      reading_.timed_fact(reading_.artifact.speaker, "gpu.sampled_at", trim(reading_.lines()[n - 2]),
                          sampled_, n - 2);
    }
  }

  void read_first_row(const std::vector<std::string_view>& cells, const std::string& pci, std::size_t n) {
    const auto words = split_words(cells[0]);
    if (words.size() < 2 || !parse_number<unsigned>(words[0])) return;
    pci_ = pci;
    first_errors_ = count_errors(cells[2]) + count_errors(cells[1]);
    const std::string index(words[0]);
    const bool persistence = words.back() == "On" || words.back() == "Off";
    const std::string_view last = persistence ? words[words.size() - 2] : words.back();
    const auto begin = static_cast<std::size_t>(words[1].data() - cells[0].data());
    const auto end = static_cast<std::size_t>(last.data() - cells[0].data()) + last.size();
    GpuIdentity gpu;
    gpu.pci = pci;
    gpu.index = index;
    if (end > begin) gpu.product = std::string(cells[0].substr(begin, end - begin));
    tell_identity(reading_, gpu, n);
    if (const auto count = parse_number<std::int64_t>(cells[2]); count && *count > 0) {
      reading_.event(ReaderEvent::nvidia_smi_ecc, n)
          .gpu(pci)
          .field("pci", pci)
          .field("gpu", *parse_number<std::int64_t>(words[0]))
          .field("count", *count)
          .field("scope", "volatile")
          .time(sampled_);
    }
  }

  void read_second_row(const std::vector<std::string_view>& cells, std::size_t n) {
    const auto words = split_words(cells[0]);
    // Fan, temperature, state, power: a fan that cannot be read is no lost GPU.
    std::size_t errors =
        first_errors_ + count_errors(cells[0]) + count_errors(cells[1]) + count_errors(cells[2]);
    if (!words.empty() && words[0] == "ERR!") --errors;
    if (errors > 0) {
      reading_.event(ReaderEvent::nvidia_smi_lost, n).gpu(pci_).field("pci", pci_).time(sampled_);
      return;
    }
    if (words.size() < 2 || words[1].size() < 2 || words[1].back() != 'C') return;
    const auto celsius = parse_number<std::int64_t>(words[1].substr(0, words[1].size() - 1));
    if (!celsius) return;
    reading_.gpu_fact(pci_, "gpu.temperature", words[1], n);
    judge_temperature(reading_, pci_, *celsius, n, sampled_);
  }

  Reading& reading_;
  bool in_panel_ = false;
  std::string pci_;
  std::size_t first_errors_ = 0;
  Instant sampled_;
};

}  // namespace

void read_nvidia_smi_panel(Reading& reading) {
  PanelReader(reading).run();
}

}  // namespace faultline::facts
