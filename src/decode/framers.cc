#include "decode/framer.h"
#include "decode/structured.h"

namespace faultline::decode {

// Lines are the fallback: whatever an artifact turns out to be, its text comes out.
Framer framer_for(ArtifactKind kind) {
  switch (kind) {
    case ArtifactKind::journal_json:
      return &frame_journal_json;
    case ArtifactKind::journal_export:
      return &frame_journal_export;
    case ArtifactKind::journal_binary:
      return &frame_journal_binary;
    case ArtifactKind::docker_json_log:
      return &frame_docker_json;
    case ArtifactKind::container_insights:
      return &frame_container_insights;
    case ArtifactKind::cloudwatch_json:
      return &frame_cloudwatch_json;
    case ArtifactKind::cloudwatch_csv:
      return &frame_cloudwatch_csv;
    // Text or records, as the tool was called: dmesg -J, journalctl -o verbose, stern -o json, agents that
    // log in JSON, Container Insights in an export, and JSON of unknown origin.
    case ArtifactKind::dmesg:
    case ArtifactKind::journal_text:
    case ArtifactKind::pod_log:
    case ArtifactKind::training_log:
    case ArtifactKind::klog:
    case ArtifactKind::hyperpod_agent_log:
    case ArtifactKind::cloudwatch_export:
    case ArtifactKind::cloudwatch_tail:
    case ArtifactKind::plain_text:
      return &frame_by_content;
    default:
      return &frame_lines;
  }
}

DecodeSummary decode_log(const Artifact& artifact, ByteSource& source, const Limits& limits,
                         const TimeHints& hints, const BatchSink& sink) {
  return framer_for(artifact.kind)(artifact, source, limits, hints, sink);
}

}  // namespace faultline::decode
