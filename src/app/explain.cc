#include "app/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/text.h"
#include "facts/facts.h"
#include "packs/embedded.h"

namespace faultline::app {
namespace {

constexpr std::string_view kSection = "\u00a7";

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

void append_reference(std::string& out, const std::string& reference) {
  const std::string section = runbook_section(reference);
  if (!section.empty()) out += "\n" + section;
}

std::string about_pattern(const Pattern& p) {
  std::string out = fmt::format("{}  {}\n", p.id, p.title);
  out += fmt::format("kind {}, severity {}, role {}, about a {}\n\n", p.kind, severity_name(p.severity),
                     role_name(p.role), scope_name(p.scope));
  out += fmt::format("Meaning: {}\nNext:    {}\n", p.meaning, p.next);
  if (!p.explains.empty()) {
    out += fmt::format("Explains: {} (within {} s)\n", joined(p.explains), p.within_s);
  }
  out += "Printed by: " + p.source + "\n\nLines it matches:\n";
  for (const PatternExample& hit : p.hits) out += "  " + printable(hit.line) + "\n";
  out += "Lines it does not match:\n";
  for (const PatternExample& miss : p.misses)
    out += fmt::format("  {}\n    ({})\n", printable(miss.line), miss.why);
  out += "\n-> " + p.reference + "\n";
  append_reference(out, p.reference);
  return out;
}

std::string about_reader_event(const ReaderEventInfo& e) {
  std::string out = fmt::format(
      "{}  {}\nkind {}, severity {}, role {}\n\nMeaning: {}\nNext:    {}\n\n-> {}\n", e.id, e.title, e.kind,
      severity_name(e.severity), role_name(e.role), e.meaning, e.next, e.reference);
  append_reference(out, std::string(e.reference));
  return out;
}

// More slips than this in one word are another word.
constexpr std::size_t kTypos = 3;

// Letters to add, drop or change until one word is the other; `limit` when there are that many or more.
std::size_t typos_between(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= limit) return limit;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (lower(a.substr(i, 1)) == lower(b.substr(j, 1)) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return std::min(row.back(), limit);
}

}  // namespace

std::string runbook_section(std::string_view reference) {
  // Packs write FILE#N; reports print "FILE § N", and that is what people paste.
  std::size_t mark = reference.find('#');
  std::size_t number = mark + 1;
  if (mark == std::string_view::npos) {
    mark = reference.find(kSection);
    number = mark + kSection.size();
  }
  if (mark == std::string_view::npos) return {};
  std::string path(trim(reference.substr(0, mark)));
  if (path.find('/') == std::string::npos) path = "references/" + path;
  const std::string head = fmt::format("## {}.", trim(reference.substr(number)));
  for (const packs::EmbeddedFile& file : packs::embedded_files()) {
    if (file.path != path) continue;
    std::string section;
    bool inside = false;
    for_each_line(file.content, [&](std::uint64_t, std::string_view line) {
      if (line.starts_with("## ")) {
        if (inside) return false;
        inside = line.starts_with(head);
      }
      if (inside) section.append(line).append("\n");
      return true;
    });
    return section;
  }
  return {};
}

Result<std::string> explain(const PatternSet& patterns, const std::string& asked) {
  const std::string id(trim(asked));
  for (const Pattern& pattern : patterns.patterns) {
    if (iequals(pattern.id, id)) return about_pattern(pattern);
  }
  for (const ReaderEventInfo& event : facts::reader_events()) {
    if (iequals(event.id, id)) return about_reader_event(event);
  }
  if (std::string section = runbook_section(id); !section.empty()) return section;
  std::string of_kind, near;
  std::string_view nearest;  // by spelling, among ids and kinds
  std::size_t distance = std::min(kTypos, id.size() / 3) + 1;
  const auto compare = [&](std::string_view name) {
    const std::size_t d = typos_between(name, id, distance);
    if (d < distance) {
      distance = d;
      nearest = name;
    }
  };
  for (const Pattern& pattern : patterns.patterns) {
    const std::string row =
        fmt::format("  {:<40} {} {}\n", pattern.id, severity_name(pattern.severity), pattern.title);
    if (iequals(pattern.kind, id)) of_kind += row;
    if (!id.empty() && (icontains(pattern.id, id) || icontains(pattern.title, id))) near += row;
    compare(pattern.id);
    compare(pattern.kind);
  }
  for (const ReaderEventInfo& event : facts::reader_events()) {
    if (iequals(event.kind, id))
      of_kind += fmt::format("  {:<40} {} {}\n", event.id, severity_name(event.severity), event.title);
    compare(event.id);
    compare(event.kind);
  }
  if (!of_kind.empty()) return "kind " + id + " is told by:\n" + of_kind;
  if (!near.empty()) return "no pattern is called " + printable(id) + "; these come near:\n" + near;
  return fail(Rung::stop, id, "no pattern, kind or runbook section of that name",
              nearest.empty() ? "list them with 'faultline packs list'"
                              : "did you mean " + std::string(nearest) + "?");
}

}  // namespace faultline::app
