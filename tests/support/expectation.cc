#include "support/expectation.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.h"

namespace faultline::test {
namespace {

std::string printed(const JsonValue& v) {
  switch (v.type) {
    case JsonValue::Type::boolean:
      return v.boolean ? "true" : "false";
    case JsonValue::Type::integer:
      return std::to_string(v.integer);
    case JsonValue::Type::number:
      return field_text(v.number);
    default:
      return lower(v.string);
  }
}

struct Seen {
  const Finding* finding;
  const Instance* instance;
};

std::vector<Seen> instances_of(const CaseReport& report, std::string_view kind) {
  std::vector<Seen> all;
  for (const Finding& f : report.findings) {
    if (f.kind != kind) continue;
    for (const Instance& i : f.instances) all.push_back({&f, &i});
  }
  return all;
}

// A value under its canonical name: a field, or a part of the entity.
std::vector<std::string> values_of(const Seen& seen, const std::string& name) {
  const Instance& i = *seen.instance;
  std::vector<std::string> values;
  if (const auto it = i.fields.find(name); it != i.fields.end())
    values.push_back(lower(field_text(it->second)));
  if (name == "node") values.push_back(lower(i.speaker.node));
  if (name == "pod") values.push_back(lower(i.speaker.pod));
  if (name == "container") values.push_back(lower(i.speaker.container));
  if (name == "gpu") {
    if (!i.gpu.empty()) values.push_back(lower(i.gpu));
    if (i.speaker.gpu >= 0) values.push_back(std::to_string(i.speaker.gpu));
  }
  if (name == "pid" && i.speaker.pid >= 0) values.push_back(std::to_string(i.speaker.pid));
  if (name == "local_rank" && i.speaker.local_rank >= 0)
    values.push_back(std::to_string(i.speaker.local_rank));
  return values;
}

bool any_has(const std::vector<Seen>& seen, const std::string& name, const std::string& wanted) {
  return std::any_of(seen.begin(), seen.end(), [&](const Seen& s) {
    const auto values = values_of(s, name);
    return std::find(values.begin(), values.end(), wanted) != values.end();
  });
}

bool has_version(const CaseReport& report, const std::string& component, const std::string& wanted) {
  for (const VersionRow& row : report.versions) {
    if (row.component != component) continue;
    for (const VersionValue& v : row.values) {
      if (lower(v.value).starts_with(wanted)) return true;
    }
  }
  return false;
}

void judge_must(const JsonValue& must, const CaseReport& report, std::vector<std::string>& wrong) {
  const std::string kind(must.text("kind"));
  if (must.text("weight") == "lead") return;
  if (kind == "software_version") {
    if (const JsonValue* fields = must.find("fields")) {
      for (const auto& [name, value] : fields->members) {
        if (!has_version(report, name, printed(value)))
          wrong.push_back("software_version: no " + name + " " + printed(value));
      }
    }
    return;
  }
  const std::vector<Seen> seen = instances_of(report, kind);
  if (seen.empty()) {
    wrong.push_back(kind + ": missing");
    return;
  }
  if (const JsonValue* evidence = must.find("evidence"); evidence != nullptr && !evidence->items.empty()) {
    const bool cited = std::any_of(evidence->items.begin(), evidence->items.end(), [&](const JsonValue& e) {
      const std::size_t colon = e.string.rfind(':');
      const std::string file = e.string.substr(0, colon);
      const auto line = parse_number<std::uint64_t>(std::string_view(e.string).substr(colon + 1));
      return std::any_of(seen.begin(), seen.end(), [&](const Seen& s) {
        const Evidence& at = s.instance->evidence;
        return line && at.line == *line && report.coverage.rows[at.artifact].chain.ends_with(file);
      });
    });
    if (!cited) wrong.push_back(kind + ": no instance on an evidence line");
  }
  if (const JsonValue* ranks = must.find("ranks")) {
    for (const JsonValue& r : ranks->items) {
      const bool there = std::any_of(seen.begin(), seen.end(),
                                     [&](const Seen& s) { return s.instance->speaker.rank == r.integer; });
      if (!there) wrong.push_back(kind + ": rank " + std::to_string(r.integer) + " is not named");
    }
  }
  if (const JsonValue* fields = must.find("fields")) {
    for (const auto& [name, value] : fields->members) {
      const std::vector<JsonValue> wanted = value.is_array() ? value.items : std::vector<JsonValue>{value};
      for (const JsonValue& w : wanted) {
        if (!any_has(seen, name, printed(w))) wrong.push_back(kind + ": no " + name + " " + printed(w));
      }
    }
  }
}

void judge_cause(const JsonValue& expect, const CaseReport& report, std::vector<std::string>& wrong) {
  std::set<std::string> roots, named;
  if (const JsonValue* kinds = expect.find("root_kinds")) {
    for (const JsonValue& k : kinds->items) roots.insert(k.string);
  }
  for (const Incident& i : report.incidents) {
    if (i.cause && (i.confidence == Confidence::high || i.confidence == Confidence::medium))
      named.insert(i.cause->kind);
  }
  if (roots.empty() && !named.empty())
    wrong.push_back("a cause is named (" + *named.begin() + ") where none can be");
  const bool right =
      std::any_of(named.begin(), named.end(), [&](const std::string& k) { return roots.contains(k); });
  if (!roots.empty() && !right)
    wrong.push_back("cause: " + (named.empty() ? std::string("none named") : *named.begin() + " named"));
}

void judge_culprit(const JsonValue& expect, const CaseReport& report, std::vector<std::string>& wrong) {
  const JsonValue* want = expect.find("culprit");
  if (want == nullptr || !want->is_object()) return;
  const bool found = std::any_of(report.incidents.begin(), report.incidents.end(), [&](const Incident& i) {
    if (!i.culprit) return false;
    const Culprit& c = *i.culprit;
    return std::all_of(want->members.begin(), want->members.end(), [&](const auto& member) {
      const auto& [name, value] = member;
      const std::string wanted = printed(value);
      if (name == "rank") return c.rank && std::to_string(*c.rank) == wanted;
      const std::string& own = name == "node" ? c.node : name == "pod" ? c.pod : c.gpu;
      return lower(own) == wanted || std::any_of(c.aliases.begin(), c.aliases.end(),
                                                 [&](const std::string& a) { return lower(a) == wanted; });
    });
  });
  if (!found) wrong.emplace_back("the culprit is not named");
}

}  // namespace

std::vector<std::string> shortfalls(const JsonValue& expect, const CaseReport& report) {
  std::vector<std::string> wrong;
  if (const JsonValue* must = expect.find("must")) {
    for (const JsonValue& m : must->items) judge_must(m, report, wrong);
  }
  if (const JsonValue* must_not = expect.find("must_not")) {
    for (const JsonValue& kind : must_not->items) {
      if (!instances_of(report, kind.string).empty()) wrong.push_back("must not: " + kind.string);
    }
  }
  judge_cause(expect, report, wrong);
  judge_culprit(expect, report, wrong);
  return wrong;
}

}  // namespace faultline::test
