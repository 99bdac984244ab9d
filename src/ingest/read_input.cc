// The walk through one input: peels compressions, opens containers, hands leaves to the visitor, and writes
// one row for each leaf and each archive. An archive's row follows those of its members.
#include <algorithm>
#include <exception>
#include <unordered_set>

#include "ingest/container_reader.h"
#include "ingest/expansion.h"
#include "ingest/file_source.h"
#include "ingest/filter_source.h"
#include "ingest/ingest.h"
#include "ingest/kinds.h"

namespace faultline::ingest {
namespace {

constexpr std::size_t kHead = std::size_t{64} << 10;

/// Counts what passes, charges it as stored bytes, and keeps the Problem that ended it.
class Watched final : public ByteSource {
 public:
  explicit Watched(ByteSource& inner, Expansion* account = nullptr) : inner_(inner), account_(account) {}
  Result<std::string_view> next() override {
    Result<std::string_view> chunk = inner_.next();
    if (!chunk) {
      problem_ = chunk.error();
    } else {
      bytes_ += chunk->size();
      if (account_ != nullptr) account_->add_stored(chunk->size());
    }
    return chunk;
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }

 private:
  ByteSource& inner_;
  Expansion* account_;
  std::uint64_t bytes_ = 0;
  std::optional<Problem> problem_;
};

/// The same for a file that is read by seeking: no byte is counted twice.
class WatchedFile final : public SeekableSource {
 public:
  WatchedFile(SeekableSource& inner, Expansion& account) : inner_(inner), account_(account) {}
  Result<std::string_view> next() override {
    Result<std::string_view> chunk = inner_.next();
    if (chunk && bytes_ < inner_.size()) {
      const std::uint64_t fresh = std::min<std::uint64_t>(chunk->size(), inner_.size() - bytes_);
      bytes_ += fresh;
      account_.add_stored(fresh);
    }
    return chunk;
  }
  [[nodiscard]] std::uint64_t size() const override { return inner_.size(); }
  [[nodiscard]] std::uint64_t position() const override { return inner_.position(); }
  bool seek(std::uint64_t offset) override { return inner_.seek(offset); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  SeekableSource& inner_;
  Expansion& account_;
  std::uint64_t bytes_ = 0;
};

/// Where a stream stands in the bundle.
struct Place {
  std::string chain;
  std::uint32_t depth = 0;  ///< archives around it
  std::optional<std::int64_t> modified_ns;
  Expansion* account = nullptr;    ///< of the archive around it
  SeekableSource* file = nullptr;  ///< the stream itself, when it can seek
  std::vector<std::string> notes;
};

struct Layer {
  std::unique_ptr<FilterSource> filter;
  std::unique_ptr<ExpandedSource> expanded;
  std::unique_ptr<PeekSource> peek;
};

class Walk {
 public:
  Walk(const Limits& limits, Budget& budget, ArtifactVisitor& visitor)
      : limits_(limits), budget_(budget), visitor_(visitor) {}
  void stream(ByteSource& raw, Place place);
  void skipped(const Place& place, ArtifactKind kind, std::string reason);

 private:
  /// One archive, or one compressed leaf, while it is read.
  struct Open {
    Place place;
    Expansion account;
    Watched stored;
    PeekSource base;
    std::vector<Layer> layers;
    PeekSource* top = &base;
    Open(Place where, ByteSource& raw, const Limits& limits, Budget& budget)
        : place(std::move(where)),
          account(place.account, limits, budget),
          stored(raw, &account),
          base(stored) {}
  };

  bool peel(Open& open);
  void container(Open& open, StreamFormat format);
  void leaf(Open& open, std::string_view head);
  void members(Open& open, ContainerReader& reader, bool expands, CoverageRow& row);
  void member(Open& open, ContainerReader& reader, Member& member, bool expands);
  void seekable_container(Open& open, StreamFormat format, SeekableSource& file, CoverageRow& row);
  CoverageRow row_of(const Place& place, ArtifactKind kind) const;
  void finish(CoverageRow row);

