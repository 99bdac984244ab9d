// zstd through libzstd: any number of frames, skippable ones between them.
#include <zstd.h>

#include <memory>

#include "ingest/filter_source.h"

namespace faultline::ingest {
namespace {

constexpr std::size_t kOutput = std::size_t{1} << 20;

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdSource final : public FilterSource {
 public:
  explicit ZstdSource(ByteSource& stored)
      : stored_(stored), context_(ZSTD_createDCtx()), output_(new char[kOutput]) {}

  Result<std::string_view> next() override {
    if (!context_) return fail(Rung::skip, {}, "out of memory for zstd");
    ZSTD_outBuffer out{output_.get(), kOutput, 0};
    while (out.pos < out.size && !ended_) step(out);
    if (out.pos != 0) return std::string_view(output_.get(), out.pos);
    if (!verdict_) return std::string_view{};
    Problem verdict = std::move(*verdict_);
    verdict_.reset();
    return fail(std::move(verdict));
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

 private:
  void step(ZSTD_outBuffer& out);
  void end(Rung rung, std::string what) {
    ended_ = true;
    verdict_ = Problem{rung, {}, std::move(what), {}};
  }

  ByteSource& stored_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  std::unique_ptr<char[]> output_;
  std::string_view input_;
  std::uint64_t received_ = 0;
  std::uint64_t frames_ = 0;
  bool in_frame_ = false;
  bool ended_ = false;
  std::optional<Problem> verdict_;
  std::vector<std::string> notes_;
};

void ZstdSource::step(ZSTD_outBuffer& out) {
  if (input_.empty()) {
    Result<std::string_view> chunk = stored_.next();
    if (!chunk) return end(chunk.error().rung, "zstd data: " + chunk.error().what);
    if (chunk->empty()) {
      if (in_frame_) return end(Rung::note, "zstd data cut at stored byte " + std::to_string(received_));
      ended_ = true;
      return;
    }
    input_ = *chunk;
    received_ += input_.size();
  }
  ZSTD_inBuffer in{input_.data(), input_.size(), 0};
  const std::size_t before = out.pos;
  const std::size_t status = ZSTD_decompressStream(context_.get(), &out, &in);
  input_.remove_prefix(in.pos);
  const std::uint64_t consumed = received_ - input_.size();
  if (ZSTD_isError(status) != 0U) {
    if (!in_frame_ && frames_ != 0) {  // not a frame at all: what stands behind the last one
      notes_.push_back("bytes after the last zstd frame (from stored byte " + std::to_string(consumed) +
                       ") were ignored");
      ended_ = true;
      return;
    }
    return end(Rung::note, "zstd data is damaged near stored byte " + std::to_string(consumed) + " (" +
                               ZSTD_getErrorName(status) + ")");
  }
  if (status == 0) {
    in_frame_ = false;
    ++frames_;
  } else if (in.pos != 0 || out.pos != before) {
    in_frame_ = true;
  }
}

}  // namespace

std::unique_ptr<FilterSource> open_zstd(ByteSource& stored) {
  return std::make_unique<ZstdSource>(stored);
}

}  // namespace faultline::ingest
