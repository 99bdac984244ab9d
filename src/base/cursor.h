#pragma once
// A bounded reader over a byte range, for binary formats. Every read is checked; reading beyond the end gives
// nullopt and moves nothing. Little endian unless the name says otherwise.
#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline {

class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] std::uint64_t remaining() const { return bytes_.size() - position_; }
  bool seek(std::uint64_t position) {
    if (position > bytes_.size()) return false;
    position_ = position;
    return true;
  }
  std::optional<std::string_view> take(std::uint64_t size) {
    if (size > remaining()) return std::nullopt;
    const std::string_view part = bytes_.substr(position_, size);
    position_ += size;
    return part;
  }
  std::optional<std::uint8_t> u8() { return little<std::uint8_t>(); }
  std::optional<std::uint16_t> u16() { return little<std::uint16_t>(); }
  std::optional<std::uint32_t> u32() { return little<std::uint32_t>(); }
  std::optional<std::uint64_t> u64() { return little<std::uint64_t>(); }

 private:
  template <class T>
  std::optional<T> little() {
    const auto part = take(sizeof(T));
    if (!part) return std::nullopt;
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      value = static_cast<T>(value | (static_cast<T>(static_cast<unsigned char>((*part)[i])) << (8 * i)));
    }
    return value;
  }
  std::string_view bytes_;
  std::uint64_t position_ = 0;
};

}  // namespace faultline
