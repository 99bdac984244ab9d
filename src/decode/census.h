#pragma once
// One pass over a block of text that answers "may it be handed on as it is?" at memory speed: counts line
// ends and looks for everything that would make us rebuild the text. Says nothing about single lines.
#include <cstdint>
#include <string_view>

namespace faultline::decode {

struct Census {
  std::uint64_t newlines = 0;
  std::uint64_t carriage_returns = 0;
  std::uint64_t crlf = 0;  ///< line ends of the form CR LF
  bool nul = false;
  bool residue = false;          ///< terminal codes, raw or as loggers escape them
  bool escaped_newline = false;  ///< `#012` of syslog daemons
  bool partial_cri = false;      ///< a CRI line of tag P

  /// CRs other than those of CRLF: progress bars, terminal edits.
  [[nodiscard]] bool lone_cr() const { return carriage_returns != crlf; }
};

/// Takes the census of whole lines (a first or last CRLF must not be cut in two). `wide`: with 32-byte
/// vectors where the processor has them; the answer is the same.
Census take_census(std::string_view text, bool wide = true);

/// Does this piece of a line hold terminal codes in one of the forms that append_without_ansi() takes off?
bool has_residue(std::string_view text);

}  // namespace faultline::decode
