// Scanner and confirming step against RE2 alone, on generated expressions and lines: what is proposed and
// confirmed is what RE2 finds on each line or on its peeled part, no more and no less.
#include <catch2/catch.hpp>

#include <set>

#include "base/regex.h"
#include "packs/packs.h"
#include "support/engine.h"

using namespace faultline;

namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t n) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>(state_ >> 33) % n;
  }
  template <std::size_t N>
  const char* one_of(const char* const (&of)[N]) {
    return of[below(N)];
  }

 private:
  std::uint64_t state_;
};

// An expression over a small alphabet, so that near hits are frequent.
std::string expression(Random& random, int depth) {
  constexpr const char* kAtoms[] = {"ab",   "b",       "A",           "1",     ":",   " ",    "_",   "-",
                                    ".",    "\\d",     "\\s",         "\\w",   "\\W", "\\D",  "\\S", "[ab]",
                                    "[^a]", "[^\\d]",  "[[:alpha:]]", "\\xff", "\\b", "\\B",  "^",   "$",
                                    "ERR",  "(?i:er)", "(?s:.)",      "\\x00", "\\.", "[-:]", "\\t"};
  constexpr const char* kRepeats[] = {"*", "+", "?", "{2}", "{1,3}", "{0,20}", "{2,}", "*?", "+?"};
  std::string text;
  const std::size_t parts = 1 + random.below(5);
  for (std::size_t i = 0; i < parts; ++i) {
    std::string atom = random.one_of(kAtoms);
    if (depth > 0 && random.below(4) == 0) {
      // In steps: compilers differ in what they evaluate first.
      atom = "(?:" + expression(random, depth - 1);
      if (random.below(2) == 0) atom += "|" + expression(random, depth - 1);
      atom += ")";
    } else if (random.below(4) == 0) {
      atom = "(?:" + atom + ")";
    }
    text += atom;
    const bool single =
        atom.back() == ')' || atom.back() == ']' || atom.size() == 1 || (atom.size() == 2 && atom[0] == '\\');
    const bool anchor = atom == "^" || atom == "$" || atom == "\\b" || atom == "\\B";
    if (single && !anchor && random.below(3) == 0) text += random.one_of(kRepeats);
  }
  return text;
}

// Some text that the expression matches, anchors aside.
void sample(const RegexNode& node, Random& random, std::string& out) {
  using Type = RegexNode::Type;
  if (node.type == Type::set) {
    if (node.set.none()) return;
    for (std::size_t c = random.below(256);; c = (c + 1) % 256) {
      if (!node.set.test(c)) continue;
      out += static_cast<char>(c);
      return;
    }
  }
  if (node.type == Type::alternate) return sample(node.items[random.below(node.items.size())], random, out);
  if (node.type == Type::repeat) {
    const std::size_t extra = random.below(4);
    std::size_t times = node.min + extra;
    if (node.max != RegexNode::kUnbounded && times > node.max) times = node.max;
    for (std::size_t i = 0; i < times; ++i) sample(node.items[0], random, out);
    return;
  }
  for (const RegexNode& item : node.items) sample(item, random, out);
}

constexpr std::string_view kNoise("ab1: _-ERR\t.\r\0\xff\xc3", 17);

std::string line_for(const RegexNode& tree, Random& random) {
  std::string line;
  for (std::size_t i = random.below(6); i > 0; --i) line += kNoise[random.below(kNoise.size())];
  sample(tree, random, line);
  for (std::size_t i = random.below(6); i > 0; --i) line += kNoise[random.below(kNoise.size())];
  for (std::size_t i = random.below(3); i > 0; --i) {
    if (line.empty()) break;
    char& c = line[random.below(line.size())];
    c = random.below(4) == 0 ? '\n' : kNoise[random.below(kNoise.size())];
  }
  if (random.below(3) == 0) line.insert(random.below(line.size() + 1), 1, 'Q');
  return line;
}

// Cuts everything up to a marker, wherever it stands; a letter, so that word boundaries move.
PeeledLine peel_at(std::string_view line, const PeelContext&) {
  const std::size_t at = line.find('Q');
  return {at == std::string_view::npos ? line : line.substr(at + 1), {}, {}};
}

using Found = std::set<std::pair<std::string, std::uint64_t>>;

struct Engines {
  std::unique_ptr<match::Matcher> matcher;
  match::Matcher::ScratchPointer scratch;
  std::unique_ptr<extract::Extractor> extractor;

  explicit Engines(const PatternSet& set) {
    auto made = match::Matcher::make(set);
    if (!made) FAIL(made.error().what);
    matcher = std::move(*made);
    scratch = matcher->make_scratch();
    auto extract = extract::Extractor::make(set, Limits{});
    if (!extract) FAIL(extract.error().what);
    extractor = std::move(*extract);
  }

