// The text report: one screen of coverage and verdict first, the ground it stands on below.
#include "report/report.h"
#include "report/text_parts.h"

namespace faultline::report {

Style style_of(Tag tag) {
  constexpr Style kStyles[] = {Style::fail, Style::warn, Style::pass, Style::info, Style::unknown};
  return kStyles[static_cast<std::size_t>(tag)];
}

std::string to_text(const CaseReport& report, const TextOptions& options) {
  Page page(options.width, options.color);
  write_coverage_line(report, page);
  write_verdict(report, page);
  if (options.quiet) return page.take();
  write_findings(report, page);
  write_checks(report, page);
  write_versions(report, page);
  write_timeline(report, page);
  write_coverage(report, page);
  write_collect(report, page);
  write_commands(report, page);
  page.blank();
  std::string made = "faultline " + report.tool_version;
  if (!report.pack_hash.empty()) made += ", patterns " + report.pack_hash;
  page.paragraph(0, made, Style::dim);
  return page.take();
}

}  // namespace faultline::report
