// Containers through libarchive. Only the formats asked for are enabled, and no filters: compressions are
// peeled by filter_source.h before, so that each byte is accounted for once.
#include <archive_entry.h>
#include <locale.h>

#include <algorithm>
#include <utility>

#include "ingest/archive_feed.h"
#include "ingest/container_reader.h"

namespace faultline::ingest {
namespace {

// libarchive converts names that are marked as UTF-8 to the thread's locale; in the C locale it would put a
// `?` for each byte beyond ASCII, and members would lose their names. For the calls that read headers the
// thread gets C.UTF-8, whatever the user's environment says.
class Utf8Names {
 public:
  Utf8Names() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_ != nullptr) before_ = uselocale(locale_);
  }
  ~Utf8Names() {
    if (locale_ == nullptr) return;
    uselocale(before_);
    freelocale(locale_);
  }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;

 private:
  locale_t locale_;
  locale_t before_ = nullptr;
};

// A damaged member may be passed over; input that is all damage must end.
constexpr int kDamagedHeaders = 1000;
constexpr int kEmptyBlocks = 10'000;
constexpr int kResumes = 64;  // each one reads the headers of a zip again
constexpr std::string_view kLocalHeader = "PK\x03\x04";

std::string text_or(const char* bytes, const char* utf8) {
  if (bytes != nullptr && *bytes != '\0') return bytes;
  return utf8 == nullptr ? std::string() : std::string(utf8);
}

Member::Type type_of(archive_entry* entry) {
  if (archive_entry_hardlink(entry) != nullptr) return Member::Type::hard_link;
  switch (archive_entry_filetype(entry)) {
    case 0:  // a zip read as a stream does not say
    case AE_IFREG:
      return Member::Type::file;
    case AE_IFDIR:
      return Member::Type::directory;
    case AE_IFLNK:
      return Member::Type::symbolic_link;
    case AE_IFCHR:
    case AE_IFBLK:
      return Member::Type::device;
    case AE_IFIFO:
      return Member::Type::fifo;
    case AE_IFSOCK:
      return Member::Type::socket;
    default:
      return Member::Type::other;
  }
}

class LibraryArchive final : public ContainerReader, private ByteSource {
 public:
  template <class Source>
  LibraryArchive(StreamFormat format, Source& stored) : format_(format), feed_(stored) {
    if (!open()) end_with_error();
  }

  bool next(Member& member) override;
  ByteSource& data() override { return *this; }
  [[nodiscard]] const std::optional<Problem>& problem() const override { return problem_; }
  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    if (damaged_ != 0) notes.push_back(std::to_string(damaged_) + " damaged headers were passed over");
    if (resumed_ != 0) notes.push_back("read on behind damage " + std::to_string(resumed_) + " times");
    return notes;
  }

 private:
  Result<std::string_view> next() override;
  bool open();
  bool resume();
  void end_with_error() {
    ended_ = true;
    broken_ = false;
    if (feed_.problem()) {
      problem_ = feed_.problem();
    } else if (!problem_) {  // the first damage is the one to tell
      problem_ = Problem{Rung::note, {}, error_of(handle_.get()), {}};
    }
  }

  StreamFormat format_;
  ArchiveFeed feed_;
  ArchiveHandle handle_;
  std::uint64_t headers_ = 0;  // that were asked for
  int damaged_ = 0;
  int resumed_ = 0;
  bool ended_ = false;
  bool broken_ = false;  // inside a member: this handle gives nothing more
  bool member_ended_ = true;
  std::string warning_;  // of the member at hand: a checksum or size that does not fit
  std::optional<Problem> problem_;
};

bool LibraryArchive::open() {
  handle_.reset(archive_read_new());
  switch (format_) {
    case StreamFormat::zip:
      if (feed_.seeks()) archive_read_support_format_zip_seekable(handle_.get());
      archive_read_support_format_zip_streamable(handle_.get());
      break;
    case StreamFormat::cpio:
      archive_read_support_format_cpio(handle_.get());
      break;
    case StreamFormat::seven_zip:
      archive_read_support_format_7zip(handle_.get());
      break;
    case StreamFormat::rar:
      archive_read_support_format_rar(handle_.get());
      archive_read_support_format_rar5(handle_.get());
      break;
    default:
      break;
  }
  return feed_.open(handle_.get());
}

