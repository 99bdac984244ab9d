#include "cli/progress.h"

#include <unistd.h>

#include <cstdio>

#include "base/text.h"

namespace faultline::cli {
namespace {
constexpr std::chrono::milliseconds kEvery{100};
constexpr double kMiB = 1024.0 * 1024.0;
}  // namespace

Progress::Progress(bool wanted)
    : shown_(wanted && ::isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void Progress::add(std::uint64_t bytes, const std::string& chain) {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  bytes_ += bytes;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kEvery) return;
  last_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string name = printable(chain);
  if (name.size() > 40) name = "..." + name.substr(name.size() - 37);
  std::fprintf(stderr, "\r\x1b[K%.1f MiB read, %.0f MiB/s  %s", static_cast<double>(bytes_) / kMiB,
               static_cast<double>(bytes_) / kMiB / seconds, name.c_str());
}

}  // namespace faultline::cli
