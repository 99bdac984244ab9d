#pragma once
// A source as text with places: BOM and UTF-16 dealt with, and for the next byte the line it is on and its
// offset in the artifact. For readers whose records are not lines.
#include <memory>

#include "decode/byte_window.h"
#include "decode/utf16.h"

namespace faultline::decode {

struct Place {
  std::uint64_t number = 1;  ///< line of the artifact's text
  std::uint64_t offset = 0;  ///< byte of the artifact
};

class TextStream {
 public:
  explicit TextStream(ByteSource& source);
  ~TextStream();
  TextStream(const TextStream&) = delete;
  TextStream& operator=(const TextStream&) = delete;

  bool fill(std::size_t size) { return window_->fill(size); }
  [[nodiscard]] std::string_view view() const { return window_->view(); }
  [[nodiscard]] bool ended() const { return window_->ended(); }
  void consume(std::size_t size);
  [[nodiscard]] const Place& place() const { return place_; }
  /// Lines consumed so far, a last one without line end too.
  [[nodiscard]] std::uint64_t lines() const { return place_.number - (inside_line_ ? 0 : 1); }
  [[nodiscard]] bool utf16() const { return units_ != nullptr; }
  /// Place of view()[ahead].
  [[nodiscard]] Place place_at(std::size_t ahead) const;
  /// "UTF-16LE", or empty.
  [[nodiscard]] std::string_view encoding() const { return encoding_; }
  /// The next line without its end, at most `limit` bytes of it (`whole` says if that was all); false at the
  /// end of the text. Not consumed: `length` is what to consume.
  struct Line {
    std::string_view text;
    std::size_t length = 0;
    bool whole = true;
  };
  bool peek_line(std::size_t limit, Line& line);

 private:
  class Head;
  std::unique_ptr<Head> head_;
  std::unique_ptr<Utf16Source> units_;
  std::unique_ptr<ByteWindow> window_;
  Place place_;
  bool inside_line_ = false;
  std::string_view encoding_;
};

/// Places of ascending positions in a text that begins at a known place. Each step counts only what is new.
class PlaceFinder {
 public:
  PlaceFinder(std::string_view text, const Place& start, bool utf16)
      : text_(text), start_(start), now_(start), utf16_(utf16) {}
  Place at(std::uint64_t position);

 private:
  std::string_view text_;
  Place start_;
  Place now_;
  std::uint64_t position_ = 0;
  bool utf16_;
};

}  // namespace faultline::decode
