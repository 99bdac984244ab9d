#pragma once
// Random access over stored bytes, for the formats that need it (7z) or gain by it (zip).
#include <cstdint>
#include <string>
#include <string_view>

#include "base/byte_source.h"

namespace faultline::ingest {

/// A source that can also be moved: next() goes on at the new place.
class SeekableSource : public ByteSource {
 public:
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  [[nodiscard]] virtual std::uint64_t position() const = 0;
  virtual bool seek(std::uint64_t offset) = 0;
};

/// Bytes that were buffered because their format has its table of contents at the end. Owns them.
class BufferSource final : public SeekableSource {
 public:
  explicit BufferSource(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<std::string_view> next() override {
    const std::string_view rest = std::string_view(bytes_).substr(position_);
    position_ = bytes_.size();
    return rest;
  }
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  [[nodiscard]] std::uint64_t position() const override { return position_; }
  bool seek(std::uint64_t offset) override {
    if (offset > bytes_.size()) return false;
    position_ = offset;
    return true;
  }

 private:
  std::string bytes_;
  std::uint64_t position_ = 0;
};

}  // namespace faultline::ingest
