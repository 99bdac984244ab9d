#include "correlate/candidates.h"

#include <algorithm>

#include "correlate/incidents.h"

namespace faultline::correlate {
namespace {

constexpr std::int64_t kWrapperLines = 40;  // a Python traceback with its C++ frames is rarely longer

bool reports_to_python(const std::string& kind) {
  for (const char* prefix :
       {"nccl_", "store_", "connection_", "rendezvous_", "cuda_", "peer_", "efa_", "ib_", "shm_",
        "collective_", "address_", "name_resolution_", "p2p_", "duplicate_", "topology_"}) {
    if (kind.starts_with(prefix)) return kind != "nccl_init_complete";
  }
  return false;
}

bool can_lead(const Episode& e) {
  if (e.role == Role::cause) return true;
  return e.role == Role::confirmation && e.severity == Severity::p0;
}

}  // namespace

Candidates::Candidates(const std::vector<std::size_t>& members, const Bundle& bundle)
    : members_(members), b_(bundle) {
  link();
  collect();
  demote();
  for (Candidate& c : candidates_) c.score = score(c);
  std::stable_sort(candidates_.begin(), candidates_.end(), [&](const Candidate& a, const Candidate& b) {
    if (a.score != b.score) return a.score > b.score;
    const auto before = certainly_before(first_event(a.episode), first_event(b.episode));
    if (before.has_value()) return *before;
    return a.episode < b.episode;
  });
}

void Candidates::link() {
  for (const std::size_t i : members_) {
    if (episode(i).role != Role::cause && episode(i).role != Role::confirmation) continue;
    for (const std::size_t j : members_) {
      if (i == j) continue;
      const Link found = link_between(episode(i), episode(j), b_.events, b_.edges);
      if (!found.allowed) continue;
      direct_[i].insert(j);
      if (found.order_known) ordered_.insert({i, j});
    }
  }
}

// Everything downstream of an episode. Confirmations hand on only from causes, so chains stay causal.
std::set<std::size_t> Candidates::reach(std::size_t from) const {
  std::set<std::size_t> seen;
  std::vector<std::size_t> open = {from};
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    const auto row = direct_.find(i);
    if (row == direct_.end()) continue;
    for (const std::size_t j : row->second) {
      if (j != from && seen.insert(j).second) open.push_back(j);
    }
  }
  return seen;
}

void Candidates::collect() {
  for (const std::size_t i : members_) {
    if (!can_lead(episode(i))) {
      // A witness (a System OOM event) leads when nothing better explains what it explains.
      if (episode(i).role != Role::confirmation || !direct_.contains(i)) continue;
    }
    Candidate c;
    c.episode = i;
    c.explained = reach(i);
    for (const std::size_t j : c.explained) {
      if (ordered_.contains({i, j})) ++c.ordered;
      if (episode(j).role == Role::confirmation) ++c.witnesses;
    }
    candidates_.push_back(std::move(c));
  }
}

// What another candidate explains is a link of its chain. Of two that explain each other (no order known) the
// graver, then the earlier line, stays.
bool Candidates::outdone_by(const Candidate& c, const Candidate& d) const {
  if (&c == &d || !d.explained.contains(c.episode)) return false;
  return !c.explained.contains(d.episode) || leads(d.episode, c.episode);
}

void Candidates::demote() {
  for (Candidate& c : candidates_) {
    c.demoted = is_precursor(c) || is_wrapper(c) ||
                std::any_of(candidates_.begin(), candidates_.end(),
                            [&](const Candidate& d) { return outdone_by(c, d); });
  }
  restore_foretold();
  std::erase_if(candidates_, [](const Candidate& c) { return c.demoted; });
}

// The first fault behind a precursor was demoted by it alone: it leads in its place.
void Candidates::restore_foretold() {
  for (Candidate& c : candidates_) {
    if (!c.demoted || episode(c.episode).kind != "gpu_xid") continue;
    c.demoted = std::any_of(candidates_.begin(), candidates_.end(),
                            [&](const Candidate& d) { return !is_precursor(d) && outdone_by(c, d); });
  }
}

