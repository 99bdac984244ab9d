#pragma once
// How values read in a report: numbers, times, places, ranks and lists. Nothing here escapes; that is the
// door's.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/case_report.h"

namespace faultline::report {

/// "1,234,567"
std::string grouped(std::uint64_t number);
/// "1 artifact", "2 artifacts"
std::string counted(std::uint64_t number, std::string_view noun, std::string_view plural = {});
/// "12.3 MB" (powers of 1000)
std::string byte_text(std::uint64_t bytes);
/// "2026-01-01T00:00:00Z", "boot+123.456s", "(no time)"; "~" before it when year or zone were assumed.
std::string time_text(const Instant& time);
/// "0-6,8-15" of ranks in any order, repeats dropped.
/// The two ends of a chain that tell most, when it is long: `case.zip!a/workers_i-0abc.tar.gz!b/c/kern.log:7`
/// is "workers_i-0abc.tar.gz!.../kern.log:7".
std::string short_place(std::string_view place);
std::string folded_ranks(std::vector<std::int32_t> ranks);
/// "a, b, c and 4 more"
std::string listed(const std::vector<std::string>& items, std::size_t most);
/// "references/x.md#7" -> "references/x.md § 7"
std::string reference_text(std::string_view reference);
/// What the instance is about: "node a, pod b, rank 3, GPU 0000:3b:00"; "" when nothing is known.
std::string subject_text(std::string_view kind, const Speaker& speaker, std::string_view gpu,
                         std::string_view nic);

/// The word in front of a finding: a fault that progress has passed is a warning, context is information.
enum class Tag { fail, warn, pass, info, unknown };
Tag tag_of(const Finding& finding);
Tag tag_of(Verdict verdict);
std::string_view tag_text(Tag tag);  ///< "[FAIL]"

/// One line: what was read, what was cut, skipped, missing.
std::string coverage_line(const Coverage& coverage);

/// What was looked at, a row a family of artifacts, empty families too: the ground of every statement about
/// absence.
struct Looked {
  std::string what;             ///< "kernel logs"
  std::uint64_t artifacts = 0;  ///< read in whole or in part
  std::uint64_t cut = 0;        ///< of these, in part
  std::uint64_t lost = 0;       ///< skipped, though they would have been read
  std::uint64_t bytes = 0;
  std::vector<std::string> nodes;
  Instant first;
  Instant last;
};
std::vector<Looked> looked_at(const Coverage& coverage);

}  // namespace faultline::report
