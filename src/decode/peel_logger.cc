// Prefixes that loggers inside the program print: glog, klog, PyTorch, Python logging, Slurm daemons, NCCL.
#include <algorithm>

#include "base/text.h"
#include "decode/peel_parts.h"

namespace faultline::decode {
namespace {

bool level_letter(char c) {
  return c == 'I' || c == 'W' || c == 'E' || c == 'F' || c == 'V' || c == 'D';
}

bool level_word(std::string_view word) {
  constexpr std::string_view kLevels[] = {"DEBUG", "INFO",     "NOTICE", "WARN", "WARNING",
                                          "ERROR", "CRITICAL", "FATAL",  "TRACE"};
  return std::find(std::begin(kLevels), std::end(kLevels), word) != std::end(kLevels);
}

// "file.cc:123" up to `end`, no blanks: the place that printed.
bool eat_place(std::string_view& text, char end) {
  const std::size_t stop = text.substr(0, 256).find(end);
  if (stop == std::string_view::npos || stop < 3) return false;
  const std::string_view place = text.substr(0, stop);
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || place.find(' ') != std::string_view::npos)
    return false;
  if (!parse_number<std::uint32_t>(place.substr(colon + 1))) return false;
  text.remove_prefix(stop + 1);
  return true;
}

// "[file.py:12:func]", "[file.py:12]", "[module:12]" behind a stamp.
bool eat_bracket_place(std::string_view& text) {
  std::string_view rest = text;
  if (!eat(rest, '[')) return false;
  const std::size_t end = rest.substr(0, 200).find(']');
  if (end == std::string_view::npos) return false;
  const std::string_view inside = rest.substr(0, end);
  if (inside.find(' ') != std::string_view::npos) return false;
  const std::vector<std::string_view> parts = split(inside, ':');
  if (parts.size() < 2 || parts.size() > 3 || parts[0].empty() || !parse_number<std::uint32_t>(parts[1]))
    return false;
  text = rest.substr(end + 1);
  return true;
}

bool eat_bracket_word(std::string_view& text, std::string_view name, bool number) {
  std::string_view rest = text;
  if (!eat(rest, '[') || !eat(rest, name)) return false;
  if (number && eat_digits(rest, 20).empty()) return false;
  if (!eat(rest, ']')) return false;
  text = rest;
  return true;
}

bool eat_bracket_level(std::string_view& text) {
  std::string_view rest = text;
  if (!eat(rest, '[')) return false;
  const std::size_t end = rest.substr(0, 12).find(']');
  if (end == std::string_view::npos || !level_word(trim(rest.substr(0, end)))) return false;
  text = rest.substr(end + 1);
  return true;
}

// PyTorch takes the nine digits behind the second from a clock that is not the wall clock.
Instant whole_second(Instant time) {
  time.ns -= time.ns % kSecond;
  time.precision_ns = kSecond;
  return time;
}

// [03/20/23 18:20:53] of rich: month, day, year.
std::optional<ParsedTime> try_us_date(std::string_view text, const TimeHints& hints) {
  if (text.size() < 17 || text[2] != '/' || text[5] != '/' || text[8] != ' ') return std::nullopt;
  std::string iso = "20";
  iso.append(text.substr(6, 2))
      .append("-")
      .append(text.substr(0, 2))
      .append("-")
      .append(text.substr(3, 2))
      .append(text.substr(8, 9));
  auto time = try_iso8601(iso, hints);
  if (!time || time->length != iso.size()) return std::nullopt;
  time->length = 17;
  return time;
}

// 09-03 10:56:47: month and day without a year.
std::optional<ParsedTime> try_month_day(std::string_view text, const TimeHints& hints) {
  if (text.size() < 14 || text[2] != '-' || text[5] != ' ' || !is_digit(text[0])) return std::nullopt;
  constexpr std::string_view kNames = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const auto month = parse_number<std::uint32_t>(text.substr(0, 2));
  if (!month || *month < 1 || *month > 12) return std::nullopt;
  std::string syslog(kNames.substr(3 * (*month - 1), 3));
  syslog.append(" ").append(text.substr(3, 20));
  auto time = try_syslog(syslog, hints);
  if (time) time->length -= 1;  // "Sep 03" is one byte longer than "09-03"
  return time;
}

std::string_view member(std::string_view text, std::string_view key) {
  constexpr std::size_t kNear = 2048;
  const std::size_t at = text.substr(0, kNear).find(key);
  return at == std::string_view::npos ? std::string_view{} : text.substr(at + key.size());
}

}  // namespace

