#include "model/line_batch.h"

#include <algorithm>
#include <cstring>

namespace faultline {
namespace {

constexpr int kInheritLines = 256;  // a Python traceback or an OOM block is far shorter

Speaker joined(const Speaker& outer, const Speaker& inner) {
  Speaker s = inner;
  if (s.node.empty()) s.node = outer.node;
  if (s.pod.empty()) s.pod = outer.pod;
  if (s.container.empty()) s.container = outer.container;
  if (s.stream.empty()) s.stream = outer.stream;
  if (s.rank < 0) s.rank = outer.rank;
  if (s.local_rank < 0) s.local_rank = outer.local_rank;
  if (s.gpu < 0) s.gpu = outer.gpu;
  if (s.pid < 0) s.pid = outer.pid;
  return s;
}

const LineMark& mark_of(const LineBatch& batch, std::size_t begin) {
  auto after = std::upper_bound(batch.marks.begin(), batch.marks.end(), begin,
                                [](std::size_t at, const LineMark& m) { return at < m.begin; });
  return after == batch.marks.begin() ? *after : *(after - 1);
}

// The stamp that a line without one inherits: the nearest earlier stamped line in the batch.
Instant inherited_time(const LineBatch& batch, std::size_t begin) {
  std::size_t at = begin;
  for (int i = 0; i < kInheritLines && at > 0; ++i) {
    const LineSpan before = line_at(batch, at - 1);
    const std::string_view raw = std::string_view(batch.text).substr(before.begin, before.end - before.begin);
    Instant time = batch.peel(raw, batch.context).time;
    if (!time.known() && batch.marked()) time = mark_of(batch, before.begin).time;
    if (time.known()) {
      time.source = Instant::Source::inherited;
      return time;
    }
    at = before.begin;
  }
  Instant time = at == 0 ? batch.carried : Instant{};
  if (time.known()) time.source = Instant::Source::inherited;
  return time;
}

}  // namespace

LineSpan line_at(const LineBatch& batch, std::size_t position) {
  const std::string& text = batch.text;
  LineSpan span;
  const void* before = position == 0 ? nullptr : ::memrchr(text.data(), '\n', position);
  span.begin = before == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(before) - text.data()) + 1;
  const void* after = std::memchr(text.data() + position, '\n', text.size() - position);
  span.end = after == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(after) - text.data());
  return span;
}

ResolvedLine LineResolver::resolve(LineSpan span) {
  ResolvedLine line;
  line.raw = std::string_view(batch_.text).substr(span.begin, span.end - span.begin);
  const PeeledLine peeled = batch_.peel(line.raw, batch_.context);
  line.text = peeled.text;
  line.time = peeled.time;
  line.speaker = peeled.speaker;
  if (batch_.marked()) {
    const LineMark& mark = mark_of(batch_, span.begin);
    line.number = mark.number;
    line.offset = mark.offset;
    if (!line.time.known()) line.time = mark.time;
    if (mark.speaker < batch_.speakers.size()) line.speaker = joined(batch_.speakers[mark.speaker], line.speaker);
  } else {
    if (span.begin < counted_to_) {
      counted_to_ = 0;
      counted_line_ = batch_.first_line;
    }
    counted_line_ += static_cast<std::uint64_t>(
        std::count(batch_.text.begin() + static_cast<std::ptrdiff_t>(counted_to_),
                   batch_.text.begin() + static_cast<std::ptrdiff_t>(span.begin), '\n'));
    counted_to_ = span.begin;
    line.number = counted_line_;
    line.offset = batch_.first_offset + span.begin;
  }
  if (!line.time.known()) line.time = inherited_time(batch_, span.begin);
  return line;
}

ResolvedLine resolve_line(const LineBatch& batch, LineSpan span) { return LineResolver(batch).resolve(span); }

}  // namespace faultline
