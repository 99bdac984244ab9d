#pragma once
// Loads, checks and holds what faultline knows about log lines. Packs are TOML (schema 1,
// patterns/README.md); the built-in ones are embedded, more come with --packs DIR (same id: replaces).
// Nothing here compiles a regex: that is tried by match and extract; behaviour (hits, misses) is checked by
// the app, which can run a line through all stages.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/pattern.h"

namespace faultline::packs {

struct PackFile {
  std::string name;  ///< for messages: "patterns/gpu.toml" or a path given by the user
  std::string text;
};

/// The embedded packs.
std::vector<PackFile> builtin_packs();
/// All *.toml of a directory given by the user, sorted by name. The only files that packs opens.
Result<std::vector<PackFile>> read_pack_directory(const std::filesystem::path& directory);

/// Parses and lints structure: unknown keys, types, lengths, ids, captures against fields, literals, near
/// misses present, `explains` targets and cycles, references. All problems are returned, each with
/// file:line:column; an empty list means `set` is complete. A later file replaces patterns of the same id.
struct LoadedPacks {
  PatternSet set;
  std::vector<Problem> problems;
};
LoadedPacks load_packs(const std::vector<PackFile>& files);

/// Built-in ids against patterns/ids.txt: sorted, unique, none missing, none reused after it was retired.
/// Apart from load_packs(), since packs of a user owe nothing to the ledger.
std::vector<Problem> check_ledger(const PatternSet& builtin);
std::vector<Problem> check_ledger(const PatternSet& builtin, std::string_view ledger);

/// References that exist: "references/debugging-guide.md#7" for each numbered heading of the embedded
/// runbooks.
bool reference_exists(std::string_view reference);

}  // namespace faultline::packs
