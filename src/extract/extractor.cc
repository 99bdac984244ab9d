#include "extract/extractor.h"

#include <algorithm>
#include <unordered_map>

#include "base/secrets.h"
#include "base/text.h"
#include "extract/excerpt.h"
#include "extract/near.h"
#include "extract/program.h"
#include "extract/thinning.h"
#include "extract/values.h"

namespace faultline::extract {
namespace {

constexpr std::size_t kMaxListedRanks = 4096;  // of one line
// Equal events (pattern, entity, fields) of one batch that are kept whole; of the rest the last one is kept
// too, and the number.
constexpr std::uint32_t kMaxEqual = 16;

struct Compiled {
  std::vector<Program> any;
  std::vector<Program> unless;
  std::vector<Near> near;
  Fields constants;
};

// A capture with the line it stands in: what masking hides of the line, no field may show.
struct Found {
  Capture capture;
  std::string_view raw;
  const std::string* masked = nullptr;
};

struct Draft {
  Event event;
  std::uint32_t position = 0;
};

struct Equal {
  std::uint32_t kept = 0;
  std::size_t last = 0;  // index of the draft that stands for all beyond the bound
};

std::int32_t small_number(std::string_view text) {
  return parse_number<std::int32_t>(text).value_or(-1);
}

void put(std::string& out, std::string_view part) {
  out += part;
  out += '\0';
}

// Two events with the same key are repeats of one another.
std::string key_of(const Event& e) {
  std::string key;
  put(key, e.pattern);
  for (const std::string* part : {&e.speaker.node, &e.speaker.pod, &e.speaker.container, &e.gpu, &e.nic})
    put(key, *part);
  for (const std::int64_t part : {std::int64_t{e.speaker.rank}, std::int64_t{e.speaker.local_rank},
                                  std::int64_t{e.speaker.gpu}, e.speaker.pid}) {
    put(key, std::to_string(part));
  }
  for (const auto& [name, value] : e.fields) {
    put(key, name);
    put(key, field_text(value));
  }
  return key;
}

}  // namespace

struct Extractor::Impl {
  std::vector<Pattern> patterns;
  std::vector<Compiled> compiled;
  std::size_t max_excerpt = 0;
};

namespace {

// The work on one batch.
class Confirmation {
 public:
  Confirmation(const std::vector<Pattern>& patterns, const std::vector<Compiled>& compiled,
               std::size_t max_excerpt, const Artifact& artifact, const LineBatch& batch)
      : patterns_(patterns),
        compiled_(compiled),
        max_excerpt_(max_excerpt),
        artifact_(artifact),
        batch_(batch),
        resolver_(batch),
        neighbours_(batch) {}

  void run(const std::vector<Hit>& hits, std::vector<Event>& events) {
    const auto may_match = [&](const Hit& hit) {
      return may_match_raw(compiled_[hit.pattern], neighbours_.raw(line_at(batch_, hit.position)));
    };
    for (const Proposed& proposed : thinned(hits, patterns_, may_match)) {
      const PatternIndex pattern = proposed.hit.pattern;
      const std::uint64_t folded = proposed.folded + take_folded(pattern);
      if (!confirm(proposed.hit, folded) && folded > 0) folded_[pattern] = folded;
    }
    // The slot that stands for the last of many repeats was filled out of order.
    std::stable_sort(drafts_.begin(), drafts_.end(),
                     [](const Draft& a, const Draft& b) { return a.position < b.position; });
    for (Draft& draft : drafts_) events.push_back(std::move(draft.event));
  }

 private:
  static bool may_match_raw(const Compiled& compiled, std::string_view raw) {
    return std::any_of(compiled.any.begin(), compiled.any.end(),
                       [&](const Program& p) { return p.may_match_within(raw); });
  }

