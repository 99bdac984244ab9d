// Labels that launchers put in front of what ranks print.
#include <algorithm>

#include "base/text.h"
#include "decode/peel_parts.h"

namespace faultline::decode {
namespace {

bool job_kind(ArtifactKind kind) {
  switch (kind) {
    case ArtifactKind::cri_log:
    case ArtifactKind::docker_json_log:
    case ArtifactKind::pod_log:
    case ArtifactKind::training_log:
    case ArtifactKind::nccl_debug_log:
    case ArtifactKind::nccl_tests:
    case ArtifactKind::stack_dump:
      return true;
    default:
      return false;
  }
}

std::optional<std::int32_t> small_number(std::string_view digits) {
  const auto value = parse_number<std::int32_t>(digits);
  return value && digits.size() <= 7 ? value : std::nullopt;
}

bool ipv4(std::string_view word) {
  const std::vector<std::string_view> parts = split(word, '.');
  return parts.size() == 4 && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
           const auto n = parse_number<std::uint32_t>(part);
           return n && *n <= 255 && part.size() <= 3;
         });
}

bool contains_any(std::string_view word, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return word.find(part) != std::string_view::npos; });
}

// Devices, files and programs that stand in front of a colon and have a digit and a dash or dot too.
bool names_no_host(std::string_view word) {
  return contains_any(
      word, {".so", ".py", ".cc", ".cpp", ".cu", ".sh", ".c", ".h", ".go", ".log", ".txt", ".json", ".yaml",
             "nvidia-", "nvme-", "slurmstepd", "python", "pcieport", "x86-"});
}

}  // namespace

std::optional<NumberLabel> read_number_label(std::string_view line) {
  std::string_view rest = line;
  eat_blanks(rest);
  const auto value = small_number(eat_digits(rest, 8));
  if (!value) return std::nullopt;
  NumberLabel label;
  label.value = *value;
  if (eat(rest, ':')) {
    label.colon = true;
    if (!rest.empty() && !eat(rest, ' ')) return std::nullopt;
  } else if (!rest.empty()) {
    if (!eat(rest, "  ") && !eat(rest, '\t')) return std::nullopt;
  }
  label.length = line.size() - rest.size();
  return label;
}

std::optional<std::size_t> read_host_label(std::string_view line) {
  std::string_view rest = line;
  const std::string_view word = eat_word(rest);
  if (word.size() < 2 || word.size() > 253 || !eat(rest, ':')) return std::nullopt;
  if (!rest.empty() && rest.front() != ' ') return std::nullopt;
  if (ipv4(word)) return word.size();
  const bool digit = std::any_of(word.begin(), word.end(), is_digit);
  const bool letter = std::any_of(word.begin(), word.end(), is_alpha);
  const bool joint =
      word.find_first_of(".-") != std::string_view::npos && word.find('_') == std::string_view::npos;
  if (!digit || !letter || !joint || names_no_host(word)) return std::nullopt;
  return word.size();
}

bool peel_number(Peeling& p) {
  if (p.task_label || p.logged) return false;
  const auto label = read_number_label(p.text);
  if (!label) return false;
  const std::string_view rest = p.text.substr(label->length);
  const bool sampled =
      p.context.lead == Lead::line_numbers || (p.context.lead == Lead::task_labels && label->colon);
  if (!sampled && (p.probing || !is_prefixed(rest, p.context))) return false;
  // Two blanks or more, or a number beyond any job, number lines; srun -l writes "12: ".
  if (p.context.lead != Lead::line_numbers && label->colon && label->value < 100'000) {
    p.speaker.task = static_cast<std::int32_t>(label->value);
    p.task_label = true;
  }
  p.text = rest;
  return true;
}

bool peel_host(Peeling& p) {
  if (p.logged || !p.speaker.node.empty()) return false;
  const auto size = read_host_label(p.text);
  if (!size) return false;
  const std::string_view word = p.text.substr(0, *size);
  std::string_view rest = p.text.substr(*size + 1);
  eat(rest, ' ');
  std::string_view mpich = rest;  // "node-1: rank 25 died from signal 6" is the whole message
  if (eat(mpich, "rank ") && !eat_digits(mpich, 7).empty()) return false;
  const bool labels = p.context.lead == Lead::host_labels;
  if (!labels && !ipv4(word) && (p.probing || !is_prefixed(rest, p.context))) return false;
  p.speaker.node = word;
  p.text = rest;
  return true;
}

