#include "ingest/sample.h"

#include <algorithm>

#include "base/text.h"

namespace faultline::ingest {
namespace {

constexpr std::size_t kFullHead = std::size_t{64} << 10;
constexpr std::size_t kMaxLines = 2000;

std::string one_form(std::string_view chain) {
  std::string path = "/" + lower(chain);
  for (char& c : path) {
    if (c == '!' || c == '\\') c = '/';
  }
  return path;
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view bare_name(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view suffix :
         {".gz", ".zst", ".xz", ".bz2", ".lz4", ".z", ".lzma", ".old", ".bak", "~"}) {
      if (name.size() > suffix.size() && name.ends_with(suffix)) {
        name.remove_suffix(suffix.size());
        again = true;
      }
    }
    // syslog.1, messages-20260101
    const std::size_t cut = name.find_last_of(".-");
    if (cut != std::string_view::npos && cut != 0) {
      const std::string_view tail = name.substr(cut + 1);
      if (all_digits(tail) && (name[cut] == '.' ? tail.size() <= 3 : tail.size() == 8)) {
        name = name.substr(0, cut);
        again = true;
      }
    }
  }
  return name;
}

/// UTF-16 without a BOM: every second byte of the first kilobyte is NUL.
enum class Wide { no, little, big };
Wide wide(std::string_view head, std::size_t& bom) {
  if (head.starts_with("\xff\xfe")) {
    bom = 2;
    return Wide::little;
  }
  if (head.starts_with("\xfe\xff")) {
    bom = 2;
    return Wide::big;
  }
  const std::size_t pairs = std::min<std::size_t>(head.size(), 1024) / 2;
  std::size_t even = 0;
  std::size_t odd = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    even += head[2 * i] == '\0' ? 1 : 0;
    odd += head[2 * i + 1] == '\0' ? 1 : 0;
  }
  if (pairs < 4) return Wide::no;
  if (odd * 10 >= pairs * 8 && even * 10 <= pairs) return Wide::little;
  return even * 10 >= pairs * 8 && odd * 10 <= pairs ? Wide::big : Wide::no;
}

}  // namespace

Sample::Sample(std::string_view chain, std::string_view head)
    : raw(head), path(one_form(chain)), name(bare_name(path)), cut(head.size() >= kFullHead) {
  std::size_t bom = 0;
  const Wide form = wide(head, bom);
  if (form != Wide::no) {
    utf16 = true;
    append_without_ansi(utf16_to_utf8(head.substr(bom), form == Wide::big), text);
    return;
  }
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  text.reserve(head.size());
  append_without_ansi(head, text);
}

void Sample::count_lines() {
  std::string_view rest = text;
  // The last line of a full head is cut somewhere: its end says nothing, its start is as good as any.
  while (!rest.empty() && lines.size() < kMaxLines) {
    const std::size_t end = rest.find_first_of("\r\n");
    const std::string_view line = rest.substr(0, end);
    const Shape shape = shape_of(line);
    if (shape != Shape::blank) {
      lines.push_back(line);
      shapes.push_back(shape);
      ++counts_[static_cast<std::size_t>(shape)];
      if (shape == Shape::other && is_bare_kernel_text(line)) ++bare_kernel;
    }
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
}

std::size_t log_lines(const Sample& sample) {
  return static_cast<std::size_t>(std::count_if(sample.shapes.begin(), sample.shapes.end(), [](Shape shape) {
    return shape != Shape::other && shape != Shape::assignment && shape != Shape::declared &&
           shape != Shape::json;
  }));
}

bool has_training_words(const Sample& sample) {
  for (const std::string_view word : {"NCCL INFO",
                                      "NCCL WARN",
                                      "ProcessGroupNCCL",
                                      "torch.distributed",
                                      "torchrun",
                                      "torch/distributed",
                                      "ChildFailedError",
                                      "TCPStore",
                                      "[c10d]",
                                      "Traceback (most recent call last)",
                                      "it/s]",
                                      "s/it]",
                                      "elapsed time per iteration",
                                      "DeepSpeed",
                                      "deepspeed",
                                      "wandb",
                                      "srun: ",
                                      "slurmstepd: ",
                                      "mpirun",
                                      "transformers",
                                      "pytorch_lightning",
                                      "CUDA out of memory",
                                      "RuntimeError: ",
                                      "grad_norm",
                                      "lm loss",
                                      "world_size",
                                      "WORLD_SIZE",
                                      "MASTER_ADDR",
                                      "site-packages/",
                                      "dist-packages/",
                                      "learning_rate"}) {
    if (sample.has(word)) return true;
  }
  return sample.count(Shape::torch_log) + sample.count(Shape::nccl) + sample.count(Shape::tagged) != 0;
}

}  // namespace faultline::ingest
