#include "facts/kubernetes_policy.h"

#include <algorithm>

namespace faultline::facts::kubernetes {
namespace {

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
  for (const JsonValue* policy : policies) {
    const std::string_view name = policy->text_at({"metadata", "name"});
    const std::string_view space = policy->text_at({"metadata", "namespace"});
    const JsonValue* named = policy->at({"metadata", "name"});
    const std::size_t line = reading.lines().at_offset(named != nullptr ? named->offset : policy->offset);
    for (const auto& [type, direction] :
         {std::pair<std::string_view, std::string_view>{"Ingress", "ingress"},
          std::pair<std::string_view, std::string_view>{"Egress", "egress"}}) {
      if (!has_type(*policy, type)) continue;
      const bool nothing = admits_nothing(*policy, direction);
      const std::string scoped = std::string(space) + "/" + std::string(name);
      reading.fact(
          Speaker{}, "network_policy." + scoped + "." + std::string(direction),
          std::string(nothing ? "admits nothing" : "restricted") + (selects_all(*policy) ? ", all pods" : ""),
          line);
      if (!nothing || !selects_all(*policy)) continue;
      const bool another_admits = std::any_of(policies.begin(), policies.end(), [&](const JsonValue* other) {
        return other != policy && other->text_at({"metadata", "namespace"}) == space &&
               has_type(*other, type) && !admits_nothing(*other, direction);
      });
      if (another_admits) continue;
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
