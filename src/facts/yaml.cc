#include "facts/yaml.h"

#include "base/text.h"
#include "facts/columns.h"

namespace faultline::facts {
namespace {

struct YamlLine {
  std::size_t indent = 0;
  std::string_view content;  ///< without indent and trailing blanks
  std::uint64_t offset = 0;  ///< of the content
};

bool is_item(std::string_view content) {
  return content == "-" || content.starts_with("- ");
}

/// Length of a key at the head of `content`, without the colon; npos when there is none.
std::size_t key_length(std::string_view content) {
  if (content.empty()) return std::string_view::npos;
  if (content.front() == '"' || content.front() == '\'') {
    const std::size_t close = content.find(content.front(), 1);
    if (close == std::string_view::npos || close + 1 >= content.size() || content[close + 1] != ':') {
      return std::string_view::npos;
    }
    return close + 1;
  }
  for (std::size_t at = content.find(':'); at != std::string_view::npos; at = content.find(':', at + 1)) {
    if (at + 1 == content.size() || content[at + 1] == ' ') return at;
  }
  return std::string_view::npos;
}

class YamlParser {
 public:
  YamlParser(std::string_view text, const Limits& limits) : limits_(limits) {
    std::uint64_t offset = 0;
    for_each_line(text, [&](std::uint64_t, std::string_view line) {
      offset = static_cast<std::uint64_t>(line.data() - text.data());
      std::size_t indent = 0;
      while (indent < line.size() && line[indent] == ' ') ++indent;
      lines_.push_back(YamlLine{indent, trim(line.substr(indent)), offset + indent});
      return true;
    });
  }

  YamlDocuments run() {
    YamlDocuments out;
    while (skip_blank()) {
      if (lines_[at_].content == "---" || lines_[at_].content == "...") {
        ++at_;
        continue;
      }
      const std::size_t before = at_;
      JsonValue value = node(lines_[at_].indent, 0);
      if (value.is_object() || value.is_array()) out.documents.push_back(std::move(value));
      if (at_ == before) skip();
    }
    out.skipped_lines = skipped_;
    return out;
  }

 private:
  bool skip_blank() {
    while (at_ < lines_.size() && (lines_[at_].content.empty() || lines_[at_].content.front() == '#')) ++at_;
    return at_ < lines_.size();
  }
  void skip() {
    ++at_;
    ++skipped_;
  }
  bool document_ends() const { return lines_[at_].indent == 0 && lines_[at_].content == "---"; }

  JsonValue node(std::size_t indent, std::uint32_t depth) {
    if (depth > limits_.max_nesting) {
      skip();
      return {};
    }
    if (is_item(lines_[at_].content)) return sequence(indent, depth);
    if (key_length(lines_[at_].content) != std::string_view::npos) return mapping(indent, depth);
    const YamlLine line = lines_[at_++];
    return scalar(line.content, line.offset, indent);
  }

  JsonValue sequence(std::size_t indent, std::uint32_t depth) {
    JsonValue list;
    list.type = JsonValue::Type::array;
    list.offset = lines_[at_].offset;
    while (skip_blank() && lines_[at_].indent == indent && is_item(lines_[at_].content)) {
      YamlLine& line = lines_[at_];
      const std::size_t blanks = line.content.size() > 1 ? indent_of(line.content.substr(1)) + 1 : 1;
      if (line.content.size() <= blanks) {
        ++at_;
        if (skip_blank() && lines_[at_].indent > indent)
          list.items.push_back(node(lines_[at_].indent, depth + 1));
        continue;
      }
      // What stands behind the dash is a node of its own, as deep as its column.
      line.content.remove_prefix(blanks);
      line.indent += blanks;
      line.offset += blanks;
      list.items.push_back(node(line.indent, depth + 1));
    }
    return list;
  }

  JsonValue mapping(std::size_t indent, std::uint32_t depth) {
    JsonValue map;
    map.type = JsonValue::Type::object;
    map.offset = lines_[at_].offset;
    while (skip_blank() && !document_ends()) {
      const YamlLine line = lines_[at_];
      if (line.indent != indent || is_item(line.content)) {
        if (line.indent <= indent) break;
        skip();  // deeper than anything here can be
        continue;
      }
      const std::size_t length = key_length(line.content);
      if (length == std::string_view::npos) {
        skip();
        continue;
      }
      std::string_view key = line.content.substr(0, length);
      if (key.size() >= 2 && (key.front() == '"' || key.front() == '\'')) key = key.substr(1, key.size() - 2);
      const std::string_view rest = trim(line.content.substr(length + 1));
      ++at_;
      JsonValue value = value_of(rest, line, indent, depth);
      value.offset = line.offset;
      map.members.push_back({std::string(key), std::move(value)});
    }
    return map;
  }