  // What was folded behind a proposal that was not confirmed goes to the next one that is.
  std::uint64_t take_folded(PatternIndex pattern) {
    if (folded_.empty()) return 0;
    const auto found = folded_.find(pattern);
    if (found == folded_.end()) return 0;
    const std::uint64_t count = found->second;
    folded_.erase(found);
    return count;
  }

  void enter_line(std::uint32_t position) {
    if (span_known_ && position >= span_.begin && position <= span_.end) return;
    span_ = line_at(batch_, position);
    span_known_ = true;
    line_known_ = false;
    masked_known_ = false;
  }

  void resolve_line() {
    if (!line_known_) line_ = resolver_.resolve(span_);
    line_known_ = true;
  }

  const std::string& masked_line() {
    if (!masked_known_) masked_ = mask_secrets(line_.raw);
    masked_known_ = true;
    return masked_;
  }

  bool confirm(const Hit& hit, std::uint64_t folded) {
    enter_line(hit.position);
    const Compiled& compiled = compiled_[hit.pattern];
    // Many proposals are in vain, since the scanner goes by literals: those do not pay for peeling and time.
    const std::string_view raw = neighbours_.raw(span_);
    if (!may_match_raw(compiled, raw)) return false;
    resolve_line();
    match_.captures.clear();
    if (!find(compiled)) return false;
    for (const Program& unless : compiled.unless) {
      if (unless.matches(line_.text) || (peels() && unless.matches(line_.raw))) return false;
    }
    const std::string_view whole = match_.whole;
    found_.clear();
    for (const Capture& capture : match_.captures) found_.push_back({capture, line_.raw, &masked_line()});
    near_masks_.clear();
    for (const Near& near : compiled.near) {
      if (!look_near(near)) return false;
    }
    Draft draft = drafted(hit, folded);
    draft.event.evidence.text = excerpt(line_.raw, masked_line(), whole, max_excerpt_);
    const std::vector<std::int32_t> ranks = listed_ranks(draft.event);
    for (const std::int32_t rank : ranks) {
      Draft one = draft;
      one.event.speaker.rank = rank;
      one.event.fields.insert_or_assign("rank", std::int64_t{rank});
      keep(std::move(one));
    }
    if (ranks.empty()) keep(std::move(draft));
    return true;
  }

  void keep(Draft&& draft) {
    if (!fold(draft)) {
      drafts_.push_back(std::move(draft));
      return;
    }
    Draft& last = drafts_[equal_[key_].last];
    draft.event.repeats += last.event.repeats;
    last = std::move(draft);
  }

  // "tasks 1,3-5: Terminated" speaks of four ranks: one event each.
  static std::vector<std::int32_t> listed_ranks(const Event& event) {
    const auto field = event.fields.find("rank");
    if (field == event.fields.end()) return {};
    const auto* text = std::get_if<std::string>(&field->second);
    if (text == nullptr || text->find_first_not_of("0123456789,-") != std::string::npos) return {};
    std::vector<std::int32_t> ranks;
    for (const std::string& part : expand_host_list("[" + *text + "]", kMaxListedRanks)) {
      if (const auto rank = parse_number<std::int32_t>(part)) ranks.push_back(*rank);
    }
    return ranks;
  }

  [[nodiscard]] bool peels() const { return line_.text.size() != line_.raw.size(); }

  bool find(const Compiled& compiled) {
    for (const Program& program : compiled.any) {
      if (program.find(line_.text, match_)) return true;
    }
    if (!peels()) return false;
    for (const Program& program : compiled.any) {
      if (program.find(line_.raw, match_)) return true;
    }
    return false;
  }

