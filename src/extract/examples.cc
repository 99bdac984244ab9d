#include "extract/examples.h"

#include <algorithm>

#include "base/text.h"

namespace faultline::extract {
namespace {

struct Lines {
  LineBatch batch;
  std::vector<std::uint32_t> begins;
};

Lines lines_of(const std::string& example, PeelFunction peel) {
  Lines lines;
  for_each_line(example, [&](std::uint64_t, std::string_view line) {
    lines.begins.push_back(static_cast<std::uint32_t>(lines.batch.text.size()));
    lines.batch.text += without_ansi(line);
    lines.batch.text += '\n';
    return true;
  });
  lines.batch.core_end = lines.batch.text.size();
  lines.batch.peel = peel;
  return lines;
}

bool tried_together(const Pattern& a, const Pattern& b) {
  for (std::size_t f = 0; f < kFamilyCount; ++f) {
    const auto takes = [&](const Pattern& p) {
      return std::any_of(p.families.begin(), p.families.end(),
                         [&](Family named) { return family_includes(static_cast<Family>(f), named); });
    };
    if (takes(a) && takes(b)) return true;
  }
  return false;
}

bool lists(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

class ExampleCheck {
 public:
  ExampleCheck(const PatternSet& patterns, const Extractor& extractor, PeelFunction peel)
      : patterns_(patterns.patterns), extractor_(extractor), peel_(peel) {}

  std::vector<Problem> run() {
    for (PatternIndex i = 0; i < patterns_.size(); ++i) {
      const Pattern& p = patterns_[i];
      alternatives(i);
      for (std::size_t k = 0; k < p.hits.size(); ++k) hit(i, k);
      for (std::size_t k = 0; k < p.misses.size(); ++k) miss(i, k);
    }
    return std::move(problems_);
  }

 private:
  void complain(const Pattern& p, std::string what, std::string hint = {}) {
    problems_.push_back(
        {Rung::stop, p.file + ":" + std::to_string(p.line), p.id + ": " + std::move(what), std::move(hint)});
  }

  // Events of these patterns on these lines, as an analysis would make them.
  std::vector<Event> events(const Lines& lines, const std::vector<PatternIndex>& wanted) const {
    std::vector<Hit> hits;
    for (const std::uint32_t begin : lines.begins) {
      for (const PatternIndex pattern : wanted) hits.push_back({pattern, begin});
    }
    std::vector<Event> found;
    extractor_.confirm(Artifact{}, lines.batch, hits, found);
    return found;
  }

  void alternatives(PatternIndex i) {
    const Pattern& p = patterns_[i];
    for (std::size_t k = 0; k < p.any.size(); ++k) {
      const bool owed = std::none_of(p.hits.begin(), p.hits.end(), [&](const PatternExample& example) {
        const Lines lines = lines_of(example.line, peel_);
        return std::any_of(lines.begins.begin(), lines.begins.end(), [&](std::uint32_t begin) {
          const LineSpan span = line_at(lines.batch, begin);
          const std::string_view raw =
              std::string_view(lines.batch.text).substr(span.begin, span.end - span.begin);
          return extractor_.matches(i, k, raw) || extractor_.matches(i, k, peel_(raw, {}).text);
        });
      });
      if (owed) complain(p, "any[" + std::to_string(k) + "] matches none of the hits", p.any[k]);
    }
  }

  void hit(PatternIndex i, std::size_t k) {
    const Pattern& p = patterns_[i];
    const PatternExample& example = p.hits[k];
    const std::string name = "hit[" + std::to_string(k) + "] ";
    const Lines lines = lines_of(example.line, peel_);
    const std::vector<Event> own = events(lines, {i});
    if (own.empty()) {
      complain(p, name + "is not matched", example.line);
      return;
    }
    fields(p, name, example, own);
    std::vector<PatternIndex> others;
    for (PatternIndex other = 0; other < patterns_.size(); ++other) {
      const Pattern& q = patterns_[other];
      const bool rival =
          other != i && q.severity <= p.severity && !lists(p.overlaps, q.id) && !lists(q.overlaps, p.id);
      if (rival && tried_together(p, q)) others.push_back(other);
    }
    for (const Event& e : events(lines, others)) {
      // Other lines of the example are context, and may belong to whom they like.
      const bool same_line = std::any_of(
          own.begin(), own.end(), [&](const Event& mine) { return mine.evidence.line == e.evidence.line; });
      if (same_line)
        complain(p, name + "is matched by " + e.pattern + " too",
                 "make one of them stricter, or list it in overlaps");
    }
  }

  void fields(const Pattern& p, const std::string& name, const PatternExample& example,
              const std::vector<Event>& own) {
    const auto fits = [&](const Event& e) {
      return std::all_of(example.fields.begin(), example.fields.end(), [&](const auto& wanted) {
        const auto found = e.fields.find(wanted.first);
        return found != e.fields.end() && field_text(found->second) == wanted.second;
      });
    };
    if (std::any_of(own.begin(), own.end(), fits)) return;
    std::string got;
    for (const auto& [field, value] : own.front().fields)
      got += (got.empty() ? "" : ", ") + field + " = '" + field_text(value) + "'";
    std::string wanted;
    for (const auto& [field, value] : example.fields)
      wanted += (wanted.empty() ? "" : ", ") + field + " = '" + value + "'";
    complain(p, name + "gives " + (got.empty() ? std::string("no fields") : got), "expected " + wanted);
  }

  void miss(PatternIndex i, std::size_t k) {
    const Pattern& p = patterns_[i];
    if (events(lines_of(p.misses[k].line, peel_), {i}).empty()) return;
    complain(p, "miss[" + std::to_string(k) + "] is matched (" + p.misses[k].why + ")", p.misses[k].line);
  }

  const std::vector<Pattern>& patterns_;
  const Extractor& extractor_;
  const PeelFunction peel_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> check_examples(const PatternSet& patterns, const Extractor& extractor,
                                    PeelFunction peel) {
  return ExampleCheck(patterns, extractor, peel).run();
}

}  // namespace faultline::extract
