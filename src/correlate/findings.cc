#include "correlate/findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "correlate/episodes.h"

namespace faultline::correlate {
namespace {

Instance instance_of(const Event& event) {
  return {event.speaker, event.gpu, event.nic, event.time, event.fields, event.evidence, event.repeats};
}

// Entity and the values that tell kinds of one pattern apart: each combination is shown once before any
// repeats.
std::string show_first_key(const Event& e) {
  std::string key = e.speaker.node + "\x1f" + e.speaker.pod + "\x1f" + e.speaker.container + "\x1f" +
                    std::to_string(e.speaker.rank) + "\x1f" + e.gpu;
  for (const auto& [name, value] : e.fields) {
    if (std::holds_alternative<std::string>(value) || name == "xid" || name == "sxid")
      key += "\x1f" + field_text(value);
  }
  return key;
}

std::vector<std::size_t> choose_instances(const std::vector<std::size_t>& members,
                                          const std::vector<Event>& events) {
  if (members.size() <= kMaxInstances) return members;
  std::set<std::string> shown;
  std::set<std::size_t> chosen;
  for (const std::size_t i : members) {
    if (chosen.size() < kMaxInstances && shown.insert(show_first_key(events[i])).second) chosen.insert(i);
  }
  for (const std::size_t i : members) {
    if (chosen.size() < kMaxInstances) chosen.insert(i);
  }
  return {chosen.begin(), chosen.end()};
}

void describe(Finding& finding, const Event& event, const PatternSet& patterns,
              std::span<const ReaderEventInfo> readers) {
  finding.kind = event.kind;
  finding.pattern = event.pattern;
  finding.severity = event.severity;
  finding.role = event.role;
  finding.scope = event.scope;
  if (event.index != Event::kNoPattern && event.index < patterns.patterns.size()) {
    const Pattern& p = patterns.patterns[event.index];
    finding.status = p.status;
    finding.title = p.title;
    finding.meaning = p.meaning;
    finding.next = p.next;
    finding.reference = p.reference;
    return;
  }
  const auto row = std::find_if(readers.begin(), readers.end(),
                                [&](const ReaderEventInfo& r) { return r.id == event.pattern; });
  if (row == readers.end()) return;
  finding.title = row->title;
  finding.meaning = row->meaning;
  finding.next = row->next;
  finding.reference = row->reference;
}

}  // namespace

std::vector<Finding> make_findings(const std::vector<Event>& events, const std::vector<bool>& copies,
                                   const PatternSet& patterns,
                                   std::span<const ReaderEventInfo> reader_events) {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < events.size(); ++i) groups[{events[i].pattern, events[i].kind}].push_back(i);
  std::vector<Finding> findings;
  for (auto& [key, members] : groups) {
    std::stable_sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
      if (copies[a] != copies[b]) return !copies[a];
      return occurs_before(events[a], events[b]);
    });
    Finding finding;
    describe(finding, events[members.front()], patterns, reader_events);
    if (finding.title.empty()) finding.title = finding.kind;
    for (const std::size_t i : members) {
      const Event& event = events[i];
      if (!copies[i]) finding.count += event.repeats;
      // A reader may judge one state graver than another of the same form: the finding is as grave as its
      // worst.
      finding.severity = std::min(finding.severity, event.severity);
      if (event.role == Role::cause) finding.role = Role::cause;
      if (!event.time.wall()) continue;
      if (!finding.first.known() || event.time.ns < finding.first.ns) finding.first = event.time;
      if (!finding.last.known() || event.time.ns > finding.last.ns) finding.last = event.time;
    }
    for (const std::size_t i : choose_instances(members, events))
      finding.instances.push_back(instance_of(events[i]));
    findings.push_back(std::move(finding));
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    const auto when = [](const Finding& f) { return f.first.known() ? f.first.ns : INT64_MAX; };
    return std::tuple(a.severity, a.role, when(a), a.pattern) <
           std::tuple(b.severity, b.role, when(b), b.pattern);
  });
  for (std::size_t i = 0; i < findings.size(); ++i) findings[i].id = static_cast<std::uint32_t>(i + 1);
  return findings;
}

}  // namespace faultline::correlate
