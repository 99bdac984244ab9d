#pragma once
// The shape of a framer: one function a log dialect, from bytes to batches. framers.cc holds the table from
// ArtifactKind to framer; each framer spends from Limits, never throws, and gives the same batches for the
// same bytes however the source cuts them into chunks. A source Problem ends the stream; the caller's
// PeekSource keeps it.
#include "base/byte_source.h"
#include "base/limits.h"
#include "decode/decode.h"
#include "model/line_batch.h"

namespace faultline::decode {

using Framer = DecodeSummary (*)(const Artifact& artifact, ByteSource& source, const Limits& limits,
                                 const TimeHints& hints, const BatchSink& sink);

/// Which framer reads a kind; never null (line framing is the fallback for every kind).
Framer framer_for(ArtifactKind kind);

// Everything that comes in lines, CRI container logs too (their partial lines are joined): lines.cc. Verbatim
// batches, marked ones where the text had to be rebuilt.
DecodeSummary frame_lines(const Artifact&, ByteSource&, const Limits&, const TimeHints&, const BatchSink&);
// Structured dialects: structured*.cc and journal*.cc.
DecodeSummary frame_journal_json(const Artifact&, ByteSource&, const Limits&, const TimeHints&,
                                 const BatchSink&);
DecodeSummary frame_journal_export(const Artifact&, ByteSource&, const Limits&, const TimeHints&,
                                   const BatchSink&);
DecodeSummary frame_journal_binary(const Artifact&, ByteSource&, const Limits&, const TimeHints&,
                                   const BatchSink&);
DecodeSummary frame_docker_json(const Artifact&, ByteSource&, const Limits&, const TimeHints&,
                                const BatchSink&);
DecodeSummary frame_container_insights(const Artifact&, ByteSource&, const Limits&, const TimeHints&,
                                       const BatchSink&);
DecodeSummary frame_cloudwatch_json(const Artifact&, ByteSource&, const Limits&, const TimeHints&,
                                    const BatchSink&);
DecodeSummary frame_cloudwatch_csv(const Artifact&, ByteSource&, const Limits&, const TimeHints&,
                                   const BatchSink&);

}  // namespace faultline::decode
