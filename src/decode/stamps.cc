#include "decode/stamps.h"

#include <algorithm>

namespace faultline::decode {
namespace {

constexpr std::size_t kPatience = 256;  // as far as LineResolver looks back
constexpr std::size_t kImpatience = 8;

Instant stamp_of(const LineBatch& batch, LineSpan span) {
  return peeled_line(batch, span).time;
}

}  // namespace

void StampScout::Range::widen(const Instant& time) {
  if (!first.known() || time.ns < first.ns) first = time;
  if (!last.known() || time.ns > last.ns) last = time;
}

void StampScout::widen(const Instant& time) {
  if (time.base == Instant::Base::epoch) wall_.widen(time);
  if (time.base == Instant::Base::boot) boot_.widen(time);
}

Instant StampScout::last_before(const LineBatch& batch, std::size_t end, std::size_t from) {
  for (std::size_t lines = 0; lines < patience_ && end > from; ++lines) {
    const LineSpan span = line_at(batch, end - 1);
    const Instant time = stamp_of(batch, span);
    if (time.known()) return time;
    end = span.begin;
  }
  return {};
}

void StampScout::look(const LineBatch& batch, std::uint64_t next_offset) {
  bool seen = false;
  std::size_t at = batch.core_begin;
  for (std::size_t lines = 0; lines < patience_ && at < batch.core_end; ++lines) {
    const LineSpan span = line_at(batch, at);
    const Instant time = stamp_of(batch, span);
    if (time.known()) {
      widen(time);
      seen = true;
      break;
    }
    at = span.end + 1;
  }
  const Instant last = last_before(batch, batch.core_end, batch.core_begin);
  if (last.known()) widen(last);
  seen = seen || last.known();

  std::size_t next = batch.text.size();
  if (batch.marked()) {
    auto mark = batch.marks.end();
    while (mark != batch.marks.begin() && (mark - 1)->offset >= next_offset) --mark;
    if (mark != batch.marks.end()) next = mark->begin;
  } else {
    next = std::min<std::size_t>(next, next_offset - batch.first_offset);
  }
  const Instant before = last_before(batch, next, 0);
  if (before.known()) carried_ = before;
  patience_ = seen ? kPatience : std::max(kImpatience, patience_ / 2);
}

void StampScout::fill(DecodeSummary& summary) const {
  const Range& range = wall_.first.known() ? wall_ : boot_;
  summary.first = range.first;
  summary.last = range.last;
}

}  // namespace faultline::decode
