#pragma once
// Matches and extracts the batches of one artifact, on this thread or on idle ones, and hands the events on
// in the order of the batches.
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "app/batch_pool.h"
#include "app/engine.h"
#include "app/event_store.h"
#include "model/line_batch.h"

namespace faultline::app {

class BatchRunner {
 public:
  BatchRunner(const Engine& engine, const Artifact& artifact, BatchPool& pool, EventStore& store)
      : engine_(engine), artifact_(artifact), pool_(pool), store_(store) {}
  BatchRunner(const BatchRunner&) = delete;
  BatchRunner& operator=(const BatchRunner&) = delete;
  ~BatchRunner() { finish(); }

  void submit(LineBatch&& batch);
  /// Waits for all batches; matches queued ones meanwhile.
  void finish();
  /// After finish(): why some batch could not be matched, if that happened.
  [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }

 private:
  class Task;
  void run(const LineBatch& batch);
  void deliver(std::uint64_t sequence, std::vector<Event>&& events);
  void merge_ready();
  void wait_until_in_flight(std::uint64_t most);

  const Engine& engine_;
  const Artifact& artifact_;
  BatchPool& pool_;
  EventStore& store_;
  std::mutex mutex_;
  std::condition_variable delivered_;
  std::map<std::uint64_t, std::vector<Event>> results_;  // of batches that are done but not yet in order
  std::optional<Problem> problem_;
  std::uint64_t submitted_ = 0;
  std::uint64_t merged_ = 0;
};

}  // namespace faultline::app
