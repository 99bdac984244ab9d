// Prefixes of syslog files, journalctl and the kernel ring.
#include <algorithm>

#include "base/text.h"
#include "decode/peel_parts.h"

namespace faultline::decode {
namespace {

bool journal_kind(ArtifactKind kind) {
  return kind == ArtifactKind::syslog || kind == ArtifactKind::journal_text ||
         kind == ArtifactKind::kernel_log || kind == ArtifactKind::systemd_status;
}

bool host_like(std::string_view word) {
  if (word.empty() || word.size() > 253) return false;
  return word.find_first_of(":[](){}\"'=,;|/") == std::string_view::npos;
}

// A word of a sentence is no host name: those have digits or joints.
bool names_host(std::string_view word) {
  return word == "localhost" || word.find_first_of("0123456789-.") != std::string_view::npos;
}

struct Tag {
  std::string_view name;
  std::int64_t pid = -1;
  std::size_t length = 0;  ///< with the ": " behind
};

// "ident[pid]: " at the head; idents may hold blanks and brackets ("(systemd)", "dracut initqueue"), so up to
// the first ": " behind an optional "[digits]". `words`: whether blanks are believed.
std::optional<Tag> read_tag(std::string_view text, bool words) {
  constexpr std::size_t kLongestTag = 96;
  const std::string_view head = text.substr(0, kLongestTag);
  std::size_t colon = head.find(':');
  while (colon != std::string_view::npos && colon + 1 < text.size() && text[colon + 1] != ' ')
    colon = head.find(':', colon + 1);
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  Tag tag;
  tag.name = head.substr(0, colon);
  tag.length = std::min(colon + 2, text.size());
  if (tag.name.back() == ']') {
    const std::size_t open = tag.name.rfind('[');
    if (open != std::string_view::npos && open > 0) {
      const auto pid = parse_number<std::int64_t>(tag.name.substr(open + 1, tag.name.size() - open - 2));
      if (pid) {
        tag.pid = *pid;
        tag.name = tag.name.substr(0, open);
      }
    }
  }
  if (!words && tag.pid < 0 && tag.name.find(' ') != std::string_view::npos) return std::nullopt;
  return tag;
}

bool known_daemon(std::string_view name) {
  constexpr std::string_view kNames[] = {"kernel",
                                         "systemd",
                                         "kubelet",
                                         "containerd",
                                         "dockerd",
                                         "sudo",
                                         "sshd",
                                         "CRON",
                                         "cron",
                                         "chronyd",
                                         "rsyslogd",
                                         "slurmd",
                                         "slurmctld",
                                         "slurmstepd",
                                         "munged",
                                         "dhclient",
                                         "NetworkManager",
                                         "systemd-networkd",
                                         "systemd-journald",
                                         "systemd-logind",
                                         "nvidia-persistenced",
                                         "nv-fabricmanager",
                                         "nv-hostengine",
                                         "cloud-init",
                                         "amazon-ssm-agent",
                                         "dbus-daemon",
                                         "multipathd",
                                         "irqbalance"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

void take_syslog_text(Peeling& p, std::string_view host, const Tag& tag, std::string_view rest) {
  p.speaker.node = host;
  p.speaker.stream = tag.name;
  if (tag.pid >= 0) p.speaker.pid = tag.pid;
  p.text = rest;
  p.syslog = true;
}

struct Month {
  std::string_view name;
  std::string_view english;
};
// As journalctl prints them in other locales; those that are spelt as in English are not repeated.
constexpr Month kMonths[] = {
    {"janv.", "Jan"}, {"févr.", "Feb"}, {"mars", "Mar"},  {"avril", "Apr"}, {"mai", "May"},  {"juin", "Jun"},
    {"juil.", "Jul"}, {"août", "Aug"},  {"sept.", "Sep"}, {"oct.", "Oct"},  {"nov.", "Nov"}, {"déc.", "Dec"},
    {"Mär", "Mar"},   {"Mai", "May"},   {"Okt", "Oct"},   {"Dez", "Dec"},   {"Jän", "Jan"},  {"ene", "Jan"},
    {"feb", "Feb"},   {"mar", "Mar"},   {"abr", "Apr"},   {"may", "May"},   {"jun", "Jun"},  {"jul", "Jul"},
    {"ago", "Aug"},   {"sep", "Sep"},   {"oct", "Oct"},   {"nov", "Nov"},   {"dic", "Dec"},
};

std::optional<ParsedTime> try_local_syslog(std::string_view text, const TimeHints& hints) {
  for (const Month& month : kMonths) {
    if (text.substr(0, month.name.size()) != month.name) continue;
    constexpr std::size_t kTail = 32;
    const std::string english = std::string(month.english).append(text.substr(month.name.size(), kTail));
    auto time = try_syslog(english, hints);
    if (time) time->length += month.name.size() - month.english.size();
    if (time) return time;
  }
  return std::nullopt;
}

// Seconds of the boot clock, "   12.345678"; at least three decimals, so that "[0.5]" stays text.
std::optional<Instant> eat_uptime(std::string_view& text) {
  std::string_view rest = text;
  eat_blanks(rest);
  const auto seconds = parse_number<std::int64_t>(eat_digits(rest, 9));
  if (!seconds || !eat(rest, '.')) return std::nullopt;
  const std::string_view digits = eat_digits(rest, 9);
  if (digits.size() < 3) return std::nullopt;
  std::int64_t fraction = *parse_number<std::int64_t>(digits);
  std::int64_t unit = kSecond;
  for (std::size_t i = 0; i < digits.size(); ++i) unit /= 10;
  Instant time;
  time.base = Instant::Base::boot;
  time.ns = *seconds * kSecond + fraction * unit;
  time.precision_ns = unit;
  text = rest;
  return time;
}

// " <    0.000012>" of dmesg -d, " <    1.501123 >" of journalctl -o short-delta ("*" marks another boot).
void eat_delta(std::string_view& text) {
  std::string_view rest = text;
  if (!eat(rest, " <")) return;
  const std::size_t end = rest.find('>');
  if (end > 24 || rest.substr(0, end).find_first_not_of(" 0123456789.*") != std::string_view::npos) return;
  text = rest.substr(end + 1);
}

// "[ T1234]", "[  C12]" behind the stamp: task or CPU that printed.
void eat_caller(std::string_view& text) {
  std::string_view rest = text;
  if (!eat(rest, '[')) return;
  eat_blanks(rest);
  if (!eat(rest, 'T') && !eat(rest, 'C')) return;
  if (eat_digits(rest, 9).empty() || !eat(rest, ']')) return;
  text = rest;
}

bool end_of_bracket(std::string_view& text) {
  if (!eat(text, ']')) return false;
  eat_caller(text);
  return text.empty() || eat(text, ' ');
}

// [Jan 1 00:00] of dmesg -e: a minute, without seconds.
std::optional<Instant> eat_reltime_minute(std::string_view& text, const TimeHints& hints) {
  const std::size_t end = text.find(']');
  if (end == std::string_view::npos || end < 11 || end > 12 || text[end - 3] != ':') return std::nullopt;
  const std::string stamp = std::string(text.substr(0, end)) + ":00";
  const auto time = try_syslog(stamp, hints);
  if (!time || time->length != stamp.size()) return std::nullopt;
  text.remove_prefix(end);
  Instant minute = time->time;
  minute.precision_ns = 60 * kSecond;
  return minute;
}

}  // namespace

// `sure`: behind a stamp that only syslog and the journal print.
bool peel_host_tag(Peeling& p, bool sure) {
  const bool journal = journal_kind(p.context.kind);
  std::string_view rest = p.text;
  const std::size_t blank = rest.find(' ');
  const std::string_view host = rest.substr(0, blank);
  if (blank != std::string_view::npos && host_like(host)) {
    const std::string_view behind = rest.substr(blank + 1);
    const auto tag = read_tag(behind, journal);
    const bool believed = journal || (sure && names_host(host));
    if (tag && (believed || tag->pid >= 0 || known_daemon(tag->name))) {
      take_syslog_text(p, host, *tag, behind.substr(tag->length));
      return true;
    }
  }
  // --no-hostname
  const auto tag = read_tag(rest, false);
  if (tag && tag->name.find(' ') == std::string_view::npos && (tag->pid >= 0 || known_daemon(tag->name))) {
    take_syslog_text(p, {}, *tag, rest.substr(tag->length));
    return true;
  }
  return false;
}

bool peel_syslog(Peeling& p) {
  if (p.syslog) return false;
  std::optional<ParsedTime> time = try_ctime(p.text, p.context.hints);  // Thu 2026-01-01 00:00:00 UTC
  if (!time) time = try_syslog(p.text, p.context.hints);
  if (!time) time = try_local_syslog(p.text, p.context.hints);
  if (!time) return false;
  std::string_view rest = p.text.substr(time->length);
  // journalctl -o verbose: fields follow on lines of their own.
  if (!rest.empty() && !eat(rest, ' ')) return false;
  p.text = rest;
  const bool tagged = peel_host_tag(p, true);
  p.add_time(time->time, tagged);
  p.stamped = true;
  return true;
}

bool peel_priority(Peeling& p) {
  std::string_view rest = p.text;
  if (!eat(rest, '<')) return false;
  const std::string_view digits = eat_digits(rest, 3);
  const auto priority = parse_number<std::uint32_t>(digits);
  if (!priority || *priority > 191 || !eat(rest, '>')) return false;
  if (eat(rest, "1 ")) {  // RFC 5424: stamp host app procid msgid [structured data] text
    const auto time = try_iso8601(rest, p.context.hints);
    std::string_view behind = time ? rest.substr(time->length) : rest;
    if (!time && !eat(behind, "-")) return false;
    std::string_view field[4];
    for (std::string_view& word : field) {
      if (!eat(behind, ' ')) return false;
      word = behind.substr(0, behind.find(' '));
      behind.remove_prefix(word.size());
    }
    if (!eat(behind, ' ')) return false;
    if (!eat(behind, '-')) {
      while (eat(behind, '[')) {  // one element after another, without blanks between
        std::size_t at = 0;
        bool quoted = false;
        for (; at < behind.size() && (quoted || behind[at] != ']'); ++at) {
          if (behind[at] == '\\')
            ++at;
          else if (behind[at] == '"')
            quoted = !quoted;
        }
        if (at >= behind.size()) return false;
        behind.remove_prefix(at + 1);
      }
    }
    eat(behind, ' ');
    eat(behind, "\xef\xbb\xbf");
    if (time) p.add_time(time->time, true);
    if (field[0] != "-") p.speaker.node = field[0];
    if (field[1] != "-") p.speaker.stream = field[1];
    if (const auto pid = parse_number<std::int64_t>(field[2])) p.speaker.pid = *pid;
    p.text = behind;
    p.stamped = p.syslog = true;
    return true;
  }
  // Only in front of something that takes a priority: a stamp of the kernel or of syslog.
  if (rest.empty() || (rest.front() != '[' && !is_digit(rest.front()) && !is_alpha(rest.front())))
    return false;
  if (!is_prefixed(rest, p.context) && p.context.kind != ArtifactKind::dmesg &&
      p.context.kind != ArtifactKind::kernel_log)
    return false;
  p.text = rest;
  return true;
}

bool peel_decode_levels(Peeling& p) {
  std::string_view rest = p.text;
  const std::string_view facility = eat_word(rest);
  constexpr std::string_view kFacilities[] = {"kern", "user", "mail", "daemon",   "auth", "syslog",
                                              "lpr",  "news", "cron", "authpriv", "ftp"};
  if (std::find(std::begin(kFacilities), std::end(kFacilities), facility) == std::end(kFacilities))
    return false;
  eat_blanks(rest);
  if (!eat(rest, ':')) return false;
  const std::string_view level = eat_word(rest);
  constexpr std::string_view kLevels[] = {"emerg", "alert", "crit", "err", "warn", "notice", "info", "debug"};
  if (std::find(std::begin(kLevels), std::end(kLevels), level) == std::end(kLevels)) return false;
  eat_blanks(rest);
  if (!eat(rest, ": ")) return false;
  p.text = rest;
  return true;
}

bool peel_kernel(Peeling& p) {
  std::string_view rest = p.text;
  if (!eat(rest, '[')) return false;
  if (std::string_view relative = rest;
      eat_blanks(relative), eat(relative, '+')) {  // [  +0.000012] of dmesg -e
    if (eat_digits(relative, 9).empty() || !eat(relative, '.') || eat_digits(relative, 9).size() < 3)
      return false;
    if (!end_of_bracket(relative)) return false;
    p.text = relative;
    p.done = true;
    return true;
  }
  if (const auto time = eat_uptime(rest)) {
    eat_delta(rest);
    if (!end_of_bracket(rest)) return false;
    p.add_time(*time, false);
    p.text = rest;
    // journalctl -o short-monotonic prints host and tag behind the same stamp.
    const bool journal =
        p.context.kind == ArtifactKind::journal_text || p.context.kind == ArtifactKind::syslog;
    if (!p.syslog && journal) peel_host_tag(p, true);
    p.done = true;
    return true;
  }
  if (const auto time = eat_reltime_minute(rest, p.context.hints)) {
    if (!end_of_bracket(rest)) return false;
    p.add_time(*time, false);
    p.text = rest;
    p.done = true;
    return true;
  }
  return false;
}

bool peel_kmsg(Peeling& p) {
  std::string_view rest = p.text;
  const std::string_view priority = eat_digits(rest, 4);
  if (priority.empty() || !eat(rest, ',') || eat_digits(rest, 18).empty() || !eat(rest, ',')) return false;
  const auto micros = parse_number<std::int64_t>(eat_digits(rest, 15));
  if (!micros || !eat(rest, ',')) return false;
  const std::size_t end = rest.find(';');  // flags, then fields like caller=T123
  if (end == std::string_view::npos || end == 0 || end > 64) return false;
  if (rest.front() != '-' && rest.front() != 'c' && rest.front() != '+') return false;
  if (rest.substr(0, end).find(' ') != std::string_view::npos) return false;
  Instant time;
  time.base = Instant::Base::boot;
  time.ns = *micros * 1000;
  time.precision_ns = 1000;
  p.add_time(time, false);
  p.text = rest.substr(end + 1);
  p.done = true;
  return true;
}

}  // namespace faultline::decode
