#pragma once
// The header of a CRI log line, "<RFC3339Nano> <stdout|stderr> <P|F>[:tag] ", and the joining of partial
// lines.
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::decode {

struct CriHeader {
  std::size_t stamp = 0;    ///< bytes of the stamp
  std::string_view stream;  ///< "stdout" or "stderr"
  bool partial = false;     ///< tag P: the line goes on in the next record of the same stream
  std::size_t length = 0;   ///< of all of it, with the blank after the tag
};
std::optional<CriHeader> read_cri_header(std::string_view line);

/// The open partial line of each stream. What was joined keeps the header of its first record.
struct CriPending {
  struct Line {
    std::string text;
    std::size_t header = 0;
    std::uint64_t number = 0;
    std::uint64_t offset = 0;
    [[nodiscard]] bool open() const { return !text.empty(); }
  };
  std::array<Line, 2> lines;  ///< stdout, stderr
  [[nodiscard]] bool open() const { return lines[0].open() || lines[1].open(); }
};

}  // namespace faultline::decode
