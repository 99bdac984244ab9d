#include "app/batch_runner.h"

#include <chrono>
#include <memory>

namespace faultline::app {
namespace {

constexpr std::uint64_t kMaxInFlight = 16;  // batches of about a MiB: bounds memory when one batch is slow

}  // namespace

class BatchRunner::Task final : public BatchTask {
 public:
  Task(BatchRunner& runner, LineBatch&& batch) : runner_(runner), batch_(std::move(batch)) {}
  void run() override { runner_.run(batch_); }

 private:
  BatchRunner& runner_;
  LineBatch batch_;
};

void BatchRunner::submit(LineBatch&& batch) {
  // Our own count of batches, not the framer's, is what orders them.
  batch.sequence = submitted_++;
  std::unique_ptr<BatchTask> task = std::make_unique<Task>(*this, std::move(batch));
  if (!pool_.offer(task)) task->run();
  wait_until_in_flight(kMaxInFlight);
}

void BatchRunner::finish() {
  wait_until_in_flight(0);
}

void BatchRunner::wait_until_in_flight(std::uint64_t most) {
  std::unique_lock lock(mutex_);
  merge_ready();
  while (submitted_ - merged_ > most) {
    lock.unlock();
    const bool helped = pool_.run_one();
    lock.lock();
    merge_ready();
    if (!helped && submitted_ - merged_ > most) {
      delivered_.wait_for(lock, std::chrono::milliseconds(50));
      merge_ready();
    }
  }
}

void BatchRunner::run(const LineBatch& batch) {
  std::vector<Hit> hits;
  match::Matcher::ScratchPointer scratch = engine_.scratches->take();
  const Result<void> scanned = engine_.matcher->scan(artifact_.family, batch, *scratch, hits);
  engine_.scratches->give_back(std::move(scratch));
  std::vector<Event> events;
  engine_.extractor->confirm(artifact_, batch, hits, events);
  if (!scanned) {
    const std::lock_guard lock(mutex_);
    if (!problem_) problem_ = scanned.error();
  }
  deliver(batch.sequence, std::move(events));
}

void BatchRunner::deliver(std::uint64_t sequence, std::vector<Event>&& events) {
  const std::lock_guard lock(mutex_);
  results_.emplace(sequence, std::move(events));
  delivered_.notify_all();
}

void BatchRunner::merge_ready() {
  for (auto next = results_.find(merged_); next != results_.end(); next = results_.find(merged_)) {
    for (Event& event : next->second) store_.add(std::move(event));
    results_.erase(next);
    ++merged_;
  }
}

}  // namespace faultline::app
