#include "facts/reading.h"

#include <algorithm>

#include "base/secrets.h"
#include "base/text.h"

namespace faultline::facts {
namespace {

// Facts of one document. The biggest honest one is `describe pods` of a whole cluster: some thousand pods
// with fifty variables each.
constexpr std::size_t kMaxFacts = 400'000;
constexpr std::size_t kMaxEvents = 20'000;
constexpr std::size_t kMaxNotes = 32;
// Text of facts and joins with their evidence, so that long lines cannot multiply what a document holds.
constexpr std::uint64_t kMaxText = std::uint64_t{96} << 20;
// The line behind a fact or a join: enough to recognise it.
constexpr std::size_t kFactExcerpt = 256;
// A line of this length is a whole document on one line: the excerpt is a window, not the line.
constexpr std::size_t kWindowFrom = 600;
constexpr std::size_t kWindow = 200;

/// Masked before it is cut, with enough text behind the cut that no secret is halved out of its shape.
std::string masked_excerpt(std::string_view text, std::size_t longest) {
  constexpr std::size_t kMargin = 4096;
  std::string masked = mask_secrets(text.substr(0, longest + kMargin));
  if (masked.size() > longest) masked.resize(longest);
  return masked;
}

std::string cleaned(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::string out;
  if (text.find('\x1b') == std::string_view::npos) {
    out.assign(text);
  } else {
    // The environment of a process separates its variables by NUL: that must stay.
    while (true) {
      const std::size_t nul = text.find('\0');
      append_without_ansi(text.substr(0, nul), out);
      if (nul == std::string_view::npos) break;
      out += '\0';
      text.remove_prefix(nul + 1);
    }
  }
  // Chat pastes carry no-break blanks where tables had blanks.
  if (out.find("\xC2\xA0") != std::string::npos) {
    std::string plain;
    plain.reserve(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (out[i] == '\xC2' && i + 1 < out.size() && out[i + 1] == '\xA0') {
        plain += ' ';
        ++i;
      } else {
        plain += out[i];
      }
    }
    out.swap(plain);
  }
  return out;
}

}  // namespace

Lines::Lines(std::string_view text) : text_(text) {
  for_each_line(text, [&](std::uint64_t, std::string_view line) {
    cut_ = lines_.size() >= kMost;
    if (!cut_) lines_.push_back(line);
    return !cut_;
  });
}

std::uint64_t Lines::offset(std::size_t index) const {
  return index < lines_.size() ? static_cast<std::uint64_t>(lines_[index].data() - text_.data())
                               : text_.size();
}

std::size_t Lines::at_offset(std::uint64_t offset) const {
  if (lines_.empty()) return 0;
  const char* at = text_.data() + std::min<std::uint64_t>(offset, text_.size());
  const auto after = std::upper_bound(lines_.begin(), lines_.end(), at,
                                      [](const char* p, std::string_view line) { return p < line.data(); });
  return after == lines_.begin() ? 0 : static_cast<std::size_t>(after - lines_.begin()) - 1;
}

Draft& Draft::field(std::string_view name, std::int64_t value) {
  event_.fields.insert_or_assign(std::string(name), FieldValue(value));
  return *this;
}
Draft& Draft::field(std::string_view name, std::optional<std::int64_t> value) {
  return value ? field(name, *value) : *this;
}
Draft& Draft::field(std::string_view name, double value) {
  event_.fields.insert_or_assign(std::string(name), FieldValue(value));
  return *this;
}
Draft& Draft::field(std::string_view name, std::string_view value) {
  if (!value.empty()) {
    constexpr std::size_t kLongest = 512;  // a field is a value, not a paragraph
    event_.fields.insert_or_assign(std::string(name), FieldValue(masked_excerpt(value, kLongest)));
  }
  return *this;
}
Draft& Draft::node(std::string_view name) {
  if (!name.empty()) event_.speaker.node = name;
  return *this;
}
Draft& Draft::pod(std::string_view name) {
  if (!name.empty()) event_.speaker.pod = name;
  return *this;
}
Draft& Draft::container(std::string_view name) {
  if (!name.empty()) event_.speaker.container = name;
  return *this;
}
Draft& Draft::rank(std::int32_t rank) {
  event_.speaker.rank = rank;
  return *this;
}
Draft& Draft::gpu(std::string_view pci_or_index) {
  if (!pci_or_index.empty()) event_.gpu = pci_or_index;
  return *this;
}
Draft& Draft::time(const Instant& time) {
  if (time.known()) event_.time = time;
  return *this;
}
Draft& Draft::repeats(std::uint64_t count) {
  if (count > 1) event_.repeats = count;
  return *this;
}
Draft& Draft::speaker(const Speaker& speaker) {
  event_.speaker = speaker;
  return *this;
}

Draft& Draft::severity(Severity severity) {
  event_.severity = severity;
  return *this;
}

Reading::Reading(const Artifact& of, std::string_view document, const TimeHints& time_hints,
                 const Limits& budget)
    : artifact(of), hints(time_hints), limits(budget), cleaned_(cleaned(document)), lines_(cleaned_) {
  text = cleaned_;
  if (lines_.cut()) note("the document has more than 4,000,000 lines: the rest was not read");
}

Evidence Reading::evidence(std::size_t line, std::optional<std::uint64_t> offset, std::size_t longest) const {
  Evidence evidence;
  evidence.artifact = artifact.index;
  evidence.line = line + 1;
  evidence.offset = offset.value_or(lines_.offset(line));
  std::string_view shown = lines_[line];
  if (shown.size() > kWindowFrom && offset && *offset >= lines_.offset(line)) {
    shown = shown.substr(std::min<std::size_t>(*offset - lines_.offset(line), shown.size()));
    longest = std::min(longest, kWindow);
  }
  evidence.text = masked_excerpt(trim(shown), longest);
  return evidence;
}

bool Reading::spend(std::size_t bytes) {
  spent_ += bytes + 128;  // of the structs around
  if (spent_ <= kMaxText) return true;
  note("more than one document may give: the rest was not kept");
  return false;
}

void Reading::fact(std::string_view key, std::string_view value, std::size_t line) {
  fact(artifact.speaker, key, value, line);
}

void Reading::fact(const Speaker& subject, std::string_view key, std::string_view value, std::size_t line) {
  timed_fact(subject, key, value, Instant{}, line);
}

void Reading::timed_fact(const Speaker& subject, std::string_view key, std::string_view value,
                         const Instant& time, std::size_t line) {
  if (value.empty()) return;
  Fact fact{subject, {}, std::string(key), masked_excerpt(value, limits.max_excerpt), time, {}};
  fact.evidence = evidence(line, std::nullopt, kFactExcerpt);
  if (result_.facts.size() >= kMaxFacts || !spend(fact.value.size() + fact.evidence.text.size())) {
    note("more facts than one document may give: the rest was not kept");
    return;
  }
  result_.facts.push_back(std::move(fact));
}

void Reading::gpu_fact(std::string_view gpu, std::string_view key, std::string_view value, std::size_t line) {
  const std::size_t before = result_.facts.size();
  fact(artifact.speaker, key, value, line);
  if (result_.facts.size() > before) result_.facts.back().gpu = gpu;
}

void Reading::env_fact(const Speaker& subject, std::string_view name, std::string_view value,
                       std::size_t line) {
  if (name.empty() || result_.facts.size() >= kMaxFacts) return;
  const std::string masked = mask_value(name, value.substr(0, limits.max_excerpt));
  Fact fact{subject, {}, "env." + std::string(name), masked, {}, {}};
  fact.evidence.artifact = artifact.index;
  fact.evidence.line = line + 1;
  fact.evidence.offset = lines_.offset(line);
  fact.evidence.text = std::string(name) + "=" + masked.substr(0, kFactExcerpt);
  if (!spend(fact.value.size() + fact.evidence.text.size())) return;
  result_.facts.push_back(std::move(fact));
}

Draft Reading::event(ReaderEvent id, std::size_t line, std::optional<std::uint64_t> offset) {
  if (result_.events.size() >= std::min<std::uint64_t>(limits.max_events, kMaxEvents)) {
    note("more events than one document may give: the rest was not kept");
    return Draft(overflow_);
  }
  const ReaderEventInfo& info = reader_event(id);
  Event event;
  event.pattern = info.id;
  event.kind = info.kind;
  event.severity = info.severity;
  event.role = info.role;
  event.scope = info.scope;
  event.speaker = artifact.speaker;
  event.evidence = evidence(line, offset, limits.max_excerpt);
  result_.events.push_back(std::move(event));
  return Draft(result_.events.back());
}

void Reading::join(NameJoin::Entity entity, std::string_view a, std::string_view b, std::size_t line) {
  if (a.empty() || b.empty() || a == b || result_.joins.size() >= kMaxFacts) return;
  Evidence where = evidence(line, std::nullopt, kFactExcerpt);
  if (!spend(a.size() + b.size() + where.text.size())) return;
  result_.joins.push_back(NameJoin{entity, std::string(a), std::string(b), std::move(where)});
}

void Reading::note(std::string_view text_of_note) {
  if (result_.notes.size() >= kMaxNotes) return;
  if (std::find(result_.notes.begin(), result_.notes.end(), text_of_note) != result_.notes.end()) return;
  result_.notes.emplace_back(text_of_note);
}

bool Reading::fruitful() const {
  return !result_.facts.empty() || !result_.events.empty() || !result_.joins.empty() ||
         !result_.notes.empty();
}

std::optional<std::int64_t> Reading::collected_ns() const {
  if (artifact.collection.empty()) return std::nullopt;
  return hints.reference_ns;
}

Instant Reading::time_of(std::string_view stamp) const {
  stamp = trim(stamp);
  const auto parsed = try_any_time(stamp, hints);
  if (!parsed || !trim(stamp.substr(parsed->length)).empty()) return {};
  return parsed->time;
}

}  // namespace faultline::facts
