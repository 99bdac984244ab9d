#pragma once
// A regular file, or standard input, as a ByteSource. Opens without following a link and never a FIFO or a
// device, reads in chunks, reports progress, and ends when the user asked to stop.
#include <functional>
#include <memory>
#include <string>

#include "base/byte_source.h"
#include "ingest/ingest.h"
#include "ingest/seekable.h"

namespace faultline::ingest {

class FileSource final : public SeekableSource {
 public:
  /// A Problem when the file vanished, cannot be read, or is no regular file. "-" is standard input.
  static Result<std::unique_ptr<FileSource>> open(const Input& input, const ArtifactVisitor& visitor,
                                                  const std::function<void(std::uint64_t)>& progress);
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<std::string_view> next() override;
  /// Can seek() be used? Not for standard input.
  [[nodiscard]] bool seekable() const { return seekable_; }
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] std::uint64_t position() const override { return position_; }
  bool seek(std::uint64_t offset) override;
  /// Tells progress of what was not read (opaque files), when the file is done with.
  void report_rest();

 private:
  FileSource(int descriptor, const ArtifactVisitor& visitor,
             const std::function<void(std::uint64_t)>& progress);

  int descriptor_;
  const ArtifactVisitor& visitor_;
  const std::function<void(std::uint64_t)>& progress_;
  std::unique_ptr<char[]> buffer_;
  std::uint64_t size_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t reported_ =
      0;  ///< progress counts each byte of the file once, though a zip may be read twice
  bool seekable_ = false;
  bool ended_ = false;
};

/// "permission denied" and the like, without locale.
std::string error_text(int error);

}  // namespace faultline::ingest
