#include "ingest/file_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace faultline::ingest {
namespace {

// Large enough that a system call is nothing beside inflating, small enough to stay in the second-level
// cache.
constexpr std::size_t kChunk = std::size_t{512} << 10;

}  // namespace

std::string error_text(int error) {
  std::string text = std::generic_category().message(error);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

FileSource::FileSource(int descriptor, const ArtifactVisitor& visitor,
                       const std::function<void(std::uint64_t)>& progress)
    : descriptor_(descriptor), visitor_(visitor), progress_(progress), buffer_(new char[kChunk]) {}

FileSource::~FileSource() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

Result<std::unique_ptr<FileSource>> FileSource::open(const Input& input, const ArtifactVisitor& visitor,
                                                     const std::function<void(std::uint64_t)>& progress) {
  if (input.path == "-") return std::unique_ptr<FileSource>(new FileSource(STDIN_FILENO, visitor, progress));
  // O_NONBLOCK: should a FIFO have taken the file's place since the walk, open() must not wait for a writer.
  const int descriptor =
      ::open(input.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) {
    const int error = errno;
    return fail(Rung::skip, input.chain, "cannot be opened: " + error_text(error),
                error == EACCES ? "run as a user who may read it" : "");
  }
  std::unique_ptr<FileSource> source(new FileSource(descriptor, visitor, progress));
  struct stat status {};
  if (::fstat(descriptor, &status) != 0)
    return fail(Rung::skip, input.chain, "cannot be read: " + error_text(errno));
  if (!S_ISREG(status.st_mode)) return fail(Rung::skip, input.chain, "is not a regular file any more");
  source->size_ = static_cast<std::uint64_t>(status.st_size);
  source->seekable_ = true;
  return source;
}

Result<std::string_view> FileSource::next() {
  if (ended_) return std::string_view{};
  if (visitor_.interrupted()) {
    ended_ = true;
    return fail(Rung::skip, {}, "interrupted");
  }
  ssize_t got = 0;
  do {
    got = ::read(descriptor_, buffer_.get(), kChunk);
  } while (got < 0 && errno == EINTR && !visitor_.interrupted());
  if (got < 0) {
    ended_ = true;
    return fail(Rung::note, {},
                "reading failed at byte " + std::to_string(position_) + ": " + error_text(errno));
  }
  position_ += static_cast<std::uint64_t>(got);
  if (position_ > reported_) {
    if (progress_) progress_(position_ - reported_);
    reported_ = position_;
  }
  ended_ = got == 0 && !seekable_;
  return std::string_view(buffer_.get(), static_cast<std::size_t>(got));
}

void FileSource::report_rest() {
  if (progress_ && reported_ < size_) progress_(size_ - reported_);
  reported_ = size_;
}

bool FileSource::seek(std::uint64_t offset) {
  if (!seekable_ || ::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0) return false;
  position_ = offset;
  return true;
}

}  // namespace faultline::ingest
