#include "base/secrets.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/secrets_names.h"
#include "base/secrets_shapes.h"
#include "base/text.h"

namespace faultline {
namespace {

using secrets::Span;

constexpr std::size_t kLongestName = 128;
constexpr std::size_t kLongestLead = 64;
constexpr std::size_t kMostBlanks = 64;  // kubectl describe pads names to a column

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}
bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
}

struct Name {
  std::string_view text;
  std::size_t begin = 0;
  bool quoted = false;
  bool option = false;      ///< --name
  bool heads_line = false;  ///< only blanks, "- ", export or declare before it on its line
};

/// The name that ends just before `end`, over blanks and closing quotes.
std::optional<Name> name_before(std::string_view text, std::size_t end) {
  Name name;
  std::size_t at = end;
  for (std::size_t i = 0; i < kMostBlanks && at > 0 && is_blank(text[at - 1]); ++i) --at;
  for (int i = 0; i < 4 && at > 0 && (is_quote(text[at - 1]) || text[at - 1] == '\\'); ++i) {
    name.quoted = true;
    --at;
  }
  const std::size_t name_end = at;
  while (at > 0 && is_name(text[at - 1]) && name_end - at <= kLongestName) --at;
  std::size_t begin = at;
  while (begin < name_end && (text[begin] == '-' || text[begin] == '.')) ++begin;
  if (begin == name_end || name_end - begin > kLongestName) return std::nullopt;
  name.text = text.substr(begin, name_end - begin);
  name.begin = begin;
  name.option = begin - at >= 2 && text[at] == '-';
  // Only so far back: a line of a megabyte may hold a hundred thousand pairs.
  std::size_t line = begin;
  while (line > 0 && begin - line < kLongestLead && !is_line_end(text[line - 1])) --line;
  if (line > 0 && !is_line_end(text[line - 1])) return name;
  const std::string_view lead = text.substr(line, begin - line);
  for (std::string_view word : split_words(lead)) {
    if (word == "export" || word == "declare" || word == "-x" || word == "-" || word == "setenv" ||
        word == "+" || word == "[SET]")
      continue;
    return name;
  }
  name.heads_line = true;
  return name;
}

/// Does `rest` (what follows a comma) begin with another NAME= or NAME: ?
bool begins_pair(std::string_view rest) {
  std::size_t n = 0;
  while (n < rest.size() && is_name(rest[n])) ++n;
  return n > 0 && n < rest.size() && (rest[n] == '=' || rest[n] == ':') && is_letter(rest[0]);
}

bool ends_word(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (is_blank(c) || is_line_end(c) || is_quote(c) || c == '&' || c == '\\' || c == ')' || c == '}' ||
      c == ']' || c == '|')
    return true;
  if (c != ',' && c != ';') return false;
  const std::string_view rest = text.substr(at + 1);
  return rest.empty() || is_blank(rest[0]) || is_line_end(rest[0]) || is_quote(rest[0]) || rest[0] == '\\' ||
         begins_pair(rest);
}

struct Value {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool quoted = false;
};

/// Authorization: Bearer x
bool is_scheme(std::string_view word) {
  return iequals(word, "bearer") || iequals(word, "basic") || iequals(word, "token") ||
         iequals(word, "digest");
}

