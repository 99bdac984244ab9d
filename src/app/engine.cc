#include "app/engine.h"

#include "packs/packs.h"

namespace faultline::app {

match::Matcher::ScratchPointer ScratchPool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      match::Matcher::ScratchPointer scratch = std::move(idle_.back());
      idle_.pop_back();
      return scratch;
    }
  }
  return matcher_.make_scratch();
}

void ScratchPool::give_back(match::Matcher::ScratchPointer scratch) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(scratch));
}

tl::expected<Engine, EngineProblems> make_engine(const std::vector<std::string>& pack_directories,
                                                 const Limits& limits) {
  const auto give_up = [](std::vector<Problem> problems) {
    return tl::unexpected<EngineProblems>(EngineProblems{std::move(problems)});
  };
  std::vector<packs::PackFile> files = packs::builtin_packs();
  for (const std::string& directory : pack_directories) {
    Result<std::vector<packs::PackFile>> more = packs::read_pack_directory(directory);
    if (!more) return give_up({more.error()});
    files.insert(files.end(), more->begin(), more->end());
  }
  packs::LoadedPacks loaded = packs::load_packs(files);
  if (!loaded.problems.empty()) return give_up(std::move(loaded.problems));

  Engine engine;
  engine.patterns = std::move(loaded.set);
  auto matcher = match::Matcher::make(engine.patterns);
  if (!matcher) return give_up({matcher.error()});
  engine.matcher = std::move(*matcher);
  engine.scratches = std::make_unique<ScratchPool>(*engine.matcher);
  auto extractor = extract::Extractor::make(engine.patterns, limits);
  if (!extractor) return give_up({extractor.error()});
  engine.extractor = std::move(*extractor);
  return engine;
}

}  // namespace faultline::app
