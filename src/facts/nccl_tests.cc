// Output of nccl-tests (all_reduce_perf and its siblings): which rank ran where, and whether the test reached
// its end. Its average runs over all sizes, the small ones too: it is told, and judged only against a minimum
// the test was given.
#include <algorithm>

#include "base/text.h"
#include "facts/columns.h"
#include "facts/text_readers.h"
#include "facts/versions.h"

namespace faultline::facts {
namespace {

class NcclTests {
 public:
  explicit NcclTests(Reading& reading) : reading_(reading) {}

  void run() {
    for (number_ = 0; number_ < reading_.lines().size(); ++number_) {
      // Prefixes of mpirun and srun may stand before the mark.
      const std::string_view whole = reading_.lines()[number_];
      const std::size_t mark = whole.find('#');
      if (mark == std::string_view::npos || mark > 64) {
        read_row(whole);
        continue;
      }
      const std::string_view line = trim(whole.substr(mark + 1));
      if (line.starts_with("nThread ") || line.starts_with("Collective test starting: ")) begin(line);
      if (!open_) continue;
      if (line.starts_with("Rank ")) read_device(line);
      if (line.starts_with("size ") && line.find("busbw") != std::string_view::npos) read_header(line);
      if (line.starts_with("Out of bounds values")) read_bounds(line);
      if (line.starts_with("Avg bus bandwidth")) finish(line, Ending::average);
      if (line.starts_with("Collective test concluded")) finish(line, Ending::concluded);
    }
  }

 private:
  enum class Ending : std::uint8_t { average, concluded };

  void begin(std::string_view line) {
    if (line.starts_with("Collective test starting: ")) {
      program_ = std::string(trim(line.substr(26)));
      announced_ = true;
    } else if (!announced_) {
      program_.clear();
    }
    announced_ = announced_ && !line.starts_with("nThread ");
    open_ = true;
    in_bounds_ = false;
    told_ = false;
    peak_ = 0;
    busbw_.clear();
  }

  // "Rank  0 Group  0 Pid   2077 on host device  0 [0000:0f:00] NVIDIA A100", older "[0x0f]", without Group
  // before 2.13.4
  void read_device(std::string_view line) {
    const auto words = split_words(line);
    const auto rank = words.size() > 1 ? parse_number<std::int32_t>(words[1]) : std::nullopt;
    const auto on = std::find(words.begin(), words.end(), "on");
    if (!rank || on == words.end() || words.end() - on < 4 || *(on + 2) != "device") return;
    Speaker who;
    who.rank = *rank;
    who.node = std::string(*(on + 1));
    reading_.fact(who, "rank.node", who.node, number_);
    using Entity = NameJoin::Entity;
    reading_.join(Entity::rank_node, std::to_string(*rank), who.node, number_);
    std::string_view bus = words.end() - on > 4 ? *(on + 4) : std::string_view{};
    if (bus.size() > 2 && bus.front() == '[' && bus.back() == ']') bus = bus.substr(1, bus.size() - 2);
    if (const auto pci = normal_pci(bus); pci && bus.find(':') != std::string_view::npos) {
      reading_.join(Entity::rank_gpu, std::to_string(*rank), *pci, number_);
    }
  }

  void read_header(std::string_view line) {
    busbw_.clear();
    const auto words = split_words(line);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "busbw") busbw_.push_back(i);
    }
    columns_ = words.size();
  }

  void read_row(std::string_view line) {
    if (!open_ || busbw_.empty()) return;
    const auto words = split_words(line);
    if (words.size() != columns_ || !parse_number<std::uint64_t>(words[0])) return;
    for (const std::size_t at : busbw_) {
      const auto value = parse_double(words[at]);
      if (!value || *value <= peak_) continue;
      peak_ = *value;
      peak_text_ = std::string(words[at]);
      peak_size_ = std::string(words[0]);
      peak_line_ = number_;
    }
  }

  void read_bounds(std::string_view line) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) return;
    const auto words = split_words(line.substr(colon + 2));
    if (words.size() < 2) return;
    reading_.fact("nccl_tests.out_of_bounds", words[0], number_);
    in_bounds_ = words[0] == "0" && words[1] == "OK";
    if (!in_bounds_)
      reading_.note("an NCCL test counted wrong values: the data that arrived was not what was sent");
  }

  void finish(std::string_view line, Ending ending) {
    const std::size_t colon = line.find(": ");
    const auto words = colon == std::string_view::npos ? std::vector<std::string_view>{}
                                                       : split_words(line.substr(colon + 2));
    std::optional<double> average;
    if (ending == Ending::average && !words.empty()) {
      average = parse_double(words[0]);
      reading_.fact("nccl_tests.avg_busbw", words[0], number_);
      if (words.size() > 1 && words[1] == "FAILED" && average) {
        reading_.event(ReaderEvent::nccl_tests_slow, number_).field("busbw", *average);
      }
    }
    if (told_) return;
    told_ = true;
    if (!program_.empty()) reading_.fact("nccl_tests.program", program_, number_);
    if (peak_ > 0) {
      reading_.fact("nccl_tests.peak_busbw", peak_text_, peak_line_);
      reading_.fact("nccl_tests.peak_size", peak_size_, peak_line_);
    }
    if (!in_bounds_) return;
    Draft draft = reading_.event(ReaderEvent::nccl_tests_passed, number_);
    if (average) draft.field("avg_busbw", *average);
  }

  Reading& reading_;
  std::size_t number_ = 0;
  bool open_ = true;  ///< an excerpt may begin at the table
  bool announced_ = false;
  bool in_bounds_ = false;
  bool told_ = false;
  std::string program_;
  std::vector<std::size_t> busbw_;
  std::size_t columns_ = 0;
  double peak_ = 0;
  std::string peak_text_;
  std::string peak_size_;
  std::size_t peak_line_ = 0;
};

}  // namespace

void read_nccl_tests(Reading& reading) {
  NcclTests(reading).run();
}

}  // namespace faultline::facts
