// How a cause is found.
//
// Every episode of the incident is a candidate cause (role cause, or a confirmation that itself proves a
// death) or a symptom. Edges from the packs say what can explain what; place and time say whether it did
// (incidents.cc).
//   1. A candidate that another candidate explains is demoted: it is a link of the chain, not its head.
//   2. The heads left over are ranked: what explains symptoms before what explains none, P0 before P1, what
//      came first before what came later. A P2 head leads only when it explains something. A head after which
//      the job went on is not the one that ended it.
//   3. Confidence counts reasons: symptoms explained, order known from clocks or lines, a witness of another
//      source (confirmation), no rival. A rival that cannot be ordered lowers it; with symptoms alone the
//      verdict is undecided, and says what could explain them and what is missing.
// Example: Xid 79 on one node at 10:00, watchdog lines of all other nodes at 10:10 with ran=600 s. gpu_xid
// has an edge to collective_timeout; the effective start 10:00 is not before the Xid; the Xid is the head,
// the timeouts its chain, confidence high.
#include "correlate/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "correlate/candidates.h"
#include "correlate/chain.h"
#include "correlate/incidents.h"
#include "correlate/place.h"

namespace faultline::correlate {
namespace {

// Episodes of one incident that are judged pairwise; the rest go where their like goes.
constexpr std::size_t kMaxPairs = 2000;

std::vector<std::size_t> bounded(std::vector<std::size_t> members) {
  if (members.size() > kMaxPairs) members.resize(kMaxPairs);
  return members;
}

class Diagnosis {
 public:
  Diagnosis(const std::vector<std::size_t>& members, const Bundle& bundle)
      : all_(members), members_(bounded(members)), b_(bundle), candidates_(members_, bundle) {}

  std::optional<Incident> run() {
    Incident incident;
    set_window(incident);
    const std::vector<Candidate>& heads = candidates_.ranked();
    if (!symptoms_present() && heads.empty()) return std::nullopt;
    if (!heads.empty() && candidates_.nameable(heads.front()))
      name_cause(incident, heads.front());
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
  const Event& first_event(std::size_t i) const { return b_.first_event(i); }

  [[nodiscard]] bool symptoms_present() const {
    return std::any_of(members_.begin(), members_.end(), [&](std::size_t i) {
      return (episode(i).role == Role::cascade || episode(i).role == Role::confirmation) &&
             episode(i).severity != Severity::p2;
    });
  }

  void name_cause(Incident& incident, const Candidate& best) {
    const Episode& e = episode(best.episode);
    const Finding* finding = b_.finding_of(e);
    const std::vector<std::size_t> heads = heads_of(best);
    const bool own = std::find(heads.begin(), heads.end(), best.episode) != heads.end();
    const std::size_t told = own ? best.episode : heads.front();
    incident.cause = Cause{e.kind, e.pattern, b_.sentence(told), finding == nullptr ? 0 : finding->id};
    incident.culprit = culprit_of(best, heads);
    const auto against = candidates_.rivals(best);
    std::size_t symptoms = 0;
    const std::vector<std::size_t> explained = with_alike(best.explained);
    for (const std::size_t j : explained) symptoms += episode(j).role == Role::cascade ? 1 : 0;
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
          {episode(rival->episode).kind, b_.sentence(rival->episode) + ": not known to come later"});
    }
    build_chain(incident, best.episode, explained);
  }

  void leave_undecided(Incident& incident) {
    incident.confidence = Confidence::undecided;
    std::set<std::string> possible;
    for (const std::size_t i : members_) {
      if (episode(i).role == Role::cascade) possible.merge(b_.edges.possible_causes(episode(i).kind));
    }
    for (const Candidate& c : candidates_.ranked()) {
      incident.alternatives.push_back(
          {episode(c.episode).kind, b_.sentence(c.episode) + ": seen, but not enough to call it the cause"});
    }
    incident.reasons.emplace_back("only symptoms are in evidence; what caused them is not in what was read");
    for (const std::string& kind : possible) {
      if (incident.alternatives.size() >= 8) break;
      incident.alternatives.push_back({kind, "would explain the symptoms; not seen"});
    }
    incident.culprit = where_to_look(members_, b_.events, b_.episodes, b_.identity, incident.reasons);
    Chain chain(b_);
    for (const std::size_t i : all_) chain.add(i);
    chain.move_into(incident);
  }

  std::size_t count_symptoms() const {
    return static_cast<std::size_t>(std::count_if(
        all_.begin(), all_.end(), [&](std::size_t i) { return episode(i).role == Role::cascade; }));
  }

