#include "app/pack_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>

#include "base/text.h"
#include "decode/decode.h"
#include "packs/packs.h"

namespace faultline::app {
namespace {

std::string place(const Pattern& pattern) {
  return fmt::format("{}:{}: {}", pattern.file, pattern.line, pattern.id);
}

std::string fields_text(const Fields& fields) {
  std::string out;
  for (const auto& [name, value] : fields) out += fmt::format(" {}={}", name, printable(field_text(value)));
  return out;
}

const Event* find_event(const std::vector<Event>& events, const std::string& id) {
  const auto it = std::find_if(events.begin(), events.end(), [&](const Event& e) { return e.pattern == id; });
  return it == events.end() ? nullptr : &*it;
}

// What an event calls `name`: a field, or a part of the entity that `who` names.
std::string value_of(const Event& event, const std::string& name) {
  if (const auto it = event.fields.find(name); it != event.fields.end()) return field_text(it->second);
  if (name == "rank" && event.speaker.rank >= 0) return std::to_string(event.speaker.rank);
  if (name == "local_rank" && event.speaker.local_rank >= 0) return std::to_string(event.speaker.local_rank);
  if (name == "pid" && event.speaker.pid >= 0) return std::to_string(event.speaker.pid);
  if (name == "node") return event.speaker.node;
  if (name == "pod") return event.speaker.pod;
  if (name == "container") return event.speaker.container;
  if (name == "gpu")
    return !event.gpu.empty() ? event.gpu : event.speaker.gpu >= 0 ? std::to_string(event.speaker.gpu) : "";
  if (name == "nic") return event.nic;
  return {};
}

class Checker {
 public:
  Checker(const Engine& engine, const Limits& limits) : engine_(engine), limits_(limits) {}

  std::vector<Problem> run() {
    for (const Pattern& pattern : engine_.patterns.patterns) {
      for (const PatternExample& hit : pattern.hits) check_hit(pattern, hit);
      for (const PatternExample& miss : pattern.misses) check_miss(pattern, miss);
    }
    return std::move(problems_);
  }

 private:
  void complain(const Pattern& pattern, std::string what, std::string hint = {}) {
    problems_.push_back({Rung::stop, place(pattern), std::move(what), std::move(hint)});
  }

  void check_hit(const Pattern& pattern, const PatternExample& hit) {
    const std::vector<Event> events = events_of_text(engine_, hit.line, Family::any, limits_);
    const Event* own = find_event(events, pattern.id);
    if (own == nullptr) {
      complain(pattern, "does not match its own hit: " + printable(hit.line));
      return;
    }
    for (const auto& [name, expected] : hit.fields) {
      const std::string got = value_of(*own, name);
      if (!iequals(got, expected)) {
        complain(pattern, fmt::format("field {} of a hit is '{}', expected '{}': {}", name, printable(got),
                                      expected, printable(hit.line)));
      }
    }
    for (const Event& other : events) {
      if (other.pattern == pattern.id || other.severity > pattern.severity ||
          other.evidence.line != own->evidence.line)
        continue;
      const bool listed = std::find(pattern.overlaps.begin(), pattern.overlaps.end(), other.pattern) !=
                          pattern.overlaps.end();
      if (!listed) {
        complain(pattern, fmt::format("its hit is matched by {} too: {}", other.pattern, printable(hit.line)),
                 "make one of them more precise, or list it in `overlaps`");
      }
    }
  }

  void check_miss(const Pattern& pattern, const PatternExample& miss) {
    const std::vector<Event> events = events_of_text(engine_, miss.line, Family::any, limits_);
    if (find_event(events, pattern.id) != nullptr)
      complain(pattern, "matches its near miss: " + printable(miss.line));
  }

  const Engine& engine_;
  const Limits& limits_;
  std::vector<Problem> problems_;
};

struct Counts {
  std::size_t patterns = 0, expressions = 0, hits = 0, misses = 0;
  std::set<std::string> kinds;
  void add(const Pattern& p) {
    ++patterns;
    expressions += p.any.size();
    hits += p.hits.size();
    misses += p.misses.size();
    kinds.insert(p.kind);
  }
  [[nodiscard]] std::string row(const std::string& name) const {
    return fmt::format("{:<28} {:>8} {:>11} {:>6} {:>6} {:>6}\n", name, patterns, expressions, kinds.size(),
                       hits, misses);
  }
};

}  // namespace

std::vector<Event> events_of_text(const Engine& engine, std::string_view text, Family family,
                                  const Limits& limits) {
  Artifact artifact;
  artifact.chain = "example";
  artifact.family = family;
  MemorySource source(text);
  std::vector<Event> events;
  match::Matcher::ScratchPointer scratch = engine.scratches->take();
  decode::decode_log(artifact, source, limits, TimeHints{}, [&](LineBatch&& batch) {
    std::vector<Hit> hits;
    if (!engine.matcher->scan(family, batch, *scratch, hits))
      return;  // out of memory: no events, and the check fails
    engine.extractor->confirm(artifact, batch, hits, events);
  });
  engine.scratches->give_back(std::move(scratch));
  return events;
}

PackCheck check_packs(const std::vector<std::string>& pack_directories, const Limits& limits) {
  PackCheck check;
  auto engine = make_engine(pack_directories, limits);
  if (!engine) {
    check.problems = std::move(engine.error().problems);
  } else {
    check.problems = Checker(*engine, limits).run();
    check.summary = pack_stats(engine->patterns);
  }
  check.summary += check.problems.empty() ? "packs check: clean\n"
                                          : fmt::format("packs check: {} problems\n", check.problems.size());
  return check;
}

std::string pack_list(const PatternSet& set) {
  std::string out;
  for (const Pattern& p : set.patterns) {
    out += fmt::format("{:<44} {:<4} {:<12} {:<26} {}\n", p.id, severity_name(p.severity), role_name(p.role),
                       p.kind, p.title);
  }
  return out;
}

std::string pack_stats(const PatternSet& set) {
  std::map<std::string, Counts> by_file;
  Counts all;
  for (const Pattern& p : set.patterns) {
    by_file[p.file].add(p);
    all.add(p);
  }
  std::string out = fmt::format("{:<28} {:>8} {:>11} {:>6} {:>6} {:>6}\n", "pack", "patterns", "expressions",
                                "kinds", "hits", "misses");
  for (const auto& [file, counts] : by_file) out += counts.row(file);
  out += all.row("all (" + set.hash + ")");
  return out;
}

Result<std::string> test_files(const Engine& engine, const std::vector<std::string>& files,
                               const Limits& limits) {
  std::string out;
  for (const std::string& file : files) {
    std::string text;
    if (file == "-") {
      text.assign(std::istreambuf_iterator<char>(std::cin), {});
    } else {
      if (std::error_code error; std::filesystem::is_directory(file, error))
        return fail(Rung::stop, file, "is a directory",
                    "name text files, or analyze it with 'faultline scan'");
      std::ifstream in(file, std::ios::binary);
      if (!in) return fail(Rung::stop, file, "cannot be opened");
      text.assign(std::istreambuf_iterator<char>(in), {});
    }
    const std::size_t before = out.size();
    for (const Event& event : events_of_text(engine, text, Family::any, limits)) {
      out += fmt::format("{}:{}: {}{}\n    {}\n", printable(file), event.evidence.line, event.pattern,
                         fields_text(event.fields), printable(event.evidence.text));
    }
    if (out.size() == before) out += printable(file) + ": no pattern matches a line of this text\n";
  }
  return out;
}

}  // namespace faultline::app
