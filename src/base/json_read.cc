#include <algorithm>

#include "base/json.h"
#include "base/json_piece.h"
#include "base/text.h"

namespace faultline {
namespace {

// A value is some 110 bytes, its name 32: four million are half a gigabyte at the very worst, and as many as
// a full 64 MiB of kubectl JSON holds.
constexpr std::uint64_t kMostValues = 4'000'000;
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
bool is_between(char c) {
  return is_blank(c) || c == '\n' || c == ',' || c == '\x1e';
}  // 0x1e: json-seq

/// Finds where documents begin, and goes on after what is none.
class DocumentReader {
 public:
  DocumentReader(std::string_view text, const Limits& limits) : text_(text), limits_(limits) {}

  Result<JsonDocuments> read() {
    if (text_.size() > limits_.max_document) {
      text_ = text_.substr(0, limits_.max_document);
      note(text_.size(), "the document is larger than max-document");
    }
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    while (at_ < text_.size()) {
      if (is_between(text_[at_])) {
        ++at_;
      } else if (!document()) {
        break;
      }
    }
    if (!found_.documents.empty()) return std::move(found_);
    if (found_.problem.what.empty())
      found_.problem = Problem{Rung::skip, {}, "no JSON value in the text", {}};
    found_.problem.rung = Rung::skip;
    return fail(std::move(found_.problem));
  }

 private:
  /// Handles what begins at at_. False: nothing can follow.
  bool document() {
    const char c = text_[at_];
    if (c != '{' && c != '[') return scalar();
    json::Piece piece = json::read_piece(text_, at_, limits_.max_nesting, values_left_);
    if (piece.outcome == json::Outcome::complete) {
      if (is_tag(piece)) return next_line(piece.end);
      found_.documents.push_back(std::move(piece.value));
      at_ = piece.end;
      return true;
    }
    if (piece.has_content) {
      note(piece.end, piece.what);
      found_.documents.push_back(std::move(piece.value));
    } else if (found_.problem.what.empty()) {
      found_.problem = problem_at(piece.end, piece.what);
    }
    if (piece.outcome == json::Outcome::cut || values_left_ == 0) {
      note(piece.end, piece.what);
      return false;
    }
    // After a broken document only a bracket in the first column begins the next: others are its own insides.
    if (!next_line(piece.end)) return false;
    while (piece.has_content && text_[at_] != '{' && text_[at_] != '[' && text_[at_] != '\x1e') {
      if (!next_line(at_)) return false;
    }
    return true;
  }

  /// A string alone on its line, or any scalar that is the whole text; all else is noise.
  bool scalar() {
    json::Piece piece = json::read_piece(text_, at_, limits_.max_nesting, values_left_);
    if (piece.outcome == json::Outcome::complete) {
      const std::size_t rest = text_.find_first_not_of(" \t\r", piece.end);
      const bool line_ends = rest == std::string_view::npos || text_[rest] == '\n';
      const bool text_ends = text_.find_first_not_of(" \t\r\n", piece.end) == std::string_view::npos;
      const bool quoted = text_[at_] == '"';
      if ((quoted && line_ends) || (text_ends && found_.documents.empty())) {
        found_.documents.push_back(std::move(piece.value));
        at_ = piece.end;
        return true;
      }
    }
    return next_line(at_);
  }

  /// "[0] tag: ..." and "[12.5] text" are log lines, not arrays.
  [[nodiscard]] bool is_tag(const json::Piece& piece) const {
    if (!piece.value.is_array()) return false;
    const std::size_t rest = text_.find_first_not_of(" \t\r", piece.end);
    if (rest == std::string_view::npos || text_[rest] == '\n' || text_[rest] == '{' || text_[rest] == '[' ||
        text_[rest] == ',') {
      return false;
    }
    return std::none_of(piece.value.items.begin(), piece.value.items.end(),
                        [](const JsonValue& v) { return v.is_object() || v.is_array(); });
  }

  bool next_line(std::uint64_t from) {
    const std::size_t end = text_.find('\n', from);
    if (end == std::string_view::npos || end + 1 >= text_.size()) return false;
    at_ = end + 1;
    return true;
  }

  [[nodiscard]] Problem problem_at(std::uint64_t where, const char* what) const {
    const auto line = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(where), '\n') + 1;
    return Problem{Rung::note, "line " + std::to_string(line), what, {}};
  }

  void note(std::uint64_t where, const char* what) {
    if (!found_.cut) found_.problem = problem_at(where, what);
    found_.cut = true;
  }

  std::string_view text_;
  const Limits& limits_;
  std::uint64_t at_ = 0;
  std::uint64_t values_left_ = kMostValues;
  JsonDocuments found_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  for (auto member = members.rbegin(); member != members.rend(); ++member) {
    if (member->name == key) return &member->value;
  }
  return nullptr;
}

const JsonValue* JsonValue::at(std::initializer_list<std::string_view> path) const {
  const JsonValue* value = this;
  for (const std::string_view key : path) {
    value = value->find(key);
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::string_view JsonValue::text(std::string_view key) const {
  return text_at({key});
}

std::string_view JsonValue::text_at(std::initializer_list<std::string_view> path) const {
  const JsonValue* value = at(path);
  return value != nullptr && value->is_string() ? std::string_view(value->string) : std::string_view();
}

Result<JsonDocuments> parse_json(std::string_view text, const Limits& limits) {
  return DocumentReader(text, limits).read();
}

LineIndex::LineIndex(std::string_view text) : text_(text) {
  starts_.push_back(0);
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    starts_.push_back(at + 1);
  }
}

std::uint64_t LineIndex::line_of(std::uint64_t offset) const {
  return static_cast<std::uint64_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) -
                                    starts_.begin());
}

std::uint64_t LineIndex::start_of(std::uint64_t line) const {
  if (line == 0) return 0;
  return line <= starts_.size() ? starts_[line - 1] : text_.size();
}

std::string_view LineIndex::line(std::uint64_t number) const {
  if (number == 0 || number > starts_.size()) return {};
  const std::uint64_t begin = starts_[number - 1];
  std::string_view found =
      text_.substr(begin, number < starts_.size() ? starts_[number] - 1 - begin : std::string_view::npos);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

}  // namespace faultline
