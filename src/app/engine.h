#pragma once
// Packs, matcher and extractor, made ready once and shared by all workers.
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "extract/extractor.h"
#include "match/matcher.h"
#include "model/pattern.h"

namespace faultline::app {

/// Scratch is large and must not be shared between threads that scan at once: lent out, a batch at a time.
class ScratchPool {
 public:
  explicit ScratchPool(const match::Matcher& matcher) : matcher_(matcher) {}
  match::Matcher::ScratchPointer take();
  void give_back(match::Matcher::ScratchPointer scratch);

 private:
  const match::Matcher& matcher_;
  std::mutex mutex_;
  std::vector<match::Matcher::ScratchPointer> idle_;
};

struct Engine {
  PatternSet patterns;
  std::unique_ptr<match::Matcher> matcher;
  std::unique_ptr<extract::Extractor> extractor;
  std::unique_ptr<ScratchPool> scratches;
};

/// Loads the built-in packs and those of the directories. All problems of the packs come back together.
struct EngineProblems {
  std::vector<Problem> problems;
};
tl::expected<Engine, EngineProblems> make_engine(const std::vector<std::string>& pack_directories,
                                                 const Limits& limits);

}  // namespace faultline::app
