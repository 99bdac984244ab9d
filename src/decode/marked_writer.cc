#include "decode/marked_writer.h"

#include <algorithm>

#include "base/text.h"
#include "decode/lead.h"
#include "decode/line_window.h"

namespace faultline::decode {
namespace {

// Speakers of one batch; more kinds of speakers than this in a megabyte are an attack on memory.
constexpr std::size_t kMostSpeakers = 65536;

}  // namespace

MarkedWriter::MarkedWriter(const Artifact& artifact, const Limits& limits, const TimeHints& hints,
                           const BatchSink& sink)
    : artifact_(artifact), sink_(sink), limits_(limits) {
  context_.hints = hints;
  context_.kind = artifact.kind;
  open_.speakers.assign(1, artifact.speaker);
}

void MarkedWriter::add(std::string_view text, const Origin& origin) {
  std::uint64_t number = origin.place.number;
  std::uint64_t offset = origin.place.offset;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    add_line(line, origin, number, offset);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
    if (!origin.verbatim) continue;
    ++number;
    offset += end + 1;
  }
}

// Progress bars come as one line with a CR before each state: each is a line of its own.
void MarkedWriter::add_line(std::string_view line, const Origin& origin, std::uint64_t number,
                            std::uint64_t offset) {
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\r', begin), line.size());
    clean_.clear();
    append_without_ansi(line.substr(begin, end - begin), clean_);
    const std::string_view part = clean_;
    // Empty lines carry nothing; an empty state of a bar least of all.
    for (std::size_t at = 0; at < part.size();) {
      const std::size_t size = std::min(limits_.line, part.size() - at);
      add_piece(part.substr(at, size), origin, number, offset + (origin.verbatim ? begin : 0));
      if (at + size == part.size()) break;
      ++cut_lines_;
      at += size - limits_.overlap;
    }
    begin = end + 1;
  }
}

void MarkedWriter::add_piece(std::string_view piece, const Origin& origin, std::uint64_t number,
                             std::uint64_t offset) {
  LineMark mark;
  mark.begin = static_cast<std::uint32_t>(open_.text.size());
  mark.speaker = speaker_index(origin.speaker);
  mark.number = number;
  mark.offset = offset;
  mark.time = origin.time;
  open_.marks.push_back(mark);
  open_.text.append(piece).push_back('\n');
  written_ += piece.size() + 1;
  ++lines_;
  while (open_.text.size() >= core_end() + kMarginBytes) emit(false);
}

std::uint32_t MarkedWriter::speaker_index(const Speaker& speaker) {
  if (speaker == Speaker{}) return 0;
  // The last one added or used is nearly always it.
  std::vector<Speaker>& all = open_.speakers;
  if (!open_.marks.empty() && all[open_.marks.back().speaker] == speaker && open_.marks.back().speaker != 0) {
    return open_.marks.back().speaker;
  }
  const std::size_t recent = std::min<std::size_t>(all.size() - 1, 64);
  for (std::size_t i = all.size(); i > all.size() - recent; --i) {
    if (all[i - 1] == speaker) return static_cast<std::uint32_t>(i - 1);
  }
  if (all.size() >= kMostSpeakers) return 0;
  all.push_back(speaker);
  return static_cast<std::uint32_t>(all.size() - 1);
}

/// Where a core that is full ends; beyond the text while it is not full.
std::size_t MarkedWriter::core_end() const {
  return open_.core_begin + limits_.batch;
}

/// Index of the first mark at or behind a position.
std::size_t MarkedWriter::mark_after(std::size_t position) const {
  const auto found = std::lower_bound(open_.marks.begin(), open_.marks.end(), position,
                                      [](const LineMark& m, std::size_t at) { return m.begin < at; });
  return static_cast<std::size_t>(found - open_.marks.begin());
}

void MarkedWriter::emit(bool last) {
  if (open_.marks.empty()) return;
  LineBatch batch;
  std::swap(batch, open_);
  open_ = std::move(batch);
  const std::vector<LineMark>& marks = open_.marks;
  const auto begin_of = [&](std::size_t index) {
    return index < marks.size() ? static_cast<std::size_t>(marks[index].begin) : open_.text.size();
  };
  const std::size_t first = mark_after(open_.core_begin);
  std::size_t cut = last ? marks.size() : mark_after(core_end());
  if (!last && cut > first + 1 && begin_of(cut) > core_end()) --cut;  // the line that would go beyond is next
  if (cut == first) cut = std::min(first + 1, marks.size());
  std::size_t behind = cut;
  while (behind < marks.size() && behind - cut < kMarginLines &&
         begin_of(behind + 1) - begin_of(cut) <= kMarginBytes) {
    ++behind;
  }
  std::size_t before = cut;
  while (before > first && cut - before < kMarginLines &&
         begin_of(cut) - begin_of(before - 1) <= kMarginBytes) {
    --before;
  }

  // What the next batch starts with: the margin before its core, and all that has come behind the cut.
  LineBatch next;
  if (!last) {
    const std::size_t base = begin_of(before);
    next.text = open_.text.substr(base);
    next.core_begin = begin_of(cut) - base;
    next.speakers.assign(1, artifact_.speaker);
    for (std::size_t i = before; i < marks.size(); ++i) {
      LineMark mark = marks[i];
      mark.begin -= static_cast<std::uint32_t>(base);
      const Speaker& speaker = open_.speakers[mark.speaker];
      if (mark.speaker != 0 && (next.speakers.size() == 1 || next.speakers.back() != speaker)) {
        next.speakers.push_back(speaker);
      }
      if (mark.speaker != 0) mark.speaker = static_cast<std::uint32_t>(next.speakers.size() - 1);
      next.marks.push_back(mark);
    }
  }
  const std::uint64_t next_offset = before < marks.size() ? marks[before].offset : 0;
  open_.core_end = begin_of(cut);
  open_.text.resize(begin_of(behind));
  open_.marks.resize(behind);
  open_.sequence = sequence_++;
  open_.first_line = open_.marks.front().number;
  open_.first_offset = open_.marks.front().offset;
  open_.peel = &peel_line;
  if (context_.lead == Lead::unknown) {
    context_.lead = sample_lead(std::string_view(open_.text).substr(open_.core_begin), context_);
  }
  open_.context = context_;
  open_.carried = scout_.carried();
  scout_.look(open_, next_offset);
  sink_(std::move(open_));
  open_ = std::move(next);
  if (open_.speakers.empty()) open_.speakers.assign(1, artifact_.speaker);
}

void MarkedWriter::note(std::string note) {
  constexpr std::size_t kMostNotes = 32;
  if (summary_.notes.size() < kMostNotes) summary_.notes.push_back(std::move(note));
}

void MarkedWriter::damage(const Place& place, std::string what) {
  ++damaged_;
  if (summary_.damaged) return;
  summary_.damaged = true;
  summary_.damage =
      Problem{Rung::note,
              "line " + std::to_string(place.number) + ", offset " + std::to_string(place.offset),
              std::move(what),
              {}};
}

DecodeSummary MarkedWriter::finish(std::uint64_t lines) {
  while (open_.text.size() > core_end()) emit(false);
  if (open_.text.size() > open_.core_begin) emit(true);
  scout_.fill(summary_);
  summary_.lines = lines;
  if (cut_lines_ > 0)
    note(std::to_string(cut_lines_) + " cuts in lines longer than " + std::to_string(limits_.line) +
         " bytes");
  if (damaged_ > 1) note(std::to_string(damaged_) + " records could not be read whole");
  return std::move(summary_);
}

}  // namespace faultline::decode
