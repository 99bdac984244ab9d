// Prefixes of container runtimes, kubectl, stern, docker compose and CloudWatch.
#include <utility>

#include "base/text.h"
#include "decode/cri.h"
#include "decode/peel_parts.h"

namespace faultline::decode {
namespace {

bool pod_like(std::string_view word) {
  if (word.empty() || word.size() > 253 ||
      !(is_digit(word.back()) || (word.back() >= 'a' && word.back() <= 'z')))
    return false;
  for (const char c : word) {
    if (!is_digit(c) && !(c >= 'a' && c <= 'z') && c != '-' && c != '.') return false;
  }
  const std::size_t dash = word.rfind('-');
  if (dash == std::string_view::npos || dash == 0) return false;
  const std::string_view tail = word.substr(dash + 1);
  return tail.size() == 5 || parse_number<std::uint32_t>(tail).has_value();
}

bool instance_id(std::string_view text) {
  if (text.substr(0, 2) != "i-" || (text.size() != 10 && text.size() != 19)) return false;
  return text.find_first_not_of("0123456789abcdef", 2) == std::string_view::npos;
}

// A CloudWatch stream names the speaker: <kind>/<group>/<instance id>, or the log file of a container.
void take_stream(std::string_view stream, Peeling& p) {
  p.speaker.stream = stream;
  const std::size_t slash = stream.rfind('/');
  if (slash != std::string_view::npos && instance_id(stream.substr(slash + 1)))
    p.speaker.node = stream.substr(slash + 1);
  constexpr std::string_view kContainers = "-application.var.log.containers.";
  const std::size_t mark = stream.find(kContainers);
  if (mark == std::string_view::npos) return;
  p.speaker.node = stream.substr(0, mark);
  const std::vector<std::string_view> parts = split(stream.substr(mark + kContainers.size()), '_');
  if (parts.size() != 3) return;
  p.speaker.pod = parts[0];
  p.speaker.container = parts[2].substr(0, parts[2].rfind('-'));
}

bool stream_like(std::string_view word) {
  if (word.empty() || word.front() == '/' || word.size() > 512) return false;
  if (word.find_first_of(":=\"'(){},") != std::string_view::npos) return false;
  return word.find('/') != std::string_view::npos ||
         word.find("-application.var.log.") != std::string_view::npos;
}

bool cloudwatch(ArtifactKind kind) {
  return kind == ArtifactKind::cloudwatch_export || kind == ArtifactKind::cloudwatch_tail ||
         kind == ArtifactKind::cloudwatch_csv || kind == ArtifactKind::cloudwatch_json;
}

// `aws logs tail`: a stream behind the stamp in the detailed form, nothing in the short one.
bool take_tail_stream(Peeling& p, std::string_view rest) {
  const std::size_t blank = rest.find(' ');
  const std::string_view word = rest.substr(0, blank);
  if (!stream_like(word) || blank == std::string_view::npos) return false;
  take_stream(word, p);
  p.text = rest.substr(blank + 1);
  return true;
}

std::size_t fraction_digits(std::string_view stamp) {
  const std::size_t dot = stamp.find('.');
  if (dot == std::string_view::npos) return 0;
  std::size_t n = 0;
  while (dot + 1 + n < stamp.size() && is_digit(stamp[dot + 1 + n])) ++n;
  return n;
}

}  // namespace

bool peel_cri(Peeling& p) {
  const auto header = read_cri_header(p.text);
  if (!header) return false;
  const auto time = try_iso8601(p.text, p.context.hints);
  if (!time || time->length != header->stamp) return false;
  p.add_time(time->time, true);
  p.speaker.stream = header->stream;
  p.text.remove_prefix(header->length);
  p.stamped = true;
  return true;
}

bool peel_kubectl(Peeling& p) {
  std::string_view rest = p.text;
  if (!eat(rest, "[pod/")) return false;
  const std::size_t slash = rest.find('/');
  const std::size_t end = rest.find(']');
  if (end == std::string_view::npos || slash == std::string_view::npos || slash > end || end > 512)
    return false;
  const std::string_view pod = rest.substr(0, slash);
  const std::string_view container = rest.substr(slash + 1, end - slash - 1);
  if (pod.empty() || container.empty() || rest.substr(0, end).find(' ') != std::string_view::npos)
    return false;
  p.speaker.pod = pod;
  p.speaker.container = container;
  p.text = rest.substr(end + 1);
  eat(p.text, ' ');
  return true;
}

std::optional<PodWords> read_pod_words(std::string_view line) {
  const std::size_t first = line.find(' ');
  if (first == std::string_view::npos || !pod_like(line.substr(0, first))) return std::nullopt;
  const std::size_t second = line.find(' ', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  PodWords words{line.substr(0, first), line.substr(first + 1, second - first - 1), second + 1};
  std::string_view container = words.container;
  if (eat_word(container).empty() || !container.empty()) return std::nullopt;
  return words;
}

bool peel_stern(Peeling& p) {
  if (p.context.lead != Lead::pod_container || p.logged || !p.speaker.pod.empty()) return false;
  const auto words = read_pod_words(p.text);
  if (!words) return false;
  p.speaker.pod = words->pod;
  p.speaker.container = words->container;
  p.text.remove_prefix(words->length);
  return true;
}

// "trainer-1  | text", older "trainer_1   | text": a service and its number. Tables have more bars, and names
// without a number.
bool peel_compose(Peeling& p) {
  std::string_view rest = p.text;
  const std::string_view name = eat_word(rest);
  const std::size_t tail = name.find_last_of("-_");
  if (tail == std::string_view::npos || tail == 0 || name.size() > 128) return false;
  if (!parse_number<std::uint32_t>(name.substr(tail + 1))) return false;
  if (rest.empty() || rest.front() != ' ') return false;
  eat_blanks(rest);
  if (!eat(rest, '|')) return false;
  if (!rest.empty() && !eat(rest, ' ')) return false;
  if (rest.find(" | ") != std::string_view::npos && !is_prefixed(rest, p.context)) return false;
  p.speaker.container = name;
  p.text = rest;
  return true;
}

bool peel_epoch(Peeling& p) {
  const auto time = try_epoch(p.text);
  if (!time) return false;
  std::string_view rest = p.text.substr(time->length);
  if (!eat(rest, ' ')) return false;
  const std::string_view digits = p.text.substr(0, time->length);
  const bool journal = digits.size() == 17 && digits[10] == '.';
  const bool milliseconds = digits.size() == 13 && p.context.kind == ArtifactKind::cloudwatch_export;
  if (!journal && !milliseconds) return false;
  const std::string_view all = std::exchange(p.text, rest);
  if (journal && !peel_host_tag(p, p.context.kind == ArtifactKind::journal_text)) {
    p.text = all;
    return false;
  }
  p.add_time(time->time, true);
  p.stamped = true;
  return true;
}

bool peel_iso(Peeling& p) {
  const auto parsed = try_iso8601(p.text, p.context.hints);
  if (!parsed) return false;
  const std::string_view stamp = p.text.substr(0, parsed->length);
  std::string_view rest = p.text.substr(parsed->length);
  if (!rest.empty() && rest.front() != ' ' && rest.front() != '\t' && rest.front() != ':' &&
      rest.front() != '|')
    return false;
  if (stamp.size() < 19) return false;  // without seconds it may be a range in a sentence
  Instant time = parsed->time;
  const bool zoned = time.zone == Instant::Zone::printed;
  const bool t_form = stamp[10] == 'T';
  eat(rest, ' ');

  if (zoned && stamp[19] == ',' && t_form) {  // dmesg --time-format=iso
    p.add_time(time, false);
    p.text = rest;
    p.done = p.context.kind == ArtifactKind::dmesg || p.context.kind == ArtifactKind::kernel_log;
    return true;
  }
  if (t_form && !zoned && p.context.kind == ArtifactKind::cloudwatch_tail && !p.stamped) {
    time.zone = Instant::Zone::printed;  // --format short prints UTC and does not say so
    time.ns += std::int64_t{p.context.hints.zone_offset_s} * kSecond;
    p.add_time(time, true);
    p.text = rest;
    p.stamped = true;
    return true;
  }
  if (t_form && zoned && !p.stamped) {
    const std::string_view all = std::exchange(p.text, rest);
    if (take_tail_stream(p, rest) || peel_host_tag(p, false)) {
      p.add_time(time, true);
      p.stamped = true;
      return true;
    }
    p.text = all;
    // Runtimes print nanoseconds, with trailing zeros cut; programs seldom more than microseconds.
    if (fraction_digits(stamp) >= 7 || cloudwatch(p.context.kind)) {
      p.add_time(time, true);
      p.text = rest;
      p.stamped = true;
      return true;
    }
  }
  p.add_time(time, false);
  p.text = rest;
  p.stamped = p.logged = true;
  peel_level(p);
  return true;
}

}  // namespace faultline::decode
