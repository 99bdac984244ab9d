#pragma once
// From an expression that decides (RE2, on one line) to one that proposes (Hyperscan, on a whole batch).
// Every step only widens what is matched, or keeps "some match lies in this line" true:
//
//   NVRM: Xid.*: (?P<xid>\d+)\b$    as written
//   NVRM: Xid.*: \d+                anchors anywhere, and \b at the edges: peeling moves both ends of the
//   text NVRM: Xid.*: \d                 what may be empty at an edge goes; all ends are reported, so a
//   trailing
//                                   .* or \d+ would call back once a byte
//   NVRM: Xid[^\n]*: [0-9]          sets without \n: no match can cross a line
//
// Long counted repeats are opened (x{3,200} -> x{3,}): counting costs states, and RE2 counts anyway.
#include <string>

#include "base/regex.h"

namespace faultline::match {

RegexNode proposal_of(const RegexNode& expression);
/// Only what every match must contain, as plain literals; of a proposal.
RegexNode literal_proposal_of(const RegexNode& proposal);
/// The proposal that is handed on: the literals alone where they are long enough to be seldom by themselves,
/// else the stretch between two wide repeats (`.*`) that asks for most. On 750 expressions that
/// took a scan from 0.7 to 2.0 GB/s, since literals need no automaton behind them, and the lines that are
/// proposed in vain cost RE2 less than that.
RegexNode chosen_proposal_of(const RegexNode& expression);

}  // namespace faultline::match