// A PCIe error of the GPU that then falls off the bus is how that looks from the port: the driver's Xid
// names the failure, the port's line stands before it in the chain.
std::vector<std::size_t> Candidates::foretold_by(std::size_t i) const {
  std::vector<std::size_t> faults;
  if (episode(i).kind != "pcie_aer" || episode(i).gpu.empty()) return faults;
  for (const std::size_t j : members_) {
    const bool device = episode(j).kind == "gpu_xid" || episode(j).kind == "gpu_lost";
    if (device && episode(j).role == Role::cause && episode(j).gpu == episode(i).gpu &&
        reach(i).contains(j)) {
      faults.push_back(j);
    }
  }
  return faults;
}

// An exception that only hands on what a library reported (NCCL, the store, CUDA) is not the cause; what
// was reported stands a few lines around it.
bool Candidates::is_wrapper(const Candidate& c) const {
  const Episode& e = episode(c.episode);
  if (e.kind != "python_exception") return false;
  const Event& own = first_event(c.episode);
  return std::any_of(members_.begin(), members_.end(), [&](std::size_t j) {
    if (j == c.episode || !reports_to_python(episode(j).kind)) return false;
    const Event& other = first_event(j);
    if (other.evidence.artifact != own.evidence.artifact) return false;
    if (e.rank >= 0 && episode(j).rank >= 0 && e.rank != episode(j).rank) return false;
    const auto apart =
        static_cast<std::int64_t>(other.evidence.line) - static_cast<std::int64_t>(own.evidence.line);
    return apart >= -kWrapperLines && apart <= kWrapperLines / 4;
  });
}

bool Candidates::leads(std::size_t a, std::size_t b) const {
  if (episode(a).severity != episode(b).severity) return episode(a).severity < episode(b).severity;
  const auto before = certainly_before(first_event(a), first_event(b));
  return before.value_or(a < b);
}

int Candidates::score(const Candidate& c) const {
  const Episode& e = episode(c.episode);
  int points = 0;
  const bool explains_symptom = std::any_of(c.explained.begin(), c.explained.end(), [&](std::size_t j) {
    return episode(j).role == Role::cascade || episode(j).role == Role::cause;
  });
  if (explains_symptom) points += 100;
  if (e.severity == Severity::p0) points += 40;
  if (e.severity == Severity::p1) points += 20;
  if (e.role == Role::cause) points += 10;
  if (c.witnesses > 0) points += 5;
  // Of several tellings of one fault (the kernel, an agent, an annotation) the one with a time and a place.
  if (first_event(c.episode).time.wall()) points += 2;
  if (!e.node.empty()) points += 1;
  if (e.outcome == Outcome::progressed || e.outcome == Outcome::recovered) points -= 60;
  return points;
}

bool Candidates::nameable(const Candidate& c) const {
  const Episode& e = episode(c.episode);
  if (e.severity == Severity::p2 || e.needs_symptom) return !c.explained.empty();
  if (e.outcome == Outcome::progressed) return false;
  return true;
}

// Two tellings of one device's failure (a late heartbeat of the firmware, then Xid 119): the less grave one
// blames nothing else.
bool Candidates::same_device(const Episode& other, const Episode& best) const {
  return !best.gpu.empty() && other.gpu == best.gpu && other.node == best.node &&
         other.severity > best.severity;
}

std::vector<const Candidate*> Candidates::rivals(const Candidate& best) const {
  std::vector<const Candidate*> found;
  for (const Candidate& c : candidates_) {
    if (&c == &best || c.score + 60 <= best.score || !nameable(c)) continue;
    if (episode(c.episode).kind == episode(best.episode).kind) continue;
    if (same_device(episode(c.episode), episode(best.episode))) continue;
    if (certainly_before(first_event(best.episode), first_event(c.episode)).value_or(false)) continue;
    found.push_back(&c);
  }
  return found;
}

}  // namespace faultline::correlate