/// The value at `at`: to the closing quote of the same spelling, else one word ("Bearer x" and "Basic x" are
/// one), else the rest of the line when nothing but the name stands before it.
Value value_at(std::string_view text, std::size_t at, bool whole_line) {
  for (std::size_t i = 0; i < kMostBlanks && at < text.size() && is_blank(text[at]); ++i) ++at;
  Value value{at, at, false};
  std::size_t slashes = 0;
  while (at + slashes < text.size() && text[at + slashes] == '\\' && slashes < 8) ++slashes;
  std::size_t open = at + slashes;
  if (slashes == 0 && open < text.size() && text[open] == '[')
    ++open;  // header maps: Authorization:[Bearer x]
  if (open < text.size() && (text[open] == 'b' || text[open] == 'u' || text[open] == '$') &&
      open + 1 < text.size() && text[open + 1] == '\'')
    ++open;
  if (open < text.size() && is_quote(text[open])) {
    value.quoted = true;
    value.begin = open + 1;
    const char quote = text[open];
    for (value.end = value.begin; value.end < text.size(); ++value.end) {
      if (text[value.end] != quote) continue;
      std::size_t before = 0;
      while (before < value.end - value.begin && text[value.end - 1 - before] == '\\') ++before;
      // The closing quote carries as many backslashes as the opening one; more are inside the value.
      if (before <= slashes) {
        value.end -= before;
        break;
      }
    }
    return value;
  }
  if (slashes == 0 && open > at) value.begin = at = open;
  if (whole_line) {
    value.end = std::min(text.find_first_of("\r\n", at), text.size());
    return value;
  }
  const auto word_end = [&](std::size_t from) {
    while (from < text.size() && !ends_word(text, from)) ++from;
    return from;
  };
  value.end = word_end(at);
  // "${TOKEN}" ends with its brace.
  if (text.substr(at, 2) == "${" && value.end < text.size() && text[value.end] == '}') ++value.end;
  if (is_scheme(text.substr(at, value.end - at))) {
    std::size_t next = value.end;
    while (next < text.size() && is_blank(text[next])) ++next;
    if (next > value.end) value.end = word_end(next);
  }
  return value;
}

/// "token: connection refused" is English, `token: 8f3a...` is not.
bool is_prose(std::string_view value) {
  const std::string_view word = value.substr(0, value.find_first_of(" \t"));
  if (word.size() < value.size() && is_scheme(word)) return false;
  return word.size() < 20 && std::all_of(word.begin(), word.end(), [](char c) {
           return is_letter(c) || c == '.' || c == ',' || c == ':' || c == '-';
         });
}

/// "token=128": a count, where the name is an English word.
bool is_count(std::string_view value) {
  return value.size() <= 7 &&
         std::all_of(value.begin(), value.end(), [](char c) { return is_digit(c) || c == '.'; });
}

void mask_value_of(std::string_view text, const Name& name, const secrets::NameJudgement& judgement,
                   Value value, char separator, std::vector<Span>& spans) {
  std::string_view shown = text.substr(value.begin, value.end - value.begin);
  while (!shown.empty() && is_blank(shown.back())) shown.remove_suffix(1);
  if (secrets::is_trivial_value(shown)) return;
  if (judgement.unless_path && secrets::is_plain_path(shown)) return;
  if (!value.quoted && (shown.front() == '{' || shown.front() == '[') && separator == ':')
    return;  // its members are judged themselves
  if (judgement.common_word && !name.quoted && !value.quoted) {
    const bool weak = judgement.mask != "password" && judgement.mask != "secret";
    if (weak && separator == ':' && is_prose(shown)) return;
    if (weak && is_count(shown)) return;
  }
  spans.push_back({value.begin, value.begin + shown.size(), judgement.mask});
}

/// {"name": "HF_TOKEN", "value": "x"} and its YAML form.
void mask_named_member(std::string_view text, std::size_t after, std::vector<Span>& spans) {
  const Value named = value_at(text.substr(0, after + 2 * kLongestName), after, false);
  const auto judgement = secrets::judge_name(text.substr(named.begin, named.end - named.begin));
  if (judgement.mask.empty()) return;
  std::size_t at = named.end;
  const std::size_t limit = std::min(text.size(), at + 64);
  while (at < limit && !is_letter(text[at])) ++at;
  if (at < limit && text[at - 1] == '\\' && text[at] == 'n') {  // "\n" in an escaped text
    while (at < limit && (text[at] == 'n' || !is_letter(text[at]))) ++at;
  }
  if (!iequals(text.substr(at, 5), "value")) return;
  const std::size_t colon = text.find(':', at);
  if (colon == std::string_view::npos || colon > at + 10) return;
  mask_value_of(text, Name{"value", at, true, false, false}, judgement, value_at(text, colon + 1, false), ':',
                spans);
}

