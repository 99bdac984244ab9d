#include "facts/kubernetes_policy.h"

#include <algorithm>
#include <set>
#include <utility>

namespace faultline::facts::kubernetes {
namespace {

constexpr std::pair<std::string_view, std::string_view> kDirections[] = {{"Ingress", "ingress"},
                                                                         {"Egress", "egress"}};

bool has_type(const JsonValue& policy, std::string_view type) {
  const JsonValue* types = policy.at({"spec", "policyTypes"});
  if (types == nullptr) return type == "Ingress";  // the API's default
  return std::any_of(types->items.begin(), types->items.end(),
                     [&](const JsonValue& t) { return t.string == type; });
}

bool selects_all(const JsonValue& policy) {
  const JsonValue* selector = policy.at({"spec", "podSelector"});
  return selector == nullptr || selector->members.empty();
}

// Rules of a direction: none, or an empty list, admits nothing.
bool admits_nothing(const JsonValue& policy, std::string_view direction) {
  const JsonValue* rules = policy.at({"spec", direction});
  return rules == nullptr || rules->items.empty();
}

}  // namespace

void judge_policies(Reading& reading, const std::vector<const JsonValue*>& policies) {
  // Namespace and direction of which some policy admits something.
  std::set<std::pair<std::string_view, std::string_view>> admitted;
  for (const JsonValue* policy : policies) {
    for (const auto& [type, direction] : kDirections) {
      if (has_type(*policy, type) && !admits_nothing(*policy, direction)) {
        admitted.emplace(policy->text_at({"metadata", "namespace"}), direction);
      }
    }
  }
  for (const JsonValue* policy : policies) {
    const std::string_view name = policy->text_at({"metadata", "name"});
    const std::string_view space = policy->text_at({"metadata", "namespace"});
    const JsonValue* named = policy->at({"metadata", "name"});
    const std::size_t line = reading.lines().at_offset(named != nullptr ? named->offset : policy->offset);
    for (const auto& [type, direction] : kDirections) {
      if (!has_type(*policy, type)) continue;
      const bool nothing = admits_nothing(*policy, direction);
      const std::string scoped = std::string(space) + "/" + std::string(name);
      reading.fact(
          Speaker{}, "network_policy." + scoped + "." + std::string(direction),
          std::string(nothing ? "admits nothing" : "restricted") + (selects_all(*policy) ? ", all pods" : ""),
          line);
      if (!nothing || !selects_all(*policy)) continue;
      if (admitted.contains({space, direction})) continue;
      reading
          .event(ReaderEvent::kubernetes_network_policy, line,
                 named != nullptr ? named->offset : policy->offset)
          .speaker(Speaker{})
          .field("policy", name)
          .field("direction", direction);
    }
  }
}

}  // namespace faultline::facts::kubernetes
