#include "correlate/versions.h"

#include <algorithm>
#include <map>
#include <set>

namespace faultline::correlate {
namespace {

std::string subject_of(const Speaker& speaker, const Identity& identity) {
  if (!speaker.pod.empty()) return speaker.pod;
  if (!speaker.node.empty()) return identity.node_name(speaker.node);
  if (speaker.rank >= 0) return "rank " + std::to_string(speaker.rank);
  return "unknown";
}

// What a job prints describes its container (or its environment on the host); what tools and the kernel
// print, the host.
std::string scope_of_component(const std::string& component, bool from_job) {
  if (component == "nvidia_driver" || component == "kernel" || component == "kubelet" || component == "dcgm")
    return "host";
  return from_job ? "container" : "host";
}

}  // namespace

std::vector<VersionRow> collect_versions(const Evidences& evidences, const Identity& identity) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::set<std::string>>> table;
  for (const Event& event : evidences.events) {
    if (event.kind != "software_version") {
      if (const auto it = event.fields.find("nccl_version"); it != event.fields.end()) {
        table[{"nccl", "container"}][field_text(it->second)].insert(subject_of(event.speaker, identity));
      }
      continue;
    }
    for (const auto& [component, value] : event.fields) {
      table[{component, scope_of_component(component, true)}][field_text(value)].insert(
          subject_of(event.speaker, identity));
    }
  }
  for (const Fact& fact : evidences.facts) {
    if (!fact.key.starts_with("version.") || fact.value.empty()) continue;
    const std::string component = fact.key.substr(8);
    const std::string scope = scope_of_component(component, !fact.subject.pod.empty());
    table[{component, scope}][fact.value].insert(subject_of(fact.subject, identity));
  }
  std::vector<VersionRow> rows;
  for (const auto& [key, values] : table) {
    VersionRow row;
    row.component = key.first;
    row.scope = key.second;
    for (const auto& [value, subjects] : values)
      row.values.push_back({value, {subjects.begin(), subjects.end()}});
    // The minority first: that is what one looks at.
    std::stable_sort(row.values.begin(), row.values.end(), [](const VersionValue& a, const VersionValue& b) {
      return a.subjects.size() < b.subjects.size();
    });
    std::set<std::string> prints;
    for (const VersionValue& v : row.values) prints.insert(v.value.substr(0, v.value.find('+')));
    row.skew = prints.size() > 1;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace faultline::correlate
