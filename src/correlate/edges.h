#pragma once
// Which finding explains which: edges come from the packs (`explains`, `within`), and for the kinds that fact
// readers make, from a table here. An edge leads from a pattern or kind to a pattern or kind.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "model/pattern.h"

namespace faultline::correlate {

/// Kinds that strike ranks on every node when one rank or node fails (a watchdog storm, a closed store): a
/// cause on another node may explain them. All other kinds are explained only on their own node.
bool strikes_whole_job(std::string_view kind);

class Edges {
 public:
  explicit Edges(const PatternSet& patterns);
  /// Seconds within which `symptom` may follow `cause`; nullopt when nothing joins them.
  [[nodiscard]] std::optional<std::int64_t> within(std::string_view cause_pattern,
                                                   std::string_view cause_kind,
                                                   std::string_view symptom_pattern,
                                                   std::string_view symptom_kind) const;
  /// Kinds with an edge to this kind: what could explain a symptom.
  [[nodiscard]] std::set<std::string> possible_causes(std::string_view symptom_kind) const;

 private:
  void add(const std::string& from, const std::string& to, std::int64_t within_s);
  std::map<std::string, std::map<std::string, std::int64_t, std::less<>>, std::less<>> targets_;
  std::map<std::string, std::string, std::less<>> kind_of_pattern_;
};

}  // namespace faultline::correlate