bool peel_mpi(Peeling& p) {
  std::string_view rest = p.text;
  if (!eat(rest, '[') || eat_digits(rest, 7).empty() || !eat(rest, ',')) return false;
  const auto rank = small_number(eat_digits(rest, 7));
  if (!rank || !eat(rest, "]<")) return false;
  const std::size_t end = rest.find(">:");
  const std::string_view stream = rest.substr(0, end);
  if (stream != "stdout" && stream != "stderr" && stream != "stddiag") return false;
  p.speaker.rank = *rank;
  p.speaker.stream = stream;
  p.text = rest.substr(end + 2);
  if (is_prefixed(p.text, p.context)) eat(p.text, ' ');
  return true;
}

bool peel_ray(Peeling& p) {
  std::string_view rest = p.text;
  if (!eat(rest, '(')) return false;
  const std::size_t end = rest.find(')');
  if (end == std::string_view::npos || end > 200) return false;
  const std::string_view inside = rest.substr(0, end);
  std::int64_t pid = -1;
  std::int32_t rank = -1;
  std::string_view node;
  std::size_t named = 0;
  for (std::string_view word : split_words(inside)) {
    if (!word.empty() && word.back() == ',') word.remove_suffix(1);
    if (eat(word, "pid=")) {
      pid = parse_number<std::int64_t>(word).value_or(-1);
      if (pid < 0) return false;
    } else if (eat(word, "ip=")) {
      node = word;
    } else if (eat(word, "rank=")) {
      rank = small_number(word).value_or(-1);
    } else if (word.find('=') == std::string_view::npos) {
      ++named;
    }
  }
  if (pid < 0 || named > 3) return false;
  rest = rest.substr(end + 1);
  if (!rest.empty() && !eat(rest, ' ')) return false;
  p.speaker.pid = pid;
  if (rank >= 0) p.speaker.rank = rank;
  if (!node.empty()) p.speaker.node = node;
  p.actor = true;
  p.text = rest;
  return true;
}

bool peel_role(Peeling& p) {
  std::string_view rest = p.text;
  if (!eat(rest, '[')) return false;
  std::size_t letters = 0;
  while (letters < rest.size() && (is_alpha(rest[letters]) || rest[letters] == '_' || rest[letters] == '-'))
    ++letters;
  const std::string_view role = rest.substr(0, letters);
  rest.remove_prefix(letters);
  const auto number = small_number(eat_digits(rest, 6));
  if (!number || !eat(rest, "]:")) return false;
  if (iequals(role, "rank")) {
    eat(rest, ' ');  // PyTorch writes a blank before tracebacks, none before its own log lines
    p.speaker.rank = *number;
  } else {
    // Other roles are free words: sure in what a job prints, or in front of another prefix.
    const bool sure = role == "default" || (role.empty() && p.actor && !rest.empty()) ||
                      (!role.empty() && role.size() <= 32 && job_kind(p.context.kind));
    if (!sure && (p.probing || !is_prefixed(rest, p.context))) return false;
    p.speaker.local_rank = *number;
  }
  p.text = rest;
  return true;
}

void take_rank(Peeling& p) {
  std::string_view rest = p.text;
  if (!eat(rest, '[')) return;
  bool whole_world = true;
  if (eat(rest, "PG ")) {
    const std::size_t end = rest.find(']');
    const std::size_t mark = rest.substr(0, std::min<std::size_t>(end, 200)).rfind(" Rank ");
    if (end == std::string_view::npos || mark == std::string_view::npos) return;
    const std::string_view group = rest.substr(0, mark);
    std::string_view id = group;
    eat(id, "ID ");
    // The number is the rank inside the group: only in the default group is it the global one.
    whole_world = group.find("default_pg") != std::string_view::npos || eat_digits(id, 6) == "0";
    rest = rest.substr(mark + 6);
  } else if (!eat(rest, "Rank ")) {
    return;
  }
  const auto rank = small_number(eat_digits(rest, 7));
  if (!rank || !eat(rest, ']') || !whole_world) return;
  if (p.speaker.rank < 0) p.speaker.rank = *rank;
}

}  // namespace faultline::decode