/// NAME=value, NAME: value, --name=value.
void find_pairs(std::string_view text, std::vector<Span>& spans) {
  for (std::size_t at = text.find_first_of("=:"); at != std::string_view::npos;
       at = text.find_first_of("=:", at + 1)) {
    const char separator = text[at];
    const auto name = name_before(text, at);
    if (!name) continue;
    std::size_t after = at + 1;
    if (separator == ':' && after < text.size() && text[after] == '=') ++after;
    if (separator == '=' && after < text.size() && (text[after] == '=' || text[after] == '~')) continue;
    if (separator == ':' && (iequals(name->text, "name") || iequals(name->text, "key")))
      mask_named_member(text, after, spans);
    auto judgement = secrets::judge_name(name->text);
    const bool in_query = name->begin > 0 && (text[name->begin - 1] == '?' || text[name->begin - 1] == '&');
    if (iequals(name->text, "sig") && in_query) judgement.mask = "signature";
    if (judgement.mask.empty()) continue;
    const bool whole_line = name->heads_line && !name->quoted && !name->option && !judgement.common_word;
    const Value value = value_at(text, after, whole_line);
    mask_value_of(text, *name, judgement, value, separator, spans);
    if (value.end > at) at = std::max(at, value.end - 1);
  }
}

/// `--name value` of command lines, `set NAME value`, `setenv NAME value`, `[SET]  NAME value`.
void find_spaced(std::string_view text, std::vector<Span>& spans) {
  for (const std::string_view lead : {"--", "set ", "setenv ", "[SET] "}) {
    for (std::size_t at = text.find(lead); at != std::string_view::npos; at = text.find(lead, at + 1)) {
      std::size_t begin = at + lead.size();
      while (begin < text.size() && lead != "--" && is_blank(text[begin])) ++begin;
      std::size_t end = begin;
      while (end < text.size() && is_name(text[end]) && end - begin <= kLongestName) ++end;
      if (end == begin || end >= text.size() || !is_blank(text[end])) continue;
      const auto judgement = secrets::judge_name(text.substr(begin, end - begin));
      if (judgement.mask.empty()) continue;
      const Value value = value_at(text, end, false);
      if (value.begin < text.size() && text[value.begin] == '-' && lead == "--") continue;  // the next option
      mask_value_of(text, Name{text.substr(begin, end - begin), begin, true, true, false}, judgement, value,
                    ' ', spans);
    }
  }
}

std::string with_masks(std::string_view text, std::vector<Span>& spans) {
  // Of two spans that begin together the longer counts; of equal ones the later found, which is a shape.
  std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;
  for (std::size_t i = 0; i < spans.size();) {
    Span joined = spans[i];
    std::size_t next = i + 1;
    for (; next < spans.size() && spans[next].begin < joined.end; ++next) {
      if (spans[next].begin == joined.begin && spans[next].end == joined.end) joined.mask = spans[next].mask;
      joined.end = std::max(joined.end, spans[next].end);
    }
    out.append(text.substr(copied, joined.begin - copied));
    out.append("<masked:").append(joined.mask).append(">");
    copied = joined.end;
    i = next;
  }
  out.append(text.substr(copied));
  return out;
}

}  // namespace

std::string mask_secrets(std::string_view text) {
  if (!secrets::may_hold_secret(text)) return std::string(text);
  std::vector<Span> spans;
  find_pairs(text, spans);
  find_spaced(text, spans);
  secrets::find_shapes(text, spans);
  if (spans.empty()) return std::string(text);
  return with_masks(text, spans);
}

std::string mask_value(std::string_view name, std::string_view value) {
  const secrets::NameJudgement judgement = secrets::judge_name(name);
  if (judgement.mask.empty() || secrets::is_trivial_value(value)) return mask_secrets(value);
  if (judgement.unless_path && secrets::is_plain_path(value)) return std::string(value);
  std::vector<Span> spans{{0, value.size(), judgement.mask}};
  secrets::find_shapes(value, spans);
  return with_masks(value, spans);
}

}  // namespace faultline
