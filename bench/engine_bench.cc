// What scanning costs: hs_scan over raw bytes, Matcher::scan (lines, folding), and scan with confirmation.
// Text is a file given as argument, repeated up to the size, or a generated job log in which one line in 2000
// is an example of a pack. Prints MB/s, ratios, hits and events, sizes of databases and times to compile
// them.
//   engine_bench [MiB=256] [FILE] [PACK-DIRECTORY]
#include <fmt/format.h>
#include <time.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "base/text.h"
#include "extract/extractor.h"
#include "match/matcher.h"
#include "packs/packs.h"

using namespace faultline;

namespace {

PeeledLine peel_nothing(std::string_view line, const PeelContext&) {
  return {line, {}, {}};
}

// Of this process on the processor: other work on the machine counts less.
double seconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
  };
  const double begin = now();
  work();
  return now() - begin;
}

std::string generated(std::size_t bytes, const PatternSet& set) {
  std::string text;
  std::uint64_t state = 1;
  const auto next = [&] {
    return state = state * 6364136223846793005ULL + 1442695040888963407ULL, state >> 33;
  };
  while (text.size() < bytes) {
    const std::uint64_t kind = next() % 2000;
    if (kind == 0 && !set.patterns.empty()) {
      const Pattern& p = set.patterns[next() % set.patterns.size()];
      text += p.hits[next() % p.hits.size()].line;
    } else if (kind % 3 == 0) {
      text += fmt::format(
          "2026-01-01T00:{:02}:{:02}.{:03}Z [default{}]: iteration {:8}/ 100000 | lm loss: {}.{:06} | grad "
          "norm: 0.{:03}",
          next() % 60, next() % 60, next() % 1000, next() % 8, next() % 100000, next() % 9, next() % 1000000,
          next() % 1000);
    } else if (kind % 3 == 1) {
      text +=
          fmt::format("ip-10-1-0-{}:{}:{} [{}] NCCL INFO Channel {:02}/0 : {}[{}] -> {}[{}] via P2P/CUMEM",
                      next() % 250, 100000 + next() % 1000, 100000 + next() % 1000, next() % 8, next() % 32,
                      next() % 512, next() % 8, next() % 512, next() % 8);
    } else {
      text += fmt::format(
          "Jan  1 00:{:02}:{:02} ip-10-1-0-{} kubelet[{}]: I0101 00:00:00.{:06} 1234 reconciler.go:{}] "
          "operationExecutor.VerifyControllerAttachedVolume started for volume",
          next() % 60, next() % 60, next() % 250, next() % 10000, next() % 1000000, next() % 1000);
    }
    text += '\n';
  }
  return text;
}

std::vector<LineBatch> batches_of(const std::string& text, std::size_t total) {
  std::vector<LineBatch> batches;
  std::size_t made = 0;
  std::size_t at = 0;
  while (made < total && !text.empty()) {
    std::size_t end = at + (std::size_t{1} << 20);
    end = end >= text.size() ? text.size() : text.find('\n', end);
    end = end == std::string::npos ? text.size() : end;
    LineBatch batch;
    batch.text = text.substr(at, end - at) + "\n";
    batch.core_end = batch.text.size();
    batch.peel = peel_nothing;
    made += batch.text.size();
    batches.push_back(std::move(batch));
    at = end + 1 >= text.size() ? 0 : end + 1;
  }
  return batches;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t bytes = (argc > 1 ? parse_number<std::size_t>(argv[1]).value_or(256) : 256) << 20;
  auto files = packs::builtin_packs();
  if (argc > 3) {
    if (auto more = packs::read_pack_directory(argv[3]))
      files.insert(files.end(), more->begin(), more->end());
  }
  packs::LoadedPacks loaded;
  fmt::print("load packs    {:8.3f} s\n", seconds([&] { loaded = packs::load_packs(files); }));
  std::unique_ptr<match::Matcher> matcher;
  fmt::print("make matcher  {:8.3f} s\n",
             seconds([&] { matcher = match::Matcher::make(loaded.set).value(); }));
  std::unique_ptr<extract::Extractor> extractor;
  fmt::print("make extractor{:8.3f} s\n",
             seconds([&] { extractor = extract::Extractor::make(loaded.set, Limits{}).value(); }));
  for (std::size_t f = 0; f < kFamilyCount; ++f) {
    const Family family[] = {static_cast<Family>(f)};
    const double time = seconds([&] { (void)matcher->prepare(family); });
    fmt::print("compile {:10} {:4} patterns {:7.3f} s {:6} KiB\n", family_name(family[0]),
               matcher->pattern_count(family[0]), time, matcher->database_bytes(family[0]) >> 10);
  }

  std::string text;
  if (argc > 2 && std::string_view(argv[2]) != "-") {
    std::stringstream in;
    in << std::ifstream(argv[2], std::ios::binary).rdbuf();
    text = in.str();
  } else {
    text = generated(std::min<std::size_t>(bytes, 64 << 20), loaded.set);
  }
  const std::vector<LineBatch> batches = batches_of(text, bytes);
  std::size_t size = 0;
  for (const LineBatch& batch : batches) size += batch.text.size();
  const auto scratch = matcher->make_scratch();
  double base = 0;
  const auto report = [&](const char* name, double time, std::string_view what, const std::uint64_t& count) {
    if (base == 0) base = time;
    fmt::print("{:14}{:8.0f} MB/s  {:5.2f} of raw  {} {}\n", name, static_cast<double>(size) / time / 1e6,
               base / time, count, what);
  };
  std::uint64_t callbacks = 0;
  report("scan_raw", seconds([&] {
           for (const auto& b : batches) callbacks += matcher->scan_raw(Family::any, b.text, *scratch);
         }),
         "callbacks", callbacks);
  std::vector<Hit> hits;
  std::uint64_t hit_count = 0;
  report("scan", seconds([&] {
           for (const auto& b : batches) {
             hits.clear();
             (void)matcher->scan(Family::any, b, *scratch, hits);
             hit_count += hits.size();
           }
         }),
         "hits", hit_count);
  std::uint64_t event_count = 0;
  report("scan+confirm", seconds([&] {
           std::vector<Event> events;
           for (const auto& b : batches) {
             hits.clear();
             events.clear();
             (void)matcher->scan(Family::any, b, *scratch, hits);
             extractor->confirm(Artifact{}, b, hits, events);
             event_count += events.size();
           }
         }),
         "events", event_count);
  return 0;
}
