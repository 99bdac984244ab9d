#include "decode/rebuild.h"

#include <algorithm>

#include "base/text.h"
#include "decode/utf16.h"

namespace faultline::decode {
namespace {

constexpr std::size_t kHole = 4;  // fewer NULs in a row are odd characters, more are a hole in the file

// End of the segment that starts at `begin`: a CR, or a hole; npos when the line ends first.
std::size_t segment_end(std::string_view line, std::size_t begin, bool holes) {
  std::size_t at = line.find('\r', begin);
  if (!holes) return at;
  const std::size_t hole = line.substr(0, at).find(std::string_view("\0\0\0\0", kHole), begin);
  return std::min(at, hole);
}

bool blank(const Speaker& s) {
  return s.node.empty() && s.pod.empty() && s.container.empty() && s.stream.empty();
}

}  // namespace

std::uint64_t Rebuilder::length(std::string_view text) const {
  return options_.utf16 ? utf16_length(text) : text.size();
}

void Rebuilder::build(const RawPiece& piece, const Census& census, Options options, std::uint64_t number,
                      std::uint64_t offset, LineBatch& batch) {
  batch_ = &batch;
  census_ = census;
  options_ = options;
  raw_ = std::string_view(piece.text).substr(0, piece.size);
  // A match may end in the core and begin before it, in the same long line: then all of the line is looked
  // at.
  core_begin_ = piece.core_inside_line ? 0 : piece.core_begin;
  core_mapped_ = in_core_ = false;
  open_ = {};
  batch.text.reserve(raw_.size() + raw_.size() / 16);
  batch.marks.reserve(census.newlines + census.carriage_returns - census.crlf + 2);
  batch.speakers.assign(1, artifact_.speaker);
  bool continued = piece.begins_inside_line;
  bool ended = false;
  for (std::size_t at = 0; at < raw_.size();) {
    if (!core_mapped_ && at >= core_begin_) begin_core();
    if (!ended && at >= piece.core_end) {
      end_core(false);
      ended = true;
    }
    const std::size_t newline = raw_.find('\n', at);
    const std::size_t end = std::min(newline, raw_.size());
    const std::string_view line = raw_.substr(at, end - at);
    if (newline == std::string_view::npos && piece.cut_inside_line && line.back() != '\r') {
      counts_.cut_lines += counted_line_ == number ? 0 : 1;  // cut at a fixed length
      counted_line_ = number;
    }
    Origin origin{number, offset};
    if (!options.cri || continued || !join_cri(line, origin)) split_line(line, origin, continued);
    offset += length(raw_.substr(at, std::min(end + 1, raw_.size()) - at));
    at = end + 1;
    if (newline != std::string_view::npos) ++number;
    continued = false;
  }
  if (!core_mapped_) begin_core();
  if (!ended) end_core(piece.last);
}

void Rebuilder::begin_core() {
  batch_->core_begin = batch_->text.size();
  core_mapped_ = in_core_ = true;
  open_ = std::move(pending_);
  pending_ = {};
}

void Rebuilder::end_core(bool last) {
  if (last) {
    if (open_.lines[0].open() && open_.lines[1].open() && open_.lines[1].number < open_.lines[0].number) {
      std::swap(open_.lines[0], open_.lines[1]);
    }
    for (CriPending::Line& line : open_.lines) flush(line);
  }
  pending_ = open_;  // the margin behind goes on with a copy
  batch_->core_end = batch_->text.size();
  in_core_ = false;
}

bool Rebuilder::join_cri(std::string_view line, const Origin& origin) {
  const auto header = read_cri_header(line);
  if (!header) return false;
  CriPending::Line& open = open_.lines[header->stream == "stdout" ? 0 : 1];
  if (!header->partial && !open.open()) return false;
  std::string_view payload = line.substr(header->length);
  if (!payload.empty() && payload.back() == '\r' && !header->partial) payload.remove_suffix(1);
  if (open.open() && open.text.size() + payload.size() > limits_.line) {
    const std::string tail =
        open.text.substr(open.text.size() - std::min(limits_.overlap, open.text.size() - open.header));
    const std::string head = open.text.substr(0, open.header);
    if (in_core_ && counted_line_ != origin.number) ++counts_.cut_lines;
    flush(open);
    open.text = head + tail;
    open.header = head.size();
    open.number = counted_line_ = origin.number;
    open.offset = origin.offset;
  }
  if (!open.open()) {
    open.text = line.substr(0, header->length);
    open.header = header->length;
    open.number = origin.number;
    open.offset = origin.offset;
  } else if (in_core_) {
    ++counts_.joined;
  }
  open.text.append(payload);
  if (!header->partial) flush(open);
  return true;
}

void Rebuilder::flush(CriPending::Line& line) {
  if (!line.open()) return;
  const CriPending::Line whole = std::move(line);
  line = {};
  split_line(whole.text, {whole.number, whole.offset, false}, false);
}

void Rebuilder::split_line(std::string_view line, const Origin& origin, bool continued) {
  while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  std::size_t end =
      census_.lone_cr() || census_.nul ? segment_end(line, 0, census_.nul) : std::string_view::npos;
  if (end == std::string_view::npos) {
    add_segment(line, 0, line.size(), origin, continued);
    return;
  }
  const std::size_t before = batch_->text.size();
  std::size_t begin = 0;
  bool carried = continued;
  bool cr = false;
  while (true) {
    const std::size_t stop = std::min(end, line.size());
    if (stop > begin) {
      const std::size_t at = batch_->text.size();
      add_segment(line, begin, stop, origin, carried);
      if (!carried) take_carry(at);
      carried = true;
    }
    if (end >= line.size()) break;
    cr = cr || line[end] == '\r';
    if (line[end] == '\0') {
      counts_.holes += in_core_ ? 1 : 0;
      begin = std::min(line.find_first_not_of('\0', end), line.size());
    } else {
      begin = end + 1;
    }
    end = segment_end(line, begin, census_.nul);
  }
  if (cr && in_core_) ++counts_.cr_lines;
  if (batch_->text.size() == before) add_segment(line, 0, 0, origin, continued);
}

void Rebuilder::add_segment(std::string_view line, std::size_t begin, std::size_t end, const Origin& origin,
                            bool carried) {
  std::uint64_t offset = origin.offset;
  if (origin.linear) offset += length(line.substr(0, begin));
  while (end - begin > limits_.line) {
    if (in_core_ && counted_line_ != origin.number) {
      ++counts_.cut_lines;
      counted_line_ = origin.number;
    }
    const std::size_t step = limits_.line - limits_.overlap;
    add_text(line.substr(begin, limits_.line), origin.number, offset, carried);
    if (origin.linear) offset += length(line.substr(begin, step));
    begin += step;
  }
  add_text(line.substr(begin, end - begin), origin.number, offset, carried);
}

void Rebuilder::add_text(std::string_view text, std::uint64_t number, std::uint64_t offset, bool carried) {
  LineMark mark;
  mark.begin = static_cast<std::uint32_t>(batch_->text.size());
  mark.number = number;
  mark.offset = offset;
  if (carried) {
    mark.time = carry_.time;
    mark.speaker = carried_speaker();
  }
  batch_->marks.push_back(mark);
  const bool nul = census_.nul && text.find('\0') != std::string_view::npos;
  if (nul || (census_.residue && has_residue(text))) {
    append_without_ansi(text, batch_->text);
    if (in_core_ && batch_->text.size() - mark.begin < text.size()) ++counts_.coded;
  } else {
    batch_->text.append(text);
  }
  if (census_.escaped_newline) expand_newlines(mark.begin, mark);
  batch_->text.push_back('\n');
}

// rsyslog and syslog-ng write control characters of a record as #ooo. Only in lines with a syslog header:
// elsewhere
// "#012" may be an issue number.
void Rebuilder::expand_newlines(std::size_t begin, const LineMark& mark) {
  const std::string line = batch_->text.substr(begin);
  std::size_t at = line.find("#012");
  if (at == std::string::npos) return;
  const PeeledLine peeled = batch_->peel(line, batch_->context);
  if (peeled.speaker.node.empty() || peeled.speaker.stream.empty()) return;
  if (in_core_) ++counts_.unescaped;
  batch_->text.resize(begin + at);
  take_carry(begin);
  while (at != std::string::npos) {
    const std::size_t next = line.find("#012", at + 4);
    const std::string part = line.substr(at + 4, next == std::string::npos ? next : next - at - 4);
    at = next;
    if (part.empty()) continue;
    batch_->text.push_back('\n');
    LineMark inner = mark;
    inner.begin = static_cast<std::uint32_t>(batch_->text.size());
    inner.time = carry_.time;
    inner.speaker = carried_speaker();
    batch_->marks.push_back(inner);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const bool tab = part.compare(i, 4, "#011") == 0;
      batch_->text.push_back(tab ? '\t' : part[i]);
      if (tab) i += 3;
    }
  }
}