// libarchive gives a whole zip up when the data of one member are damaged. A fresh handle passes over the
// members that were met (a seek each), or, where the zip comes as a stream, begins at the next local header.
bool LibraryArchive::resume() {
  if (format_ != StreamFormat::zip || ++resumed_ > kResumes) return false;
  if (!feed_.seeks()) {
    const la_int64_t consumed = archive_filter_bytes(handle_.get(), 0);
    return feed_.resume_at(kLocalHeader, consumed < 0 ? 0 : static_cast<std::uint64_t>(consumed)) && open();
  }
  if (!feed_.rewind() || !open()) return false;
  for (std::uint64_t i = 0; i < headers_; ++i) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(handle_.get(), &entry);
    if (status == ARCHIVE_FATAL || status == ARCHIVE_EOF) return false;
  }
  return true;
}

bool LibraryArchive::next(Member& member) {
  const Utf8Names names;
  if (broken_) {
    broken_ = false;
    if (!resume()) {
      resumed_ = std::max(0, resumed_ - 1);
      ended_ = true;
      if (feed_.problem()) problem_ = feed_.problem();
    }
  }
  while (!ended_) {
    archive_entry* entry = nullptr;
    ++headers_;
    const int status = archive_read_next_header(handle_.get(), &entry);
    if (status == ARCHIVE_EOF) {
      ended_ = true;
      if (feed_.problem()) end_with_error();
      return false;
    }
    if (status < ARCHIVE_WARN || entry == nullptr) {  // RETRY and FAILED: the next header may be good
      if (status == ARCHIVE_FATAL || ++damaged_ > kDamagedHeaders) end_with_error();
      continue;
    }
    member = Member{};
    member.name = text_or(archive_entry_pathname(entry), archive_entry_pathname_utf8(entry));
    member.type = type_of(entry);
    member.target = member.type == Member::Type::hard_link
                        ? text_or(archive_entry_hardlink(entry), archive_entry_hardlink_utf8(entry))
                        : text_or(archive_entry_symlink(entry), archive_entry_symlink_utf8(entry));
    member.encrypted = archive_entry_is_encrypted(entry) == 1;
    if (archive_entry_mtime_is_set(entry) != 0) {
      std::int64_t ns = 0;
      if (!__builtin_mul_overflow(std::int64_t{archive_entry_mtime(entry)}, std::int64_t{1'000'000'000},
                                  &ns)) {
        member.modified_ns = ns;
      }
    }
    if (status == ARCHIVE_WARN) member.note = error_of(handle_.get());
    member_ended_ = false;
    warning_.clear();
    return true;
  }
  return false;
}

Result<std::string_view> LibraryArchive::next() {
  for (int empty = 0; !member_ended_ && empty < kEmptyBlocks; ++empty) {
    const void* data = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int status = archive_read_data_block(handle_.get(), &data, &size, &offset);
    if (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
      // The last bytes come with the complaint that their checksum or their number does not fit.
      if (status == ARCHIVE_WARN && size != 0) warning_ = error_of(handle_.get());
      if (size != 0) return std::string_view(static_cast<const char*>(data), size);
      if (status == ARCHIVE_OK) continue;
    }
    member_ended_ = true;
    if (status == ARCHIVE_EOF) break;
    if (feed_.problem()) return fail(*feed_.problem());
    if (status == ARCHIVE_FATAL) {
      broken_ = true;
      if (!problem_) problem_ = Problem{Rung::note, {}, error_of(handle_.get()), {}};
    }
    return fail(Rung::note, {}, error_of(handle_.get()));
  }
  if (!warning_.empty()) return fail(Rung::note, {}, std::exchange(warning_, {}));
  return std::string_view{};
}

}  // namespace

std::unique_ptr<ContainerReader> open_library_archive(StreamFormat format, ByteSource& stored) {
  return std::make_unique<LibraryArchive>(format, stored);
}
std::unique_ptr<ContainerReader> open_library_archive(StreamFormat format, SeekableSource& stored) {
  return std::make_unique<LibraryArchive>(format, stored);
}

}  // namespace faultline::ingest
