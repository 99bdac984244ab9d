// gzip through ISA-L, about twice as fast as zlib. Reads many members as one stream (an nvidia-bug-report has
// hundreds). After damage it looks for the next member: three bytes of magic occur by chance in large files,
// so a member found that way is on trial, and its output is held back, until 32 KiB of it decode or it ends.
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <cstring>

#include "ingest/filter_source.h"

namespace faultline::ingest {
namespace {

constexpr std::size_t kOutput = std::size_t{1} << 20;
constexpr std::size_t kTrial = std::size_t{32} << 10;
// Bytes that all failed trials of one stream may decode: input made of magics must not cost minutes.
constexpr std::uint64_t kTrialWork = std::uint64_t{256} << 20;
// On damaged data ISA-L 2.30 steps a few bytes over the end of its input before it reports the error, and
// leaves avail_in below zero (seen by mutating archives). So it never gets the last bytes of a chunk in
// place, but a copy with room behind it.
constexpr std::size_t kSlop = 64;
constexpr unsigned char kMagic[3] = {0x1f, 0x8b, 0x08};

class GzipSource final : public FilterSource {
 public:
  explicit GzipSource(ByteSource& stored)
      : stored_(stored), state_(new inflate_state), output_(new unsigned char[kOutput + kSlop]) {
    isal_inflate_init(state_.get());
    begin_member();
  }

  Result<std::string_view> next() override;
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }
  [[nodiscard]] std::optional<std::int64_t> modified_ns() const override { return modified_ns_; }

 private:
  enum class Phase { header, body, between, search, end };

  void begin_member();
  bool refill();
  void read_header();
  void inflate();
  void look_for_next_member();
  void search();
  void begin_trial();
  void accept_trial();
  int run_inflate();
  void damaged(std::string what);
  void note_damage(std::string what);
  void finish();
  [[nodiscard]] std::uint64_t consumed() const { return received_ - input_.size(); }

  ByteSource& stored_;
  std::unique_ptr<inflate_state> state_;
  isal_gzip_header header_{};
  std::unique_ptr<unsigned char[]> output_;
  unsigned char tail_[2 * kSlop] = {};  // the end of a chunk, with room behind it
  std::size_t filled_ = 0;
  std::string_view input_;      // what is left of the stored chunk
  std::uint64_t received_ = 0;  // stored bytes
  bool input_ended_ = false;
  std::optional<Problem> input_problem_;
  Phase phase_ = Phase::header;
  std::uint64_t member_ = 0;  // from 1
  char last_byte_ = '\n';     // of what was handed out

  bool trial_ = false;              // the member at hand was found by search()
  std::size_t trial_begin_ = 0;     // in output_; the trial's first byte may be a line end of ours
  std::size_t trial_data_ = 0;      // in output_
  std::uint64_t trial_offset_ = 0;  // of its magic, in the stored bytes
  std::uint64_t trial_work_ = 0;
  std::string_view
      retry_;  // where to look again if the member fails: behind its first byte, or its part in this chunk
  std::size_t matched_ = 0;  // bytes of kMagic that search() has seen

