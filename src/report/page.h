#pragma once
// Text for a terminal: headings, labelled paragraphs and rows, wrapped at words to a given number of columns.
// All text goes through printable() here, so nothing from a bundle can move the cursor or colour the screen;
// columns are counted by display width, so wide characters do not break a table. Colour is added last and
// only if asked.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::report {

enum class Style { plain, heading, strong, fail, warn, pass, info, unknown, dim };

/// Columns that valid UTF-8 takes on a terminal: 0 for combining marks, 2 for wide characters.
std::size_t display_width(std::string_view text);

/// Splits printable text into lines of at most `width` columns (`first_width` for the first): at blanks, else
/// after one of "/!,;=|", else anywhere. Nothing but the blanks at a break is lost. Never empty.
std::vector<std::string> wrap_words(std::string_view text, std::size_t first_width, std::size_t width);

/// A shell command as lines that still run when they are copied: broken only at blanks outside of quotes,
/// each but the last line ended by " \". A single word longer than `width` stays whole.
std::vector<std::string> wrap_command(std::string_view command, std::size_t width);

class Page {
 public:
  Page(unsigned width, bool color);

  void blank();
  void heading(std::string_view text);
  /// `text` as one paragraph, all lines indented alike.
  void paragraph(std::size_t indent, std::string_view text, Style style = Style::plain);
  /// `label`, then `text` from column indent + label_width on; continuation lines start there too. A label
  /// that does not fit stands on lines of its own.
  void item(std::size_t indent, std::string_view label, std::size_t label_width, std::string_view text,
            Style label_style = Style::plain, Style text_style = Style::plain);
  void command(std::size_t indent, std::string_view command);

  [[nodiscard]] std::size_t width() const { return width_; }
  std::string take() { return std::move(out_); }

 private:
  void put(std::string_view text, Style style);
  void end_line();
  std::size_t width_;
  bool color_;
  std::string out_;
};

}  // namespace faultline::report
