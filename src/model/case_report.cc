#include "model/case_report.h"

namespace faultline {

std::string_view outcome_name(Outcome outcome) {
  constexpr std::string_view kNames[] = {"unresolved", "terminal", "recovered", "progressed"};
  return kNames[static_cast<std::size_t>(outcome)];
}

std::string_view verdict_name(Verdict verdict) {
  constexpr std::string_view kNames[] = {"fail", "warn", "pass", "info", "unknown"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view confidence_name(Confidence confidence) {
  constexpr std::string_view kNames[] = {"high", "medium", "low", "undecided"};
  return kNames[static_cast<std::size_t>(confidence)];
}

std::string where(const Coverage& coverage, const Evidence& evidence) {
  std::string text =
      evidence.artifact < coverage.rows.size() ? coverage.rows[evidence.artifact].chain : std::string();
  if (evidence.line > 0) text += ":" + std::to_string(evidence.line);
  return text;
}

}  // namespace faultline
