#include "correlate/chain.h"

#include <algorithm>

namespace faultline::correlate {
namespace {

constexpr std::size_t kMaxChain = 24;

}  // namespace

void Chain::add(std::size_t i) {
  const Episode& e = episode(i);
  const Finding* finding = b_.finding_of(e);
  const std::string label = finding != nullptr && e.rank >= 0 ? finding->title : b_.sentence(i);
  for (ChainLink& have : links_) {
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
  links_.push_back(std::move(link));
}

void Chain::confirm_all() {
  for (ChainLink& link : links_) link.role = Role::confirmation;
}

void Chain::move_into(Incident& incident) {
  bool head = true;
  for (ChainLink& link : links_) {
    std::sort(link.ranks.begin(), link.ranks.end());
    if (link.role != Role::cause) continue;
    if (!head) link.role = Role::confirmation;
    head = false;
  }
  incident.chain_total = links_.size();
  if (links_.size() > kMaxChain) links_.resize(kMaxChain);
  incident.chain = std::move(links_);
}

}  // namespace faultline::correlate
