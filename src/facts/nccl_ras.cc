#include "facts/nccl_ras.h"

#include <map>

#include "base/text.h"
#include "facts/text_readers.h"
#include "facts/versions.h"

namespace faultline::facts {
namespace {

std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t at = text.find(begin);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + begin.size());
  return rest.substr(0, rest.find(end));
}

// Blocks of the sections Errors and Warnings.
enum class Block : std::uint8_t { none, missing, counts, other };

class RasText {
 public:
  explicit RasText(Reading& reading) : reading_(reading) {}

  void run() {
    for (number_ = 0; number_ < reading_.lines().size(); ++number_) {
      const std::string_view line = trim(reading_.lines()[number_]);
      if (line.starts_with("CUDA runtime version ")) {
        tell_version(reading_, "cuda_runtime", between(line, "runtime version ", ","), number_);
        tell_version(reading_, "cuda_driver", between(line, "driver version ", " "), number_);
      } else if (line.empty()) {
        block_ = Block::none;
      } else if (line == "INCOMPLETE" || line == "DEAD" ||
                 (line.starts_with('#') && line.ends_with(" INCOMPLETE"))) {
        block_ = Block::missing;
      } else if (line.starts_with('#') && (line.ends_with(" MISMATCH") || line.ends_with(" ERROR"))) {
        block_ = Block::other;
      } else if (line.starts_with("Communicator ranks have different ")) {
        const std::string_view what = between(line, "different ", " operation counts");
        block_ = line.ends_with("operation counts") ? Block::counts : Block::other;
        operation_ = std::string(what);
        if (block_ == Block::other) reading_.fact("nccl_ras.mismatch", line, number_);
      } else {
        read_row(line);
      }
    }
  }

 private:
  void read_row(std::string_view line) {
    if (block_ == Block::missing) {
      if (const auto rank = ras_rank_in(line))
        tell_rank(reading_.event(ReaderEvent::nccl_ras_missing, number_), *rank);
      return;
    }
    if (block_ != Block::counts) {
      if (block_ == Block::other && line.find("error") != std::string_view::npos)
        reading_.fact("nccl_ras.error", line, number_);
      return;
    }
    // "30 ranks have launched up to operation 712" heads the ranks listed below it.
    const std::string_view count = between(line, "launched up to operation ", " ");
    if (!count.empty()) sequence_ = parse_number<std::int64_t>(count);
    if (line.find("not launched any operations") != std::string_view::npos) sequence_ = 0;
    const auto rank = ras_rank_in(line);
    // The ranks listed below a head ("Rank 12 -- GPU ...") say it better.
    const std::string_view below = trim(reading_.lines()[number_ + 1]);
    const bool listed = below.starts_with("Rank ") && below.find(" -- ") == below.find(' ', 5);
    const bool head = line.find(" ranks have ") != std::string_view::npos && !listed;
    if (!rank && !head) return;
    Draft draft = reading_.event(ReaderEvent::nccl_ras_mismatch, number_);
    draft.field("ops", operation_).field("seqs", sequence_);
    if (rank) tell_rank(draft, *rank);
  }

  Reading& reading_;
  std::size_t number_ = 0;
  Block block_ = Block::none;
  std::string operation_;
  std::optional<std::int64_t> sequence_;
};

RasRank rank_of(const JsonValue& value) {
  RasRank rank;
  if (const JsonValue* number = value.find("rank")) rank.rank = static_cast<std::int32_t>(number->integer);
  if (const JsonValue* pid = value.find("pid")) rank.pid = pid->integer;
  if (const JsonValue* gpu = value.find("cuda_dev")) rank.gpu = gpu->string;
  rank.node = std::string(value.text("host"));
  return rank;
}

// Ranks that differ from most in how many operations of one kind they launched.
void judge_counts(Reading& reading, const JsonValue& ranks) {
  std::map<std::string, std::map<std::int64_t, std::vector<const JsonValue*>>> by_operation;
  for (const JsonValue& rank : ranks.items) {
    const JsonValue* counts = rank.find("collective_counts");
    if (counts == nullptr) continue;
    for (const auto& [operation, count] : counts->members)
      by_operation[operation][count.integer].push_back(&rank);
  }
  constexpr std::size_t kListed = 64;
  for (const auto& [operation, groups] : by_operation) {
    if (groups.size() < 2) continue;
    std::size_t largest = 0;
    for (const auto& [count, members] : groups) largest = std::max(largest, members.size());
    for (const auto& [count, members] : groups) {
      const bool most = members.size() == largest;
      std::size_t listed = 0;
      for (const JsonValue* member : members) {
        if (++listed > (most ? 1 : kListed)) break;
        const std::size_t line = reading.lines().at_offset(member->offset);
        Draft draft = reading.event(ReaderEvent::nccl_ras_mismatch, line, member->offset);
        draft.field("ops", operation).field("seqs", count);
        if (!most) tell_rank(draft, rank_of(*member));
      }
    }
  }
}

}  // namespace

std::optional<RasRank> ras_rank_in(std::string_view line) {
  RasRank out;
  const auto number = [](std::string_view text) { return parse_number<std::int64_t>(text); };
  if (line.starts_with("Rank ")) {
    const auto rank = number(between(line, "Rank ", " "));
    if (!rank || *rank > INT32_MAX) return std::nullopt;
    out.rank = static_cast<std::int32_t>(*rank);
    out.gpu = std::string(between(line, "GPU ", " "));
    out.pid = number(between(line, "process ", " ")).value_or(-1);
  } else if (line.starts_with("Process ")) {
    const auto pid = number(between(line, "Process ", " "));
    if (!pid || line.find(" on node ") == std::string_view::npos) return std::nullopt;
    out.pid = *pid;
    out.gpu = std::string(between(line, "managing GPU ", " "));
  } else {
    return std::nullopt;
  }
  out.node = std::string(between(line, " on node ", " "));
  return out;
}

void tell_rank(Draft draft, const RasRank& rank) {
  Speaker who;
  who.rank = rank.rank;
  who.node = rank.node;
  who.pid = rank.pid;
  draft.speaker(who).gpu(rank.gpu);
}

void read_nccl_ras(Reading& reading) {
  RasText(reading).run();
}

bool read_ras_document(Reading& reading, const JsonValue& value) {
  const JsonValue* communicators = value.find("communicators");
  if (communicators == nullptr || value.find("nccl_version") == nullptr) return false;
  const auto line = [&](const JsonValue& v) { return reading.lines().at_offset(v.offset); };
  for (const auto& [key, component] : {std::pair<std::string_view, std::string_view>{"nccl_version", "nccl"},
                                       {"cuda_runtime_version", "cuda_runtime"},
                                       {"cuda_driver_version", "cuda_driver"}}) {
    if (const JsonValue* version = value.find(key))
      tell_version(reading, component, version->string, line(*version));
  }
  for (const JsonValue& communicator : communicators->items) {
    if (const JsonValue* missing = communicator.find("missing_ranks")) {
      for (const JsonValue& rank : missing->items) {
        tell_rank(reading.event(ReaderEvent::nccl_ras_missing, line(rank), rank.offset), rank_of(rank));
      }
    }
    if (const JsonValue* ranks = communicator.find("ranks")) {
      for (const JsonValue& rank : ranks->items) {
        const RasRank who = rank_of(rank);
        reading.join(NameJoin::Entity::rank_node, std::to_string(who.rank), who.node, line(rank));
      }
      judge_counts(reading, *ranks);
    }
  }
  return true;
}

}  // namespace faultline::facts