void Rebuilder::take_carry(std::size_t begin) {
  std::string_view head = std::string_view(batch_->text).substr(begin);
  head = head.substr(0, head.find('\n'));
  PeeledLine peeled = batch_->peel(head, batch_->context);
  carry_.time = peeled.time;
  // Ranks share a pipe: what stands behind a bar may be another rank's. Where the pipe ends is the same for
  // all.
  carry_.speaker = {};
  carry_.speaker.node = std::move(peeled.speaker.node);
  carry_.speaker.pod = std::move(peeled.speaker.pod);
  carry_.speaker.container = std::move(peeled.speaker.container);
  carry_.speaker.stream = std::move(peeled.speaker.stream);
  if (carry_.time.source == Instant::Source::line) carry_.time.source = Instant::Source::inherited;
}

std::uint32_t Rebuilder::carried_speaker() {
  if (blank(carry_.speaker)) return 0;
  Speaker speaker = artifact_.speaker;
  if (!carry_.speaker.node.empty()) speaker.node = carry_.speaker.node;
  if (!carry_.speaker.pod.empty()) speaker.pod = carry_.speaker.pod;
  if (!carry_.speaker.container.empty()) speaker.container = carry_.speaker.container;
  if (!carry_.speaker.stream.empty()) speaker.stream = carry_.speaker.stream;
  if (!(batch_->speakers.back() == speaker)) batch_->speakers.push_back(std::move(speaker));
  return static_cast<std::uint32_t>(batch_->speakers.size() - 1);
}

}  // namespace faultline::decode
