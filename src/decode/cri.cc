#include "decode/cri.h"

namespace faultline::decode {

std::optional<CriHeader> read_cri_header(std::string_view line) {
  // 2026-01-01T00:00:00Z is the shortest stamp, 35 bytes the longest.
  if (line.size() < 29 || line[4] != '-' || line[10] != 'T' || line[13] != ':') return std::nullopt;
  const std::size_t blank = line.substr(0, 40).find(' ');
  if (blank == std::string_view::npos || blank < 20) return std::nullopt;
  CriHeader header;
  header.stamp = blank;
  header.stream = line.substr(blank + 1, 6);
  if (header.stream != "stdout" && header.stream != "stderr") return std::nullopt;
  std::size_t at = blank + 7;
  if (at + 1 >= line.size() || line[at] != ' ') return std::nullopt;
  const char tag = line[++at];
  if (tag != 'P' && tag != 'F') return std::nullopt;
  header.partial = tag == 'P';
  ++at;
  if (at < line.size() && line[at] == ':') {
    const std::size_t end = line.find(' ', at);
    at = end == std::string_view::npos ? line.size() : end;
  }
  if (at < line.size() && line[at] != ' ') return std::nullopt;
  header.length = at < line.size() ? at + 1 : at;
  return header;
}

}  // namespace faultline::decode
