// The order of the questions. Magic before text; reports, scripts and markup before logs, since they quote
// logs; JSON before tables and logs, since its strings hold both; logs before tools, since jobs print the
// output of tools; names last.
#include "ingest/kinds.h"

#include "ingest/sample.h"

namespace faultline::ingest {
namespace {

std::optional<KindGuess> ask(const Sniffers& sniffers, const Sample& sample) {
  for (std::size_t i = 0; i < sniffers.size; ++i) {
    if (std::optional<KindGuess> guess = sniffers.first[i](sample)) return guess;
  }
  return std::nullopt;
}

}  // namespace

KindGuess guess_kind(std::string_view chain, std::string_view head) {
  if (head.empty()) return {.kind = ArtifactKind::empty, .family = Family::any, .reason = "empty"};
  Sample sample(chain, head);
  if (const std::optional<KindGuess> guess = ask(magic_sniffers(), sample)) return *guess;
  sample.count_lines();
  if (sample.lines.empty()) return {};
  for (const Sniffers& sniffers : {document_sniffers(), json_sniffers(), log_sniffers(), table_sniffers(),
                                   tool_sniffers(), path_sniffers()}) {
    if (const std::optional<KindGuess> guess = ask(sniffers, sample)) return *guess;
  }
  return {};
}

}  // namespace faultline::ingest
