#pragma once
// Framers of the structured dialects that framer.h does not name, and the choice between them and plain lines
// for kinds that come in both: the first bytes decide.
#include "decode/framer.h"

namespace faultline::decode {

/// Any mixture of JSON records: every JSON dialect is told by its keys, so that one framer reads them all.
DecodeSummary frame_json(const Artifact&, ByteSource&, const Limits&, const TimeHints&, const BatchSink&);

/// journalctl -o verbose.
DecodeSummary frame_journal_verbose(const Artifact&, ByteSource&, const Limits&, const TimeHints&,
                                    const BatchSink&);

/// Lines, unless the text begins as JSON, as a verbose journal or as its export form: dmesg -J, stern -o
/// json, agents' JSON lines, Container Insights behind the stamps of a CloudWatch export, Loki's JSON.
DecodeSummary frame_by_content(const Artifact&, ByteSource&, const Limits&, const TimeHints&,
                               const BatchSink&);

}  // namespace faultline::decode
