#include "decode/journal_inflate.h"

#include <lz4.h>
#include <lzma.h>
#include <zstd.h>

#include <algorithm>
#include <climits>

#include "base/cursor.h"

namespace faultline::decode {
namespace {

// journald packs with presets that need far less.
constexpr std::uint64_t kXzMemory = std::uint64_t{64} << 20;

std::optional<std::string> unxz(std::string_view packed, std::size_t limit) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, kXzMemory, 0) != LZMA_OK) return std::nullopt;
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> guard(&stream, lzma_end);
  std::string out;
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  lzma_ret state = LZMA_OK;
  while (state == LZMA_OK && out.size() < limit) {
    const std::size_t before = out.size();
    out.resize(std::min(limit, std::max<std::size_t>(before * 2, 4096)));
    stream.next_out = reinterpret_cast<std::uint8_t*>(out.data() + before);
    stream.avail_out = out.size() - before;
    state = lzma_code(&stream, LZMA_FINISH);
    out.resize(out.size() - stream.avail_out);
    if (out.size() == before) break;
  }
  return out.empty() ? std::nullopt : std::optional<std::string>(std::move(out));
}

/// Eight bytes of length, then one block.
std::optional<std::string> unlz4(std::string_view packed, std::size_t limit) {
  Cursor cursor(packed);
  const auto size = cursor.u64();
  if (!size || packed.size() > INT_MAX || *size == 0) return std::nullopt;
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>({*size, limit, INT_MAX}));
  std::string out(wanted, '\0');
  const int got =
      LZ4_decompress_safe_partial(packed.data() + 8, out.data(), static_cast<int>(packed.size() - 8),
                                  static_cast<int>(wanted), static_cast<int>(wanted));
  if (got <= 0) return std::nullopt;
  out.resize(static_cast<std::size_t>(got));
  return out;
}

}  // namespace

struct JournalInflater::Zstd {
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context{ZSTD_createDCtx(), ZSTD_freeDCtx};

  std::optional<std::string> inflate(std::string_view packed, std::size_t limit) {
    if (context == nullptr) return std::nullopt;
    ZSTD_DCtx_reset(context.get(), ZSTD_reset_session_only);
    std::string out;
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    while (out.size() < limit) {
      const std::size_t before = out.size();
      out.resize(std::min(limit, std::max<std::size_t>(before * 2, 4096)));
      ZSTD_outBuffer to{out.data(), out.size(), before};
      const std::size_t state = ZSTD_decompressStream(context.get(), &to, &in);
      out.resize(to.pos);
      if (ZSTD_isError(state) != 0 || state == 0 || (to.pos == before && in.pos == in.size)) break;
    }
    return out.empty() ? std::nullopt : std::optional<std::string>(std::move(out));
  }
};

JournalInflater::JournalInflater() : zstd_(std::make_unique<Zstd>()) {}
JournalInflater::~JournalInflater() = default;

std::optional<std::string> JournalInflater::first_bytes(JournalCompression how, std::string_view packed,
                                                        std::size_t limit) {
  switch (how) {
    case JournalCompression::none:
      return std::string(packed.substr(0, limit));
    case JournalCompression::xz:
      return unxz(packed, limit);
    case JournalCompression::lz4:
      return unlz4(packed, limit);
    case JournalCompression::zstd:
      return zstd_->inflate(packed, limit);
  }
  return std::nullopt;
}

}  // namespace faultline::decode
