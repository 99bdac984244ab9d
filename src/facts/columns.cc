#include "facts/columns.h"

#include <algorithm>

#include "base/text.h"

namespace faultline::facts {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\t';
}

// Byte at which display column `column` begins; the size of the text when it is shorter.
std::size_t byte_of_column(std::string_view text, std::size_t column) {
  std::size_t i = 0;
  while (i < text.size() && column > 0) {
    ++i;
    while (i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) ++i;
    --column;
  }
  return i;
}

}  // namespace

std::size_t indent_of(std::string_view line) {
  std::size_t n = 0;
  while (n < line.size() && blank(line[n])) ++n;
  return n;
}

std::vector<std::string_view> split_columns(std::string_view line, std::size_t limit) {
  std::vector<std::string_view> parts;
  line = trim(line);
  while (!line.empty() && limit > 0) {
    std::size_t end = 0;
    while (end < line.size() && line[end] != '\t' &&
           !(line[end] == ' ' && end + 1 < line.size() && blank(line[end + 1]))) {
      ++end;
    }
    if (parts.size() + 1 == limit) end = line.size();
    parts.push_back(trim(line.substr(0, end)));
    line = trim(line.substr(end));
  }
  return parts;
}

HeaderColumns::HeaderColumns(std::string_view header) {
  std::size_t column = 0;
  std::size_t i = 0;
  while (i < header.size()) {
    if (blank(header[i])) {
      ++i;
      ++column;
      continue;
    }
    const std::size_t begin = i;
    const std::size_t begin_column = column;
    while (i < header.size() && header[i] != '\t' &&
           !(header[i] == ' ' && (i + 1 == header.size() || blank(header[i + 1])))) {
      ++i;
      while (i < header.size() && (static_cast<unsigned char>(header[i]) & 0xC0U) == 0x80U) ++i;
      ++column;
    }
    names_.push_back(header.substr(begin, i - begin));
    starts_.push_back(begin_column);
  }
}

std::optional<std::size_t> HeaderColumns::find(std::string_view name) const {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - names_.begin());
}

std::optional<std::vector<std::string_view>> HeaderColumns::cells(std::string_view row) const {
  std::vector<std::string_view> out;
  bool aligned = true;
  for (std::size_t i = 0; i < starts_.size() && aligned; ++i) {
    const std::size_t begin = byte_of_column(row, starts_[i]);
    const std::size_t end = i + 1 < starts_.size() ? byte_of_column(row, starts_[i + 1]) : row.size();
    const std::string_view raw = row.substr(begin, end - begin);
    const std::string_view cell = trim(raw);
    // A cell begins where its header does, and the one before ended earlier.
    if (!cell.empty() && blank(raw.front())) aligned = false;
    if (!cell.empty() && begin > 0 && i > 0 && !blank(row[begin - 1])) aligned = false;
    out.push_back(cell);
  }
  if (aligned) return out;
  auto parts = split_columns(row, names_.size());
  if (parts.size() == names_.size()) return parts;
  return std::nullopt;
}

std::optional<KeyValue> key_value(std::string_view line) {
  line = trim(line);
  for (std::size_t at = line.find(':'); at != std::string_view::npos; at = line.find(':', at + 1)) {
    if (at == 0) return std::nullopt;
    if (at + 1 == line.size() || blank(line[at + 1])) {
      return KeyValue{trim(line.substr(0, at)), trim(line.substr(at + 1))};
    }
  }
  return std::nullopt;
}

}  // namespace faultline::facts
