// `sacct`, fixed width (columns by the row of dashes) or -P/-p (bars).
#include <set>

#include "base/text.h"
#include "facts/columns.h"
#include "facts/slurm_states.h"
#include "facts/text_readers.h"

namespace faultline::facts {
namespace {

struct Record {
  std::string id;
  std::string state;
  std::string exit_code;
  std::string nodes;
  Instant end;
  std::size_t line = 0;
};

class SacctReader {
 public:
  explicit SacctReader(Reading& reading) : reading_(reading) {}

  void run() {
    for (std::size_t n = 0; n < reading_.lines().size(); ++n) {
      const std::string_view line = reading_.lines()[n];
      if (line.find("JobID") != std::string_view::npos && line.find("State") != std::string_view::npos) {
        if (line.find('|') != std::string_view::npos) {
          begin_bars(line);
          continue;
        }
        if (begin_fixed(line, reading_.lines()[n + 1])) {
          ++n;
          continue;
        }
      }
      if (names_.empty()) continue;
      if (trim(line).empty() || !read_row(line, n)) names_.clear();
    }
    judge();
  }

 private:
  void begin_bars(std::string_view line) {
    names_.clear();
    extents_.clear();
    for (const std::string_view name : split(line, '|')) names_.emplace_back(trim(name));
  }

  bool begin_fixed(std::string_view header, std::string_view dashes) {
    if (dashes.find("---") == std::string_view::npos ||
        dashes.find_first_not_of("- \t") != std::string_view::npos)
      return false;
    names_.clear();
    extents_.clear();
    std::size_t at = 0;
    while ((at = dashes.find('-', at)) != std::string_view::npos) {
      std::size_t end = dashes.find(' ', at);
      if (end == std::string_view::npos) end = dashes.size();
      extents_.emplace_back(at, end - at);
      names_.emplace_back(at < header.size() ? trim(header.substr(at, end - at)) : std::string_view{});
      at = end;
    }
    return true;
  }

  bool read_row(std::string_view line, std::size_t n) {
    std::vector<std::string_view> cells;
    if (extents_.empty()) {
      cells = split(line, '|');
    } else {
      for (const auto& [begin, length] : extents_) {
        cells.push_back(begin < line.size() ? trim(line.substr(begin, length)) : std::string_view{});
      }
    }
    Record record;
    record.line = n;
    for (std::size_t i = 0; i < cells.size() && i < names_.size(); ++i) {
      const std::string_view cell = trim(cells[i]);
      if (names_[i] == "JobID" || (names_[i] == "JobIDRaw" && record.id.empty()))
        record.id = std::string(cell);
      if (names_[i] == "State") record.state = std::string(cell);
      if (names_[i] == "ExitCode") record.exit_code = std::string(cell);
      if (names_[i] == "NodeList") record.nodes = std::string(cell);
      if (names_[i] == "End") record.end = reading_.time_of(cell);
    }
    if (!slurm::job_number(record.id) || record.state.empty()) return false;
    records_.push_back(std::move(record));
    return true;
  }

  void judge() {
    std::set<std::int64_t> jobs;
    std::set<std::int64_t> killed_by_step;
    for (const Record& record : records_) {
      const std::int64_t job = *slurm::job_number(record.id);
      jobs.insert(job);
      const bool step = record.id.find('.') != std::string::npos;
      if (step && slurm::end_of_job(record.state) == ReaderEvent::slurm_oom) killed_by_step.insert(job);
    }
    for (const Record& record : records_) {
      const std::int64_t job = *slurm::job_number(record.id);
      const bool step = record.id.find('.') != std::string::npos;
      const std::string key = "job." + record.id;
      reading_.timed_fact(Speaker{}, key + ".state", record.state + " " + record.exit_code, record.end,
                          record.line);
      reading_.fact(Speaker{}, key + ".nodes", record.nodes, record.line);
      const auto id = slurm::end_of_job(record.state);
      if (!id) continue;
      // Steps of a job that was cancelled or ran out of time are cancelled with it; a memory kill is the
      // step's own.
      if (step && *id != ReaderEvent::slurm_oom) continue;
      if (!step && *id == ReaderEvent::slurm_oom && killed_by_step.contains(job)) continue;
      Speaker who;
      if (!record.nodes.empty() && record.nodes.find_first_of("[,") == std::string::npos)
        who.node = record.nodes;
      Draft draft = reading_.event(*id, record.line);
      draft.speaker(who).field("job", job).time(record.end);
      if (step && record.id.find('+') == std::string::npos) draft.field("step", record.id);
      // A list of many jobs is a history: it does not say which one the case is about.
      if (jobs.size() > 1) draft.severity(Severity::p2);
    }
  }

  Reading& reading_;
  std::vector<std::string> names_;
  std::vector<std::pair<std::size_t, std::size_t>> extents_;
  std::vector<Record> records_;
};

}  // namespace

void read_sacct(Reading& reading) {
  SacctReader(reading).run();
}

}  // namespace faultline::facts
