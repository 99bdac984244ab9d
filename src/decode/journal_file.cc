// Binary journal files (LPKSHHRH), read as a stream from front to back. Facts: artifact-formats 5.4, and the
// layout as systemd documents it (JOURNAL_FILE_FORMAT).
//
// The file is an arena of objects: each has a type and a size, and the next begins behind it on a multiple of
// 8. Data objects ("FIELD=value", perhaps compressed) are written before the entries that point at them, and
// entries in order of time. So one pass is enough: values of the fields that matter are kept by offset, and
// an entry is put together when it comes. Hash tables and entry arrays only serve to find things by seeking;
// they are passed over, so that no chain of offsets can be made a loop, and what was not linked yet, or lost
// its links with the tail of the file, comes out all the same.
//
// Memory: kept values up to Limits::max_document, the least recently used half goes first. A value can be
// used by many entries, so what comes out is held to a multiple of what was read.
#include <algorithm>
#include <unordered_map>

#include "base/cursor.h"
#include "decode/byte_window.h"
#include "decode/framer.h"
#include "decode/journal_entry.h"
#include "decode/journal_inflate.h"

namespace faultline::decode {
namespace {

constexpr std::string_view kMagic = "LPKSHHRH";
constexpr std::size_t kSmallestHeader = 184;  // of the first version; later ones grew to 272
constexpr std::size_t kLargestHeader = 4096;
constexpr std::uint32_t kKnownFlags = 1 | 2 | 4 | 8 | 16;  // XZ, LZ4, keyed hash, ZSTD, compact
constexpr std::uint32_t kCompact = 16;
constexpr std::size_t kObjectHeader = 16;
constexpr std::size_t kEntryHeader = 64;
constexpr std::size_t kMostItems = 4096;           // journald writes at most 1024 fields an entry
constexpr std::size_t kLargestValue = 4u << 20;    // of a field that is read; journald cuts lines at 48 KiB
constexpr std::uint64_t kMostAmplification = 256;  // bytes out for a byte in; equal messages share one value
constexpr std::size_t kValueOverhead = 128;

enum class ObjectType : std::uint8_t {
  unused,
  data,
  field,
  entry,
  data_hash_table,
  field_hash_table,
  entry_array,
  tag
};

struct ObjectHeader {
  ObjectType type = ObjectType::unused;
  std::uint8_t flags = 0;
  std::uint64_t size = 0;
};

/// Is this what an object begins with? All zero is not: that is space not written to.
std::optional<ObjectHeader> read_object_header(std::string_view bytes, bool compact) {
  Cursor cursor(bytes);
  const auto type = cursor.u8();
  const auto flags = cursor.u8();
  const auto reserved = cursor.take(6);
  const auto size = cursor.u64();
  if (!size || *type < 1 || *type > 7 || reserved->find_first_not_of('\0') != std::string_view::npos)
    return std::nullopt;
  const ObjectHeader header{static_cast<ObjectType>(*type), *flags, *size};
  if (*flags != 0 && (header.type != ObjectType::data || (*flags != 1 && *flags != 2 && *flags != 4)))
    return std::nullopt;
  constexpr std::uint64_t kLeast[] = {0, 64, 40, 64, 16, 16, 24, 64};
  const std::uint64_t least = kLeast[*type] + (compact && header.type == ObjectType::data ? 8 : 0);
  if (*size < least || *size > (std::uint64_t{1} << 40)) return std::nullopt;
  return header;
}

/// Values of data objects by their offset. Two generations: when the young one is full it becomes the old
/// one; what is used comes back to the young.
class ValueStore {
 public:
  struct Value {
    JournalField field;
    std::string text;
  };
  explicit ValueStore(std::uint64_t budget) : half_(std::max<std::uint64_t>(budget / 2, 4096)) {}

  void add(std::uint64_t offset, Value value) {
    const std::size_t size = value.text.size() + kValueOverhead;
    if (bytes_ + size > half_ && !young_.empty()) {
      dropped_ = dropped_ || !old_.empty();
      old_ = std::move(young_);
      young_.clear();
      bytes_ = 0;
    }
    if (young_.insert_or_assign(offset, std::move(value)).second) bytes_ += size;
  }
  const Value* find(std::uint64_t offset) {
    if (const auto found = young_.find(offset); found != young_.end()) return &found->second;
    const auto found = old_.find(offset);
    if (found == old_.end()) return nullptr;
    Value value = std::move(found->second);
    old_.erase(found);
    add(offset, std::move(value));
    return &young_.find(offset)->second;
  }
  [[nodiscard]] bool dropped() const { return dropped_; }

