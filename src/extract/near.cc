#include "extract/near.h"

namespace faultline::extract {
namespace {

// Lines of other speakers do not use up `before` and `after`, but they are not passed for ever: 64 lines of
// one rank among eight that print in turn.
constexpr std::uint32_t kMaxPassed = 1024;

bool clash(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && a != b;
}
template <class T>
bool clash(T a, T b) {
  return a >= 0 && b >= 0 && a != b;
}

bool is_standard(std::string_view stream) {
  return stream == "stdout" || stream == "stderr";
}

}  // namespace

bool may_be_same(const Speaker& a, const Speaker& b) {
  if (clash(a.node, b.node) || clash(a.pod, b.pod) || clash(a.container, b.container)) return false;
  if (clash(a.rank, b.rank) || clash(a.task, b.task) || clash(a.local_rank, b.local_rank) ||
      clash(a.gpu, b.gpu) || clash(a.pid, b.pid))
    return false;
  return !clash(a.stream, b.stream) || (is_standard(a.stream) && is_standard(b.stream));
}

std::optional<LineSpan> Neighbours::before(LineSpan line) const {
  if (line.begin == 0) return std::nullopt;
  return line_at(batch_, line.begin - 1);
}

std::optional<LineSpan> Neighbours::after(LineSpan line) const {
  if (line.end + 1 >= batch_.text.size()) return std::nullopt;
  return line_at(batch_, line.end + 1);
}

std::string_view Neighbours::raw(LineSpan line) const {
  return std::string_view(batch_.text).substr(line.begin, line.end - line.begin);
}

const PeeledLine& Neighbours::peeled(LineSpan line) {
  const auto found = known_.find(line.begin);
  if (found != known_.end()) return found->second;
  return known_.emplace(line.begin, peeled_line(batch_, line)).first->second;
}

Result<Near> Near::make(const NearRule& rule) {
  Near near;
  near.before_ = rule.before;
  near.after_ = rule.after;
  near.required_ = rule.required;
  near.forbidden_ = rule.forbidden;
  auto regex = Program::make(rule.regex);
  if (!regex) return tl::unexpected(regex.error());
  near.regex_ = std::move(*regex);
  if (!rule.until.empty()) {
    auto until = Program::make(rule.until);
    if (!until) return tl::unexpected(until.error());
    near.until_ = std::move(*until);
  }
  return near;
}

std::optional<std::string_view> Near::look(LineSpan hit, const Speaker& speaker, Neighbours& lines,
                                           Match& match, const Agrees& agrees) const {
  struct Direction {
    std::optional<LineSpan> at;
    std::uint32_t left;
    std::uint32_t passed = 0;
    bool back;
  };
  Direction directions[] = {{hit, before_, 0, true}, {hit, after_, 0, false}};
  // One step back, one step ahead, and so on: the nearest line wins, the earlier one of two equally near.
  for (;;) {
    bool moved = false;
    for (Direction& d : directions) {
      const PeeledLine* line = nullptr;
      while (d.at && d.left > 0 && line == nullptr) {
        d.at = d.back ? lines.before(*d.at) : lines.after(*d.at);
        if (!d.at || ++d.passed > kMaxPassed)
          d.left = 0;
        else if (const PeeledLine& next = lines.peeled(*d.at); may_be_same(speaker, next.speaker))
          line = &next;
      }
      if (line == nullptr) continue;
      moved = true;
      --d.left;
      const std::string_view raw = lines.raw(*d.at);
      const bool peels = line->text.size() != raw.size();
      if (until_ && (until_->matches(line->text) || (peels && until_->matches(raw)))) {
        d.left = 0;
        continue;
      }
      match.captures.clear();
      if ((regex_->find(line->text, match) || (peels && regex_->find(raw, match))) && agrees(match))
        return raw;
    }
    if (!moved) return std::nullopt;
  }
}

}  // namespace faultline::extract
