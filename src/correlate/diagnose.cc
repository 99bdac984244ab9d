// How a cause is found.
//
// Every episode of the incident is a candidate cause (role cause, or a confirmation that itself proves a
// death) or a symptom. Edges from the packs say what can explain what; place and time say whether it did
// (incidents.cc).
//   1. A candidate that another candidate explains is demoted: it is a link of the chain, not its head.
//   2. The heads left over are ranked: what explains symptoms, before what explains none; P0 before P1; what
//   came
//      first, before what came later. A P2 head can lead only when it explains something. A head after which
//      the job went on is not the one that ended it.
//   3. Confidence counts reasons: symptoms explained, order known from clocks or lines, a witness of another
//   source
//      (confirmation), no rival. A rival that cannot be ordered lowers it; with symptoms alone the verdict is
//      undecided, and says what could explain them and what is missing.
// Example: Xid 79 on one node at 10:00, watchdog lines of all other nodes at 10:10 with ran=600 s. gpu_xid
// has an edge to collective_timeout; the effective start 10:00 is not before the Xid; the Xid is the head,
// the timeouts its chain, confidence high.
#include "correlate/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "correlate/incidents.h"
#include "correlate/place.h"

namespace faultline::correlate {
namespace {

constexpr std::size_t kMaxChain = 24;
constexpr std::size_t kMaxPairs =
    2000;  // episodes of one incident that are judged pairwise; the rest are counted

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

struct Candidate {
  std::size_t episode = 0;
  std::set<std::size_t> explained;  // episodes of the incident, reached over one or more edges
  std::size_t ordered = 0;          // of those, how many are known to come later
  std::size_t witnesses = 0;        // confirmations among them
  bool demoted = false;
  int score = 0;
};

class Diagnosis {
 public:
  Diagnosis(const std::vector<std::size_t>& members, const Bundle& bundle) : members_(members), b_(bundle) {
    if (members_.size() > kMaxPairs) members_.resize(kMaxPairs);
  }

  std::optional<Incident> run() {
    link();
    rank();
    Incident incident;
    set_window(incident);
    if (!symptoms_present() && candidates_.empty()) return std::nullopt;
    if (!candidates_.empty() && nameable(candidates_.front()))
      name_cause(incident, candidates_.front());
    else
      leave_undecided(incident);
    incident.stall_start = stall_start(members_, b_.events, b_.episodes);
    if (incident.stall_start.known()) {
      incident.reasons.push_back("stall start is the line time minus the elapsed time of the watchdog lines");
    }
    note_missing(incident);
    return incident;
  }

 private:
  const Episode& episode(std::size_t i) const { return b_.episodes[i]; }
  const Event& first_event(std::size_t i) const { return b_.events[episode(i).events.front()]; }

  [[nodiscard]] bool symptoms_present() const {
    return std::any_of(members_.begin(), members_.end(), [&](std::size_t i) {
      return (episode(i).role == Role::cascade || episode(i).role == Role::confirmation) &&
             episode(i).severity != Severity::p2;
    });
  }

