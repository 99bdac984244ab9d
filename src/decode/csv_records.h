#pragma once
// RFC 4180 records out of a text, one at a time: quoted fields with doubled quotes and line ends inside. A
// quote that is never closed cannot swallow the text: a record has a largest size.
#include <string>
#include <vector>

#include "decode/text_stream.h"

namespace faultline::decode {

struct CsvRecord {
  struct Field {
    std::string text;
    std::uint64_t offset = 0;  ///< of its first character in the record's bytes
  };
  std::vector<Field> fields;
  std::size_t length = 0;  ///< bytes to consume, with the line end
  bool closed = true;      ///< false: the text ended, or the limit came, inside quotes
};

/// Reads the record at the head of the stream without consuming it. False at the end of the text.
bool peek_csv_record(TextStream& stream, std::size_t limit, CsvRecord& record);

}  // namespace faultline::decode