  std::uint64_t search_begin_ = 0;  // stored offset
  bool search_after_damage_ = false;
  std::uint64_t damages_ = 0;
  std::uint64_t lost_ = 0;  // stored bytes passed over
  std::string first_damage_;
  std::vector<std::string> notes_;
  std::optional<std::int64_t> modified_ns_;
  std::optional<Problem> verdict_;
};

void GzipSource::begin_member() {
  isal_inflate_reset(state_.get());
  state_->crc_flag = ISAL_GZIP_NO_HDR_VER;
  isal_gzip_header_init(&header_);
  phase_ = Phase::header;
  ++member_;
  retry_ = input_.empty() ? input_ : input_.substr(1);
}

bool GzipSource::refill() {
  if (input_ended_) return false;
  Result<std::string_view> chunk = stored_.next();
  if (!chunk) input_problem_ = chunk.error();
  if (!chunk || chunk->empty()) {
    input_ended_ = true;
    return false;
  }
  input_ = *chunk;
  received_ += input_.size();
  retry_ = input_;
  return true;
}

void GzipSource::note_damage(std::string what) {
  ++damages_;
  if (first_damage_.empty()) first_damage_ = std::move(what);
}

// Goes on looking for a member. A broken member may have been read far into its neighbours before the decoder
// noticed, so the search starts again right behind its first byte.
void GzipSource::damaged(std::string what) {
  if (trial_) {
    trial_ = false;
    trial_work_ += filled_ - trial_data_ + 64;
    filled_ = trial_begin_;
    --member_;
  } else {
    note_damage(std::move(what));
    search_begin_ = consumed();
    search_after_damage_ = true;
  }
  input_ = retry_;
  matched_ = 0;
  phase_ = Phase::search;
}

void GzipSource::accept_trial() {
  trial_ = false;
  if (search_after_damage_) {
    lost_ += trial_offset_ > search_begin_ ? trial_offset_ - search_begin_ : 0;
  } else {
    note_damage(std::to_string(trial_offset_ - search_begin_) + " bytes before gzip member " +
                std::to_string(member_) + " are no gzip data");
  }
}

void GzipSource::read_header() {
  if (input_.empty() && !refill()) {
    if (trial_) return damaged({});
    note_damage("cut in the header of gzip member " + std::to_string(member_));
    phase_ = Phase::end;
    return;
  }
  state_->next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(input_.data()));
  state_->avail_in = static_cast<std::uint32_t>(input_.size());
  const int status = isal_read_gzip_header(state_.get(), &header_);
  input_.remove_prefix(input_.size() - std::min<std::size_t>(input_.size(), state_->avail_in));
  if (status == ISAL_END_INPUT) return;
  if (status != ISAL_DECOMP_OK) {
    return damaged("header of gzip member " + std::to_string(member_) + " at byte " +
                   std::to_string(consumed()) + " is damaged");
  }
  if (!modified_ns_ && header_.time != 0) modified_ns_ = std::int64_t{header_.time} * 1'000'000'000;
  phase_ = Phase::body;
}

/// One call of the decoder on what is left of the chunk, but for its last bytes, or on those.
int GzipSource::run_inflate() {
  std::size_t fed = input_.size();
  if (fed > kSlop) {
    fed -= kSlop;
    state_->next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(input_.data()));
  } else {
    if (fed != 0) std::memcpy(tail_, input_.data(), fed);
    state_->next_in = tail_;
  }
  state_->avail_in = static_cast<std::uint32_t>(fed);
  state_->next_out = output_.get() + filled_;
  state_->avail_out = static_cast<std::uint32_t>(kOutput - filled_);
  const int status = isal_inflate(state_.get());
  filled_ = kOutput - std::min<std::size_t>(kOutput - filled_, state_->avail_out);
  input_.remove_prefix(state_->avail_in > fed ? fed : fed - state_->avail_in);
  return status;
}

void GzipSource::inflate() {
  const int status = run_inflate();
  const bool finished = state_->block_state == ISAL_BLOCK_FINISH || status == ISAL_INCORRECT_CHECKSUM;
  if (trial_ && (finished || filled_ - trial_data_ >= kTrial)) accept_trial();
  if (status == ISAL_INCORRECT_CHECKSUM) {
    note_damage("checksum of gzip member " + std::to_string(member_) + " does not fit its data");
  } else if (status != ISAL_DECOMP_OK) {
    return damaged("gzip member " + std::to_string(member_) + " is damaged near stored byte " +
                   std::to_string(consumed()));
  }
  if (finished) {
    phase_ = Phase::between;
    return;
  }
  if (filled_ == kOutput || !input_.empty() || refill()) return;
  if (trial_) return damaged({});
  note_damage(state_->block_state == ISAL_CHECKSUM_CHECK
                  ? "cut before the checksum of gzip member " + std::to_string(member_)
                  : "gzip data cut at stored byte " + std::to_string(received_));
  phase_ = Phase::end;
}

