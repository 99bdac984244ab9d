#include "ingest/archive_feed.h"

#include <cerrno>
#include <cstdio>

namespace faultline::ingest {

bool ArchiveFeed::open(archive* handle) {
  archive_read_set_read_callback(handle, &ArchiveFeed::read);
  if (seekable_ != nullptr) archive_read_set_seek_callback(handle, &ArchiveFeed::seek);
  archive_read_set_callback_data(handle, this);
  return archive_read_open1(handle) == ARCHIVE_OK;
}

la_ssize_t ArchiveFeed::read(archive* /*handle*/, void* self, const void** data) {
  auto& feed = *static_cast<ArchiveFeed*>(self);
  Result<std::string_view> chunk = feed.source_.next();
  if (!chunk) {
    feed.problem_ = chunk.error();
    return 0;
  }
  *data = chunk->data();
  feed.fed_ += chunk->size();
  return static_cast<la_ssize_t>(chunk->size());
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
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace faultline::ingest