 private:
  using Generation = std::unordered_map<std::uint64_t, Value>;
  Generation young_;
  Generation old_;
  std::uint64_t half_;
  std::uint64_t bytes_ = 0;
  bool dropped_ = false;
};

class JournalFileReader {
 public:
  JournalFileReader(ByteSource& source, MarkedWriter& writer, const Limits& limits)
      : bytes_(source), writer_(writer), limits_(limits), values_(limits.max_document) {}

  void run() {
    if (!header()) return;
    while (bytes_.fill(kObjectHeader)) {
      if (!object()) break;
    }
    close();
  }

 private:
  [[nodiscard]] Place here() const { return {writer_.lines() + 1, bytes_.offset()}; }

  bool header() {
    bytes_.fill(kSmallestHeader);
    Cursor cursor(bytes_.view().substr(0, kSmallestHeader));
    if (cursor.take(8) != kMagic || bytes_.view().size() < kSmallestHeader) {
      writer_.damage(here(), "the header of a journal file is cut or missing");
      return false;
    }
    cursor.seek(12);
    const std::uint32_t flags = *cursor.u32();
    const std::uint8_t state = *cursor.u8();
    if ((flags & ~kKnownFlags) != 0) {
      writer_.damage(here(), "the journal uses a layout that is not known (incompatible flags " +
                                 std::to_string(flags) + ")");
      return false;
    }
    compact_ = (flags & kCompact) != 0;
    cursor.seek(88);
    std::uint64_t size = *cursor.u64();
    cursor.seek(136);
    tail_ = *cursor.u64();
    cursor.seek(152);
    entries_promised_ = *cursor.u64();
    if (size < kSmallestHeader || size > kLargestHeader || size % 8 != 0) {
      writer_.damage(here(), "the journal's header gives no possible size of itself");
      size = 272;  // objects are searched from there
    }
    if (state == 1) writer_.note("the journal was open for writing when it was copied");
    bytes_.skip(size);
    return true;
  }

  /// Handles the object at the head, or passes over what is none. False: the end, or a spent budget.
  bool object() {
    const auto found = read_object_header(bytes_.view(), compact_);
    if (!found || (searching_ && !is_followed(*found))) return pass_unknown();
    searching_ = false;
    const std::uint64_t begin = bytes_.offset();
    switch (found->type) {
      case ObjectType::data:
        data(*found);
        break;
      case ObjectType::entry:
        if (!entry(*found)) return false;
        break;
      default:
        break;
    }
    // Whatever was looked at, the next object begins behind this one.
    const std::uint64_t end = begin + found->size;
    const std::uint64_t rest = end - bytes_.offset();
    const std::uint64_t passed = bytes_.skip(rest);
    if (passed < rest) {
      cut_ = true;
      return false;
    }
    bytes_.skip((8 - end % 8) % 8);
    return true;
  }

  /// After damage a header alone is weak evidence: another must stand behind the object, if that can be seen.
  bool is_followed(const ObjectHeader& found) {
    const std::uint64_t next = (found.size + 7) / 8 * 8;
    constexpr std::uint64_t kFar = std::uint64_t{1} << 20;
    if (next > kFar) return false;
    if (!bytes_.fill(static_cast<std::size_t>(next) + kObjectHeader)) return false;
    const std::string_view behind = bytes_.view().substr(static_cast<std::size_t>(next));
    return read_object_header(behind, compact_).has_value() || is_zero(behind.substr(0, kObjectHeader));
  }

  static bool is_zero(std::string_view bytes) {
    return bytes.find_first_not_of('\0') == std::string_view::npos;
  }

  bool pass_unknown() {
    if (!searching_ && !is_zero(bytes_.view().substr(0, kObjectHeader))) {
      writer_.damage(here(), "an object of the journal is broken; the next one is searched");
      searching_ = true;
    }
    // Space not written to is passed over in one go; in a broken part every place on a multiple of 8 is
    // tried.
    const std::string_view view = bytes_.view();
    const std::size_t data = std::min(view.find_first_not_of('\0'), view.size());
    bytes_.consume(std::max<std::size_t>(data / 8 * 8, 8));
    return true;
  }