  bool look_near(const Near& near) {
    // "GPU at PCI:0000:3b:00: GPU-..." belongs to the Xid of that GPU only: what both lines name must agree.
    const auto agrees = [&](const Match& match) {
      return std::all_of(match.captures.begin(), match.captures.end(), [&](const Capture& capture) {
        const auto known = std::find_if(found_.begin(), found_.end(),
                                        [&](const Found& f) { return f.capture.name == capture.name; });
        return known == found_.end() || same_value(known->capture.value, capture.value);
      });
    };
    const auto raw = near.look(span_, line_.speaker, neighbours_, match_, agrees);
    if (near.forbidden()) return !raw;
    if (!raw) return !near.required();
    if (match_.captures.empty()) return true;
    near_masks_.push_back(std::make_unique<std::string>(mask_secrets(*raw)));
    for (const Capture& capture : match_.captures) {
      // The line of the hit speaks first, then the rules in their order.
      const bool known = std::any_of(found_.begin(), found_.end(),
                                     [&](const Found& f) { return f.capture.name == capture.name; });
      if (!known) found_.push_back({capture, *raw, near_masks_.back().get()});
    }
    return true;
  }

  static bool same_value(std::string_view a, std::string_view b) {
    if (a == b) return true;
    const auto pci = normal_pci(a);
    return pci && pci == normal_pci(b);
  }

  FieldValue value_of(const Found& found, FieldType type) const {
    FieldValue value = field_value(found.capture.name, type, found.capture.value);
    const auto* text = std::get_if<std::string>(&value);
    const bool hidden = text != nullptr && *found.masked != found.raw && type != FieldType::pci &&
                        type != FieldType::pod_uid && found.masked->find(*text) == std::string::npos;
    if (hidden) return std::string("<masked:context>");
    return value;
  }

  Draft drafted(const Hit& hit, std::uint64_t folded) {
    const Pattern& p = patterns_[hit.pattern];
    Draft draft;
    draft.position = static_cast<std::uint32_t>(span_.begin);
    Event& e = draft.event;
    e.pattern = p.id;
    e.index = hit.pattern;
    e.kind = p.kind;
    e.severity = p.severity;
    e.role = p.role;
    e.scope = p.scope;
    e.time = line_.time;
    e.fields = compiled_[hit.pattern].constants;
    e.repeats = 1 + folded;
    e.evidence = {artifact_.index, line_.number, line_.offset, {}};
    Speaker named;
    for (const Found& found : found_) {
      const std::string name(found.capture.name);
      const auto type = p.fields.find(name);
      FieldValue value = value_of(found, type == p.fields.end() ? FieldType::text : type->second);
      for (const auto& [part, capture] : p.who) {
        if (capture == name) name_entity(part, field_text(value), named, e);
      }
      if (type != p.fields.end()) e.fields.insert_or_assign(name, std::move(value));
    }
    e.speaker = who_it_is(named, joined(artifact_.speaker, line_.speaker));
    if (e.gpu.empty() && e.speaker.gpu >= 0) e.gpu = std::to_string(e.speaker.gpu);
    return draft;
  }

  static void name_entity(const std::string& part, const std::string& text, Speaker& named, Event& e) {
    if (part == "node")
      named.node = text;
    else if (part == "pod")
      named.pod = text;
    else if (part == "container")
      named.container = text;
    else if (part == "rank")
      named.rank = small_number(text);
    else if (part == "local_rank")
      named.local_rank = small_number(text);
    else if (part == "pid")
      named.pid = parse_number<std::int64_t>(text).value_or(-1);
    else if (part == "nic")
      e.nic = text;
    else if (part == "gpu") {
      e.gpu = normal_pci(text).value_or(text);
      named.gpu = small_number(text);
    }
  }

  // A line may speak of somebody else: "rank 5 did not join" in the log of rank 0. Then nothing that is known
  // of the printer (its node, pod, process) belongs to the event.
  static Speaker who_it_is(const Speaker& named, const Speaker& printer) {
    const bool other_rank = named.rank >= 0 && printer.rank >= 0 && named.rank != printer.rank;
    const bool other_pod = !named.pod.empty() && !printer.pod.empty() && named.pod != printer.pod;
    return other_rank || other_pod ? named : joined(printer, named);
  }