void peel_level(Peeling& p) {
  std::string_view rest = p.text;
  if (!eat(rest, "- ") && eat(rest, ": ")) {  // TensorFlow: "stamp: I file.cc:12] text"
    std::string_view place = rest;
    if (place.size() > 2 && level_letter(place[0]) && place[1] == ' ') {
      place.remove_prefix(2);
      if (eat_place(place, ']')) rest = place;
    }
    eat(rest, ' ');
    p.text = rest;
    return;
  }
  for (int parts = 0; parts < 4; ++parts) {
    std::string_view trial = rest;
    eat_blanks(trial);
    if (eat(trial, "| ")) eat_blanks(trial);
    std::string_view word = trial;
    const std::string_view level = eat_word(word);
    if (level_word(level) && (word.empty() || word.front() == ' ')) {
      rest = word;
      std::string_view bar = rest;
      eat_blanks(bar);
      if (eat(bar, "| ") || eat(bar, "- ")) rest = bar;
      continue;
    }
    if (!eat_bracket_level(trial) && !eat_bracket_place(trial) && !eat_bracket_word(trial, "tid ", true))
      break;
    rest = trial;
  }
  if (rest.size() != p.text.size()) {
    eat(rest, ' ');
    eat(rest, "- ");
  }
  p.text = rest;
}

bool peel_glog(Peeling& p) {
  std::string_view rest = p.text;
  const bool bracket = eat(rest, '[');
  if (rest.size() < 4 || !level_letter(rest.front())) return false;
  rest.remove_prefix(1);
  std::optional<ParsedTime> time;
  std::int64_t pid = -1;
  if (is_digit(rest.front())) {
    time = try_glog(rest, p.context.hints);
    if (!time) return false;
    const std::string_view stamp = rest.substr(0, time->length);
    if (stamp.size() - std::min(stamp.size(), stamp.find('.')) == 10) time->time = whole_second(time->time);
    rest.remove_prefix(time->length);
    std::string_view number = rest;
    eat_blanks(number);
    const std::string_view digits = eat_digits(number, 19);
    if (!digits.empty() && !number.empty() && number.front() == ' ') {
      pid = parse_number<std::int64_t>(digits).value_or(-1);
      rest = number;
    }
  } else if (!bracket) {
    return false;
  }
  if (rest.empty() || rest.front() != ' ') return false;
  eat_blanks(rest);
  if (!eat_place(rest, ']')) return false;
  if (!rest.empty()) eat(rest, ' ');
  if (time) p.add_time(time->time, false);
  if (pid >= 0) p.speaker.pid = pid;
  p.text = rest;
  p.done = true;
  return true;
}

bool peel_bracket_stamp(Peeling& p) {
  std::string_view rest = p.text;
  if (!eat(rest, '[') || rest.size() < 12) return false;
  // [12.0] [12.batch]: the step, behind the stamp of a Slurm daemon.
  if (p.context.kind == ArtifactKind::slurm_daemon_log && p.stamped && is_digit(rest.front())) {
    const std::size_t end = rest.substr(0, 40).find(']');
    const std::string_view step = rest.substr(0, end);
    if (end != std::string_view::npos && step.find('.') != std::string_view::npos &&
        step.find(' ') == std::string_view::npos) {
      p.text = rest.substr(end + 1);
      eat(p.text, ' ');
      return true;
    }
  }
  std::optional<ParsedTime> time;
  bool ring = false;
  if (is_digit(rest.front())) {
    time = try_iso8601(rest, p.context.hints);
    if (!time) time = try_us_date(rest, p.context.hints);
  } else if (is_alpha(rest.front())) {
    time = try_ctime(rest, p.context.hints);
    ring = time && rest[3] == ' ' && is_alpha(rest[4]);  // dmesg -T prints the weekday, loggers do not
  }
  if (!time || time->length < 16) return false;
  rest.remove_prefix(time->length);
  // "[2025-07-04 11:06:13 TP1]": who, in the same bracket.
  const std::size_t end = rest.substr(0, 24).find(']');
  if (end == std::string_view::npos) return false;
  for (const char c : rest.substr(0, end)) {
    if (c != ' ' && !is_digit(c) && !(c >= 'A' && c <= 'Z')) return false;
  }
  rest.remove_prefix(end + 1);
  if (!rest.empty() && rest.front() != ' ' && rest.front() != '[') return false;
  eat(rest, ' ');
  p.add_time(time->time, false);
  p.text = rest;
  p.stamped = p.logged = true;
  if (ring) {
    p.done = true;
    return true;
  }
  peel_level(p);
  return true;
}

