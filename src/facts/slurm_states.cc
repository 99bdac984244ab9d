#include "facts/slurm_states.h"

#include <algorithm>

#include "base/text.h"

namespace faultline::facts::slurm {
namespace {

bool any_of_words(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return icontains(text, word); });
}

}  // namespace

NodeState node_state(std::string_view word) {
  bool planned = false;
  bool down = false;
  bool drained = false;
  for (std::string_view part : split(word, '+')) {
    // ~ powered down, # powering up, ! and % powering down, $ maintenance, @ and ^ reboot, - planned.
    while (!part.empty() && std::string_view("*~#!%$@^-").find(part.back()) != std::string_view::npos) {
      if (part.back() != '*') planned = true;
      part.remove_suffix(1);
    }
    const std::string state = lower(part);
    if (state == "down") down = true;
    if (state == "drain" || state == "drained" || state == "draining" || state == "drng" || state == "fail" ||
        state == "failing" || state == "failg" || state == "inval") {
      drained = true;
    }
    if (state.starts_with("reboot") || state.starts_with("power") || state == "maint" ||
        state == "maintenance" || state == "boot" || state == "planned" || state == "future") {
      planned = true;
    }
  }
  if (planned) return NodeState::planned;
  if (down) return NodeState::down;
  return drained ? NodeState::drained : NodeState::fine;
}

bool reason_says_down(std::string_view reason) {
  return any_of_words(reason, {"not responding", "unexpectedly reboot", "ResumeTimeout reached"});
}

Severity severity_of_reason(std::string_view reason) {
  // A failure word wins over a planned one: "gpu error, reboot".
  if (any_of_words(reason,
                   {"fail", "error", "gpu", "xid", "ecc", "nvlink", "hardware", "bad", "Action:", "kill task",
                    "Low ", "gres", "duplicate", "disk", "memory", "hang", "dead", "broken", "unhealthy"})) {
    return Severity::p1;
  }
  if (any_of_words(reason, {"reboot", "update", "upgrade", "maint", "planned", "reserv", "patch", "drain for",
                            "test"})) {
    return Severity::p2;
  }
  return Severity::p1;
}

std::optional<ReaderEvent> cause_in_reason(std::string_view reason) {
  if (reason.find("gres/gpu count") != std::string_view::npos ||
      reason.find("gres/gpu: count") != std::string_view::npos) {
    return ReaderEvent::slurm_gres;
  }
  for (const std::string_view head : {"Low RealMemory", "Low socket*core", "Low CPUs", "Low TmpDisk"}) {
    if (reason.starts_with(head)) return ReaderEvent::slurm_config;
  }
  for (const std::string_view head :
       {"Prolog error", "Epilog error", "Prolog/Epilog failur", "Prolog failed", "Epilog failed"}) {
    if (reason.starts_with(head)) return ReaderEvent::slurm_prolog;
  }
  return std::nullopt;
}

std::optional<ReaderEvent> end_of_job(std::string_view state) {
  if (state.starts_with("OUT_OF_ME") || state == "OOM") return ReaderEvent::slurm_oom;
  if (state == "TIMEOUT" || state == "TO" || state == "DEADLINE") return ReaderEvent::slurm_time_limit;
  if (state.starts_with("CANCELLED") || state == "CA") return ReaderEvent::slurm_cancelled;
  if (state.starts_with("PREEMPTED") || state == "PR" || state == "REQUEUED")
    return ReaderEvent::slurm_preempted;
  if (state.starts_with("NODE_FAIL") || state == "NF") return ReaderEvent::slurm_node_fail;
  return std::nullopt;
}

std::optional<std::int64_t> job_number(std::string_view id) {
  std::size_t digits = 0;
  while (digits < id.size() && id[digits] >= '0' && id[digits] <= '9') ++digits;
  if (digits < id.size() && id[digits] != '.' && id[digits] != '_' && id[digits] != '+' &&
      id[digits] != '(') {
    return std::nullopt;
  }
  return parse_number<std::int64_t>(id.substr(0, digits));
}

}  // namespace faultline::facts::slurm
