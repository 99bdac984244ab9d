#pragma once
// Feeds libarchive from a ByteSource. Known to the two files of this folder that use libarchive.
#include <archive.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "ingest/seekable.h"

namespace faultline::ingest {

struct FreeArchive {
  void operator()(archive* handle) const { archive_read_free(handle); }
};
using ArchiveHandle = std::unique_ptr<archive, FreeArchive>;

/// Must stay where it is while the handle lives.
class ArchiveFeed {
 public:
  explicit ArchiveFeed(ByteSource& source) : source_(source) {}
  explicit ArchiveFeed(SeekableSource& source) : source_(source), seekable_(&source) {}
  ArchiveFeed(const ArchiveFeed&) = delete;
  ArchiveFeed& operator=(const ArchiveFeed&) = delete;
  /// Opens a handle whose formats and filters are set. False: error_of(handle).
  bool open(archive* handle);
  /// For the next handle: moves on to the next place that begins with `magic`, behind the first `consumed`
  /// bytes that the last handle took. False: there is none.
  bool resume_at(std::string_view magic, std::uint64_t consumed);
  /// For the next handle: back to the first byte. False: the source cannot.
  bool rewind() { return seekable_ != nullptr && seekable_->seek(0); }
  [[nodiscard]] bool seeks() const { return seekable_ != nullptr; }
  /// What the source itself complained of; the library saw the end of the file there.
  [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }
  [[nodiscard]] std::uint64_t fed() const { return fed_; }

 private:
  static la_ssize_t read(archive* handle, void* self, const void** data);
  static la_int64_t seek(archive* handle, void* self, la_int64_t offset, int whence);

  ByteSource& source_;
  SeekableSource* seekable_ = nullptr;
  std::optional<Problem> problem_;
  std::uint64_t fed_ = 0;
  std::uint64_t opened_at_ = 0;  ///< of fed_, when the handle at hand was opened
  std::string_view chunk_;       ///< what was fed last
  std::string found_, held_;     ///< bytes put back by resume_at(), before and after they are fed again
};

/// The library's message in our form: lower case, no final period; never empty.
std::string error_of(archive* handle);

}  // namespace faultline::ingest