bool peel_level_stamp(Peeling& p) {
  std::string_view rest = p.text;
  const std::string_view first = eat_word(rest);
  if (!level_word(first) || !eat(rest, ' ')) return false;
  eat_blanks(rest);
  auto time = try_iso8601(rest, p.context.hints);
  if (!time || time->length < 19) time = try_month_day(rest, p.context.hints);
  if (!time) return false;
  rest.remove_prefix(time->length);
  if (!rest.empty() && rest.front() != ' ' && rest.front() != ':') return false;
  eat(rest, ' ');
  p.add_time(time->time, false);
  p.text = rest;
  p.stamped = p.logged = true;
  peel_level(p);
  return true;
}

bool peel_nccl(Peeling& p) {
  std::string_view rest = p.text;
  const std::string_view host = eat_word(rest);
  if (host.empty() || host.size() > 253 || !eat(rest, ':')) return false;
  const auto pid = parse_number<std::int64_t>(eat_digits(rest, 10));
  if (!pid || !eat(rest, ':') || eat_digits(rest, 10).empty() || !eat(rest, ' ')) return false;
  std::int32_t gpu = -1;
  if (std::string_view device = rest; eat(device, '[')) {
    const auto index = parse_number<std::int32_t>(eat_digits(device, 3));
    if (!index || !eat(device, "] ")) return false;
    gpu = *index;
    rest = device;
  }
  // The name of the library stands at once, or behind file:line or a function's signature.
  constexpr std::size_t kFarthest = 400;
  const std::string_view near = rest.substr(0, kFarthest);
  if (near.substr(0, 5) != "NCCL " && near.find(" NCCL ") == std::string_view::npos) return false;
  if (host != p.speaker.pod) p.speaker.node = host;  // in a pod the host name is the pod's
  p.speaker.pid = *pid;
  if (gpu >= 0) p.speaker.gpu = gpu;
  p.text = rest;
  p.done = true;
  return true;
}

void take_embedded_time(Peeling& p) {
  if (p.text.empty()) return;
  if (p.text.front() == '{') {
    for (const std::string_view key : {"\"ts\":", "\"time\":", "\"timestamp\":", "\"@timestamp\":"}) {
      std::string_view value = member(p.text, key);
      eat_blanks(value);
      if (value.empty()) continue;
      const bool text = eat(value, '"');
      const auto time = text ? try_iso8601(value, p.context.hints) : try_epoch(value);
      if (time) return p.add_time(time->time, false);
    }
    return;
  }
  if (std::string_view logfmt = p.text; eat(logfmt, "time=")) {
    eat(logfmt, '"');
    if (const auto time = try_iso8601(logfmt, p.context.hints)) p.add_time(time->time, false);
    return;
  }
  std::string_view fabric = p.text;
  if (!eat(fabric, "libfabric:")) return;
  const auto pid = parse_number<std::int64_t>(eat_digits(fabric, 10));
  if (!pid || !eat(fabric, ':')) return;
  const auto time = try_epoch(fabric);
  if (!time || fabric.substr(time->length, 1) != ":") return;
  p.speaker.pid = *pid;
  p.add_time(time->time, false);
}

}  // namespace faultline::decode
