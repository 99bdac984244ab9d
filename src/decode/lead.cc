#include "decode/lead.h"

#include <set>

#include "base/text.h"
#include "decode/peel_parts.h"

namespace faultline::decode {
namespace {

constexpr std::size_t kSample = 96;
constexpr std::size_t kLongestHead = 300;
constexpr std::size_t kFewest = 6;

struct Votes {
  std::size_t lines = 0;
  std::size_t numbers = 0;
  std::size_t ascending = 0;  // numbers that are one to three more than the one before
  std::size_t hosts = 0;
  std::size_t pods = 0;
  std::int64_t last = -1;
  std::set<std::string_view> names;
};

// The line behind what a container runtime or kubectl put before it: labels of launchers stand there.
std::string_view behind_runtime(std::string_view line, const PeelContext& context) {
  Peeling p(line, context);
  const bool stamp = line.size() > 20 && is_digit(line.front()) && line[10] == 'T';
  if (peel_kubectl(p) || (stamp && !peel_cri(p))) {
    if (!p.text.empty() && is_digit(p.text.front())) peel_iso(p);
  }
  return p.logged ? line : p.text;
}

void vote(std::string_view line, Votes& votes) {
  ++votes.lines;
  if (const auto label = read_number_label(line)) {
    ++votes.numbers;
    if (label->value > votes.last && label->value <= votes.last + 3) ++votes.ascending;
    votes.last = label->value;
  } else if (const auto host = read_host_label(line)) {
    ++votes.hosts;
    votes.names.insert(line.substr(0, *host));
  } else if (const auto pod = read_pod_words(line)) {
    ++votes.pods;
    votes.names.insert(pod->pod);
  }
}

}  // namespace

Lead sample_lead(std::string_view text, const PeelContext& context) {
  Votes votes;
  std::size_t seen = 0;
  for_each_line(text, [&](std::uint64_t, std::string_view line) {
    const std::string_view head = behind_runtime(line.substr(0, kLongestHead), context);
    if (!trim(head).empty()) vote(head, votes);
    return ++seen < kSample;
  });
  if (votes.lines < kFewest) return Lead::unknown;
  const auto most = [&](std::size_t n) { return n * 10 >= votes.lines * 9; };
  if (most(votes.numbers))
    return votes.ascending * 10 >= votes.numbers * 8 ? Lead::line_numbers : Lead::task_labels;
  // Names of many kinds are no label: a label repeats.
  const bool repeats = votes.names.size() * 3 <= votes.lines;
  if (most(votes.hosts) && repeats) return Lead::host_labels;
  if (most(votes.pods) && repeats) return Lead::pod_container;
  return Lead::unknown;
}

}  // namespace faultline::decode