  // Of all heads with the cause's kind and weight, the first is the culprit (a non-fatal Xid of another GPU
  // hours before is not); when their order cannot be told, only what they have in common is named.
  std::vector<std::size_t> heads_of(const Candidate& best) const {
    std::vector<std::size_t> same;
    for (const Candidate& c : candidates_.ranked()) {
      const Episode& head = episode(c.episode);
      const Episode& chosen = episode(best.episode);
      if (head.kind == chosen.kind && head.severity <= chosen.severity) same.push_back(c.episode);
    }
    keep_where_it_hurt(same);
    std::size_t first = same.front();
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
    return same;
  }

  std::optional<Culprit> culprit_of(const Candidate& best, const std::vector<std::size_t>& heads) const {
    std::vector<std::size_t> witnesses;
    for (const std::size_t i : best.explained) {
      if (episode(i).role == Role::cascade && episode(i).kind != "launcher_stopped_peers")
        witnesses.push_back(i);
    }
    std::sort(witnesses.begin(), witnesses.end(),
              [&](std::size_t a, std::size_t b) { return occurs_before(first_event(a), first_event(b)); });
    auto culprit = make_culprit(heads, witnesses, members_, b_.events, b_.episodes, b_.identity);
    if (const std::string gpu = gpu_behind_port(best); culprit && !gpu.empty()) culprit->gpu = gpu;
    return culprit;
  }

  // A fault that need not end anything (a plug-in that does not load) is told of several nodes, and all else
  // that is told of nodes is about one of them: that one.
  void keep_where_it_hurt(std::vector<std::size_t>& heads) const {
    if (episode(heads.front()).severity == Severity::p0) return;
    std::set<std::string> hurt;
    for (const std::size_t i : members_) {
      const Episode& e = episode(i);
      if (e.scope == Scope::node && e.severity != Severity::p2 && e.kind != episode(heads.front()).kind)
        hurt.insert(e.node);
    }
    if (hurt.size() != 1 || hurt.begin()->empty()) return;
    const auto elsewhere = [&](std::size_t i) {
      return !episode(i).node.empty() && episode(i).node != *hurt.begin();
    };
    if (!std::all_of(heads.begin(), heads.end(), elsewhere)) std::erase_if(heads, elsewhere);
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

  // Thousands of ranks say the same thing: what lies beyond the bound is explained as its like is.
  std::vector<std::size_t> with_alike(const std::set<std::size_t>& explained) const {
    std::vector<std::size_t> all(explained.begin(), explained.end());
    std::set<std::string_view> patterns;
    for (const std::size_t i : explained) patterns.insert(episode(i).pattern);
    for (std::size_t i = members_.size(); i < all_.size(); ++i) {
      if (patterns.contains(episode(all_[i]).pattern)) all.push_back(all_[i]);
    }
    return all;
  }

  void build_chain(Incident& incident, std::size_t cause, std::vector<std::size_t> rest) const {
    Chain chain(b_);
    for (const std::size_t i : members_) {
      const auto faults = candidates_.foretold_by(i);
      if (std::find(faults.begin(), faults.end(), cause) != faults.end()) chain.add(i);
    }
    chain.confirm_all();
    chain.add(cause);
    // What has a time, in its order; then the states that documents show, which have none.
    std::stable_sort(rest.begin(), rest.end(), [&](std::size_t a, std::size_t b) {
      const bool timed_a = first_event(a).time.wall();
      const bool timed_b = first_event(b).time.wall();
      if (timed_a != timed_b) return timed_a;
      return occurs_before(first_event(a), first_event(b));
    });
    for (const std::size_t i : rest) chain.add(i);
    chain.move_into(incident);
  }

  void set_window(Incident& incident) const {
    for (const std::size_t i : all_) {
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

  const std::vector<std::size_t>& all_;
  const std::vector<std::size_t> members_;  // of all, those that are judged
  const Bundle& b_;
  const Candidates candidates_;
};

}  // namespace

const Finding* Bundle::finding_of(const Episode& episode) const {
  const auto it = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) {
    return f.pattern == episode.pattern && f.kind == episode.kind;
  });
  return it == findings.end() ? nullptr : &*it;
}

std::string Bundle::sentence(std::size_t i) const {
  const Finding* finding = finding_of(episodes[i]);
  std::string text = finding == nullptr ? episodes[i].kind : finding->title;
  const std::string where = place_text(episodes[i], identity);
  return where.empty() ? text : text + " (" + where + ")";
}

std::optional<Incident> diagnose(const std::vector<std::size_t>& members, const Bundle& bundle) {
  return Diagnosis(members, bundle).run();
}

}  // namespace faultline::correlate
