#pragma once
// A line on standard error while reading, only when that is a terminal: bytes, rate, artifact. Thread-safe.
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace faultline::cli {

class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void add(std::uint64_t bytes, const std::string& chain);

 private:
  const bool shown_;
  std::mutex mutex_;
  std::uint64_t bytes_ = 0;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace faultline::cli