  // True: there are enough equal ones, and a slot that stands for the last of them.
  bool fold(const Draft& draft) {
    key_ = key_of(draft.event);
    Equal& equal = equal_[key_];
    if (equal.kept == kMaxEqual) return true;
    equal.last = drafts_.size();
    ++equal.kept;
    return false;
  }

  const std::vector<Pattern>& patterns_;
  const std::vector<Compiled>& compiled_;
  const std::size_t max_excerpt_;
  const Artifact& artifact_;
  const LineBatch& batch_;
  LineResolver resolver_;
  Neighbours neighbours_;

  LineSpan span_;
  ResolvedLine line_;
  bool span_known_ = false;
  bool line_known_ = false;
  std::string masked_;
  bool masked_known_ = false;
  Match match_;
  std::vector<Found> found_;
  std::vector<std::unique_ptr<std::string>> near_masks_;
  std::vector<Draft> drafts_;
  std::unordered_map<PatternIndex, std::uint64_t> folded_;
  std::unordered_map<std::string, Equal> equal_;
  std::string key_;
};

Result<Compiled> compile(const Pattern& p) {
  const std::string where = p.file + ":" + std::to_string(p.line);
  const auto refuse = [&](const std::string& name, const Problem& problem) {
    return fail(Rung::stop, where, p.id + ": " + name + ": " + problem.what, problem.hint);
  };
  Compiled compiled;
  for (std::size_t i = 0; i < p.any.size(); ++i) {
    auto program = Program::make(p.any[i]);
    if (!program) return refuse("any[" + std::to_string(i) + "]", program.error());
    compiled.any.push_back(std::move(*program));
  }
  for (std::size_t i = 0; i < p.unless.size(); ++i) {
    auto program = Program::make(p.unless[i]);
    if (!program) return refuse("not[" + std::to_string(i) + "]", program.error());
    compiled.unless.push_back(std::move(*program));
  }
  for (std::size_t i = 0; i < p.near.size(); ++i) {
    auto near = Near::make(p.near[i]);
    if (!near) return refuse("near[" + std::to_string(i) + "]", near.error());
    compiled.near.push_back(std::move(*near));
  }
  for (const auto& [name, text] : p.constants) compiled.constants.emplace(name, constant_value(text));
  return compiled;
}

}  // namespace

Extractor::Extractor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Extractor::~Extractor() = default;

Result<std::unique_ptr<Extractor>> Extractor::make(const PatternSet& patterns, const Limits& limits) {
  auto impl = std::make_unique<Impl>();
  impl->patterns = patterns.patterns;
  impl->max_excerpt = limits.max_excerpt;
  for (const Pattern& p : impl->patterns) {
    auto compiled = compile(p);
    if (!compiled) return tl::unexpected(compiled.error());
    impl->compiled.push_back(std::move(*compiled));
  }
  return std::unique_ptr<Extractor>(new Extractor(std::move(impl)));
}

void Extractor::confirm(const Artifact& artifact, const LineBatch& batch, const std::vector<Hit>& hits,
                        std::vector<Event>& events) const {
  Confirmation(impl_->patterns, impl_->compiled, impl_->max_excerpt, artifact, batch).run(hits, events);
}

bool Extractor::matches(PatternIndex pattern, std::string_view line) const {
  const Compiled& compiled = impl_->compiled[pattern];
  const auto hit = [&](const Program& program) { return program.matches(line); };
  return std::any_of(compiled.any.begin(), compiled.any.end(), hit) &&
         std::none_of(compiled.unless.begin(), compiled.unless.end(), hit);
}

bool Extractor::matches(PatternIndex pattern, std::size_t alternative, std::string_view line) const {
  const Compiled& compiled = impl_->compiled[pattern];
  return alternative < compiled.any.size() && compiled.any[alternative].matches(line);
}

}  // namespace faultline::extract
