#include <algorithm>
#include <array>

#include "base/text.h"
#include "decode/decode.h"
#include "decode/peel_parts.h"

namespace faultline::decode {
namespace {

constexpr int kMostLayers = 16;  // eight were the most seen; a line of prefixes alone must end too
constexpr std::int64_t kTrust =
    26 * 3600 * kSecond;  // zones differ by up to 26 h, clocks of one line by no more

// How much a stamp says. Equal ones: the inner one, which is nearer to the event.
int worth(const Instant& time) {
  if (!time.wall()) return time.known() ? 1 : 0;
  if (time.year_inferred) return 2;
  if (time.zone == Instant::Zone::assumed) return 3;
  return time.source == Instant::Source::container ? 4 : 5;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::string_view without_tail(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// By the first byte, so that a line without prefixes costs little. Order settles overlaps: what is more
// particular comes first.
bool peel_head(Peeling& p) {
  const char c = p.text.front();
  if (c == '[')
    return peel_kubectl(p) || peel_mpi(p) || peel_role(p) || peel_kernel(p) || peel_glog(p) ||
           peel_bracket_stamp(p);
  if (is_digit(c)) {
    return peel_cri(p) || peel_iso(p) || peel_kmsg(p) || peel_epoch(p) || peel_nccl(p) || peel_number(p) ||
           peel_host(p);
  }
  if (c == '(') return peel_ray(p);
  if (c == '<') return peel_priority(p);
  if (is_alpha(c)) {
    return peel_glog(p) || peel_syslog(p) || peel_nccl(p) || peel_level_stamp(p) || peel_decode_levels(p) ||
           peel_compose(p) || peel_stern(p) || peel_host(p);
  }
  return static_cast<unsigned char>(c) >= 0x80 && peel_syslog(p);  // février, août
}

}  // namespace

void Peeling::add_time(Instant time, bool container) {
  time.source = container ? Instant::Source::container : Instant::Source::line;
  if (time.known() && count_ < kMostTimes) times_[count_++] = time;
}

Instant Peeling::best_time() const {
  const Instant* receipt = nullptr;
  for (std::size_t i = 0; i < count_; ++i) {
    if (worth(times_[i]) == 4) receipt = &times_[i];
  }
  Instant best;
  for (std::size_t i = 0; i < count_; ++i) {
    const Instant& time = times_[i];
    const bool far = receipt != nullptr && time.wall() &&
                     (time.ns < receipt->ns - kTrust || time.ns > receipt->ns + kTrust);
    if (!far && worth(time) >= worth(best)) best = time;
  }
  return best;
}

bool peel_once(Peeling& p) {
  if (p.done || p.text.empty()) return false;
  if (p.text.front() != ' ') return peel_head(p);
  // Indented prefixes (right-aligned labels, Megatron's stamp): only when something is there to peel.
  const std::string_view all = p.text;
  eat_blanks(p.text);
  if (!p.text.empty() && peel_head(p)) return true;
  p.text = all;
  return false;
}

bool is_prefixed(std::string_view text, const PeelContext& context) {
  eat_blanks(text);
  if (text.empty()) return false;
  for (const std::string_view start :
       {"srun: ", "slurmstepd: ", "Traceback (most recent", "NVRM: ", "NCCL version "}) {
    if (text.substr(0, start.size()) == start) return true;
  }
  Peeling probe(text, context);
  probe.probing = true;
  return peel_once(probe);
}

PeeledLine peel_line(std::string_view line, const PeelContext& context) {
  Peeling p(line, context);
  for (int layer = 0; layer < kMostLayers && peel_once(p); ++layer) {
  }
  take_rank(p);
  take_embedded_time(p);
  PeeledLine peeled;
  peeled.text = without_tail(p.text);
  peeled.time = p.best_time();
  peeled.speaker = std::move(p.speaker);
  return peeled;
}

bool eat(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

bool eat(std::string_view& text, std::string_view word) {
  if (text.substr(0, word.size()) != word) return false;
  text.remove_prefix(word.size());
  return true;
}

std::string_view eat_digits(std::string_view& text, std::size_t most) {
  std::size_t n = 0;
  while (n < text.size() && n < most && is_digit(text[n])) ++n;
  const std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

std::string_view eat_word(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() &&
         (is_digit(text[n]) || is_alpha(text[n]) || text[n] == '.' || text[n] == '_' || text[n] == '-'))
    ++n;
  const std::string_view word = text.substr(0, n);
  text.remove_prefix(n);
  return word;
}

void eat_blanks(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && (text[n] == ' ' || text[n] == '\t')) ++n;
  text.remove_prefix(n);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace faultline::decode
