#include "ingest/json_keys.h"

namespace faultline::ingest {
namespace {

constexpr std::size_t kMaxNesting = 128;
constexpr std::size_t kMaxKeys = 2000;

class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  JsonKeys run() {
    while (true) {
      blanks();
      if (at_ == text_.size()) break;
      if (keys_.documents != 0 && text_[at_] == ',') ++at_;  // arrays that were unwrapped by hand
      blanks();
      if (at_ == text_.size() || (text_[at_] != '{' && text_[at_] != '[')) break;
      if (!value()) {
        keys_.complete = at_ == text_.size();
        return keys_;
      }
      ++keys_.documents;
      keys_.consumed = at_;
    }
    keys_.complete = at_ == text_.size() && keys_.documents != 0;
    return keys_;
  }

 private:
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' ||
                                  text_[at_] == '\r' || text_[at_] == '\x1e'))
      ++at_;
  }

  /// The text between the quotes, escapes as they are. False: cut.
  bool string(std::string_view& out) {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) {
      at_ = text_.size();
      return false;
    }
    out = text_.substr(begin, at_ - begin);
    ++at_;
    return true;
  }

  void key(std::string_view name, std::size_t depth) {
    if (taken_ >= kMaxKeys) return;
    auto& into = depth == 1 ? keys_.top : depth == 2 ? keys_.second : keys_.deeper;
    if (into.emplace(name).second) ++taken_;
  }

  void note_value(std::string_view name, std::string_view value) {
    if (name == "kind" && keys_.kind.empty()) keys_.kind = value;
    if (name == "apiVersion" && keys_.api_version.empty()) keys_.api_version = value;
    if (name == "schema" && keys_.schema.empty()) keys_.schema = value;
  }

  /// One value with all that is in it; false at the end of the text or at what is no JSON.
  bool value() {
    std::vector<char> open;  // what closes each level
    std::size_t objects = 0;
    std::string_view name;
    while (true) {
      blanks();
      if (at_ >= text_.size()) return false;
      const char c = text_[at_];
      if (c == '{' || c == '[') {
        if (open.size() >= kMaxNesting) return false;
        if (open.empty() && keys_.documents == 0) keys_.array = c == '[';
        open.push_back(c == '{' ? '}' : ']');
        objects += c == '{' ? 1 : 0;
        ++at_;
        blanks();
        if (at_ >= text_.size() || text_[at_] != open.back()) {
          if (c == '{' && !member(name, objects)) return false;
          continue;
        }
      } else if (!scalar(name, objects)) {
        return false;
      }
      if (!close(open, objects)) return false;
      if (open.empty()) return true;
      if (open.back() == '}' && !member(name, objects)) return false;
    }
  }

  /// After a value: closing brackets, then a comma if something is still open.
  bool close(std::vector<char>& open, std::size_t& objects) {
    while (true) {
      blanks();
      if (at_ >= text_.size()) return false;
      if (open.empty()) return true;
      if (text_[at_] == open.back()) {
        objects -= open.back() == '}' ? 1 : 0;
        open.pop_back();
        ++at_;
        if (open.empty()) return true;
        continue;
      }
      if (text_[at_] != ',') return false;
      ++at_;
      return true;
    }
  }

  bool member(std::string_view& name, std::size_t objects) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != '"' || !string(name)) return false;
    blanks();
    if (at_ >= text_.size() || text_[at_] != ':') return false;
    ++at_;
    key(name, objects);
    return true;
  }

  bool scalar(std::string_view name, std::size_t objects) {
    if (text_[at_] == '"') {
      std::string_view value;
      if (!string(value)) return false;
      if (objects == 1) note_value(name, value);
      return true;
    }
    for (const std::string_view word : {"true", "false", "null", "NaN", "Infinity", "-Infinity"}) {
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return true;
      }
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view("+-.eE0123456789").find(text_[at_]) != std::string_view::npos)
      ++at_;
    // 2026-01-01 is no number, though made of a number's bytes: a sign stands first, or after the e.
    for (std::size_t i = begin + 1; i < at_; ++i) {
      if ((text_[i] == '-' || text_[i] == '+') && text_[i - 1] != 'e' && text_[i - 1] != 'E') return false;
    }
    return at_ != begin;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t taken_ = 0;
  JsonKeys keys_;
};

}  // namespace

JsonKeys scan_json_keys(std::string_view text) {
  return Scan(text).run();
}

}  // namespace faultline::ingest
