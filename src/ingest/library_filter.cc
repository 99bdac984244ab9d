// xz, lzma, bzip2, lz4 and compress through libarchive's filters, read as its "raw" format: one nameless
// member. No filter that starts a program is ever enabled.
#include <archive_entry.h>

#include "ingest/archive_feed.h"
#include "ingest/filter_source.h"

namespace faultline::ingest {
namespace {

int support(archive* handle, StreamFormat format) {
  switch (format) {
    case StreamFormat::xz:
      return archive_read_support_filter_xz(handle);
    case StreamFormat::lzma:
      return archive_read_support_filter_lzma(handle);
    case StreamFormat::bzip2:
      return archive_read_support_filter_bzip2(handle);
    case StreamFormat::lz4:
      return archive_read_support_filter_lz4(handle);
    case StreamFormat::compress:
      return archive_read_support_filter_compress(handle);
    default:
      return ARCHIVE_FATAL;
  }
}

class LibraryFilter final : public FilterSource {
 public:
  LibraryFilter(StreamFormat format, ByteSource& stored)
      : name_(format_name(format)), feed_(stored), handle_(archive_read_new()) {
    // ARCHIVE_WARN means: built without the library, would start a program instead.
    if (!handle_ || support(handle_.get(), format) != ARCHIVE_OK) {
      end(Rung::skip, "this build cannot read " + name_);
      return;
    }
    archive_read_support_format_raw(handle_.get());
    archive_read_support_format_empty(handle_.get());
    archive_entry* entry = nullptr;
    const int status =
        feed_.open(handle_.get()) ? archive_read_next_header(handle_.get(), &entry) : ARCHIVE_FATAL;
    if (status == ARCHIVE_EOF) ended_ = true;
    if (status < ARCHIVE_WARN || (status == ARCHIVE_EOF && feed_.problem())) end_with_error();
  }

  Result<std::string_view> next() override {
    while (!ended_) {
      const void* data = nullptr;
      std::size_t size = 0;
      la_int64_t offset = 0;
      const int status = archive_read_data_block(handle_.get(), &data, &size, &offset);
      if (status == ARCHIVE_EOF) {
        ended_ = true;
        if (feed_.problem()) end_with_error();
      } else if (status < ARCHIVE_WARN) {
        end_with_error();
      } else if (size != 0) {
        return std::string_view(static_cast<const char*>(data), size);
      }
    }
    if (!verdict_) return std::string_view{};
    Problem verdict = std::move(*verdict_);
    verdict_.reset();
    return fail(std::move(verdict));
  }

 private:
  void end(Rung rung, std::string what) {
    ended_ = true;
    verdict_ = Problem{rung, {}, std::move(what), {}};
  }
  void end_with_error() {
    if (feed_.problem()) return end(feed_.problem()->rung, name_ + " data: " + feed_.problem()->what);
    end(Rung::note, name_ + " data cut or damaged near stored byte " + std::to_string(feed_.fed()) + " (" +
                        error_of(handle_.get()) + ")");
  }

  std::string name_;
  ArchiveFeed feed_;
  ArchiveHandle handle_;
  bool ended_ = false;
  std::optional<Problem> verdict_;
};

}  // namespace

std::unique_ptr<FilterSource> open_library_filter(StreamFormat format, ByteSource& stored) {
  return std::make_unique<LibraryFilter>(format, stored);
}

std::unique_ptr<FilterSource> open_filter(StreamFormat format, ByteSource& stored) {
  if (format == StreamFormat::gzip) return open_gzip(stored);
  if (format == StreamFormat::zstd) return open_zstd(stored);
  return open_library_filter(format, stored);
}

}  // namespace faultline::ingest