  JsonValue value_of(std::string_view rest, const YamlLine& line, std::size_t indent, std::uint32_t depth) {
    if (rest.empty()) {
      if (!skip_blank() || document_ends()) return {};
      // A sequence may stand as deep as its key.
      if (lines_[at_].indent > indent || (lines_[at_].indent == indent && is_item(lines_[at_].content))) {
        return node(lines_[at_].indent, depth + 1);
      }
      return {};
    }
    if (rest.front() == '|' || rest.front() == '>') return block_scalar(indent, rest.front() == '>');
    return scalar(rest, line.offset, indent);
  }

  JsonValue block_scalar(std::size_t indent, bool folded) {
    JsonValue value;
    value.type = JsonValue::Type::string;
    while (at_ < lines_.size() && (lines_[at_].content.empty() || lines_[at_].indent > indent)) {
      if (!value.string.empty()) value.string += folded ? ' ' : '\n';
      value.string += lines_[at_].content;
      ++at_;
    }
    while (!value.string.empty() && (value.string.back() == '\n' || value.string.back() == ' '))
      value.string.pop_back();
    return value;
  }

  JsonValue scalar(std::string_view text, std::uint64_t offset, std::size_t indent) {
    JsonValue value;
    value.offset = offset;
    if (text == "{}" || text == "[]") {
      value.type = text == "{}" ? JsonValue::Type::object : JsonValue::Type::array;
      return value;
    }
    if (text.front() == '"' || text.front() == '\'') return quoted(text, offset);
    value.string = std::string(text.substr(0, text.find(" #")));
    bool continued = false;
    // Long plain scalars are folded onto deeper lines.
    while (at_ < lines_.size() && !lines_[at_].content.empty() && lines_[at_].indent > indent &&
           !is_item(lines_[at_].content)) {
      value.string += ' ';
      value.string += lines_[at_++].content;
      continued = true;
    }
    value.type = JsonValue::Type::string;
    if (continued) return value;
    if (value.string == "null" || value.string == "~") {
      value.type = JsonValue::Type::null;
    } else if (value.string == "true" || value.string == "false") {
      value.type = JsonValue::Type::boolean;
      value.boolean = value.string == "true";
    } else if (const auto number = parse_number<std::int64_t>(value.string)) {
      value.type = JsonValue::Type::integer;
      value.integer = *number;
      value.number = static_cast<double>(*number);
    }
    return value;
  }

  JsonValue quoted(std::string_view text, std::uint64_t offset) {
    JsonValue value;
    value.type = JsonValue::Type::string;
    value.offset = offset;
    const char quote = text.front();
    std::string_view rest = text.substr(1);
    while (true) {
      if (unquote(rest, quote, value.string)) return value;
      // The closing quote is on a later line; a line end is a blank.
      if (at_ >= lines_.size()) return value;
      if (!value.string.empty() && value.string.back() != ' ') value.string += ' ';
      rest = lines_[at_++].content;
    }
  }

  // Appends up to the closing quote; false when the line ends before it.
  static bool unquote(std::string_view text, char quote, std::string& out) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == quote) {
        if (quote == '\'' && i + 1 < text.size() && text[i + 1] == '\'') {
          out += '\'';
          ++i;
          continue;
        }
        return true;
      }
      if (quote == '"' && text[i] == '\\') {
        if (i + 1 == text.size()) return false;  // an escaped line end joins without a blank
        ++i;
        out += text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i];
        continue;
      }
      out += text[i];
    }
    return false;
  }

  const Limits& limits_;
  std::vector<YamlLine> lines_;
  std::size_t at_ = 0;
  std::size_t skipped_ = 0;
};

}  // namespace

YamlDocuments parse_yaml(std::string_view text, const Limits& limits) {
  return YamlParser(text, limits).run();
}

bool looks_like_yaml(std::string_view text) {
  bool found = false;
  for_each_line(text.substr(0, 4096), [&](std::uint64_t number, std::string_view line) {
    if (line.starts_with("apiVersion: ") || line.starts_with("- apiVersion: ") || line.starts_with("kind: "))
      found = true;
    return !found && number < 30;
  });
  return found;
}

}  // namespace faultline::facts
