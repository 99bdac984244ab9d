// The walk over a tar stream. See container_reader.h; the fields of a header are in tar_header.h.
#include <algorithm>
#include <cstring>

#include "ingest/container_reader.h"
#include "ingest/tar_header.h"

namespace faultline::ingest {
namespace {

// A PAX header of a sane archive has some hundred bytes; extended attributes make it a few KiB.
constexpr std::uint64_t kMaxPax = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxLongName = std::uint64_t{64} << 10;

bool is_zero(std::string_view block) {
  return block.find_first_not_of('\0') == std::string_view::npos;
}

std::uint64_t padding(std::uint64_t size) {
  return (kTarBlock - size % kTarBlock) % kTarBlock;
}

class TarReader final : public ContainerReader, private ByteSource {
 public:
  explicit TarReader(ByteSource& stored) : stored_(stored) {}
  bool next(Member& member) override;
  ByteSource& data() override { return *this; }
  [[nodiscard]] const std::optional<Problem>& problem() const override { return problem_; }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

 private:
  Result<std::string_view> next() override;
  bool refill();
  std::string_view read_up_to(std::uint64_t size);
  std::string_view block();
  bool skip(std::uint64_t size);
  std::optional<std::string> small_body(std::uint64_t size, std::uint64_t limit);
  bool extension(const TarFields& fields, PaxOverrides& overrides);
  void open_data(const TarFields& fields);
  bool read_map_in_data();
  void report_passed();
  bool cut(std::string what);

