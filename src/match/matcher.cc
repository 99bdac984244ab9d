#include "match/matcher.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <thread>

#include "match/database.h"
#include "match/proposal.h"

namespace faultline::match {
namespace {

struct FreeScratch {
  void operator()(hs_scratch_t* s) const { hs_free_scratch(s); }
};

struct Line {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  // behind its last byte
  [[nodiscard]] bool holds(std::uint32_t at) const { return begin <= at && at < end; }
};

// What callbacks write into. (begin of the line, pattern) is one number, so that sorting is cheap.
struct Collector {
  std::string_view text;
  std::vector<Line>* last_line_of_pattern = nullptr;
  std::vector<std::uint64_t>* found = nullptr;
  Line last;
  bool out_of_memory = false;

  void add(PatternIndex pattern, std::uint32_t at) {
    Line& line = (*last_line_of_pattern)[pattern];
    if (line.holds(at)) return;  // another end of the same match, or another match in this line
    if (!last.holds(at)) {
      const void* before = at == 0 ? nullptr : ::memrchr(text.data(), '\n', at);
      const void* after = std::memchr(text.data() + at, '\n', text.size() - at);
      const auto offset = [&](const void* p) {
        return static_cast<std::uint32_t>(static_cast<const char*>(p) - text.data());
      };
      last.begin = before == nullptr ? 0 : offset(before) + 1;
      last.end = after == nullptr ? static_cast<std::uint32_t>(text.size()) : offset(after);
    }
    line = last;
    found->push_back((std::uint64_t{line.begin} << 32) | pattern);
  }
};

int on_match(unsigned id, unsigned long long, unsigned long long to, unsigned, void* context) {
  auto& collector = *static_cast<Collector*>(context);
  try {
    collector.add(id, static_cast<std::uint32_t>(to - 1));  // no match is empty, none holds '\n'
    return 0;
  } catch (const std::bad_alloc&) {
    collector.out_of_memory = true;
    return 1;
  }
}

int on_count(unsigned, unsigned long long, unsigned long long, unsigned, void* context) {
  ++*static_cast<std::uint64_t*>(context);
  return 0;
}

// The lines whose first byte lies in the core.
std::pair<std::size_t, std::size_t> lines_of_core(const LineBatch& batch) {
  const std::string& text = batch.text;
  const auto next_line = [&](std::size_t at) {
    if (at == 0 || at >= text.size() || text[at - 1] == '\n') return std::min(at, text.size());
    const std::size_t end = text.find('\n', at);
    return end == std::string::npos ? text.size() : end + 1;
  };
  const std::size_t begin = next_line(batch.core_begin);
  return {begin, std::max(begin, next_line(batch.core_end))};
}

// Bytes in a row and branches of such: nothing that the scanner could refuse.
bool is_plain(const RegexNode& node) {
  if (node.type == RegexNode::Type::set) return true;
  if (node.type != RegexNode::Type::concat && node.type != RegexNode::Type::alternate) return false;
  return std::all_of(node.items.begin(), node.items.end(), is_plain);
}

Problem out_of_memory() {
  return {Rung::stop, "patterns", "not enough memory to scan", {}};
}

}  // namespace

struct Matcher::Impl {
  std::size_t pattern_total = 0;
  std::vector<Expression> expressions;  // by pattern, then alternative
  std::deque<Database> databases;       // families with the same patterns share one
  std::array<Database*, kFamilyCount> by_family{};
  std::array<std::size_t, kFamilyCount> patterns_of{};

  [[nodiscard]] Database& of(Family family) const { return *by_family[static_cast<std::size_t>(family)]; }
};

class Matcher::Scratch {
 public:
  explicit Scratch(std::size_t patterns) : last_line_of_pattern(patterns) {}

  // Grows with every database that it meets; made for one thread.
  bool fit(const hs_database_t* database) {
    if (std::find(fitted.begin(), fitted.end(), database) != fitted.end()) return true;
    hs_scratch_t* raw = space.release();
    const hs_error_t code = hs_alloc_scratch(database, &raw);
    space.reset(raw);
    if (code == HS_SUCCESS) fitted.push_back(database);
    return code == HS_SUCCESS;
  }