  const Limits& limits_;
  Budget& budget_;
  ArtifactVisitor& visitor_;
  bool artifacts_spent_ = false;
  std::uint64_t members_met_ = 0;  // of the archive at hand
};

CoverageRow Walk::row_of(const Place& place, ArtifactKind kind) const {
  CoverageRow row;
  row.chain = place.chain;
  row.kind = kind;
  row.node = identity_from_chain(place.chain).speaker.node;
  row.depth = place.depth;
  row.notes = place.notes;
  return row;
}

void Walk::finish(CoverageRow row) {
  if (!budget_.spend_artifact() && !artifacts_spent_) {
    artifacts_spent_ = true;
    budget_.hit("max-artifacts");
  }
  visitor_.finished(std::move(row));
}

void Walk::skipped(const Place& place, ArtifactKind kind, std::string reason) {
  CoverageRow row = row_of(place, kind);
  row.state = CoverageRow::State::skipped;
  row.reason = std::move(reason);
  finish(std::move(row));
}

/// Takes compressions off until something else begins. False: there are too many, and a row says so.
bool Walk::peel(Open& open) {
  while (true) {
    const StreamFormat format = compression_of(open.top->peek(kHead));
    if (format == StreamFormat::none) return true;
    if (open.layers.size() >= limits_.max_depth) {
      budget_.hit("max-depth");
      skipped(open.place, ArtifactKind::archive,
              "compressed more than " + std::to_string(limits_.max_depth) + " times over (--max-depth)");
      return false;
    }
    Layer layer;
    layer.filter = open_filter(format, *open.top);
    layer.expanded = std::make_unique<ExpandedSource>(*layer.filter, open.account);
    layer.peek = std::make_unique<PeekSource>(*layer.expanded);
    open.top = layer.peek.get();
    open.layers.push_back(std::move(layer));
  }
}

void Walk::stream(ByteSource& raw, Place place) {
  const auto open = std::make_unique<Open>(std::move(place), raw, limits_, budget_);
  if (!peel(*open)) return;
  const std::string_view head = open->top->peek(kHead);
  const StreamFormat format = container_of(head);
  if (format == StreamFormat::none) return leaf(*open, head);
  if (format == StreamFormat::zip) {
    const ZipDocument document = zip_document(head, open->place.chain);
    if (!document.reason.empty()) {
      return skipped(open->place, document.checkpoint ? ArtifactKind::model_checkpoint : ArtifactKind::binary,
                     std::string(document.reason));
    }
  }
  container(*open, format);
}

void add_notes(const std::vector<Layer>& layers, CoverageRow& row) {
  for (const Layer& layer : layers) {
    for (std::string& note : layer.filter->notes()) row.notes.push_back(std::move(note));
  }
}

void Walk::leaf(Open& open, std::string_view head) {
  // The last of the watchers: it sees the Problem even when the visitor swallows it.
  Watched watched(*open.top);
  const bool nothing = head.empty();
  const KindGuess guess = guess_kind(open.place.chain, head);
  CoverageRow row = row_of(open.place, guess.kind);
  if (nothing) {
    const Result<std::string_view> chunk = watched.next();
    row.kind = ArtifactKind::empty;
    row.state = CoverageRow::State::skipped;
    row.reason = chunk ? "empty" : chunk.error().what;
    add_notes(open.layers, row);
    return finish(std::move(row));
  }
  if (kind_info(guess.kind).treatment == Treatment::opaque) {
    row.state = CoverageRow::State::skipped;
    row.reason =
        guess.reason.empty() ? std::string(kind_name(guess.kind)) + ": not read" : std::string(guess.reason);
    return finish(std::move(row));
  }
  Artifact artifact;
  artifact.chain = open.place.chain;
  artifact.kind = guess.kind;
  artifact.family = guess.family;
  PathIdentity identity = identity_from_chain(artifact.chain);
  artifact.speaker = std::move(identity.speaker);
  artifact.instance_group = std::move(identity.instance_group);
  artifact.collection = std::move(identity.collection);
  artifact.modified_ns = open.place.modified_ns;
  // A gzip header keeps the time of the file that was rotated; copies of the .gz carry the time of the copy.
  if (!open.layers.empty()) {
    const std::optional<std::int64_t> original = open.layers.front().filter->modified_ns();
    if (original && (!artifact.modified_ns || *original < *artifact.modified_ns))
      artifact.modified_ns = original;
  }
  PeekSource source(watched);
  visitor_.visit(artifact, source, row);
  while (true) {
    const Result<std::string_view> rest = source.next();
    if (!rest || rest->empty()) break;
  }
  row.kind = artifact.kind;
  row.chain = artifact.chain;
  row.bytes = source.delivered();
  if (watched.problem()) {
    const std::string& what = watched.problem()->what;
    if (row.state == CoverageRow::State::scanned) row.reason.clear();
    // The visitor met the same problem at the end of its reading, and may have written it down.
    if (row.reason.find(what) == std::string::npos) row.reason += (row.reason.empty() ? "" : "; ") + what;
    row.state = CoverageRow::State::partial;
  }
  if (row.bytes == 0 && row.state == CoverageRow::State::partial) row.state = CoverageRow::State::skipped;
  add_notes(open.layers, row);
  finish(std::move(row));
}

void Walk::member(Open& open, ContainerReader& reader, Member& member, bool expands) {
  Place place;
  place.chain = open.place.chain + "!" + member.name;
  place.depth = open.place.depth + 1;
  place.modified_ns = member.modified_ns;
  place.account = &open.account;
  if (!member.note.empty()) place.notes.push_back(member.note);
  switch (member.type) {
    case Member::Type::symbolic_link:
      return skipped(place, ArtifactKind::empty, "symbolic link to " + member.target);
    case Member::Type::hard_link:
      return skipped(place, ArtifactKind::empty, "link to " + member.target);
    case Member::Type::device:
      return skipped(place, ArtifactKind::empty, "device");
    case Member::Type::fifo:
      return skipped(place, ArtifactKind::empty, "named pipe");
    case Member::Type::socket:
      return skipped(place, ArtifactKind::empty, "socket");
    case Member::Type::other:
      return skipped(place, ArtifactKind::empty, "no regular file");
    case Member::Type::directory:
      return;
    case Member::Type::file:
      break;
  }
  if (member.encrypted) {
    return skipped(place, ArtifactKind::empty, "encrypted: unpack it with its password and add the result");
  }
  if (!expands) return stream(reader.data(), std::move(place));
  ExpandedSource expanded(reader.data(), open.account);
  stream(expanded, std::move(place));
}

/// Reads members until the archive, a budget or the user's patience ends.
void Walk::members(Open& open, ContainerReader& reader, bool expands, CoverageRow& row) {
  std::unordered_set<std::uint64_t> names;
  std::uint64_t met = 0;
  std::string reason;
  Member item;
  while (reason.empty() && reader.next(item)) {
    if (++met > limits_.max_members) {
      budget_.hit("max-members");
      reason = "more than " + std::to_string(limits_.max_members) +
               " members (--max-members): the rest is not read";
      break;
    }
    while (item.name.starts_with("./")) item.name.erase(0, 2);
    if (item.name.empty()) item.name = item.type == Member::Type::directory ? "." : "(no name)";
    if (item.type != Member::Type::directory && !names.insert(std::hash<std::string>{}(item.name)).second) {
      // Both are kept: the first may be the older state of a log. The number tells their lines apart.
      item.name += "#" + std::to_string(met);
      if (!item.note.empty()) item.note += "; ";
      item.note += "the archive holds this name more than once";
    }
    member(open, reader, item, expands);
    if (open.account.spent()) reason = open.account.reason();
    if (artifacts_spent_) reason = "more artifacts than --max-artifacts: the rest is not read";
    if (visitor_.interrupted()) reason = "interrupted";
  }
  if (reason.empty() && reader.problem()) reason = reader.problem()->what;
  if (!reason.empty()) {
    row.state = met == 0 ? CoverageRow::State::skipped : CoverageRow::State::partial;
    row.reason = std::move(reason);
  }
  for (std::string& note : reader.notes()) row.notes.push_back(std::move(note));
  members_met_ = met;
}

/// A format with its table of contents at the end. A zip that lost it is read again as a stream.
void Walk::seekable_container(Open& open, StreamFormat format, SeekableSource& file, CoverageRow& row) {
  WatchedFile watched(file, open.account);
  watched.seek(0);
  {
    const std::unique_ptr<ContainerReader> reader =
        open_library_archive(format, static_cast<SeekableSource&>(watched));
    members(open, *reader, true, row);
  }
  if (row.state == CoverageRow::State::skipped && format == StreamFormat::zip && !open.account.spent()) {
    watched.seek(0);
    const std::string first = std::move(row.reason);
    row.state = CoverageRow::State::scanned;
    row.reason.clear();
    const std::unique_ptr<ContainerReader> reader =
        open_library_archive(format, static_cast<ByteSource&>(watched));
    members(open, *reader, true, row);
    if (members_met_ != 0 && row.reason.empty()) {
      row.state = CoverageRow::State::partial;
      row.reason = "table of contents unreadable (" + first + "): members read in stored order";
    }
  }
  row.bytes = row.state == CoverageRow::State::scanned ? file.size() : watched.bytes();
}

void Walk::container(Open& open, StreamFormat format) {
  CoverageRow row = row_of(open.place, ArtifactKind::archive);
  if (open.place.depth >= limits_.max_depth) {
    budget_.hit("max-depth");
    row.state = CoverageRow::State::skipped;
    row.reason = "archive nested deeper than " + std::to_string(limits_.max_depth) + " (--max-depth)";
    return finish(std::move(row));
  }
  SeekableSource* file = open.layers.empty() ? open.place.file : nullptr;
  if (format == StreamFormat::zip && file != nullptr) {
    seekable_container(open, format, *file, row);
    return finish(std::move(row));
  }
  if (format == StreamFormat::seven_zip) {
    if (file != nullptr) {
      seekable_container(open, format, *file, row);
    } else {
      Result<std::string> bytes = read_all(*open.top, limits_.max_document * 4);
      if (bytes) {
        BufferSource buffer(std::move(*bytes));
        seekable_container(open, format, buffer, row);
      } else {
        row.state = CoverageRow::State::skipped;
        row.reason = "a 7z inside of another archive or stream is read only up to " +
                     std::to_string(limits_.max_document * 4) + " bytes: unpack it first";
      }
    }
    row.bytes = open.stored.bytes();
    return finish(std::move(row));
  }
  Watched watched(*open.top);
  {
    const std::unique_ptr<ContainerReader> reader =
        format == StreamFormat::tar ? open_tar(watched) : open_library_archive(format, watched);
    members(open, *reader, format != StreamFormat::tar && format != StreamFormat::cpio, row);
    // What stands behind the last member (a zip's table of contents) may still tell that the stream is cut.
    while (!open.account.spent() && !visitor_.interrupted() && !watched.problem() && !artifacts_spent_) {
      const Result<std::string_view> rest = watched.next();
      if (!rest || rest->empty()) break;
    }
  }
  if (watched.problem() && row.state == CoverageRow::State::scanned) {
    row.state = members_met_ == 0 ? CoverageRow::State::skipped : CoverageRow::State::partial;
    row.reason = watched.problem()->what;
  }
  row.bytes = open.stored.bytes();
  add_notes(open.layers, row);
  finish(std::move(row));
}

}  // namespace

void read_input(const Input& input, const Limits& limits, Budget& budget, ArtifactVisitor& visitor,
                const std::function<void(std::uint64_t)>& progress) {
  Walk walk(limits, budget, visitor);
  Place place;
  place.chain = input.chain;
  if (input.modified_ns != 0) place.modified_ns = input.modified_ns;
  try {
    const Result<std::unique_ptr<FileSource>> source = FileSource::open(input, visitor, progress);
    if (!source) return walk.skipped(place, ArtifactKind::empty, source.error().what);
    if ((*source)->seekable()) place.file = source->get();
    walk.stream(**source, place);
    (*source)->report_rest();
  } catch (const std::exception& error) {
    walk.skipped(place, ArtifactKind::binary, std::string("reading failed: ") + error.what());
  }
}

}  // namespace faultline::ingest
