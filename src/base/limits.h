#pragma once
// Every budget against hostile input, in one struct, with its reason. All loops over input spend from it;
// a spent budget ends the artifact (never the run) and becomes a Coverage row.
#include <cstdint>

namespace faultline {

struct Limits {
  /// Archives inside archives. Three levels are normal (zip > tar.gz > log.gz), four with a double upload.
  std::uint32_t max_depth = 8;
  /// Members of one archive: an EKS collector tarball of a big node holds some thousands.
  std::uint64_t max_members = 1'000'000;
  /// Artifacts in the whole bundle, so that coverage itself stays bounded.
  std::uint64_t max_artifacts = 2'000'000;
  /// Bytes that one archive or compressed stream may expand to.
  std::uint64_t max_expanded_archive = std::uint64_t{256} << 30;
  /// Bytes that the whole bundle may expand to.
  std::uint64_t max_expanded_total = std::uint64_t{2} << 40;
  /// Expanded / stored bytes of one compressed stream, judged after `ratio_grace` expanded bytes. Logs of
  /// repeated lines reach 1000:1, the gzip format ends at 1032:1; zstd and xz bombs go far beyond.
  std::uint64_t max_ratio = 1100;
  std::uint64_t ratio_grace = std::uint64_t{64} << 20;
  /// One line. What is longer is cut into pieces of this size that are matched each on its own
  /// (with a small overlap), and counted.
  std::uint64_t max_line = std::uint64_t{1} << 20;
  /// A document that has to be held whole (JSON, describe text, nvidia-smi -q).
  std::uint64_t max_document = std::uint64_t{64} << 20;
  /// Nesting of JSON and YAML.
  std::uint32_t max_nesting = 128;
  /// Bytes of one text batch handed to the matcher.
  std::uint64_t batch_bytes = std::uint64_t{1} << 20;
  /// Instances of one pattern on one entity that are kept whole: the first ones and the last ones. The rest
  /// is counted.
  std::uint32_t max_instances_first = 48;
  std::uint32_t max_instances_last = 16;
  /// Events kept in the whole run; beyond it only counted.
  std::uint64_t max_events = 400'000;
  /// Bytes of a line that are kept as evidence.
  std::uint32_t max_excerpt = 2048;
};

}  // namespace faultline
