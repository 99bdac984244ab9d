#include "decode/framer.h"

namespace faultline::decode {

// Lines are the fallback: whatever an artifact turns out to be, its text comes out.
Framer framer_for(ArtifactKind kind) {
  switch (kind) {
    default:
      return &frame_lines;
  }
}

DecodeSummary decode_log(const Artifact& artifact, ByteSource& source, const Limits& limits,
                         const TimeHints& hints, const BatchSink& sink) {
  return framer_for(artifact.kind)(artifact, source, limits, hints, sink);
}

}  // namespace faultline::decode
