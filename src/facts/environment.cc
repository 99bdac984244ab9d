#include "facts/environment.h"

#include <algorithm>

#include "base/text.h"

namespace faultline::facts {
namespace {

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > 256) return false;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (!letter(text[0])) return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-'; });
}

// declare -x NAME="value", export NAME='v', with the escapes that shells write; `open` when the quote is not
// closed here.
std::string unquoted(std::string_view value, bool& open) {
  open = false;
  if (value.starts_with("$'")) value.remove_prefix(1);
  if (value.empty() || (value[0] != '"' && value[0] != '\'')) return std::string(value);
  const char quote = value[0];
  std::string out;
  for (std::size_t i = 1; i < value.size(); ++i) {
    if (value[i] == quote) {
      // 'it'\''s' and 'it'"'"'s' write one quote.
      for (const std::string_view form : {"\\''", "\"'\"'"}) {
        if (quote == '\'' && value.substr(i + 1).starts_with(form)) {
          out += '\'';
          i += form.size();
          break;
        }
      }
      if (value[i] == quote && i + 1 == value.size()) return out;
      continue;
    }
    if (value[i] == '\\' && quote == '"' && i + 1 < value.size()) ++i;
    out += value[i];
  }
  open = true;
  return out;
}

class DumpReader {
 public:
  std::vector<Variable> run(std::string_view text) {
    // A dump ends with its line: a piece of a name behind it is a cut, not a part of the value before.
    const std::size_t last = text.rfind('\n');
    if (last != std::string_view::npos && is_name(text.substr(last + 1))) text = text.substr(0, last + 1);
    for_each_line(text, [&](std::uint64_t number, std::string_view line) {
      read(line, static_cast<std::size_t>(number - 1));
      return true;
    });
    // Prose with a few equal signs is no dump.
    if (out_.size() < 3 || other_ * 4 > out_.size() + continued_) return {};
    return std::move(out_);
  }

 private:
  void read(std::string_view line, std::size_t number) {
    if (function_) {
      function_ = line != "}";
      return;
    }
    if (open_quote_) {
      continue_value(line);
      return;
    }
    std::string_view rest = line;
    bool shell = false;
    for (const std::string_view head : {"declare -x ", "export ", "setenv "}) {
      if (rest.starts_with(head)) {
        rest.remove_prefix(head.size());
        shell = true;
        break;
      }
    }
    const std::size_t equals = rest.find('=');
    if (rest.starts_with("BASH_FUNC_") && rest.find("=() {") != std::string_view::npos) {
      function_ = !rest.ends_with('}');
      return;
    }
    if (equals == std::string_view::npos || !is_name(rest.substr(0, equals))) {
      if (shell && is_name(rest)) {
        out_.push_back(Variable{std::string(rest), {}, number});
      } else if (!trim(line).empty()) {
        // A value of several lines goes on; before the first variable it is something else.
        if (out_.empty() || shell)
          ++other_;
        else
          continue_value(line);
      }
      return;
    }
    std::string_view value = rest.substr(equals + 1);
    std::string decoded(value);
    if (shell) decoded = unquoted(value, open_quote_);
    out_.push_back(Variable{std::string(rest.substr(0, equals)), std::move(decoded), number});
  }

  void continue_value(std::string_view line) {
    ++continued_;
    if (continued_ > 16 * (out_.size() + 1)) ++other_;
    if (out_.empty()) return;
    std::string& value = out_.back().value;
    if (open_quote_ && !line.empty() && (line.back() == '"' || line.back() == '\'')) {
      open_quote_ = false;
      line.remove_suffix(1);
    }
    if (value.size() < 65536) value += "\n" + std::string(line);
  }

  std::vector<Variable> out_;
  std::size_t other_ = 0;
  std::size_t continued_ = 0;
  bool function_ = false;
  bool open_quote_ = false;
};

// environ({'A': 'b', ...}) and plain dictionaries of strings.
std::vector<Variable> parse_python(std::string_view text) {
  std::vector<Variable> out;
  const std::size_t begin = text.find("{'");
  if (begin == std::string_view::npos) return out;
  std::size_t line = 0;
  std::size_t counted = 0;
  const auto text_at = [&](std::size_t& at) {
    std::string value;
    const char quote = text[at];
    for (++at; at < text.size() && text[at] != quote; ++at) {
      if (text[at] == '\\' && at + 1 < text.size()) {
        ++at;
        value += text[at] == 'n' ? '\n' : text[at] == 't' ? '\t' : text[at];
      } else {
        value += text[at];
      }
    }
    ++at;
    return value;
  };
  const auto skip = [&](std::size_t& at, std::string_view blanks) {
    while (at < text.size() && blanks.find(text[at]) != std::string_view::npos) ++at;
  };
  for (std::size_t at = begin + 1; at < text.size();) {
    skip(at, ", \t\r\n");
    if (at >= text.size() || (text[at] != '\'' && text[at] != '"')) break;
    for (; counted < at; ++counted) line += text[counted] == '\n' ? 1 : 0;
    Variable variable;
    variable.line = line;
    variable.name = text_at(at);
    skip(at, ": \t\r\n");
    if (at >= text.size() || (text[at] != '\'' && text[at] != '"')) break;
    variable.value = text_at(at);
    if (is_name(variable.name)) out.push_back(std::move(variable));
  }
  return out;
}

std::string_view value_of(const std::vector<Variable>& all, std::string_view name) {
  for (const Variable& variable : all) {
    if (variable.name == name) return variable.value;
  }
  return {};
}

}  // namespace

std::vector<Variable> parse_environment(std::string_view text) {
  if (text.find("{'") != std::string_view::npos && text.find("': '") != std::string_view::npos) {
    if (auto python = parse_python(text); python.size() >= 3) return python;
  }
  // environ of /proc separates by NUL; decoding may have made blanks of them, and then nothing can be told
  // apart.
  if (text.find('\0') != std::string_view::npos) {
    std::string lines(text);
    std::replace(lines.begin(), lines.end(), '\0', '\n');
    auto all = DumpReader().run(lines);
    for (Variable& variable : all) variable.line = 0;
    return all;
  }
  return DumpReader().run(text);
}

void read_environment(Reading& reading) {
  const auto all = parse_environment(reading.text);
  if (all.empty()) {
    if (!trim(reading.text).empty())
      reading.note("this is no dump of environment variables that can be read");
    return;
  }
  Speaker who = reading.artifact.speaker;
  // RANK of a pod counts pods, RANK of a torchrun worker counts processes: only the latter has a LOCAL_RANK.
  const auto local = parse_number<std::int32_t>(value_of(all, "LOCAL_RANK"));
  auto rank = parse_number<std::int32_t>(value_of(all, "RANK"));
  if (!local) rank.reset();
  if (local) who.local_rank = *local;
  if (rank) who.rank = *rank;
  const std::string_view host = value_of(all, "HOSTNAME");
  if (!value_of(all, "KUBERNETES_SERVICE_HOST").empty()) {
    if (who.pod.empty()) who.pod = std::string(host);
    if (who.node.empty()) who.node = std::string(value_of(all, "NODE_NAME"));
  } else if (who.node.empty()) {
    who.node = std::string(value_of(all, "SLURMD_NODENAME"));
    if (who.node.empty()) who.node = std::string(host);
  }
  for (const Variable& variable : all) reading.env_fact(who, variable.name, variable.value, variable.line);
  if (rank && !who.node.empty()) {
    reading.join(NameJoin::Entity::rank_node, std::to_string(*rank), who.node, all.front().line);
  }
}

}  // namespace faultline::facts
