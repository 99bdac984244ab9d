#include "decode/line_window.h"

#include <algorithm>
#include <cstring>

namespace faultline::decode {
namespace {

constexpr std::size_t kMaxOverlap = 4096;

// Offset of the byte after the last `c` in text[from, to), or `from` when there is none.
std::size_t after_last(std::string_view text, std::size_t from, std::size_t to, char c) {
  const void* hit = ::memrchr(text.data() + from, c, to - from);
  return hit == nullptr ? from : static_cast<std::size_t>(static_cast<const char*>(hit) - text.data()) + 1;
}

bool lone_cr(std::string_view text, std::size_t at) {
  return text[at] == '\r' && (at + 1 == text.size() || (text[at + 1] != '\n' && text[at + 1] != '\r'));
}

}  // namespace

LineLimits::LineLimits(const Limits& limits)
    : batch(std::clamp<std::size_t>(limits.batch_bytes, 256, std::size_t{256} << 20)),
      line(std::clamp<std::size_t>(limits.max_line, 128, batch)),
      overlap(std::min(kMaxOverlap, line / 8)) {}

void LineWindow::feed(std::string_view chunk) {
  const std::size_t ahead = limits_.batch + kMarginBytes + 1;  // all that a cut and its margin may look at
  while (!chunk.empty()) {
    const std::size_t part = std::min(chunk.size(), core_begin_ + ahead - window_.size());
    if (window_.capacity() < core_begin_ + ahead) window_.reserve(core_begin_ + ahead + kMarginBytes);
    window_.append(chunk.substr(0, part));
    chunk.remove_prefix(part);
    if (window_.size() >= core_begin_ + ahead) emit(false);
  }
}

void LineWindow::finish() {
  while (window_.size() > core_begin_) emit(true);
}

LineWindow::Cut LineWindow::choose_cut() const {
  const std::string_view text = window_;
  if (text.size() - core_begin_ <= limits_.batch) return {text.size(), Cut::Where::end};
  const std::size_t end = core_begin_ + limits_.batch;
  const std::size_t newline = after_last(text, core_begin_, end, '\n');
  if (newline > core_begin_) return {newline, Cut::Where::newline};
  for (std::size_t at = end; (at = after_last(text, core_begin_, at, '\r')) > core_begin_; --at) {
    if (lone_cr(text, at - 1)) return {at, Cut::Where::carriage_return};
  }
  // As many whole pieces of a long line as fit; the builder cuts them at the same places.
  const std::size_t step = limits_.line - limits_.overlap;
  const std::size_t start = core_inside_line_ ? 0 : core_begin_;
  const std::size_t pieces = std::max<std::size_t>(1, (end - start - limits_.overlap) / step);
  return {start + limits_.overlap + pieces * step, Cut::Where::hard};
}

std::size_t LineWindow::margin_before(std::size_t at) const {
  const std::string_view text = window_;
  const std::size_t from = at > kMarginBytes ? at - kMarginBytes : 0;
  const bool whole_lines_from_start = from == 0 && !begins_inside_line_;
  std::size_t begin = at;
  for (std::size_t lines = 0; lines < kMarginLines && begin > from; ++lines) {
    const std::size_t line = after_last(text, from, begin - 1, '\n');
    if (line == from && !whole_lines_from_start) break;
    begin = line;
  }
  return begin;
}

std::size_t LineWindow::margin_after(std::size_t at) const {
  const std::string_view text =
      std::string_view(window_).substr(0, std::min(window_.size(), at + kMarginBytes));
  std::size_t end = at;
  for (std::size_t lines = 0; lines < kMarginLines && end < text.size(); ++lines) {
    const std::size_t newline = text.find('\n', end);
    if (newline == std::string_view::npos) {
      return text.size() == window_.size() ? text.size() : end;  // the last line of the stream, or a long one
    }
    end = newline + 1;
  }
  return end;
}

void LineWindow::emit(bool at_end) {
  const Cut cut = choose_cut();
  const bool inside = cut.where == Cut::Where::hard || cut.where == Cut::Where::carriage_return;
  const bool last = cut.where == Cut::Where::end;
  std::size_t next_begin = cut.at;
  if (cut.where == Cut::Where::hard) next_begin = cut.at - limits_.overlap;
  if (cut.where == Cut::Where::newline) next_begin = margin_before(cut.at);
  std::string next;
  if (!last) {
    next.reserve(limits_.batch + 3 * kMarginBytes);
    next.append(window_, next_begin);
  }
  RawPiece piece{window_};
  piece.size = inside || last ? cut.at : margin_after(cut.at);
  piece.core_begin = core_begin_;
  piece.core_end = cut.at;
  piece.next_begin = next_begin;
  piece.begins_inside_line = begins_inside_line_;
  piece.core_inside_line = core_inside_line_;
  piece.cut_inside_line = inside;
  piece.last = last && at_end;
  sink_(piece);
  window_ = std::move(next);
  core_begin_ = cut.at - next_begin;
  begins_inside_line_ = inside;
  core_inside_line_ = inside;
}

}  // namespace faultline::decode
