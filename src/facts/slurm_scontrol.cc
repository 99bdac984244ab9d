// `scontrol show node|job` (Key=Value pairs, blocks split by blank lines) and `scontrol ping`.
#include <map>

#include "base/text.h"
#include "facts/columns.h"
#include "facts/slurm_states.h"
#include "facts/text_readers.h"

namespace faultline::facts {
namespace {

struct Pair {
  std::string value;
  std::size_t line = 0;
};

class ScontrolReader {
 public:
  explicit ScontrolReader(Reading& reading) : reading_(reading) {}

  void run() {
    for (std::size_t n = 0; n < reading_.lines().size(); ++n) {
      const std::string_view line = trim(reading_.lines()[n]);
      if (line.starts_with("NodeName=") || line.starts_with("JobId=")) {
        finish();
        open_ = true;
      }
      if (line.starts_with("Slurmctld(") && line.find(" is ") != std::string_view::npos) read_ping(line, n);
      if (!open_) continue;
      if (line.empty()) {
        finish();
      } else {
        read_pairs(line, n);
      }
    }
    finish();
  }

 private:
  void read_ping(std::string_view line, std::size_t n) {
    const std::size_t at = line.rfind(" is ");
    reading_.fact(Speaker{}, "slurm.controller." + std::string(line.substr(10, line.find(')') - 10)),
                  line.substr(at + 4), n);
  }

  void read_pairs(std::string_view line, std::size_t n) {
    // Reason, Comment and Command hold blanks and end their line.
    for (const std::string_view last : {"Reason=", "Comment=", "Command=", "Extra="}) {
      if (line.starts_with(last) && pairs_.size() < 256) {
        if (last == "Reason=" && pairs_.contains("JobState"))
          break;  // a job's Reason is one word among others
        pairs_.insert_or_assign(std::string(last.substr(0, last.size() - 1)),
                                Pair{std::string(line.substr(last.size())), n});
        return;
      }
    }
    for (const std::string_view word : split_words(line)) {
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos || pairs_.size() >= 256) continue;
      pairs_.insert_or_assign(std::string(word.substr(0, equals)),
                              Pair{std::string(word.substr(equals + 1)), n});
    }
  }

  [[nodiscard]] const Pair* find(std::string_view key) const {
    const auto at = pairs_.find(key);
    return at == pairs_.end() ? nullptr : &at->second;
  }
  [[nodiscard]] std::string_view value(std::string_view key) const {
    const Pair* pair = find(key);
    return pair == nullptr || pair->value == "(null)" ? std::string_view{} : std::string_view(pair->value);
  }

  void finish() {
    if (open_ && find("NodeName") != nullptr) {
      judge_node();
    } else if (open_ && find("JobId") != nullptr) {
      judge_job();
    }
    open_ = false;
    pairs_.clear();
  }

  void fact(const Speaker& who, std::string_view name, std::string_view key) {
    if (const Pair* pair = find(key); pair != nullptr && pair->value != "(null)") {
      reading_.timed_fact(who, name, pair->value, reading_.time_of(pair->value), pair->line);
    }
  }

  void judge_node() {
    using Entity = NameJoin::Entity;
    Speaker who;
    who.node = std::string(value("NodeName"));
    const std::size_t head = find("NodeName")->line;
    fact(who, "slurm.node_state", "State");
    fact(who, "node.boot_time", "BootTime");
    fact(who, "slurm.slurmd_start_time", "SlurmdStartTime");
    fact(who, "slurm.gres", "Gres");
    fact(who, "slurm.real_memory_mb", "RealMemory");
    fact(who, "node.instance_id", "InstanceId");
    fact(who, "node.instance_type", "InstanceType");
    for (const std::string_view key : {"NodeAddr", "NodeHostName", "InstanceId"}) {
      reading_.join(Entity::node, who.node, value(key), head);
    }
    std::string_view reason = value("Reason");
    std::string_view set_by;
    Instant since;
    // "Reason=text [root@2026-01-01T10:11:12]"
    if (const std::size_t open = reason.rfind(" [");
        open != std::string_view::npos && reason.ends_with(']')) {
      const std::string_view who_when = reason.substr(open + 2, reason.size() - open - 3);
      const std::size_t at = who_when.find('@');
      set_by = who_when.substr(0, at);
      if (at != std::string_view::npos) since = reading_.time_of(who_when.substr(at + 1));
      reason = trim(reason.substr(0, open));
    }
    if (!reason.empty()) {
      reading_.timed_fact(who, "slurm.node_reason", std::string(reason) + " [" + std::string(set_by) + "]",
                          since, find("Reason")->line);
    }
    const Pair* state = find("State");
    if (state == nullptr) return;
    const slurm::NodeState kind = slurm::node_state(state->value);
    if (kind != slurm::NodeState::down && kind != slurm::NodeState::drained) return;
    const bool down = kind == slurm::NodeState::down;
    Draft draft = reading_.event(down ? ReaderEvent::slurm_node_down : ReaderEvent::slurm_node_drained,
                                 reason.empty() ? state->line : find("Reason")->line);
    draft.speaker(who).field("reason", reason).field("set_by", set_by).time(since);
    if (!down) draft.severity(slurm::severity_of_reason(reason));
    if (const auto cause = slurm::cause_in_reason(reason)) {
      reading_.event(*cause, find("Reason")->line).speaker(who).time(since);
    }
  }

  void judge_job() {
    const auto job = slurm::job_number(value("JobId"));
    if (!job) return;
    const std::string key = "job." + std::to_string(*job);
    const Speaker nobody;
    for (const auto& [name, pair] : {std::pair<std::string_view, std::string_view>{".state", "JobState"},
                                     {".reason", "Reason"},
                                     {".nodes", "NodeList"},
                                     {".exit_code", "ExitCode"},
                                     {".start", "StartTime"},
                                     {".end", "EndTime"},
                                     {".time_limit", "TimeLimit"},
                                     {".name", "JobName"},
                                     {".batch_host", "BatchHost"},
                                     {".restarts", "Restarts"}}) {
      fact(nobody, key + std::string(name), pair);
    }
    const Pair* state = find("JobState");
    if (state == nullptr) return;
    if (const auto id = slurm::end_of_job(state->value)) {
      reading_.event(*id, state->line)
          .speaker(nobody)
          .field("job", *job)
          .time(reading_.time_of(value("EndTime")));
    }
  }

  Reading& reading_;
  bool open_ = false;
  std::map<std::string, Pair, std::less<>> pairs_;
};

}  // namespace

void read_scontrol(Reading& reading) {
  ScontrolReader(reading).run();
}

}  // namespace faultline::facts
