// Findings by priority, the questions that were asked, and versions.
#include <algorithm>
#include <set>

#include "report/text_parts.h"

namespace faultline::report {
namespace {

constexpr std::size_t kInstances = 3;  // of a cause, on different nodes and GPUs where there are; else one
constexpr std::size_t kBody = 7;       // column under the tag

struct Subjects {
  std::set<std::string> nodes;
  std::set<std::string> pods;
  std::set<std::string> gpus;
  std::vector<std::int32_t> ranks;
};

Subjects subjects_of(const Finding& finding) {
  Subjects subjects;
  for (const Instance& instance : finding.instances) {
    if (!instance.speaker.node.empty()) subjects.nodes.insert(instance.speaker.node);
    if (!instance.speaker.pod.empty()) subjects.pods.insert(instance.speaker.pod);
    if (!instance.gpu.empty()) subjects.gpus.insert(instance.gpu);
    if (instance.speaker.rank >= 0) subjects.ranks.push_back(instance.speaker.rank);
  }
  return subjects;
}

std::string plural_list(std::string_view one, const std::set<std::string>& names) {
  if (names.empty()) return {};
  return std::string(one) + (names.size() > 1 ? "s " : " ") +
         listed(std::vector<std::string>(names.begin(), names.end()), 6);
}

void write_instance(std::string_view kind, const Instance& instance, const CaseReport& report, Page& page) {
  std::string head = time_text(instance.time);
  const std::string subject = subject_text(kind, instance.speaker, instance.gpu, instance.nic);
  if (!subject.empty()) head += "  " + subject;
  if (instance.repeats > 1) head += "  (" + grouped(instance.repeats) + " times)";
  page.paragraph(kBody, head);
  if (!instance.evidence.text.empty()) page.item(kBody, "|", 2, instance.evidence.text, Style::dim);
  const std::string place = where(report.coverage, instance.evidence);
  if (!place.empty()) page.paragraph(kBody + 2, place, Style::dim);
}

// Twenty-four ranks that say the same are one line and a list; a cause is shown on each of its places.
std::vector<const Instance*> chosen(const Finding& finding, Tag tag) {
  const bool brief = tag == Tag::info || finding.role == Role::cascade;
  const std::size_t most = brief ? 1 : kInstances;
  std::vector<const Instance*> picked;
  std::set<std::pair<std::string, std::string>> places;
  for (const Instance& instance : finding.instances) {
    if (picked.size() < most && places.emplace(instance.speaker.node, instance.gpu).second)
      picked.push_back(&instance);
  }
  for (const Instance& instance : finding.instances) {
    if (picked.size() >= most) break;
    if (std::find(picked.begin(), picked.end(), &instance) == picked.end()) picked.push_back(&instance);
  }
  return picked;
}

void write_finding(const Finding& finding, const CaseReport& report, Page& page) {
  const Tag tag = tag_of(finding);
  page.item(0, tag_text(tag), kBody, std::string(severity_name(finding.severity)) + "  " + finding.title,
            style_of(tag), Style::strong);
  std::string facts = finding.pattern.empty() ? finding.kind : finding.pattern;
  facts += ", " + std::string(role_name(finding.role)) + ", " + counted(finding.count, "time");
  if (finding.status == Status::trial) facts += ", trial pattern: never ranked first";
  if (tag == Tag::fail || tag == Tag::warn) facts += ", " + std::string(outcome_name(finding.outcome));
  page.paragraph(kBody, facts);
  const Subjects subjects = subjects_of(finding);
  std::string who;
  for (const std::string& part :
       {plural_list("node", subjects.nodes), plural_list("pod", subjects.pods),
        plural_list(device_word(finding.kind), subjects.gpus),
        subjects.ranks.empty() ? std::string() : "ranks " + folded_ranks(subjects.ranks)}) {
    if (!part.empty()) who += (who.empty() ? "" : "; ") + part;
  }
  if (!who.empty() && finding.instances.size() > 1) page.paragraph(kBody, who);
  const std::vector<const Instance*> shown = chosen(finding, tag);
  for (const Instance* instance : shown) write_instance(finding.kind, *instance, report, page);
  if (shown.size() < finding.instances.size())
    page.paragraph(
        kBody, counted(finding.instances.size() - shown.size(), "further instance") + ": see --format json",
        Style::dim);
  if (tag != Tag::info) {
    if (!finding.meaning.empty()) page.item(kBody, "Means", 7, finding.meaning);
    if (!finding.next.empty()) page.item(kBody, "Next", 7, finding.next);
  }
  if (!finding.reference.empty()) page.item(kBody, "->", 3, reference_text(finding.reference));
}

void write_check(const CheckResult& check, const CaseReport& report, Page& page) {
  const Tag tag = tag_of(check.verdict);
  const std::size_t body = tag == Tag::unknown ? tag_text(tag).size() + 1 : kBody;
  page.item(0, tag_text(tag), body,
            std::string(severity_name(check.severity)) + "  " + check.id + ": " + check.title, style_of(tag));
  if (!check.subjects.empty()) page.paragraph(kBody, "on " + listed(check.subjects, 8));
  const std::size_t shown = std::min(check.evidence.size(), kInstances);
  for (std::size_t i = 0; i < shown; ++i) {
    if (!check.evidence[i].text.empty()) page.item(kBody, "|", 2, check.evidence[i].text, Style::dim);
    const std::string place = where(report.coverage, check.evidence[i]);
    if (!place.empty()) page.paragraph(kBody + 2, place, Style::dim);
  }
  if (shown < check.evidence.size())
    page.paragraph(kBody, counted(check.evidence.size() - shown, "further place") + ": see --format json",
                   Style::dim);
  if (tag == Tag::unknown) return;  // how to collect stands once for all of them, in its own part
  if (!check.collect.empty()) page.item(kBody, "Collect", 9, check.collect);
  if (!check.reference.empty() && tag != Tag::pass)
    page.item(kBody, "->", 3, reference_text(check.reference));
}

void write_checks_of(Verdict verdict, const CaseReport& report, Page& page) {
  for (const CheckResult& check : report.checks) {
    if (check.verdict == verdict) write_check(check, report, page);
  }
}

}  // namespace

void write_findings(const CaseReport& report, Page& page) {
  if (report.findings.empty()) return;
  page.heading("FINDINGS");
  bool first = true;
  for (const Finding& finding : report.findings) {
    if (!first) page.blank();
    first = false;
    write_finding(finding, report, page);
  }
}

void write_checks(const CaseReport& report, Page& page) {
  if (report.checks.empty()) return;
  page.heading("CHECKS");
  for (const Verdict verdict : {Verdict::fail, Verdict::warn, Verdict::unknown, Verdict::info})
    write_checks_of(verdict, report, page);
  std::vector<std::string> passed;
  for (const CheckResult& check : report.checks) {
    if (check.verdict == Verdict::pass) passed.push_back(check.id);
  }
  if (!passed.empty()) page.item(0, "[PASS]", kBody, listed(passed, passed.size()), Style::pass);
}

void write_versions(const CaseReport& report, Page& page) {
  if (report.versions.empty()) return;
  page.heading("VERSIONS");
  for (const bool skew : {true, false}) {
    for (const VersionRow& row : report.versions) {
      if (row.skew != skew) continue;
      const std::string name = row.component + (row.scope.empty() ? "" : " (" + row.scope + ")");
      bool first = true;
      for (const VersionValue& value : row.values) {
        std::string text = value.value;
        if (!value.subjects.empty() && (skew || row.values.size() > 1)) {
          text += " on " + listed(value.subjects, 6);
        } else if (!value.subjects.empty()) {
          text += " (" + grouped(value.subjects.size()) + ")";
        }
        page.item(0, first ? (skew ? "[WARN] " : "       ") + name : "", 34, text,
                  skew ? Style::warn : Style::plain);
        first = false;
      }
    }
  }
}

}  // namespace faultline::report