  Found by_pipeline(const LineBatch& batch) const {
    std::vector<Hit> hits;
    REQUIRE(matcher->scan(Family::any, batch, *scratch, hits));
    CHECK(std::is_sorted(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
      return std::pair(a.position, a.pattern) < std::pair(b.position, b.pattern);
    }));
    std::vector<Event> events;
    extractor->confirm(Artifact{}, batch, hits, events);
    Found found;
    for (const Event& e : events) found.emplace(e.pattern, e.evidence.line);
    return found;
  }
  Found by_re2(const PatternSet& set, const LineBatch& batch) const {
    Found found;
    std::uint64_t number = 0;
    for (std::size_t at = 0; at < batch.text.size();) {
      const LineSpan span = line_at(batch, at);
      const std::string_view raw = std::string_view(batch.text).substr(span.begin, span.end - span.begin);
      ++number;
      for (PatternIndex p = 0; p < set.patterns.size(); ++p) {
        if (extractor->matches(p, raw) || extractor->matches(p, peel_at(raw, {}).text))
          found.emplace(set.patterns[p].id, number);
      }
      at = span.end + 1;
    }
    return found;
  }
};

std::string listed(const Found& found, const PatternSet& set, const LineBatch& batch) {
  std::string text;
  for (const auto& [id, line] : found) text += id + ":" + std::to_string(line) + " ";
  text += "\n";
  for (const Pattern& p : set.patterns) text += p.id + " " + p.any[0] + "\n";
  return text + batch.text;
}

}  // namespace

TEST_CASE("proposed and confirmed is what RE2 finds on each line, on generated expressions") {
  Random random(20260101);
  std::size_t matches = 0;
  for (int round = 0; round < 150; ++round) {
    PatternSet set;
    std::vector<RegexNode> trees;
    while (set.patterns.size() < 12) {
      // Long literals are proposed alone, hence both.
      const bool literal = random.below(3) == 0;
      const std::string text = (literal ? "watchdog timeout" : "") + expression(random, 2);
      const auto proposal = match::to_proposal(text);
      const auto tree = parse_regex(text);
      REQUIRE(tree);
      if (!proposal) continue;  // may be empty, or needs a line end
      PatternSet alone;
      alone.patterns = {test::pattern_of("a.b." + std::to_string(set.patterns.size()), {text})};
      if (const auto made = match::Matcher::make(alone); !made) {
        CHECK(made.error().what.find("Pattern can never match") != std::string::npos);  // "a\\bb"
        continue;
      }
      if (const auto made = extract::Extractor::make(alone, Limits{}); !made) {
        CHECK(made.error().what.find("invalid repetition size") != std::string::npos);  // beyond 1000 in all
        continue;
      }
      set.patterns.push_back(alone.patterns[0]);
      trees.push_back(tree->root);
    }
    const Engines engines(set);
    for (int part = 0; part < 12; ++part) {
      std::string text;
      for (int i = 0; i < 4; ++i)
        text += line_for(trees[random.below(trees.size())], random) + "\n";  // few: equal events fold
      const LineBatch batch = test::batch_of(text, peel_at);
      const Found by_re2 = engines.by_re2(set, batch);
      const Found by_pipeline = engines.by_pipeline(batch);
      matches += by_re2.size();
      if (by_re2 != by_pipeline) {
        INFO("RE2: " << listed(by_re2, set, batch) << "\npipeline: " << listed(by_pipeline, set, batch));
        REQUIRE(by_re2 == by_pipeline);
      }
    }
  }
  CHECK(matches > 5000);  // the lines do hit
}

TEST_CASE("proposed and confirmed is what RE2 finds on each line, on the built-in packs") {
  PatternSet set = packs::load_packs(packs::builtin_packs()).set;
  for (Pattern& p : set.patterns) {
    p.near.clear();
    p.families = {Family::any};
    p.role = Role::cause;  // progress is thinned
  }
  const Engines engines(set);
  Random random(7);
  for (const Pattern& p : set.patterns) {
    std::string text;
    for (const std::string& any : p.any) {
      const auto tree = parse_regex(any);
      REQUIRE(tree);
      text += line_for(tree->root, random) + "\n";
    }
    for (const PatternExample& hit : p.hits) text += hit.line + "\n";
    for (const PatternExample& miss : p.misses) text += miss.line + "\n";
    const LineBatch batch = test::batch_of(text, peel_at);
    CHECK(engines.by_re2(set, batch) == engines.by_pipeline(batch));
  }
}
