#include "ingest/archive_feed.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace faultline::ingest {

bool ArchiveFeed::open(archive* handle) {
  archive_read_set_read_callback(handle, &ArchiveFeed::read);
  if (seekable_ != nullptr) archive_read_set_seek_callback(handle, &ArchiveFeed::seek);
  archive_read_set_callback_data(handle, this);
  return archive_read_open1(handle) == ARCHIVE_OK;
}

la_ssize_t ArchiveFeed::read(archive* /*handle*/, void* self, const void** data) {
  auto& feed = *static_cast<ArchiveFeed*>(self);
  if (!feed.found_.empty()) {
    feed.held_ = std::move(feed.found_);
    feed.found_.clear();
    feed.chunk_ = feed.held_;
    feed.fed_ += feed.chunk_.size();
    *data = feed.chunk_.data();
    return static_cast<la_ssize_t>(feed.chunk_.size());
  }
  Result<std::string_view> chunk = feed.source_.next();
  if (!chunk) {
    feed.problem_ = chunk.error();
    return 0;
  }
  feed.chunk_ = *chunk;
  *data = chunk->data();
  feed.fed_ += chunk->size();
  return static_cast<la_ssize_t>(chunk->size());
}

bool ArchiveFeed::resume_at(std::string_view magic, std::uint64_t consumed) {
  // Of what was fed only the last chunk is still there. At least the magic at its place is passed over, or
  // the same damage would be met again.
  const std::uint64_t from = opened_at_ + std::max<std::uint64_t>(consumed, magic.size());
  const std::uint64_t behind = fed_ > from ? std::min<std::uint64_t>(fed_ - from, chunk_.size()) : 0;
  std::string window(chunk_.substr(chunk_.size() - static_cast<std::size_t>(behind)));
  fed_ -= behind;
  while (true) {
    const std::size_t at = window.find(magic);
    if (at != std::string::npos) {
      fed_ += at;
      opened_at_ = fed_;
      found_ = window.substr(at);
      return true;
    }
    const std::size_t kept = std::min(window.size(), magic.size() - 1);
    fed_ += window.size() - kept;
    window.erase(0, window.size() - kept);
    const Result<std::string_view> chunk = source_.next();
    if (!chunk) problem_ = chunk.error();
    if (!chunk || chunk->empty()) return false;
    window.append(*chunk);
  }
}

la_int64_t ArchiveFeed::seek(archive* handle, void* self, la_int64_t offset, int whence) {
  SeekableSource& target = *static_cast<ArchiveFeed*>(self)->seekable_;
  const std::uint64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? target.position() : target.size();
  std::int64_t wanted = 0;
  if (__builtin_add_overflow(static_cast<std::int64_t>(base), offset, &wanted) || wanted < 0 ||
      static_cast<std::uint64_t>(wanted) > target.size() ||
      !target.seek(static_cast<std::uint64_t>(wanted))) {
    archive_set_error(handle, EINVAL, "an offset in the archive lies outside of it");
    return ARCHIVE_FATAL;
  }
  return wanted;
}

std::string error_of(archive* handle) {
  const char* message = archive_error_string(handle);
  std::string text = message == nullptr || *message == '\0' ? "cannot be read as an archive" : message;
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && !(text[1] >= 'A' && text[1] <= 'Z')) {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  while (!text.empty() && (text.back() == '.' || text.back() == ' ' || text.back() == '\n')) text.pop_back();
  return text;
}

}  // namespace faultline::ingest
