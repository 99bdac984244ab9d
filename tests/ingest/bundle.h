#pragma once
// Recipes for archives and damaged files, built when a test runs, and a visitor that keeps what ingest tells
// it.
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/ingest.h"

namespace faultline::ingest_test {

/// A directory that is gone when the test ends.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] std::string path(std::string_view name = {}) const;
  /// Writes a file, making its folders; gives its path.
  std::string write(std::string_view name, std::string_view bytes) const;

 private:
  std::filesystem::path root_;
};

struct Entry {
  std::string name;
  std::string bytes;
};

/// "gzip", "xz", "lzma", "bzip2", "lz4", "compress", "zstd".
std::string compressed(std::string_view bytes, const std::string& filter);
/// "pax", "gnutar", "v7", "cpio", "zip", "7zip"; `options` as for archive_write_set_options, `password` for
/// zip.
std::string archive_of(const std::vector<Entry>& entries, const std::string& format,
                       const std::string& options = {}, const std::string& password = {});
inline std::string tar_of(const std::vector<Entry>& entries) {
  return archive_of(entries, "pax");
}
inline std::string gz(std::string_view bytes) {
  return compressed(bytes, "gzip");
}

/// One tar header and its padded data, written by hand, for what no writer would write.
struct TarEntry {
  std::string name;
  std::string bytes = {};
  char type = '0';
  std::string target = {};
  std::string prefix = {};
  bool gnu = false;
  std::uint64_t claimed_size = ~std::uint64_t{0};  ///< instead of the size of bytes
};
std::string tar_entry(const TarEntry& entry);
inline std::string tar_end() {
  return std::string(1024, '\0');
}
std::string pax_records(const std::vector<std::pair<std::string, std::string>>& records);

/// Lines that look like a log: "line 000001 of ...".
std::string log_text(std::size_t lines, std::string_view word = "a healthy step");

class Recorder final : public ingest::ArtifactVisitor {
 public:
  void visit(const Artifact& artifact, PeekSource& source, CoverageRow& row) override;
  void finished(CoverageRow row) override { rows.push_back(std::move(row)); }
  [[nodiscard]] bool interrupted() const override { return interrupt_after != 0 && seen >= interrupt_after; }

  std::vector<CoverageRow> rows;
  std::vector<Artifact> artifacts;
  std::map<std::string, std::string> text;  ///< by chain
  std::uint64_t seen = 0;                   ///< bytes
  std::uint64_t interrupt_after = 0;
  std::uint64_t keep = std::uint64_t{64} << 20;  ///< of one artifact
  bool read_nothing = false;                     ///< leave all to ingest's draining

  [[nodiscard]] const CoverageRow* row(std::string_view chain) const;
  [[nodiscard]] std::vector<std::string> chains() const;
};

struct Run {
  Recorder seen;
  ingest::InputList list;
  std::vector<std::string> limits_hit;
};
/// Lists and reads paths, then checks that coverage closes.
Run read_paths(const std::vector<std::string>& paths, const Limits& limits = {}, Recorder recorder = {});
/// Reads one file of these bytes.
Run read_bytes(std::string_view name, std::string_view bytes, const Limits& limits = {},
               Recorder recorder = {});

/// Each leaf has one row, chains are unique, bytes are those delivered, archives follow their members,
/// reasons are there exactly when something was not read.
void check_coverage(const Run& run);

}  // namespace faultline::ingest_test