void GzipSource::look_for_next_member() {
  while (!input_.empty() && input_.front() == '\0') input_.remove_prefix(1);  // tapes and block devices pad
  if (input_.empty()) {
    if (!refill()) phase_ = Phase::end;
    return;
  }
  if (static_cast<unsigned char>(input_.front()) == kMagic[0]) return begin_member();
  search_begin_ = consumed();
  search_after_damage_ = false;
  matched_ = 0;
  phase_ = Phase::search;
}

void GzipSource::search() {
  while (true) {
    if (trial_work_ >= kTrialWork) input_ = {};
    if (input_.empty() && !refill()) break;
    if (trial_work_ >= kTrialWork) continue;
    if (matched_ == 0) {
      const void* found = std::memchr(input_.data(), kMagic[0], input_.size());
      if (found == nullptr) {
        input_ = {};
        continue;
      }
      input_.remove_prefix(static_cast<std::size_t>(static_cast<const char*>(found) - input_.data()) + 1);
      matched_ = 1;
      continue;
    }
    const auto byte = static_cast<unsigned char>(input_.front());
    if (byte != kMagic[matched_]) {
      matched_ = 0;  // the byte may be the first of a magic itself: it is looked at again
      continue;
    }
    input_.remove_prefix(1);
    if (++matched_ == 3) return begin_trial();
  }
  const std::uint64_t passed = received_ - search_begin_;
  if (search_after_damage_) {
    lost_ += passed;
  } else if (passed != 0) {
    notes_.push_back(std::to_string(passed) + " bytes after the last gzip member were ignored");
  }
  phase_ = Phase::end;
}

void GzipSource::begin_trial() {
  trial_offset_ = consumed() - sizeof kMagic;
  matched_ = 0;
  begin_member();
  retry_ = input_;
  trial_ = true;
  trial_begin_ = filled_;
  // A line that the damage cut must not run on into the text of another member.
  const char last = filled_ == 0 ? last_byte_ : static_cast<char>(output_[filled_ - 1]);
  if (last != '\n') output_[filled_++] = '\n';
  trial_data_ = filled_;
  unsigned char magic[3] = {kMagic[0], kMagic[1], kMagic[2]};
  state_->next_in = magic;
  state_->avail_in = sizeof magic;
  isal_read_gzip_header(state_.get(), &header_);
}

void GzipSource::finish() {
  if (damages_ == 0 && !input_problem_) return;
  std::string what = first_damage_;
  if (damages_ > 1) what += "; " + std::to_string(damages_) + " damaged places in all";
  if (lost_ != 0) what += "; " + std::to_string(lost_) + " stored bytes after damage gave nothing";
  if (input_problem_) what += (what.empty() ? "" : ": ") + input_problem_->what;
  const Rung rung = input_problem_ && input_problem_->rung == Rung::skip ? Rung::skip : Rung::note;
  verdict_ = Problem{rung, {}, std::move(what), {}};
}

Result<std::string_view> GzipSource::next() {
  filled_ = 0;
  bool full = false;
  while (phase_ != Phase::end && !full) {
    switch (phase_) {
      case Phase::header:
        read_header();
        break;
      case Phase::body:
        inflate();
        break;
      case Phase::between:
        look_for_next_member();
        break;
      case Phase::search:
        search();
        break;
      case Phase::end:
        break;
    }
    if (phase_ == Phase::end) finish();
    // A trial must not straddle two calls: what was handed out cannot be taken back.
    full = filled_ == kOutput || (phase_ == Phase::search && kOutput - filled_ < 2 * kTrial);
  }
  if (filled_ != 0) {
    last_byte_ = static_cast<char>(output_[filled_ - 1]);
    return std::string_view(reinterpret_cast<const char*>(output_.get()), filled_);
  }
  if (verdict_) {
    Problem verdict = std::move(*verdict_);
    verdict_.reset();
    return fail(std::move(verdict));
  }
  return std::string_view{};
}

}  // namespace

std::unique_ptr<FilterSource> open_gzip(ByteSource& stored) {
  return std::make_unique<GzipSource>(stored);
}

}  // namespace faultline::ingest