  void link() {
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
  std::set<std::size_t> reach(std::size_t from) const {
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

  void rank() {
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
    for (Candidate& c : candidates_) {
      for (const Candidate& d : candidates_) {
        if (&c == &d || !d.explained.contains(c.episode)) continue;
        // Two that explain each other (no order known): the graver, then the earlier line, stays.
        if (c.explained.contains(d.episode) && !leads(d.episode, c.episode)) continue;
        c.demoted = true;
      }
    }
    for (Candidate& c : candidates_) {
      if (is_precursor(c) || is_wrapper(c)) c.demoted = true;
    }
    restore_precursed();
    std::erase_if(candidates_, [](const Candidate& c) { return c.demoted; });
    for (Candidate& c : candidates_) c.score = score(c);
    std::stable_sort(candidates_.begin(), candidates_.end(), [&](const Candidate& a, const Candidate& b) {
      if (a.score != b.score) return a.score > b.score;
      const auto before = certainly_before(first_event(a.episode), first_event(b.episode));
      if (before.has_value()) return *before;
      return a.episode < b.episode;
    });
  }

  // A PCIe error of the GPU that then falls off the bus is how that looks from the port: the driver's Xid
  // names the failure, the port's line stands before it in the chain.
  bool is_precursor(const Candidate& c) const { return !precursed_by(c.episode).empty(); }

  std::vector<std::size_t> precursed_by(std::size_t i) const {
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

  // The first fault behind a precursor was demoted by it alone: it leads in its place.
  void restore_precursed() {
    for (Candidate& c : candidates_) {
      if (!c.demoted || episode(c.episode).kind != "gpu_xid") continue;
      std::size_t others = 0;
      for (const Candidate& d : candidates_) {
        if (&c == &d || !d.explained.contains(c.episode) || is_precursor(d)) continue;
        if (c.explained.contains(d.episode) && !leads(d.episode, c.episode)) continue;
        ++others;
      }
      if (others == 0) c.demoted = false;
    }
  }

  // An exception that only hands on what a library reported (NCCL, the store, CUDA) is not the cause; what
  // was reported stands a few lines around it.
  bool is_wrapper(const Candidate& c) const {
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

  bool leads(std::size_t a, std::size_t b) const {
    if (episode(a).severity != episode(b).severity) return episode(a).severity < episode(b).severity;
    const auto before = certainly_before(first_event(a), first_event(b));
    return before.value_or(a < b);
  }

  int score(const Candidate& c) const {
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

  bool nameable(const Candidate& c) const {
    const Episode& e = episode(c.episode);
    if (e.severity == Severity::p2 || e.needs_symptom) return !c.explained.empty();
    if (e.outcome == Outcome::progressed) return false;
    return true;
  }

  // Two tellings of one device's failure (a late heartbeat of the firmware, then Xid 119): the less grave one
  // blames nothing else.
  bool same_device(const Episode& other, const Episode& best) const {
    return !best.gpu.empty() && other.gpu == best.gpu && other.node == best.node &&
           other.severity > best.severity;
  }

  // Heads of another kind that rank as high and cannot be told to be later.
  std::vector<const Candidate*> rivals(const Candidate& best) const {
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

  void name_cause(Incident& incident, const Candidate& best) {
    const Episode& e = episode(best.episode);
    const Finding* finding = b_.finding_of(e);
    incident.cause = Cause{e.kind, e.pattern, sentence(best.episode), finding == nullptr ? 0 : finding->id};
    incident.culprit = culprit_of(best);
    const auto against = rivals(best);
    std::size_t symptoms = 0;
    for (const std::size_t j : best.explained) symptoms += episode(j).role == Role::cascade ? 1 : 0;
    if (symptoms > 0)
      incident.reasons.push_back(
          fmt::format("explains {} of the {} symptoms in evidence", symptoms, count_symptoms()));
    if (best.ordered > 0)
      incident.reasons.push_back(fmt::format("known to come before {} of them", best.ordered));
    if (best.witnesses > 0)
      incident.reasons.push_back(fmt::format("{} other finding(s) confirm it", best.witnesses));
    if (against.empty())
      incident.reasons.emplace_back("no other cause in evidence that could come before it");
    if (symptoms == 0)
      incident.reasons.emplace_back("no symptom in the files hangs on it; it stands by itself");
    int level = 1;                                  // low
    if (against.empty()) ++level;                   // medium
    if (best.ordered > 0 && symptoms > 0) ++level;  // high, or medium with a rival
    if (e.outcome == Outcome::recovered && level > 2) level = 2;
    if (b_.finding_of(e) != nullptr && b_.finding_of(e)->status == Status::trial) level = 1;
    incident.confidence = level >= 3 ? Confidence::high : level == 2 ? Confidence::medium : Confidence::low;
    for (const Candidate* rival : against) {
      incident.alternatives.push_back(
          {episode(rival->episode).kind, sentence(rival->episode) + ": not known to come later"});
    }
    build_chain(incident, best);
  }

  void leave_undecided(Incident& incident) {
    incident.confidence = Confidence::undecided;
    std::set<std::string> possible;
    for (const std::size_t i : members_) {
      if (episode(i).role == Role::cascade) possible.merge(b_.edges.possible_causes(episode(i).kind));
    }
    for (const Candidate& c : candidates_) {
      incident.alternatives.push_back(
          {episode(c.episode).kind, sentence(c.episode) + ": seen, but not enough to call it the cause"});
    }
    incident.reasons.emplace_back("only symptoms are in evidence; what caused them is not in what was read");
    for (const std::string& kind : possible) {
      if (incident.alternatives.size() >= 8) break;
      incident.alternatives.push_back({kind, "would explain the symptoms; not seen"});
    }
    incident.culprit = where_to_look(members_, b_.events, b_.episodes, b_.identity, incident.reasons);
    for (const std::size_t i : members_) append_link(incident, i);
    incident.chain_total = incident.chain.size();
    if (incident.chain.size() > kMaxChain) incident.chain.resize(kMaxChain);
  }

  std::size_t count_symptoms() const {
    return static_cast<std::size_t>(std::count_if(
        members_.begin(), members_.end(), [&](std::size_t i) { return episode(i).role == Role::cascade; }));
  }

  // Of all heads with the cause's kind and weight, the first is the culprit (a non-fatal Xid of another GPU
  // hours before is not); when their order cannot be told, only what they have in common is named.
  std::optional<Culprit> culprit_of(const Candidate& best) const {
    std::vector<std::size_t> same;
    for (const Candidate& c : candidates_) {
      const Episode& head = episode(c.episode);
      const Episode& chosen = episode(best.episode);
      if (head.kind == chosen.kind && head.severity <= chosen.severity) same.push_back(c.episode);
    }
    std::size_t first = best.episode;
    for (const std::size_t i : same) {
      if (occurs_before(first_event(i), first_event(first))) first = i;
    }
    const bool order_known = std::all_of(same.begin(), same.end(), [&](std::size_t i) {
      return i == first || certainly_before(first_event(first), first_event(i)).value_or(false);
    });
    // The same failure told twice (by slurmstepd and by srun): parts that only one of them names add up.
    const Episode& e = episode(first);
    const bool placed = !e.node.empty() || !e.pod.empty() || !e.gpu.empty() || e.rank >= 0;
    if (order_known && placed) same = {first};
    std::vector<std::size_t> witnesses;
    for (const std::size_t i : best.explained) {
      if (episode(i).role == Role::cascade && episode(i).kind != "launcher_stopped_peers")
        witnesses.push_back(i);
    }
    std::sort(witnesses.begin(), witnesses.end(),
              [&](std::size_t a, std::size_t b) { return occurs_before(first_event(a), first_event(b)); });
    auto culprit = make_culprit(same, witnesses, members_, b_.events, b_.episodes, b_.identity);
    if (const std::string gpu = gpu_behind_port(best); culprit && !gpu.empty()) culprit->gpu = gpu;
    return culprit;
  }

  // A PCIe port reports the failure of the link to a device below it; the driver then says which GPU is gone.
  std::string gpu_behind_port(const Candidate& best) const {
    if (episode(best.episode).kind != "pcie_aer") return {};
    std::string gpu;
    for (const std::size_t i : best.explained) {
      const Episode& e = episode(i);
      if ((e.kind != "gpu_xid" && e.kind != "gpu_lost") || e.severity != Severity::p0 || e.gpu.empty())
        continue;
      if (!gpu.empty() && gpu != e.gpu) return {};
      gpu = e.gpu;
    }
    return gpu;
  }

  std::string sentence(std::size_t i) const {
    const Finding* finding = b_.finding_of(episode(i));
    std::string text = finding == nullptr ? episode(i).kind : finding->title;
    const std::string where = place_text(episode(i), b_.identity);
    return where.empty() ? text : text + " (" + where + ")";
  }

  // Ranks that say the same thing are one link, and so are the copies of one thing told by several sources.
  void append_link(Incident& incident, std::size_t i) const {
    const Episode& e = episode(i);
    const Finding* finding = b_.finding_of(e);
    const std::string label = finding != nullptr && e.rank >= 0 ? finding->title : sentence(i);
    for (ChainLink& have : incident.chain) {
      if (finding == nullptr || (have.finding != finding->id && have.label != label)) continue;
      const bool by_rank = e.rank >= 0 && !have.ranks.empty();
      if (!by_rank && have.label != label) continue;
      if (by_rank && std::find(have.ranks.begin(), have.ranks.end(), e.rank) == have.ranks.end()) {
        have.ranks.push_back(e.rank);
      }
      return;
    }
    ChainLink link;
    link.role = e.role;
    link.label = label;
    link.finding = finding == nullptr ? 0 : finding->id;
    link.time = first_event(i).time;
    link.evidence = first_event(i).evidence;
    if (e.rank >= 0) link.ranks.push_back(e.rank);
    incident.chain.push_back(std::move(link));
  }

  void build_chain(Incident& incident, const Candidate& best) const {
    std::vector<std::size_t> before;
    for (const std::size_t i : members_) {
      const auto faults = precursed_by(i);
      if (std::find(faults.begin(), faults.end(), best.episode) != faults.end()) before.push_back(i);
    }
    for (const std::size_t i : before) append_link(incident, i);
    for (ChainLink& link : incident.chain) link.role = Role::confirmation;
    append_link(incident, best.episode);
    // What has a time, in its order; then the states that documents show, which have none.
    std::vector<std::size_t> rest(best.explained.begin(), best.explained.end());
    std::stable_sort(rest.begin(), rest.end(), [&](std::size_t a, std::size_t b) {
      const bool timed_a = first_event(a).time.wall();
      const bool timed_b = first_event(b).time.wall();
      if (timed_a != timed_b) return timed_a;
      return occurs_before(first_event(a), first_event(b));
    });
    for (const std::size_t i : rest) append_link(incident, i);
    bool head = true;
    for (ChainLink& link : incident.chain) {
      std::sort(link.ranks.begin(), link.ranks.end());
      if (link.role != Role::cause) continue;
      if (!head) link.role = Role::confirmation;
      head = false;
    }
    incident.chain_total = incident.chain.size();
    if (incident.chain.size() > kMaxChain) incident.chain.resize(kMaxChain);
  }

  void set_window(Incident& incident) const {
    for (const std::size_t i : members_) {
      const Instant first = first_event(i).time;
      const Instant last = b_.events[episode(i).events.back()].time;
      if (!first.wall() || !last.wall()) continue;
      if (!incident.begin.known() || first.ns < incident.begin.ns) incident.begin = first;
      if (!incident.end.known() || last.ns > incident.end.ns) incident.end = last;
    }
  }

  // What the collection lacks that could have decided.
  void note_missing(Incident& incident) const {
    for (const MissingInput& input : b_.coverage.missing)
      incident.missing.push_back(input.what + ": " + input.why);
    if (incident.confidence == Confidence::high) return;
    const bool kernel =
        std::any_of(b_.coverage.rows.begin(), b_.coverage.rows.end(), [](const CoverageRow& row) {
          return row.state != CoverageRow::State::skipped &&
                 (row.kind == ArtifactKind::dmesg || row.kind == ArtifactKind::kernel_log ||
                  row.kind == ArtifactKind::syslog || row.kind == ArtifactKind::kmsg ||
                  row.kind == ArtifactKind::journal_text || row.kind == ArtifactKind::journal_binary ||
                  row.kind == ArtifactKind::journal_export || row.kind == ArtifactKind::journal_json);
        });
    if (!kernel)
      incident.missing.emplace_back(
          "no kernel log of any node (collect: sudo dmesg -T, journalctl -k -o short-iso)");
    std::set<std::int32_t> spoke;
    std::int32_t world = 0;
    for (const Event& event : b_.events) {
      if (event.speaker.rank >= 0) spoke.insert(event.speaker.rank);
      if (const auto n = event.fields.find("nranks"); n != event.fields.end()) {
        if (const auto* v = std::get_if<std::int64_t>(&n->second); v != nullptr && *v > 0 && *v < 1'000'000) {
          world = std::max(world, static_cast<std::int32_t>(*v));
        }
      }
    }
    if (world > 1 && !spoke.empty()) {
      std::vector<std::int32_t> silent;
      for (std::int32_t r = 0; r < world; ++r) {
        if (!spoke.contains(r)) silent.push_back(r);
      }
      if (!silent.empty())
        incident.missing.push_back("no line of ranks " + fold_ranks(silent) + " of " + std::to_string(world));
    }
  }

  std::vector<std::size_t> members_;
  const Bundle& b_;
  std::map<std::size_t, std::set<std::size_t>> direct_;
  std::set<std::pair<std::size_t, std::size_t>> ordered_;
  std::vector<Candidate> candidates_;
};

}  // namespace

const Finding* Bundle::finding_of(const Episode& episode) const {
  const auto it = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) {
    return f.pattern == episode.pattern && f.kind == episode.kind;
  });
  return it == findings.end() ? nullptr : &*it;
}

std::optional<Incident> diagnose(const std::vector<std::size_t>& members, const Bundle& bundle) {
  return Diagnosis(members, bundle).run();
}

}  // namespace faultline::correlate
