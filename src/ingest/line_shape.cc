#include "ingest/line_shape.h"

#include <algorithm>
#include <iterator>

namespace faultline::ingest {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool digit(char c) {
  return c >= '0' && c <= '9';
}
bool upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool lower_case(char c) {
  return c >= 'a' && c <= 'z';
}
bool letter(char c) {
  return upper(c) || lower_case(c);
}
bool blank(char c) {
  return c == ' ' || c == '\t';
}
bool name_char(char c) {
  return letter(c) || digit(c) || c == '_';
}

/// Length of YYYY-mm-ddTHH:MM:SS at the start, then fraction digits and zone.
struct IsoStamp {
  std::size_t length = 0;
  std::size_t fraction = 0;
  bool comma = false;
  bool zone = false;
};
IsoStamp iso_stamp(std::string_view line) {
  IsoStamp stamp;
  std::size_t at = match_picture(line, "0000-00-00T00:00:00");
  if (at == kNone) return stamp;
  if (at < line.size() && (line[at] == '.' || line[at] == ',')) {
    stamp.comma = line[at] == ',';
    while (++at < line.size() && digit(line[at])) ++stamp.fraction;
  }
  if (at < line.size() && line[at] == 'Z') {
    stamp.zone = true;
    ++at;
  } else if (at + 1 < line.size() && (line[at] == '+' || line[at] == '-')) {
    for (const std::string_view picture : {"00:00", "0000"}) {
      const std::size_t zone = match_picture(line.substr(at + 1), picture);
      if (zone == kNone) continue;
      stamp.zone = true;
      at += 1 + zone;
      break;
    }
  }
  stamp.length = at;
  return stamp;
}

enum class Tag { none, kernel, program };

/// "host tag[12]: text" after a stamp. A tag may hold blanks, brackets and slashes, but no colon.
Tag host_and_tag(std::string_view rest) {
  const std::size_t host = match_picture(rest, "~_");
  if (host == kNone) return Tag::none;
  if (rest.substr(0, host).find_first_of("\"'={}") != kNone) return Tag::none;
  rest.remove_prefix(host);
  if (rest.starts_with("kernel:")) return Tag::kernel;
  const std::size_t colon = rest.substr(0, 80).find(':');
  if (colon == kNone || colon == 0 || (colon + 1 < rest.size() && !blank(rest[colon + 1]))) return Tag::none;
  const std::string_view tag = rest.substr(0, colon);
  // Two words before the colon make a sentence, except where a pid in brackets closes them.
  const bool words = tag.find(' ') != kNone && tag.back() != ']';
  return words ? Tag::none : Tag::program;
}

/// "Jan  1 00:00:00 " with the month in any language: a short word, perhaps with a full stop.
std::size_t month_stamp(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && at < 12 && (letter(line[at]) || static_cast<unsigned char>(line[at]) >= 0x80))
    ++at;
  if (at < 3 || at == line.size()) return kNone;
  if (line[at] == '.') ++at;
  for (const std::string_view picture : {" 00 00:00:00", "  0 00:00:00", " 0 00:00:00"}) {
    const std::size_t length = match_picture(line.substr(at), picture);
    if (length == kNone) continue;
    at += length;
    if (at < line.size() && line[at] == '.') {
      while (++at < line.size() && digit(line[at])) {
      }
    }
    return at < line.size() && line[at] == ' ' ? at + 1 : kNone;
  }
  return kNone;
}

/// "<6>" or "<165>"; its length, 0 if none.
std::size_t priority(std::string_view line) {
  const std::size_t length = match_picture(line, "<9>");
  return length == kNone || length > 5 ? 0 : length;
}

bool is_dmesg(std::string_view line) {
  // `dmesg -x` puts "kern  :err   : " before the stamp.
  const std::size_t level = match_picture(line, "~");
  if (level != kNone && level <= 8 && lower_case(line[0])) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == kNone ? kNone : line.find(':', first + 1);
    if (second != kNone && second <= 18 &&
        line.substr(0, second).find_first_not_of("abcdefghijklmnopqrstuvwxyz :") == kNone) {
      line.remove_prefix(second + 1);
      while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
      if (iso_stamp(line).comma) return true;
    }
  }
  for (const std::string_view picture :
       {"[9.000000]", "[_9.000000]", "[9.000000 <", "[_9.000000 <", "[_+9.000000]", "[+9.000000]",
        "[Aaa Aaa_9 00:00:00 0000]", "[Aaa_9 00:00]"}) {
    if (has_picture(line, picture)) return true;
  }
  // A copy that lost its first character.
  return has_picture(line, "_9.000000] ");
}

/// Length of "I0101 00:00:00.123456 "; the month may lack its zero.
std::size_t glog_stamp(std::string_view line) {
  if (line.empty() || std::string_view("IWEFDVC").find(line[0]) == kNone) return kNone;
  std::size_t at = match_picture(line.substr(1), "9 00:00:00.9");
  if (at == kNone) return kNone;
  ++at;
  const std::size_t day = line.find(' ') - 1;
  return day == 3 || day == 4 ? at : kNone;
}

