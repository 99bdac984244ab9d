// `sinfo`, `sinfo -N -l`, `sinfo -R`, `squeue`, also many times in one file (`watch`): of repeated snapshots
// the last one counts, what it no longer lists is over.
#include <map>

#include "base/text.h"
#include "facts/columns.h"
#include "facts/slurm_states.h"
#include "facts/text_readers.h"

namespace faultline::facts {
namespace {

// Names that the host lists of one document may expand to, all snapshots of a watch together.
constexpr std::size_t kMaxHosts = 1'000'000;

struct DownNode {
  std::string reason;
  std::string set_by;
  std::string state;
  Instant since;
  std::size_t line = 0;
  slurm::NodeState kind = slurm::NodeState::drained;
};

std::optional<std::size_t> find_word(const std::vector<std::string_view>& words, std::string_view word) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return i;
  }
  return std::nullopt;
}

class SinfoReader {
 public:
  explicit SinfoReader(Reading& reading) : reading_(reading) {}

  void run() {
    for (number_ = 0; number_ < reading_.lines().size(); ++number_) {
      const std::string_view line = reading_.lines()[number_];
      const auto words = split_words(line);
      if (words.empty()) {
        form_ = Form::none;
        continue;
      }
      if (words.size() >= 4 && words[0] == "REASON" && words[1] == "USER" && words.back() == "NODELIST") {
        form_ = Form::reasons;
        reasons_.clear();
        saw_reasons_ = true;
        continue;
      }
      if ((words[0] == "PARTITION" || words[0] == "NODELIST") && find_word(words, "STATE") &&
          find_word(words, "NODELIST")) {
        form_ = Form::states;
        header_.clear();
        for (const std::string_view word : words) header_.emplace_back(word);
        states_.clear();
        continue;
      }
      if (form_ == Form::reasons) read_reason(line, words);
      if (form_ == Form::states) read_state(words);
    }
    tell();
  }

 private:
  enum class Form : std::uint8_t { none, reasons, states };

  // REASON may hold blanks; the last word is the list, before it a time, before it the user.
  void read_reason(std::string_view line, const std::vector<std::string_view>& words) {
    if (words.size() < 4) {
      form_ = Form::none;
      return;
    }
    DownNode node;
    const std::string_view stamp = words[words.size() - 2];
    node.since = reading_.time_of(stamp);
    if (!node.since.known() && stamp != "Unknown" && stamp != "None") {
      form_ = Form::none;
      return;
    }
    // --long writes "root(0)".
    node.set_by = std::string(words[words.size() - 3]);
    const auto end = static_cast<std::size_t>(words[words.size() - 3].data() - line.data());
    node.reason = std::string(trim(line.substr(0, end)));
    node.line = number_;
    node.kind = slurm::reason_says_down(node.reason) ? slurm::NodeState::down : slurm::NodeState::drained;
    for (const std::string& host : hosts(words.back())) reasons_[host] = node;
  }

  void read_state(const std::vector<std::string_view>& words) {
    const std::size_t state_at = index("STATE");
    const std::size_t list_at = index("NODELIST");
    const std::size_t reason_at = index("REASON");
    if (words.size() <= state_at || words.size() <= list_at) {
      form_ = Form::none;
      return;
    }
    DownNode node;
    node.state = std::string(words[state_at]);
    node.kind = slurm::node_state(node.state);
    node.line = number_;
    if (reason_at < words.size() && words[reason_at] != "none") {
      node.reason = std::string(words[reason_at]);
      for (std::size_t i = reason_at + 1; i < words.size(); ++i) node.reason += " " + std::string(words[i]);
    }
    for (const std::string& host : hosts(words[list_at])) {
      states_[host] = node;
    }
  }

  std::vector<std::string> hosts(std::string_view list) {
    auto names = expand_host_list(list, kMaxHosts - expanded_);
    expanded_ += names.size();
    if (expanded_ >= kMaxHosts)
      reading_.note("host lists expand to more names than a cluster has: the rest was not kept");
    return names;
  }

  [[nodiscard]] std::size_t index(std::string_view name) const {
    for (std::size_t i = 0; i < header_.size(); ++i) {
      if (header_[i] == name) return i;
    }
    return SIZE_MAX;
  }

  void tell() {
    for (const auto& [host, node] : reasons_) {
      Speaker who;
      who.node = host;
      reading_.timed_fact(who, "slurm.node_reason", node.reason + " [" + node.set_by + "]", node.since,
                          node.line);
      // The state table may show that the reason is only a remnant, or that the node is really down.
      const auto state = states_.find(host);
      if (state != states_.end() && state->second.kind == slurm::NodeState::fine) continue;
      const bool down = state != states_.end() ? state->second.kind == slurm::NodeState::down
                                               : node.kind == slurm::NodeState::down;
      tell_event(host, node, down);
    }
    for (const auto& [host, node] : states_) {
      Speaker who;
      who.node = host;
      reading_.fact(who, "slurm.node_state", node.state, node.line);
      if (reasons_.contains(host)) continue;
      if (node.kind == slurm::NodeState::down || node.kind == slurm::NodeState::drained) {
        tell_event(host, node, node.kind == slurm::NodeState::down);
      }
    }
    if (saw_reasons_ && reasons_.empty()) reading_.note("sinfo -R lists no node (at its last time)");
  }

  void tell_event(const std::string& host, const DownNode& node, bool down) {
    Speaker who;
    who.node = host;
    Draft draft =
        reading_.event(down ? ReaderEvent::slurm_node_down : ReaderEvent::slurm_node_drained, node.line);
    draft.speaker(who).field("reason", node.reason).field("set_by", node.set_by).time(node.since);
    if (!down && !node.reason.empty()) draft.severity(slurm::severity_of_reason(node.reason));
    if (const auto cause = slurm::cause_in_reason(node.reason)) {
      reading_.event(*cause, node.line).speaker(who).time(node.since);
    }
  }

  Reading& reading_;
  Form form_ = Form::none;
  std::size_t number_ = 0;
  bool saw_reasons_ = false;
  std::size_t expanded_ = 0;
  std::vector<std::string> header_;
  std::map<std::string, DownNode> reasons_;
  std::map<std::string, DownNode> states_;
};

}  // namespace

void read_sinfo(Reading& reading) {
  SinfoReader(reading).run();
}

void read_squeue(Reading& reading) {
  // The last column holds blanks: "(Nodes required for job are DOWN, DRAINED ...)".
  struct Job {
    std::string state;
    std::string where;
    std::size_t line = 0;
  };
  std::map<std::int64_t, Job> jobs;
  bool inside = false;
  for (std::size_t n = 0; n < reading.lines().size(); ++n) {
    const auto words = split_words(reading.lines()[n]);
    if (words.size() >= 8 && words[0] == "JOBID" && words[4] == "ST" && words.back() == "NODELIST(REASON)") {
      inside = true;
      jobs.clear();
      continue;
    }
    if (!inside) continue;
    const auto job = words.size() >= 8 ? slurm::job_number(words[0]) : std::nullopt;
    if (!job) {
      inside = false;
      continue;
    }
    const auto begin = static_cast<std::size_t>(words[7].data() - reading.lines()[n].data());
    jobs[*job] = Job{std::string(words[4]), std::string(trim(reading.lines()[n].substr(begin))), n};
  }
  for (const auto& [id, job] : jobs) {
    const std::string key = "job." + std::to_string(id);
    reading.fact(Speaker{}, key + ".state", job.state, job.line);
    reading.fact(Speaker{}, key + (job.where.starts_with('(') ? ".reason" : ".nodes"), job.where, job.line);
  }
}

}  // namespace faultline::facts
