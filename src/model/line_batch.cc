#include "model/line_batch.h"

#include <algorithm>
#include <cstring>

namespace faultline {
namespace {

constexpr int kInheritLines = 256;  // a Python traceback or an OOM block is far shorter

// Every byte before the last hit of a batch is counted. Sums of at most 255 fit a byte, which lets the
// compiler add in vectors of bytes: three times std::count, which adds in 64 bits.
std::uint64_t line_feeds(std::string_view text) {
  constexpr std::size_t kBlock = 255;
  std::uint64_t total = 0;
  while (!text.empty()) {
    const std::size_t size = std::min(kBlock, text.size());
    std::uint8_t found = 0;
    for (std::size_t i = 0; i < size; ++i)
      found = static_cast<std::uint8_t>(found + (text[i] == '\n' ? 1 : 0));
    total += found;
    text.remove_prefix(size);
  }
  return total;
}

// How much a stamp says of the moment on a common clock.
int worth(const Instant& time) {
  if (!time.wall()) return time.known() ? 1 : 0;
  if (time.year_inferred) return 2;
  return time.zone == Instant::Zone::assumed ? 3 : 4;
}

// Is the time of the framing to be preferred to the one in the line? The line's own is nearer to the event,
// unless it leaves out what the framing says (year, zone), or is a date that the line only speaks of.
bool is_better(const Instant& framing, const Instant& inner) {
  constexpr std::int64_t kTrust = 26 * 3600 * kSecond;  // zones differ by no more
  const bool far = inner.wall() && (inner.ns < framing.ns - kTrust || inner.ns > framing.ns + kTrust);
  if (worth(framing) == 4 && far) return true;
  return worth(framing) > worth(inner);
}

const LineMark& mark_of(const LineBatch& batch, std::size_t begin) {
  auto after = std::upper_bound(batch.marks.begin(), batch.marks.end(), begin,
                                [](std::size_t at, const LineMark& m) { return at < m.begin; });
  return after == batch.marks.begin() ? *after : *(after - 1);
}

}  // namespace

Speaker joined(const Speaker& outer, const Speaker& inner) {
  Speaker s = inner;
  if (s.node.empty()) s.node = outer.node;
  if (s.pod.empty()) s.pod = outer.pod;
  if (s.container.empty()) s.container = outer.container;
  if (s.stream.empty()) s.stream = outer.stream;
  if (s.rank < 0) s.rank = outer.rank;
  if (s.local_rank < 0) s.local_rank = outer.local_rank;
  if (s.task < 0) s.task = outer.task;
  if (s.gpu < 0) s.gpu = outer.gpu;
  if (s.pid < 0) s.pid = outer.pid;
  return s;
}

LineSpan line_at(const LineBatch& batch, std::size_t position) {
  const std::string& text = batch.text;
  LineSpan span;
  const void* before = position == 0 ? nullptr : ::memrchr(text.data(), '\n', position);
  span.begin =
      before == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(before) - text.data()) + 1;
  span.end = std::min(text.find('\n', position), text.size());
  return span;
}

PeeledLine peeled_line(const LineBatch& batch, LineSpan span) {
  PeeledLine line =
      batch.peel(std::string_view(batch.text).substr(span.begin, span.end - span.begin), batch.context);
  if (batch.marked()) {
    const LineMark& mark = mark_of(batch, span.begin);
    if (is_better(mark.time, line.time)) line.time = mark.time;
    if (mark.speaker < batch.speakers.size())
      line.speaker = joined(batch.speakers[mark.speaker], line.speaker);
  }
  return line;
}

// The stamp that a line without one inherits: the nearest earlier stamped line in the batch, else what was
// carried into it. Stops at the line resolved before this one, which knows the rest.
LineResolver::Known LineResolver::inherit(std::size_t begin) {
  Known known;
  known.begin = begin;
  known.valid = true;
  std::size_t at = begin;
  int back = 0;
  while (back < kInheritLines && at > 0) {
    const LineSpan before = line_at(batch_, at - 1);
    at = before.begin;
    ++back;
    if (last_.valid && last_.begin == at) {
      known.lines_back = back + last_.lines_back;
      if (known.lines_back <= kInheritLines) known.time = last_.time;
      break;
    }
    const Instant time = peeled_line(batch_, before).time;
    known.lines_back = back;
    if (time.known()) {
      known.time = time;
      break;
    }
    if (at == 0) known.time = batch_.carried;
  }
  if (begin == 0) known.time = batch_.carried;
  if (known.time.known()) known.time.source = Instant::Source::inherited;
  return known;
}

ResolvedLine LineResolver::resolve(LineSpan span) {
  ResolvedLine line;
  line.raw = std::string_view(batch_.text).substr(span.begin, span.end - span.begin);
  PeeledLine peeled = peeled_line(batch_, span);
  line.text = peeled.text;
  line.time = peeled.time;
  line.speaker = std::move(peeled.speaker);
  if (batch_.marked()) {
    const LineMark& mark = mark_of(batch_, span.begin);
    line.number = mark.number;
    line.offset = mark.offset;
  } else {
    if (span.begin < counted_to_) {
      counted_to_ = 0;
      counted_line_ = batch_.first_line;
    }
    counted_line_ += line_feeds(std::string_view(batch_.text).substr(counted_to_, span.begin - counted_to_));
    counted_to_ = span.begin;
    line.number = counted_line_;
    line.offset = batch_.first_offset + span.begin;
  }
  if (line.time.known()) {
    last_ = {span.begin, 0, line.time, true};
  } else {
    last_ = inherit(span.begin);
    line.time = last_.time;
  }
  return line;
}

ResolvedLine resolve_line(const LineBatch& batch, LineSpan span) {
  return LineResolver(batch).resolve(span);
}

}  // namespace faultline