/// A klog header: its source file tells Go from Python and C++.
Shape glog_shape(std::string_view line) {
  const std::size_t stamp = glog_stamp(line);
  if (stamp == kNone) return Shape::other;
  const std::string_view head = line.substr(0, 200);
  const std::size_t close = head.find(']');
  if (close == kNone) return Shape::other;
  if (head.substr(0, close).find(".go:") != kNone) return Shape::klog;
  if (head.substr(0, close).find(".py:") != kNone || head.substr(0, close).find(".cpp:") != kNone)
    return Shape::torch_log;
  return Shape::other;
}

bool is_tagged(std::string_view line) {
  if (line.starts_with('[')) {
    for (const std::string_view picture :
         {"[rank9]:", "[default9]:", "[9,9]<std", "[trainer9]:", "[Rank 9]", "[9]:"}) {
      if (has_picture(line, picture)) return true;
    }
    const std::size_t close = line.substr(0, 40).find("]:");
    return close != kNone && close > 1 && digit(line[close - 1]) &&
           std::all_of(line.begin() + 1, line.begin() + static_cast<std::ptrdiff_t>(close), name_char);
  }
  if (line.starts_with('(')) return line.substr(0, 120).find(" pid=") != kNone;
  // srun -l. `ip addr` numbers its interfaces the same way.
  const std::size_t task = match_picture(line, "9: ");
  return task != kNone && task <= 8 && line.find(": <") == kNone;
}

bool is_nccl(std::string_view line) {
  const std::string_view head = line.substr(0, 240);
  const std::size_t word = head.find(" NCCL ");
  if (word == kNone)
    return head.starts_with("NCCL INFO ") || head.starts_with("NCCL WARN ") ||
           head.starts_with("NCCL version ");
  const std::string_view level = head.substr(word + 6);
  return level.starts_with("INFO") || level.starts_with("WARN") || level.starts_with("TRACE") ||
         level.starts_with("CALL") || level.starts_with("ABORT") || level.starts_with("ERROR");
}

bool is_assignment(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == kNone || equals == 0 || equals > 128 || digit(line[0])) return false;
  std::string_view name = line.substr(0, equals);
  if (name.ends_with("%%")) name.remove_suffix(2);  // exported shell functions
  return std::all_of(name.begin(), name.end(), name_char);
}

Shape iso_shape(std::string_view line, const IsoStamp& stamp) {
  std::string_view rest = line.substr(stamp.length);
  if (!rest.empty() && !blank(rest[0])) return Shape::other;
  while (!rest.empty() && blank(rest[0])) rest.remove_prefix(1);
  if (stamp.comma) return stamp.zone && stamp.fraction == 6 ? Shape::iso_dmesg : Shape::iso_other;
  if (stamp.zone && (rest.starts_with("stdout ") || rest.starts_with("stderr "))) {
    if (rest.size() >= 8 && upper(rest[7]) && (rest.size() == 8 || rest[8] == ' ' || rest[8] == ':'))
      return Shape::cri;
  }
  const std::string_view word = rest.substr(0, rest.find(' '));
  if (stamp.zone && stamp.fraction == 6 && word.find('/') != kNone && word.find(':') == kNone &&
      word.find('=') == kNone) {
    return Shape::tail_detailed;
  }
  switch (host_and_tag(rest)) {
    case Tag::kernel:
      return Shape::iso_kernel;
    case Tag::program:
      // A log level and a logger name look like a host and a tag; a host is never one of these words.
      if (stamp.zone && word != "INFO" && word != "WARN" && word != "WARNING" && word != "ERROR" &&
          word != "DEBUG") {
        return Shape::iso_syslog;
      }
      break;
    case Tag::none:
      break;
  }
  if (!stamp.zone) return Shape::iso_other;
  if (stamp.fraction == 3 && line[stamp.length - 1] == 'Z') return Shape::iso_millis;
  return stamp.fraction >= 7 ? Shape::iso_nanos : Shape::iso_other;
}

// Sorted. Opening words of kernel messages that no program prints at the start of its own lines.
constexpr std::string_view kKernelOpenings[] = {"ACPI: ",
                                                "AER: ",
                                                "BUG: ",
                                                "Buffer I/O error on",
                                                "CIFS: ",
                                                "Call Trace:",
                                                "EDAC ",
                                                "EXT4-fs ",
                                                "INFO: rcu_",
                                                "INFO: task ",
                                                "Kernel panic - not syncing",
                                                "Killed process ",
                                                "Lustre: ",
                                                "LustreError: ",
                                                "MCE: ",
                                                "Memory cgroup out of memory",
                                                "Memory cgroup stats",
                                                "Memory failure: ",
                                                "NMI watchdog: ",
                                                "NVRM: ",
                                                "Oom-kill",
                                                "Out of memory: ",
                                                "PCIe Bus Error: ",
                                                "XFS (",
                                                "audit: type=",
                                                "blk_update_request",
                                                "efa ",
                                                "ena 0000:",
                                                "eth0: ",
                                                "hrtimer: ",
                                                "i40e 0000:",
                                                "invoked oom-killer",
                                                "kauditd_printk",
                                                "mce: ",
                                                "mlx5_core 0000:",
                                                "nfs: server ",
                                                "nvidia 0000:",
                                                "nvidia-gpu 0000:",
                                                "nvidia-nvswitch",
                                                "nvidia-peermem",
                                                "nvidia-uvm",
                                                "nvme nvme",
                                                "oom-kill:",
                                                "oom_kill_process",
                                                "oom_reaper: ",
                                                "pci 0000:",
                                                "pcieport 0000:",
                                                "perf: interrupt",
                                                "print_req_error",
                                                "rcu: INFO",
                                                "sd 0:",
                                                "sysrq: ",
                                                "systemd-journald[",
                                                "usb 1-",
                                                "watchdog: BUG"};
