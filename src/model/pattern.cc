#include "model/pattern.h"

namespace faultline {

std::string_view severity_name(Severity severity) {
  constexpr std::string_view kNames[] = {"P0", "P1", "P2"};
  return kNames[static_cast<std::size_t>(severity)];
}

std::string_view role_name(Role role) {
  constexpr std::string_view kNames[] = {"cause", "cascade", "confirmation", "context", "benign", "progress"};
  return kNames[static_cast<std::size_t>(role)];
}

std::string_view scope_name(Scope scope) {
  constexpr std::string_view kNames[] = {"cluster", "node", "gpu", "nic", "rank", "process", "pod"};
  return kNames[static_cast<std::size_t>(scope)];
}

}  // namespace faultline
