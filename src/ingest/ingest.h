#pragma once
// Turns what the user named (files, directories, archives, "-") into a sequence of artifacts, each a stream
// of decoded bytes with a chain, a kind and what its path says about node, pod and rank. One pass: no member
// is decompressed twice, nothing is written, no name from a bundle is ever opened. libarchive, ISA-L and zstd
// are known only here.
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/limits.h"
#include "model/artifact.h"
#include "model/coverage.h"

namespace faultline::ingest {

/// One file on disk (or stdin): the unit of work that is given to a worker.
struct Input {
  std::string path;   ///< to open; "-" is stdin
  std::string chain;  ///< to show: relative to what the user named
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
};

struct InputList {
  std::vector<Input> inputs;         ///< sorted by chain
  std::vector<CoverageRow> skipped;  ///< FIFOs, sockets, unreadable files, links that loop
  std::vector<Problem> problems;     ///< paths that do not exist: the caller decides
};
/// Walks the paths. Directories recursively, symbolic links to files only when they stay inside the walk.
InputList list_inputs(const std::vector<std::string>& paths, const Limits& limits);

/// Budgets of the whole bundle, shared by workers; thread-safe.
class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits) {}
  /// Takes `bytes` of the total expansion; false when it is spent.
  bool spend_bytes(std::uint64_t bytes);
  bool spend_artifact();
  /// Notes that a limit was hit, by its option name; for Coverage::limits_hit.
  void hit(std::string_view limit);
  /// "max-ratio: 2 artifacts", sorted.
  [[nodiscard]] std::vector<std::string> limits_hit() const;

 private:
  const Limits& limits_;
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::uint64_t> artifacts_{0};
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t, std::less<>> hits_;
};

/// Receives artifacts in order. Calls for one input come from one thread.
class ArtifactVisitor {
 public:
  virtual ~ArtifactVisitor() = default;
  /// One leaf. `source` is positioned at its first byte; what the visitor leaves unread is drained and
  /// counted. May set `row.lines`, `row.first`, `row.last`, `row.notes`, and state/reason when it could not
  /// read it. Not called for opaque kinds and skipped members: those only get a row.
  virtual void visit(const Artifact& artifact, PeekSource& source, CoverageRow& row) = 0;
  /// The final row of every artifact and archive, in walk order, after visit() for leaves.
  virtual void finished(CoverageRow row) = 0;
  /// Asked between chunks: true ends the walk (Ctrl-C).
  [[nodiscard]] virtual bool interrupted() const { return false; }
};

/// Reads one input, recursively through containers. Never fails: what goes wrong is in the rows.
/// `progress` (may be empty) gets stored bytes consumed since the last call.
void read_input(const Input& input, const Limits& limits, Budget& budget, ArtifactVisitor& visitor,
                const std::function<void(std::uint64_t)>& progress = {});

}  // namespace faultline::ingest
