#include "app/batch_pool.h"

namespace faultline::app {

bool BatchPool::offer(std::unique_ptr<BatchTask>& task) {
  {
    const std::lock_guard lock(mutex_);
    if (servers_ == 0 || tasks_.size() >= capacity_) return false;
    tasks_.push(std::move(task));
  }
  changed_.notify_one();
  return true;
}

bool BatchPool::run_one() {
  std::unique_ptr<BatchTask> task;
  {
    const std::lock_guard lock(mutex_);
    if (tasks_.empty()) return false;
    task = std::move(tasks_.front());
    tasks_.pop();
  }
  task->run();
  return true;
}

void BatchPool::serve() {
  std::unique_lock lock(mutex_);
  ++servers_;
  for (;;) {
    changed_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
    if (tasks_.empty()) break;
    std::unique_ptr<BatchTask> task = std::move(tasks_.front());
    tasks_.pop();
    lock.unlock();
    task->run();
    lock.lock();
  }
  --servers_;
}

void BatchPool::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

}  // namespace faultline::app