  void data(const ObjectHeader& header) {
    const std::size_t head = kEntryHeader + (compact_ ? 8 : 0);
    const std::uint64_t size = header.size - head;
    const std::uint64_t offset = bytes_.offset();
    const JournalCompression how = header.flags == 1   ? JournalCompression::xz
                                   : header.flags == 2 ? JournalCompression::lz4
                                   : header.flags == 4 ? JournalCompression::zstd
                                                       : JournalCompression::none;
    bytes_.fill(head + static_cast<std::size_t>(std::min<std::uint64_t>(size, kLongestJournalField + 1)));
    if (bytes_.view().size() <= head) return;
    std::string name;
    if (how == JournalCompression::none) {
      name = bytes_.view().substr(head, std::min<std::uint64_t>(size, kLongestJournalField + 1));
    } else {
      if (size > limits_.max_document) return;
      bytes_.fill(head + static_cast<std::size_t>(size));
      const std::string_view packed = bytes_.view().substr(head, static_cast<std::size_t>(size));
      auto first = inflater_.first_bytes(how, packed, kLongestJournalField + 1);
      if (!first) {
        writer_.damage(here(), "a compressed value of the journal cannot be read");
        return;
      }
      name = std::move(*first);
    }
    const std::size_t equals = name.find('=');
    if (equals == std::string::npos) return;
    const auto field = journal_field(std::string_view(name).substr(0, equals));
    if (!field) return;
    const std::size_t wanted = std::min(kLargestValue, static_cast<std::size_t>(limits_.max_document));
    bytes_.fill(head + static_cast<std::size_t>(std::min<std::uint64_t>(size, wanted)));
    const std::string_view packed =
        bytes_.view().substr(head, static_cast<std::size_t>(std::min<std::uint64_t>(size, UINT32_MAX)));
    auto value = inflater_.first_bytes(how, packed, wanted);
    if (!value || value->size() <= equals) return;
    if (value->size() == wanted) ++cut_values_;
    value->erase(0, equals + 1);
    values_.add(offset, {*field, std::move(*value)});
  }

  bool entry(const ObjectHeader& header) {
    const std::size_t item_size = compact_ ? 4 : 16;
    const auto items = static_cast<std::size_t>(
        std::min<std::uint64_t>((header.size - kEntryHeader) / item_size, kMostItems));
    const std::size_t size = kEntryHeader + items * item_size;
    bytes_.fill(size);
    Cursor cursor(bytes_.view().substr(0, size));
    if (cursor.remaining() < size) return true;  // object() sees the end
    JournalEntry entry;
    cursor.seek(kObjectHeader + 8);
    entry.realtime_us = cursor.u64();
    entry.monotonic_us = cursor.u64();
    cursor.seek(kEntryHeader);
    for (std::size_t i = 0; i < items; ++i) {
      const std::uint64_t offset = compact_ ? cursor.u32().value_or(0) : cursor.u64().value_or(0);
      if (!compact_) cursor.u64();  // hash
      const ValueStore::Value* value = values_.find(offset);
      if (value == nullptr) continue;
      if (value->field == JournalField::message && !entry.messages.empty()) continue;
      entry.set(value->field, value->text);
    }
    ++entries_;
    if (entry.messages.empty()) ++silent_;
    entry.write(writer_, here(), false);
    const std::uint64_t allowed = limits_.ratio_grace + (bytes_.offset() + size) * kMostAmplification;
    if (writer_.written() <= allowed) return true;
    writer_.damage(here(), "the journal's entries repeat so much text that reading stopped (max-ratio)");
    stopped_ = true;
    return false;
  }

  void close() {
    if (stopped_) return;
    const bool short_of_tail = tail_ != 0 && bytes_.offset() <= tail_;
    if (cut_ || short_of_tail) writer_.damage(here(), "the journal file ends before its last object");
    if (entries_ < entries_promised_) {
      writer_.note(std::to_string(entries_) + " of " + std::to_string(entries_promised_) +
                   " journal entries were found");
    }
    if (silent_ > 0 && values_.dropped()) {
      writer_.note(std::to_string(silent_) +
                   " journal entries have no message, or one that was too far back to be kept");
    }
    if (cut_values_ > 0)
      writer_.note(std::to_string(cut_values_) + " values were cut at " + std::to_string(kLargestValue) +
                   " bytes");
  }

  ByteWindow bytes_;
  MarkedWriter& writer_;
  const Limits& limits_;
  ValueStore values_;
  JournalInflater inflater_;
  std::uint64_t tail_ = 0;
  std::uint64_t entries_promised_ = 0;
  std::uint64_t entries_ = 0;
  std::uint64_t silent_ = 0;
  std::uint64_t cut_values_ = 0;
  bool compact_ = false;
  bool searching_ = false;
  bool cut_ = false;
  bool stopped_ = false;
};

}  // namespace

DecodeSummary frame_journal_binary(const Artifact& artifact, ByteSource& source, const Limits& limits,
                                   const TimeHints& hints, const BatchSink& sink) {
  MarkedWriter writer(artifact, limits, hints, sink);
  JournalFileReader(source, writer, limits).run();
  const std::uint64_t lines = writer.lines();
  return writer.finish(lines);
}

}  // namespace faultline::decode
