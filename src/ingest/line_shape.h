#pragma once
// What one line looks like, from its first bytes: the raw material of guessing kinds. Pure functions; cheap,
// as every line of a 64 KiB sample passes here.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace faultline::ingest {

/// Does `text` start with `picture`? In a picture `0` is a digit, `9` one or more digits, `A` and `a` an
/// upper and a lower case letter, `_` one or more blanks, `~` one or more non-blanks; all else is literal.
/// Gives the length matched, npos if none.
std::size_t match_picture(std::string_view text, std::string_view picture);
inline bool has_picture(std::string_view text, std::string_view picture) {
  return match_picture(text, picture) != std::string_view::npos;
}

/// The outermost form of a line; the first that fits, in this order.
enum class Shape : std::uint8_t {
  blank,
  cri,             ///< 2026-01-01T00:00:00.1Z stdout F text
  pod_prefix,      ///< [pod/name/container] text
  tail_detailed,   ///< 2026-01-01T00:00:00.123000+00:00 a/stream text (aws logs tail)
  iso_dmesg,       ///< 2026-01-01T00:00:00,123456+00:00 text (dmesg --time-format=iso)
  iso_kernel,      ///< ISO host kernel: text
  iso_syslog,      ///< ISO host tag[1]: text
  iso_millis,      ///< 2026-01-01T00:00:00.123Z text (CloudWatch export, among others)
  iso_nanos,       ///< 2026-01-01T00:00:00.123456789Z text (kubectl --timestamps)
  iso_other,       ///< any other ISO stamp with a zone
  bracket_iso,     ///< [2026-01-01T00:00:00.123] text (Slurm daemons)
  month_kernel,    ///< Jan  1 00:00:00 host kernel: text
  month_syslog,    ///< Jan  1 00:00:00 host tag[1]: text; any language's month; <6> before it
  rfc5424,         ///< <165>1 2026-01-01T...
  kmsg,            ///< 6,1234,12345678,-;text
  dmesg,           ///< [   12.345678] text, with <6>, kern :err :, deltas, -T stamps
  fabric_manager,  ///< [Jan 01 2026 00:00:00] [INFO] [tid 1] text
  klog,            ///< I0101 00:00:00.123456    1 file.go:12] text
  torch_log,       ///< the same header from Python, c10d stamps
  logfmt,          ///< time="..." level=info msg="..."
  json,            ///< {"...
  nccl,            ///< host:1:2 [0] NCCL INFO text
  tagged,          ///< [rank0]: [default0]: [1,0]<stdout>: (Worker pid=1) 0: text
  declared,        ///< declare -x NAME=  export NAME=
  assignment,      ///< NAME=value
  other,
};

Shape shape_of(std::string_view line);

/// A kernel message without any stamp, as `grep` or a bug report leaves it: known by its opening words alone.
bool is_bare_kernel_text(std::string_view line);

}  // namespace faultline::ingest
