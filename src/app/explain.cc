#include "app/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "packs/embedded.h"

namespace faultline::app {
namespace {

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

}  // namespace

std::string runbook_section(std::string_view reference) {
  const std::size_t hash = reference.find('#');
  if (hash == std::string_view::npos) return {};
  const std::string_view path = reference.substr(0, hash);
  const std::string head = fmt::format("## {}.", reference.substr(hash + 1));
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

Result<std::string> explain(const PatternSet& patterns, const std::string& id) {
  for (const Pattern& pattern : patterns.patterns) {
    if (pattern.id == id) return about_pattern(pattern);
  }
  for (const ReaderEventInfo& event : facts::reader_events()) {
    if (event.id == id) return about_reader_event(event);
  }
  if (std::string section = runbook_section(id); !section.empty()) return section;
  std::string of_kind, near;
  for (const Pattern& pattern : patterns.patterns) {
    const std::string row =
        fmt::format("  {:<40} {} {}\n", pattern.id, severity_name(pattern.severity), pattern.title);
    if (pattern.kind == id) of_kind += row;
    if (icontains(pattern.id, id) || icontains(pattern.title, id)) near += row;
  }
  for (const ReaderEventInfo& event : facts::reader_events()) {
    if (event.kind == id)
      of_kind += fmt::format("  {:<40} {} {}\n", event.id, severity_name(event.severity), event.title);
  }
  if (!of_kind.empty()) return "kind " + id + " is told by:\n" + of_kind;
  if (!near.empty()) return "no pattern is called " + printable(id) + "; these come near:\n" + near;
  return fail(Rung::stop, id, "no pattern, kind or runbook section of that name",
              "list them with 'faultline packs list'");
}

}  // namespace faultline::app
