#include "correlate/clocks.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "base/text.h"

namespace faultline::correlate {
namespace {

constexpr std::int64_t kDay = 86400 * kSecond;

// The same month, day and time of day in another year (February 29th becomes March 1st).
std::int64_t in_other_year(std::int64_t ns, int years) {
  using namespace std::chrono;
  const sys_days day = floor<days>(sys_time<nanoseconds>(nanoseconds(ns)));
  const year_month_day date(day);
  const std::int64_t in_day = ns - duration_cast<nanoseconds>(day.time_since_epoch()).count();
  const auto month = static_cast<unsigned>(date.month());
  const auto day_of_month = static_cast<unsigned>(date.day());
  return days_from_civil(static_cast<int>(date.year()) + years, month, day_of_month) * kDay + in_day;
}

// What makes two kernel lines the same message, whatever clock they were stamped with.
std::string message_key(const Event& event) {
  std::string key = event.pattern;
  for (const auto& [name, value] : event.fields) key += "\x1f" + name + "=" + field_text(value);
  return key;
}

using BootMoments = std::map<std::string, std::int64_t>;  // node -> epoch ns of boot

// dmesg is often collected twice, once with boot-relative and once with wall times. The k-th line of a
// message in one view is the k-th in the other; the median difference is the boot moment, and one node gets
// one only when the differences agree (several boots in one log do not).
BootMoments boot_moments(const Evidences& evidences, const Identity& identity) {
  struct Views {
    std::vector<std::int64_t> boot, wall;
  };
  std::map<std::pair<std::string, std::string>, std::map<ArtifactIndex, Views>> messages;
  for (const Event& event : evidences.events) {
    if (!event.time.known() || event.time.source == Instant::Source::inherited) continue;
    Views& views =
        messages[{identity.node_name(event.speaker.node), message_key(event)}][event.evidence.artifact];
    (event.time.wall() ? views.wall : views.boot).push_back(event.time.ns);
  }
  std::map<std::string, std::vector<std::int64_t>> differences;
  for (const auto& [key, by_artifact] : messages) {
    for (const auto& [a, boot_view] : by_artifact) {
      for (const auto& [b, wall_view] : by_artifact) {
        if (boot_view.boot.empty() || boot_view.boot.size() != wall_view.wall.size()) continue;
        for (std::size_t i = 0; i < boot_view.boot.size(); ++i) {
          differences[key.first].push_back(wall_view.wall[i] - boot_view.boot[i]);
        }
      }
    }
  }
  BootMoments moments;
  for (auto& [node, values] : differences) {
    std::sort(values.begin(), values.end());
    if (values.back() - values.front() <= 5 * kSecond) moments[node] = values[values.size() / 2];
  }
  for (const Fact& fact : evidences.facts) {
    if (fact.key != "node.boot_time") continue;
    if (const auto seconds = parse_number<std::int64_t>(fact.value)) {
      moments.emplace(identity.node_name(fact.subject.node), *seconds * kSecond);
    }
  }
  return moments;
}

// A stamp without year was given the year of the file's time. Where lines of the same file print a year,
// theirs is the better one: of the years around, the one that brings the stamp nearest to such a line.
std::set<ArtifactIndex> take_years_of_neighbours(Evidences& evidences) {
  std::map<ArtifactIndex, std::int64_t> printed;  // the last stamp with a year
  for (const Event& event : evidences.events) {
    if (!event.time.wall() || event.time.year_inferred) continue;
    std::int64_t& last = printed[event.evidence.artifact];
    last = std::max(last, event.time.ns);
  }
  std::set<ArtifactIndex> settled;
  for (Event& event : evidences.events) {
    const auto known = printed.find(event.evidence.artifact);
    if (!event.time.wall() || !event.time.year_inferred || known == printed.end()) continue;
    settled.insert(event.evidence.artifact);
    std::int64_t best = event.time.ns;
    for (int years = -60; years <= 60; ++years) {
      const std::int64_t moved = in_other_year(event.time.ns, years);
      if (std::abs(moved - known->second) < std::abs(best - known->second)) best = moved;
    }
    event.time.ns = best;
  }
  return settled;
}

// When the collection says when it was made, events after that moment belong to an earlier year.
void correct_years(Evidences& evidences, const Identity& identity) {
  const std::set<ArtifactIndex> settled = take_years_of_neighbours(evidences);
  std::map<std::string, std::int64_t> collected;
  std::int64_t latest = 0;
  for (const Fact& fact : evidences.facts) {
    if (fact.key != "collection.time" || !fact.time.wall()) continue;
    collected[identity.node_name(fact.subject.node)] = fact.time.ns;
    latest = std::max(latest, fact.time.ns);
  }
  if (latest == 0) return;
  for (Event& event : evidences.events) {
    if (!event.time.wall() || !event.time.year_inferred || settled.contains(event.evidence.artifact))
      continue;
    const auto own = collected.find(identity.node_name(event.speaker.node));
    const std::int64_t reference = own == collected.end() ? latest : own->second;
    for (int i = 0; i < 100 && event.time.ns > reference + kDay; ++i)
      event.time.ns = in_other_year(event.time.ns, -1);
    for (int i = 0; i < 100 && in_other_year(event.time.ns, 1) <= reference + kDay; ++i) {
      event.time.ns = in_other_year(event.time.ns, 1);
    }
  }
}

}  // namespace

void align_clocks(Evidences& evidences, const Identity& identity) {
  correct_years(evidences, identity);
  const BootMoments moments = boot_moments(evidences, identity);
  for (Event& event : evidences.events) {
    if (event.time.base != Instant::Base::boot) continue;
    const auto moment = moments.find(identity.node_name(event.speaker.node));
    if (moment == moments.end()) continue;
    event.time.ns += moment->second;
    event.time.base = Instant::Base::epoch;
    event.time.source = Instant::Source::joined;
    event.time.precision_ns = std::max(event.time.precision_ns, kSecond);
  }
}

std::optional<bool> certainly_before(const Event& a, const Event& b) {
  if (a.evidence.artifact == b.evidence.artifact && a.evidence.line > 0 && b.evidence.line > 0 &&
      (!a.time.wall() || !b.time.wall() || a.time.source == Instant::Source::inherited ||
       b.time.source == Instant::Source::inherited)) {
    return a.evidence.line < b.evidence.line;
  }
  if (a.time.wall() && b.time.wall()) {
    // Clocks of cluster nodes agree to well below a second; the second is for the log's own delay.
    const std::int64_t slack = a.speaker.node == b.speaker.node ? 0 : kSecond;
    if (a.time.ns + a.time.precision_ns + slack <= b.time.ns) return true;
    if (b.time.ns + b.time.precision_ns + slack <= a.time.ns) return false;
  }
  if (a.evidence.artifact == b.evidence.artifact) return a.evidence.line < b.evidence.line;
  return std::nullopt;
}

std::optional<double> seconds_between(const Instant& a, const Instant& b) {
  if (!a.wall() || !b.wall()) return std::nullopt;
  return static_cast<double>(b.ns - a.ns) / static_cast<double>(kSecond);
}

}  // namespace faultline::correlate