static_assert(std::is_sorted(std::begin(kKernelOpenings), std::end(kKernelOpenings)));

}  // namespace

std::size_t match_picture(std::string_view text, std::string_view picture) {
  std::size_t at = 0;
  for (const char p : picture) {
    const std::size_t begin = at;
    switch (p) {
      case '9':
        while (at < text.size() && digit(text[at])) ++at;
        break;
      case '_':
        while (at < text.size() && blank(text[at])) ++at;
        break;
      case '~':
        while (at < text.size() && !blank(text[at])) ++at;
        break;
      case '0':
        at += at < text.size() && digit(text[at]) ? 1 : 0;
        break;
      case 'A':
        at += at < text.size() && upper(text[at]) ? 1 : 0;
        break;
      case 'a':
        at += at < text.size() && lower_case(text[at]) ? 1 : 0;
        break;
      default:
        at += at < text.size() && text[at] == p ? 1 : 0;
        break;
    }
    if (at == begin) return kNone;
  }
  return at;
}

bool is_bare_kernel_text(std::string_view line) {
  if (std::any_of(std::begin(kKernelOpenings), std::end(kKernelOpenings),
                  [&](std::string_view opening) { return line.starts_with(opening); })) {
    return true;
  }
  const std::string_view head = line.substr(0, 160);
  return head.find(" invoked oom-killer: ") != kNone || head.find(": SXid (PCI:") != kNone ||
         head.find(" entered promiscuous mode") != kNone || head.find(") entered disabled state") != kNone ||
         head.find(") entered blocking state") != kNone || head.find(") entered forwarding state") != kNone ||
         head.find(" left promiscuous mode") != kNone;
}

Shape shape_of(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == kNone) return Shape::blank;
  const IsoStamp iso = iso_stamp(line);
  if (iso.length != 0) {
    const Shape shape = iso_shape(line, iso);
    if (shape != Shape::other) return shape;
  }
  if (line.starts_with("[pod/")) return Shape::pod_prefix;
  if (line[0] == '[') {
    const IsoStamp inner = iso_stamp(line.substr(1));
    if (inner.length != 0 && line.size() > inner.length + 1 && line[inner.length + 1] == ']')
      return Shape::bracket_iso;
    if (has_picture(line, "[Aaa 00 0000 00:00:00] [A")) return Shape::fabric_manager;
  }
  const std::size_t pri = priority(line);
  const std::string_view body = line.substr(pri);
  if (pri != 0 && body.starts_with("1 ") &&
      (iso_stamp(body.substr(2)).length != 0 || body.starts_with("1 - ")))
    return Shape::rfc5424;
  if (pri != 0 && iso_stamp(body).length != 0) {
    const Shape shape = iso_shape(body, iso_stamp(body));
    if (shape == Shape::iso_kernel || shape == Shape::iso_syslog) return shape;
  }
  const std::size_t month = month_stamp(body);
  if (month != kNone) {
    const Tag tag = host_and_tag(body.substr(month));
    if (tag != Tag::none) return tag == Tag::kernel ? Shape::month_kernel : Shape::month_syslog;
    // Without a host name (journalctl --no-hostname).
    if (body.substr(month).starts_with("kernel: ")) return Shape::month_kernel;
  }
  if (is_dmesg(body)) return Shape::dmesg;
  if (has_picture(line, "9,9,9,~") && line.substr(0, 80).find(';') != kNone) return Shape::kmsg;
  const Shape glog = glog_shape(line);
  if (glog != Shape::other) return glog;
  if (line.starts_with("time=\"") && line.find(" level=") != kNone) return Shape::logfmt;
  if (line[first] == '{' && line.size() > first + 2) {
    const char next =
        line[line.find_first_not_of(' ', first + 1) == kNone ? first
                                                             : line.find_first_not_of(' ', first + 1)];
    if (next == '"') return Shape::json;
  }
  if (is_nccl(line)) return Shape::nccl;
  if (is_tagged(line.substr(first))) return Shape::tagged;
  if (line.starts_with("declare -x ") || line.starts_with("export ")) return Shape::declared;
  if (is_assignment(line)) return Shape::assignment;
  return Shape::other;
}

}  // namespace faultline::ingest