  std::unique_ptr<hs_scratch_t, FreeScratch> space;
  std::vector<const hs_database_t*> fitted;
  std::vector<std::uint64_t> found;
  std::vector<Line> last_line_of_pattern;
};

void Matcher::ScratchDeleter::operator()(Scratch* s) const {
  delete s;
}

Matcher::Matcher(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Matcher::~Matcher() = default;

Result<std::unique_ptr<Matcher>> Matcher::make(const PatternSet& patterns) {
  if (hs_valid_platform() != HS_SUCCESS)
    return fail(Rung::stop, "cpu", "this processor lacks SSSE3, which scanning needs");
  auto impl = std::make_unique<Impl>();
  for (PatternIndex i = 0; i < patterns.patterns.size(); ++i) {
    const Pattern& p = patterns.patterns[i];
    ++impl->pattern_total;
    for (std::size_t k = 0; k < p.any.size(); ++k) {
      const std::string where = p.file + ":" + std::to_string(p.line);
      const std::string name = p.id + ": any[" + std::to_string(k) + "]: ";
      const auto parsed = parse_regex(p.any[k]);
      if (!parsed) return fail(Rung::stop, where, name + parsed.error().what, parsed.error().hint);
      RegexNode tree = chosen_proposal_of(parsed->root);
      if (cannot_match(tree)) return fail(Rung::stop, where, name + "wants a line end inside a match");
      if (shortest_match(tree) == 0) return fail(Rung::stop, where, name + "can match the empty text");
      if (std::string refusal = is_plain(tree) ? "" : refusal_of(print_regex(tree)); !refusal.empty()) {
        tree = literal_proposal_of(tree);
        if (tree.is_empty()) return fail(Rung::stop, where, name + refusal);
      }
      impl->expressions.push_back({i, std::move(tree), where});
    }
  }
  for (std::size_t f = 0; f < kFamilyCount; ++f) {
    std::vector<const Expression*> wanted;
    PatternIndex last = UINT32_MAX;
    for (const Expression& e : impl->expressions) {
      const auto& families = patterns.patterns[e.pattern].families;
      const bool takes = std::any_of(families.begin(), families.end(), [&](Family named) {
        return family_includes(static_cast<Family>(f), named);
      });
      if (!takes) continue;
      wanted.push_back(&e);
      if (e.pattern != last) ++impl->patterns_of[f];
      last = e.pattern;
    }
    const auto same = std::find_if(impl->databases.begin(), impl->databases.end(),
                                   [&](const Database& d) { return d.expressions() == wanted; });
    impl->by_family[f] =
        same != impl->databases.end() ? &*same : &impl->databases.emplace_back(std::move(wanted));
  }
  return std::unique_ptr<Matcher>(new Matcher(std::move(impl)));
}

Matcher::ScratchPointer Matcher::make_scratch() const {
  return ScratchPointer(new Scratch(impl_->pattern_total));
}

Result<void> Matcher::prepare(std::span<const Family> families) const {
  std::vector<Database*> wanted;
  for (const Family family : families) {
    Database* database = &impl_->of(family);
    if (std::find(wanted.begin(), wanted.end(), database) == wanted.end()) wanted.push_back(database);
  }
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 1; i < wanted.size(); ++i) {
      try {
        workers.emplace_back([database = wanted[i]] { (void)database->get(); });
      } catch (const std::system_error&) {
        break;  // no thread to be had: compiled below
      }
    }
    if (!wanted.empty()) (void)wanted[0]->get();
  }
  for (Database* database : wanted) {
    if (auto compiled = database->get(); !compiled) return tl::unexpected(compiled.error());
  }
  return {};
}

Result<void> Matcher::scan(Family family, const LineBatch& batch, Scratch& s, std::vector<Hit>& hits) const {
  const auto database = impl_->of(family).get();
  if (!database) return tl::unexpected(database.error());
  const auto [begin, end] = lines_of_core(batch);
  if (*database == nullptr || begin == end) return {};
  if (batch.text.size() >= UINT32_MAX) return fail(Rung::stop, "batch", "a batch of 4 GiB or more");
  if (!s.fit(*database)) return tl::unexpected(out_of_memory());

  s.found.clear();
  std::fill(s.last_line_of_pattern.begin(), s.last_line_of_pattern.end(), Line{});
  Collector collector;
  collector.text = std::string_view(batch.text).substr(begin, end - begin);
  collector.last_line_of_pattern = &s.last_line_of_pattern;
  collector.found = &s.found;
  const hs_error_t code =
      hs_scan(*database, collector.text.data(), static_cast<unsigned>(collector.text.size()), 0,
              s.space.get(), on_match, &collector);
  if (collector.out_of_memory) return tl::unexpected(out_of_memory());
  if (code != HS_SUCCESS)
    return fail(Rung::stop, "patterns", "the scanner failed with code " + std::to_string(code));

  // Hyperscan promises no order of reports; a pattern whose reports jump between lines may be there twice.
  if (!std::is_sorted(s.found.begin(), s.found.end())) std::sort(s.found.begin(), s.found.end());
  s.found.erase(std::unique(s.found.begin(), s.found.end()), s.found.end());

  for (const std::uint64_t key : s.found) {
    hits.push_back({static_cast<PatternIndex>(key), static_cast<std::uint32_t>(begin + (key >> 32))});
  }
  return {};
}

std::uint64_t Matcher::scan_raw(Family family, std::string_view bytes, Scratch& s) const {
  const auto database = impl_->of(family).get();
  std::uint64_t count = 0;
  if (!database || *database == nullptr || bytes.size() >= UINT32_MAX || !s.fit(*database)) return 0;
  hs_scan(*database, bytes.data(), static_cast<unsigned>(bytes.size()), 0, s.space.get(), on_count, &count);
  return count;
}

std::size_t Matcher::database_bytes(Family family) const {
  return impl_->of(family).bytes();
}

std::size_t Matcher::pattern_count(Family family) const {
  return impl_->patterns_of[static_cast<std::size_t>(family)];
}

}  // namespace faultline::match
