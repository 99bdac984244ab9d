// The limit for compressed input: ISA-L inflating a .gz (or .tar.gz) and nothing else. Prints GB/s of
// expanded bytes.
#include <isa-l.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: inflate_bench FILE.gz\n", stderr);
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  const std::vector<char> stored{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::uint8_t> out(1 << 18);
  double best = 0;
  std::uint64_t total = 0;
  for (int run = 0; run < 3; ++run) {
    auto state = std::make_unique<inflate_state>();
    isal_inflate_init(state.get());
    state->crc_flag = ISAL_GZIP;
    state->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(stored.data()));
    state->avail_in = static_cast<std::uint32_t>(stored.size());
    total = 0;
    const auto start = std::chrono::steady_clock::now();
    do {
      state->next_out = out.data();
      state->avail_out = static_cast<std::uint32_t>(out.size());
      if (isal_inflate(state.get()) != ISAL_DECOMP_OK) return 1;
      total += out.size() - state->avail_out;
    } while (state->block_state != ISAL_BLOCK_FINISH && (state->avail_in > 0 || state->avail_out == 0));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, static_cast<double>(total) / seconds / 1e9);
  }
  std::printf("%.3f GB/s, %llu bytes\n", best, static_cast<unsigned long long>(total));
  return 0;
}
