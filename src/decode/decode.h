#pragma once
// One framer per log dialect: bytes of an artifact in, LineBatches out, with time, provenance and speaker.
// Unknown text still comes out, as lines without time. Which framer reads which kind is a table (framers.cc).
// Text traps are dealt with here, once: CRLF, lone CR (progress bars), NUL, BOM, UTF-16, ANSI, megabyte
// lines, broken UTF-8, a cut last line.
#include <cstdint>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "base/limits.h"
#include "model/line_batch.h"

namespace faultline::decode {

struct DecodeSummary {
  std::uint64_t lines = 0;         ///< lines of the artifact
  std::vector<std::string> notes;  ///< "UTF-16LE", "3 lines longer than 1 MiB were matched in pieces"
  Instant first;                   ///< first and last stamp; none when no line has one
  Instant last;
  bool damaged = false;  ///< a record could not be read: `damage` says which
  Problem damage;
};

/// Decodes a whole artifact; `sink` gets batches in order. Ends early, with what was good, when the source is
/// cut; the source's own Problem is left to the caller's coverage. Batch borders depend on the bytes alone.
DecodeSummary decode_log(const Artifact& artifact, ByteSource& source, const Limits& limits,
                         const TimeHints& hints, const BatchSink& sink);

/// Peels every prefix that line logs stack up (facts/artifact-formats 10.5), outermost first: CloudWatch or
/// CRI stamp, kubectl [pod/..], pdsh and srun labels, [default3]:, [rank3]:, logger and glog stamps, NCCL
/// host:pid:tid [dev]. The text that is left keeps the message whole; when in doubt nothing is peeled.
PeeledLine peel_line(std::string_view line, const PeelContext& context);

}  // namespace faultline::decode
