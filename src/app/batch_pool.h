#pragma once
// Lets workers without an input of their own match the batches of those that have one. A reader offers each
// batch; when nobody is idle it matches the batch itself, so the pool never holds more than a few batches and
// one thread alone works exactly like many.
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <queue>

namespace faultline::app {

class BatchTask {
 public:
  virtual ~BatchTask() = default;
  virtual void run() = 0;
};

class BatchPool {
 public:
  explicit BatchPool(std::size_t capacity) : capacity_(capacity) {}

  /// Takes the task when somebody serves and the queue has room; else false, and the task stays with the
  /// caller.
  bool offer(std::unique_ptr<BatchTask>& task);
  /// Runs one queued task on the calling thread; false when there is none.
  bool run_one();
  /// Serves tasks until close(). For threads that have no input left.
  void serve();
  void close();

 private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::unique_ptr<BatchTask>> tasks_;
  std::size_t servers_ = 0;
  bool closed_ = false;
};

}  // namespace faultline::app
