#pragma once
// Writes binary journals byte by byte, regular or compact, so that tests need no systemd and can damage what
// they like. Hash tables and entry arrays are written as journald lays them out, their links are not needed.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::decode {

class JournalBuilder {
 public:
  enum class Layout { regular, compact };
  enum : std::uint8_t { kPlain = 0, kXz = 1, kLz4 = 2, kZstd = 4 };

  explicit JournalBuilder(Layout layout, std::uint32_t flags = 0) : compact_(layout == Layout::compact) {
    bytes_ = "LPKSHHRH";
    u32(0);
    u32(flags | (compact_ ? 16u : 0u));
    bytes_ += '\0';               // state: offline
    bytes_.append(7 + 64, '\0');  // reserved, file, machine, boot and seqnum ids
    u64(kHeader);
    bytes_.append(kHeader - bytes_.size(), '\0');
    object(4, 0, std::string(512, '\0'));  // data hash table
    object(5, 0, std::string(256, '\0'));  // field hash table
  }

  /// A data object; returns its offset. `packed` is the compressed form of "FIELD=value" when `flag` says so.
  std::uint64_t data(std::string_view payload, std::uint8_t flag = kPlain) {
    std::string body(48 + (compact_ ? 8 : 0), '\0');  // hash, three links, entry array, count
    body[40] = 1;
    return object(1, flag, body + std::string(payload));
  }

  /// An entry over data objects; returns its offset.
  std::uint64_t entry(std::uint64_t realtime_us, const std::vector<std::uint64_t>& items,
                      std::uint64_t monotonic_us = 1000) {
    std::string body;
    put(body, ++seqnum_, 8);
    put(body, realtime_us, 8);
    put(body, monotonic_us, 8);
    body.append(24, '\x42');  // boot id, xor hash
    for (const std::uint64_t item : items) {
      put(body, item, compact_ ? 4 : 8);
      if (!compact_) put(body, 0, 8);
    }
    return object(3, 0, body);
  }

  /// An entry with these fields, each in a data object of its own.
  std::uint64_t entry_of(std::uint64_t realtime_us, const std::vector<std::string>& fields) {
    std::vector<std::uint64_t> items;
    for (const std::string& field : fields) items.push_back(data(field));
    return entry(realtime_us, items);
  }

  std::uint64_t object(std::uint8_t type, std::uint8_t flag, std::string_view body) {
    bytes_.append((8 - bytes_.size() % 8) % 8, '\0');
    tail_ = bytes_.size();
    bytes_ += static_cast<char>(type);
    bytes_ += static_cast<char>(flag);
    bytes_.append(6, '\0');
    u64(16 + body.size());
    bytes_ += body;
    return tail_;
  }

  /// The file as journald would leave it: header filled, space behind preallocated.
  [[nodiscard]] std::string file(std::size_t preallocated = 4096) const {
    std::string out = bytes_;
    out.append((8 - out.size() % 8) % 8, '\0');
    poke(out, 96, out.size() - kHeader + preallocated);
    poke(out, 136, tail_);
    poke(out, 152, seqnum_);
    out.append(preallocated, '\0');
    return out;
  }

  static void poke(std::string& bytes, std::size_t at, std::uint64_t value) {
    for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<char>((value >> (8 * i)) & 0xff);
  }

  static constexpr std::size_t kHeader = 272;

 private:
  static void put(std::string& to, std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) to += static_cast<char>((value >> (8 * i)) & 0xff);
  }
  void u32(std::uint32_t value) { put(bytes_, value, 4); }
  void u64(std::uint64_t value) { put(bytes_, value, 8); }

  bool compact_;
  std::string bytes_;
  std::uint64_t tail_ = 0;
  std::uint64_t seqnum_ = 0;
};

}  // namespace faultline::decode
