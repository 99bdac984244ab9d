#pragma once
// Archives as a sequence of members, each a ByteSource, read in one pass over the stored bytes. Member names
// are data: they are shown, never opened.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "ingest/magic.h"
#include "ingest/seekable.h"

namespace faultline::ingest {

struct Member {
  enum class Type : std::uint8_t { file, directory, symbolic_link, hard_link, device, fifo, socket, other };
  std::string name;  ///< bytes as stored
  Type type = Type::file;
  std::string target;  ///< of links
  std::optional<std::int64_t> modified_ns;
  bool encrypted = false;
  std::string note;  ///< what was odd about its header; may be empty
};

class ContainerReader {
 public:
  virtual ~ContainerReader() = default;
  /// Moves to the next member, past what was not read of the last one. False at the end, or where it cannot
  /// be read on: then problem() says why.
  virtual bool next(Member& member) = 0;
  /// Bytes of the current member. A Problem: the member is cut or damaged; the next one may still be good.
  virtual ByteSource& data() = 0;
  /// Why the archive ended early.
  [[nodiscard]] virtual const std::optional<Problem>& problem() const = 0;
  /// Odd, without loss.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};

/// Our own reader of all tar dialects: it keeps names as bytes, hands out views into the stored chunks,
/// leaves holes of sparse files out, reads concatenated archives, and goes on at the next header after
/// damage.
std::unique_ptr<ContainerReader> open_tar(ByteSource& stored);
/// zip, cpio, 7z, rar through libarchive. 7z needs a SeekableSource.
std::unique_ptr<ContainerReader> open_library_archive(StreamFormat format, ByteSource& stored);
std::unique_ptr<ContainerReader> open_library_archive(StreamFormat format, SeekableSource& stored);

}  // namespace faultline::ingest
