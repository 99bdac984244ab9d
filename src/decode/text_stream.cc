#include "decode/text_stream.h"

#include <algorithm>
#include <utility>

namespace faultline::decode {
namespace {

std::uint64_t newlines(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

// The first bytes, read ahead to see their encoding, and then the rest.
class TextStream::Head final : public ByteSource {
 public:
  explicit Head(ByteSource& rest) : rest_(rest) {
    while (bytes_.size() < 64) {
      const auto chunk = rest_.next();
      if (!chunk || chunk->empty()) break;
      bytes_.append(*chunk);
    }
    left_ = bytes_;
  }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  void drop(std::size_t size) { left_.remove_prefix(size); }
  Result<std::string_view> next() override {
    if (left_.empty()) return rest_.next();
    return std::exchange(left_, {});
  }

 private:
  ByteSource& rest_;
  std::string bytes_;
  std::string_view left_;
};

TextStream::TextStream(ByteSource& source) : head_(std::make_unique<Head>(source)) {
  const Encoding encoding = guess_encoding(head_->bytes());
  const std::size_t bom = bom_size(encoding, head_->bytes());
  head_->drop(bom);
  place_.offset = bom;
  ByteSource* text = head_.get();
  if (encoding == Encoding::utf16_le || encoding == Encoding::utf16_be) {
    encoding_ = encoding == Encoding::utf16_le ? "UTF-16LE" : "UTF-16BE";
    units_ = std::make_unique<Utf16Source>(*head_, encoding == Encoding::utf16_be);
    text = units_.get();
  }
  window_ = std::make_unique<ByteWindow>(*text);
}

TextStream::~TextStream() = default;

Place TextStream::place_at(std::size_t ahead) const {
  const std::string_view passed = view().substr(0, ahead);
  return {place_.number + newlines(passed), place_.offset + (units_ ? utf16_length(passed) : passed.size())};
}

void TextStream::consume(std::size_t size) {
  size = std::min(size, view().size());
  if (size == 0) return;
  inside_line_ = view()[size - 1] != '\n';
  place_ = place_at(size);
  window_->consume(size);
}

Place PlaceFinder::at(std::uint64_t position) {
  position = std::min<std::uint64_t>(position, text_.size());
  if (position < position_) {
    position_ = 0;
    now_ = start_;
  }
  const std::string_view passed = text_.substr(position_, position - position_);
  now_.number += newlines(passed);
  now_.offset += utf16_ ? utf16_length(passed) : passed.size();
  position_ = position;
  return now_;
}

bool TextStream::peek_line(std::size_t limit, Line& line) {
  std::size_t searched = 0;
  std::size_t end = std::string_view::npos;
  while (true) {
    end = view().substr(0, limit).find('\n', searched);
    if (end != std::string_view::npos || view().size() >= limit) break;
    searched = view().size();
    if (!fill(searched + 1)) break;
  }
  if (view().empty()) return false;
  const std::size_t size = std::min({end, limit, view().size()});
  line.whole = end != std::string_view::npos || (ended() && size == view().size());
  line.length = end != std::string_view::npos ? end + 1 : size;
  line.text = view().substr(0, size);
  if (line.whole && line.text.ends_with('\r')) line.text.remove_suffix(1);
  return true;
}

}  // namespace faultline::decode
