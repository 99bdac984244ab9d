#include "app/reader.h"

#include <algorithm>

#include "app/batch_runner.h"
#include "base/text.h"
#include "decode/decode.h"
#include "facts/facts.h"

namespace faultline::app {
namespace {

// A document as its reader wants it: UTF-8 without BOM and terminal residue. Line numbers stay what they
// were.
std::string normal_document(std::string text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (text.starts_with("\xFF\xFE")) text = utf16_to_utf8(std::string_view(text).substr(2), false);
  if (text.starts_with("\xFE\xFF")) text = utf16_to_utf8(std::string_view(text).substr(2), true);
  if (text.find('\x1b') != std::string::npos) text = without_ansi(text);
  return text;
}

// The first bytes were buffered already; the rest still streams.
class JoinedSource final : public ByteSource {
 public:
  JoinedSource(std::string_view head, ByteSource& rest) : head_(head), rest_(rest) {}
  Result<std::string_view> next() override {
    if (!head_.empty()) return std::exchange(head_, std::string_view{});
    return rest_.next();
  }

 private:
  std::string_view head_;
  ByteSource& rest_;
};

class Visitor final : public ingest::ArtifactVisitor {
 public:
  Visitor(const Settings& settings, const Engine& engine, BatchPool& pool, const Observer& observer)
      : settings_(settings), engine_(engine), pool_(pool), observer_(observer), store_(settings.limits) {}

  void visit(const Artifact& found, PeekSource& source, CoverageRow& row) override {
    Artifact artifact = found;
    artifact.index = static_cast<ArtifactIndex>(result_.rows.size());
    const TimeHints hints{artifact.modified_ns, settings_.zone_offset_s};
    switch (kind_info(artifact.kind).treatment) {
      case Treatment::log:
        read_log(artifact, source, hints, row);
        break;
      case Treatment::state:
      case Treatment::both:
        read_document(artifact, source, hints, row);
        break;
      case Treatment::opaque:
      case Treatment::archive:
        break;
    }
  }

  void finished(CoverageRow row) override { result_.rows.push_back(std::move(row)); }
  [[nodiscard]] bool interrupted() const override { return observer_.interrupted && observer_.interrupted(); }

  InputResult take() {
    result_.events = store_.take();
    result_.events_dropped = store_.dropped();
    return std::move(result_);
  }

 private:
  void read_log(const Artifact& artifact, ByteSource& source, const TimeHints& hints, CoverageRow& row) {
    BatchRunner runner(engine_, artifact, pool_, store_);
    const decode::DecodeSummary summary =
        decode::decode_log(artifact, source, settings_.limits, hints,
                           [&](LineBatch&& batch) { runner.submit(std::move(batch)); });
    runner.finish();
    row.lines = summary.lines;
    row.first = summary.first;
    row.last = summary.last;
    row.notes.insert(row.notes.end(), summary.notes.begin(), summary.notes.end());
    if (runner.problem()) note_cut(*runner.problem(), row);
    if (summary.damaged && row.state == CoverageRow::State::scanned) {
      row.state = CoverageRow::State::partial;
      row.reason = summary.damage.what;
    }
  }

  void read_document(const Artifact& artifact, PeekSource& source, const TimeHints& hints, CoverageRow& row) {
    const bool also_log = kind_info(artifact.kind).treatment == Treatment::both;
    std::string text;
    bool whole = true;
    for (;;) {
      Result<std::string_view> chunk = source.next();
      if (!chunk) {
        note_cut(chunk.error(), row);
        break;
      }
      if (chunk->empty()) break;
      text.append(*chunk);
      if (text.size() > settings_.limits.max_document) {
        whole = false;
        break;
      }
    }
    if (!whole) {
      row.state = CoverageRow::State::partial;
      row.reason = "larger than --max-document: not read as a document";
      if (also_log) {
        JoinedSource joined(text, source);
        read_log(artifact, joined, hints, row);
      }
      return;
    }
    text = normal_document(std::move(text));
    row.lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) +
                (text.empty() || text.back() == '\n' ? 0 : 1);
    ReadResult read = facts::read_state(artifact, text, hints, settings_.limits);
    for (Event& event : read.events) store_.add(std::move(event));
    std::move(read.facts.begin(), read.facts.end(), std::back_inserter(result_.facts));
    std::move(read.joins.begin(), read.joins.end(), std::back_inserter(result_.joins));
    std::move(read.notes.begin(), read.notes.end(), std::back_inserter(row.notes));
    if (also_log) {
      MemorySource memory(text);
      read_log(artifact, memory, hints, row);
    }
  }

  static void note_cut(const Problem& problem, CoverageRow& row) {
    row.state = CoverageRow::State::partial;
    row.reason = problem.what;
  }

  const Settings& settings_;
  const Engine& engine_;
  BatchPool& pool_;
  const Observer& observer_;
  EventStore store_;
  InputResult result_;
};

}  // namespace

InputResult read_one(const ingest::Input& input, const Settings& settings, const Engine& engine,
                     ingest::Budget& budget, BatchPool& pool, const Observer& observer) {
  Visitor visitor(settings, engine, pool, observer);
  ingest::read_input(input, settings.limits, budget, visitor, [&](std::uint64_t bytes) {
    if (observer.progress) observer.progress(bytes, input.chain);
  });
  return visitor.take();
}

}  // namespace faultline::app
