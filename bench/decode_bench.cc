// How fast lines become batches, beside memcpy of the same bytes. Prints GB/s of the fastest of several
// rounds; first checks that the lines that came out are as many as went in.
//   decode_bench [MiB]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "decode/decode.h"

using namespace faultline;
using namespace faultline::decode;

namespace {

constexpr int kRounds = 7;
constexpr std::size_t kChunk = std::size_t{256} << 10;  // as decompressors deliver

template <class Work>
double best_seconds(Work&& work) {
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

struct Scenario {
  const char* name;
  ArtifactKind kind;
  std::string (*line)(std::size_t i);
};

std::string number(std::size_t i) {
  return std::to_string(i);
}

const Scenario kScenarios[] = {
    {"training log, plain", ArtifactKind::training_log,
     [](std::size_t i) {
       return "[2026-01-01 00:00:00,123] [INFO] [engine.py:12:step] [Rank 0] iteration " + number(i) +
              "/ 100000 | elapsed time per iteration (ms): 5012.3 | lm loss: 2.01E+00\n";
     }},
    {"NCCL debug log", ArtifactKind::training_log,
     [](std::size_t i) {
       return "ip-10-1-0-11:350:866 [3] NCCL INFO Channel " + number(i % 32) +
              "/0 : 33[1] -> 34[2] via P2P/CUMEM\n";
     }},
    {"no stamps at all", ArtifactKind::plain_text,
     [](std::size_t i) { return "copied file " + number(i) + " of many\n"; }},
    {"CRLF", ArtifactKind::plain_text,
     [](std::size_t i) { return "[2026-01-01 00:00:00] step " + number(i) + " loss 2.0\r\n"; }},
    {"CRI, whole lines", ArtifactKind::cri_log,
     [](std::size_t i) {
       return "2026-01-01T00:00:00.123456789Z stdout F step " + number(i) + " loss 2.0 lr 1e-4\n";
     }},
    {"CRI, every line partial", ArtifactKind::cri_log,
     [](std::size_t i) {
       return std::string("2026-01-01T00:00:00.123456789Z stdout ") + (i % 4 == 3 ? "F" : "P") + " step " +
              number(i) + " loss 2.0 lr 1e-4\n";
     }},
    {"ANSI colours in every line", ArtifactKind::pod_log,
     [](std::size_t i) {
       return "\x1b[32m2026-01-01 00:00:00\x1b[0m \x1b[1mINFO\x1b[0m step " + number(i) +
              " loss 2.0 lr 1e-4\n";
     }},
    {"CR progress bars", ArtifactKind::pod_log,
     [](std::size_t i) {
       return (i % 100 == 0 ? "\n" : "\r") + std::string(" 45%|####      | ") + number(i) +
              "/1000 [03:12<03:55,  2.34it/s]";
     }},
};

}  // namespace

int main(int argc, char** argv) {
  const std::size_t size = (argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 256) << 20;
  std::printf("%-28s %10s %10s %8s\n", "", "decode", "memcpy", "ratio");
  for (const Scenario& scenario : kScenarios) {
    std::string text;
    text.reserve(size + 4096);
    for (std::size_t i = 0; text.size() < size; ++i) text += scenario.line(i);
    std::uint64_t newlines = 0;
    for (const char c : text) newlines += c == '\n' ? 1 : 0;
    newlines += text.back() == '\n' ? 0 : 1;

    std::string copy(text.size(), '\0');
    const double reference = best_seconds([&] { std::memcpy(copy.data(), text.data(), text.size()); });
    Artifact artifact;
    artifact.kind = scenario.kind;
    std::uint64_t lines = 0;
    std::uint64_t bytes = 0;
    const double decode = best_seconds([&] {
      MemorySource source(text, kChunk);
      bytes = 0;
      lines = decode_log(artifact, source, {}, {}, [&](LineBatch&& batch) {
                bytes += batch.core_end - batch.core_begin;
              }).lines;
    });
    if (lines != newlines) {
      std::printf("%s: %llu lines came out of %llu\n", scenario.name, static_cast<unsigned long long>(lines),
                  static_cast<unsigned long long>(newlines));
      return 1;
    }
    const double gigabytes = static_cast<double>(text.size()) / 1e9;
    std::printf("%-28s %5.2f GB/s %5.2f GB/s %8.2f\n", scenario.name, gigabytes / decode,
                gigabytes / reference, decode / reference);
  }
  return 0;
}