  ByteSource& stored_;
  std::string_view chunk_;
  std::string joined_;  // a block that spans two chunks
  std::uint64_t received_ = 0;
  bool ended_ = false;
  std::uint64_t left_ = 0;  // stored bytes of the current member
  std::uint64_t padding_ = 0;
  std::vector<SparsePiece> pieces_;
  std::size_t piece_ = 0;
  std::uint64_t piece_left_ = 0;
  bool sparse_ = false;
  bool hole_pending_ = false;
  char last_byte_ = '\n';
  std::uint64_t passed_ = 0;  // bytes of blocks that are no headers
  bool passed_after_end_ = false;
  bool end_seen_ = false;
  std::optional<Problem> problem_;
  std::optional<Problem> stored_problem_;  // what the stream under us complained of
  std::vector<std::string> notes_;
};

bool TarReader::refill() {
  if (ended_) return false;
  Result<std::string_view> chunk = stored_.next();
  if (!chunk) stored_problem_ = chunk.error();
  if (!chunk || chunk->empty()) {
    ended_ = true;
    return false;
  }
  chunk_ = *chunk;
  received_ += chunk_.size();
  return true;
}

std::string_view TarReader::read_up_to(std::uint64_t size) {
  if (chunk_.empty() && !refill()) return {};
  const std::string_view part = chunk_.substr(0, size);
  chunk_.remove_prefix(part.size());
  return part;
}

/// One block, shorter only at the end of the stream.
std::string_view TarReader::block() {
  std::string_view part = read_up_to(kTarBlock);
  if (part.size() == kTarBlock || part.empty()) return part;
  joined_.assign(part);
  while (joined_.size() < kTarBlock) {
    part = read_up_to(kTarBlock - joined_.size());
    if (part.empty()) break;
    joined_.append(part);
  }
  return joined_;
}

bool TarReader::skip(std::uint64_t size) {
  while (size != 0) {
    const std::string_view part = read_up_to(size);
    if (part.empty()) return false;
    size -= part.size();
  }
  return true;
}

bool TarReader::cut(std::string what) {
  if (stored_problem_) {
    problem_ = stored_problem_;
  } else if (!problem_) {
    problem_ = Problem{Rung::note, {}, std::move(what), {}};
  }
  return false;
}

void TarReader::report_passed() {
  if (passed_ == 0) return;
  std::string what =
      std::to_string(passed_) + " bytes before byte " + std::to_string(received_ - chunk_.size());
  if (passed_after_end_) {
    notes_.push_back(std::move(what) + " stand behind the end of the archive and were ignored");
  } else if (!problem_) {
    problem_ = Problem{Rung::note, {}, "damaged: " + std::move(what) + " hold no readable member", {}};
  } else {
    notes_.push_back(std::move(what) + " hold no readable member either");
  }
  passed_ = 0;
}

std::optional<std::string> TarReader::small_body(std::uint64_t size, std::uint64_t limit) {
  std::string body;
  const std::uint64_t wanted = std::min(size, limit);
  while (body.size() < wanted) {
    const std::string_view part = read_up_to(wanted - body.size());
    if (part.empty()) return std::nullopt;
    body.append(part);
  }
  if (size > limit) {
    notes_.push_back("an extended header of " + std::to_string(size) + " bytes was read in part");
  }
  if (!skip(size - wanted) || !skip(padding(size))) return std::nullopt;
  return body;
}

/// Headers that only describe the next one. False: this is a member, or the archive ends inside the
/// extension.
bool TarReader::extension(const TarFields& fields, PaxOverrides& overrides) {
  switch (fields.type) {
    case 'L':
    case 'K': {
      const std::optional<std::string> body = small_body(fields.size, kMaxLongName);
      if (body) (fields.type == 'L' ? overrides.name : overrides.target) = body->substr(0, body->find('\0'));
      return true;
    }
    case 'x':
    case 'X': {
      const std::optional<std::string> body = small_body(fields.size, kMaxPax);
      if (body && !read_pax(*body, overrides)) notes_.emplace_back("a malformed PAX header was read in part");
      return true;
    }
    case 'g':  // defaults for all members: comments and commit ids in practice
    case 'V':  // volume label
    case 'N':  // old GNU name table
      skip(fields.size + padding(fields.size));
      return true;
    default:
      return false;
  }
}

void TarReader::open_data(const TarFields& fields) {
  // Links, devices and directories own no data, whatever their size field says; a PAX hard link may.
  const bool bodyless = fields.type >= '2' && fields.type <= '6';
  const bool old_link = fields.type == '1' && !fields.pax;
  left_ = bodyless || old_link ? 0 : fields.size;
  padding_ = padding(left_);
  sparse_ = fields.sparse;
  pieces_ = fields.pieces;
  piece_ = 0;
  piece_left_ = pieces_.empty() ? 0 : pieces_[0].size;
  hole_pending_ = false;
  last_byte_ = '\n';
}

// PAX sparse 1.0 puts the map before the data: a count, then offset and size of each piece, one number a
// line, padded to a block.
bool TarReader::read_map_in_data() {
  std::vector<std::uint64_t> numbers;
  std::uint64_t wanted = 1;
  std::uint64_t value = 0;
  while (numbers.size() < wanted && left_ >= kTarBlock) {
    const std::string_view map = block();
    if (map.size() < kTarBlock) return false;
    left_ -= kTarBlock;
    for (const char c : map) {
      if (c == '\n') {
        numbers.push_back(value);
        value = 0;
        if (numbers.size() == 1) wanted = 1 + 2 * std::min<std::uint64_t>(numbers[0], kMaxSparsePieces);
        if (numbers.size() == wanted) break;
      } else if (c >= '0' && c <= '9' && value < (std::uint64_t{1} << 56U)) {
        value = value * 10 + static_cast<std::uint64_t>(c - '0');
      } else {
        return true;  // no map: what is left is read as it stands
      }
    }
  }
  for (std::size_t i = 1; i + 1 < numbers.size(); i += 2) pieces_.push_back({numbers[i], numbers[i + 1]});
  piece_left_ = pieces_.empty() ? 0 : pieces_[0].size;
  return true;
}

bool TarReader::next(Member& member) {
  if (!skip(left_) || !skip(padding_)) {
    left_ = padding_ = 0;
    report_passed();
    return cut("archive cut inside its last member");
  }
  left_ = padding_ = 0;
  PaxOverrides overrides;
  bool after_zero = false;
  while (true) {
    const std::string_view header = block();
    if (header.size() < kTarBlock) {
      report_passed();
      if (stored_problem_ || !header.empty() || overrides.present || overrides.name)
        return cut("archive cut in a header");
      if (!end_seen_) notes_.emplace_back("the archive has no end mark: members may be missing");
      return false;
    }
    if (is_zero(header)) {  // the end; but archives are concatenated, and appended to
      after_zero = end_seen_ = true;
      continue;
    }
    // After damage only a header with the magic counts: a checksum alone is met by chance.
    const bool magic = header.substr(257, 5) == "ustar";
    const bool searching = passed_ != 0 && !magic;
    std::optional<TarFields> fields;
    if (!searching && is_tar_header(header)) fields = read_tar_header(header, overrides);
    if (!fields) {
      if (passed_ == 0) passed_after_end_ = after_zero;
      passed_ += kTarBlock;
      overrides = {};
      continue;
    }
    report_passed();
    after_zero = end_seen_ = false;
    if (extension(*fields, overrides)) continue;
    while (fields->more_sparse_blocks) {
      const std::string_view more = block();
      if (more.size() < kTarBlock) return cut("archive cut in a sparse map");
      read_gnu_sparse(more.substr(0, 504), fields->pieces);
      fields->more_sparse_blocks = more[504] != '\0';
    }
    open_data(*fields);
    if (fields->sparse_map_in_data && !read_map_in_data()) return cut("archive cut in a sparse map");

    member = Member{};
    member.name = std::move(fields->name);
    member.target = std::move(fields->target);
    if (fields->modified_ns != 0) member.modified_ns = fields->modified_ns;
    switch (fields->type) {
      case '1':
        member.type = left_ == 0 ? Member::Type::hard_link : Member::Type::file;
        break;
      case '2':
        member.type = Member::Type::symbolic_link;
        break;
      case '3':
      case '4':
        member.type = Member::Type::device;
        break;
      case '5':
      case 'D':
        member.type = Member::Type::directory;
        break;
      case '6':
        member.type = Member::Type::fifo;
        break;
      default:
        if (!member.name.empty() && member.name.back() == '/' && left_ == 0)
          member.type = Member::Type::directory;
    }
    if (fields->type == 'M') member.note = "continued from another volume";
    if (sparse_) {
      std::uint64_t stored = 0;
      for (const SparsePiece& piece : pieces_) stored = std::min(stored + piece.size, fields->real_size);
      if (fields->real_size > stored) {
        member.note = "sparse: " + std::to_string(fields->real_size - stored) + " bytes of holes left out";
      }
    }
    return true;
  }
}

Result<std::string_view> TarReader::next() {
  if (left_ == 0) return std::string_view{};
  if (hole_pending_) {  // text on both sides of a hole must not run together
    hole_pending_ = false;
    if (last_byte_ != '\n') {
      last_byte_ = '\n';
      return std::string_view("\n");
    }
  }
  std::uint64_t wanted = left_;
  if (sparse_ && piece_left_ != 0) wanted = std::min(wanted, piece_left_);
  const std::string_view part = read_up_to(wanted);
  if (part.empty()) {
    const std::string missing = std::to_string(left_);
    left_ = padding_ = 0;
    cut("archive cut inside its last member");
    if (stored_problem_) return fail(*stored_problem_);
    return fail(Rung::note, {}, "archive cut: " + missing + " bytes of this member are missing");
  }
  left_ -= part.size();
  last_byte_ = part.back();
  if (sparse_ && piece_left_ != 0) {
    piece_left_ -= part.size();
    while (piece_left_ == 0 && piece_ + 1 < pieces_.size()) {
      const SparsePiece& before = pieces_[piece_++];
      hole_pending_ = hole_pending_ || pieces_[piece_].offset > before.offset + before.size;
      piece_left_ = pieces_[piece_].size;
    }
  }
  return part;
}

}  // namespace

std::unique_ptr<ContainerReader> open_tar(ByteSource& stored) {
  return std::make_unique<TarReader>(stored);
}

}  // namespace faultline::ingest
