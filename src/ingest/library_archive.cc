// Containers through libarchive. Only the formats asked for are enabled, and no filters: compressions are
// peeled by filter_source.h before, so that each byte is accounted for once.
#include <archive_entry.h>
#include <locale.h>

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
  LibraryArchive(StreamFormat format, Source& stored) : feed_(stored), handle_(archive_read_new()) {
    constexpr bool kSeeks = std::is_same_v<Source, SeekableSource>;
    switch (format) {
      case StreamFormat::zip:
        if (kSeeks) archive_read_support_format_zip_seekable(handle_.get());
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
    if (!feed_.open(handle_.get())) end_with_error();
  }

  bool next(Member& member) override;
  ByteSource& data() override { return *this; }
  [[nodiscard]] const std::optional<Problem>& problem() const override { return problem_; }
  [[nodiscard]] std::vector<std::string> notes() const override {
    if (damaged_ == 0) return {};
    return {std::to_string(damaged_) + " damaged headers were passed over"};
  }

 private:
  Result<std::string_view> next() override;
  void end_with_error() {
    ended_ = true;
    if (feed_.problem()) {
      problem_ = feed_.problem();
    } else {
      problem_ = Problem{Rung::note, {}, error_of(handle_.get()), {}};
    }
  }

  ArchiveFeed feed_;
  ArchiveHandle handle_;
  int damaged_ = 0;
  bool ended_ = false;
  bool member_ended_ = true;
  std::optional<Problem> problem_;
};

bool LibraryArchive::next(Member& member) {
  const Utf8Names names;
  while (!ended_) {
    archive_entry* entry = nullptr;
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
      if (size != 0) return std::string_view(static_cast<const char*>(data), size);
      if (status == ARCHIVE_OK) continue;
    }
    member_ended_ = true;
    if (status == ARCHIVE_EOF) break;
    if (feed_.problem()) return fail(*feed_.problem());
    if (status == ARCHIVE_FATAL) end_with_error();
    return fail(Rung::note, {}, error_of(handle_.get()));
  }
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
