// df (also -h, -i) and lfs df, with rows that were wrapped after a long device name or by a terminal.
#include "base/text.h"
#include "facts/columns.h"
#include "facts/text_readers.h"

namespace faultline::facts {
namespace {

// The root file system from here on is what the runbooks call full: kubelet begins to evict below 10 % free.
constexpr std::int64_t kRootFull = 90;
constexpr std::int64_t kFull = 95;

enum class Unit : std::uint8_t { none, blocks, inodes };

Unit header_of(const std::vector<std::string_view>& words) {
  if (words.size() < 6 || words.back() != "on" || words[words.size() - 2] != "Mounted") return Unit::none;
  const std::string_view use = words[words.size() - 3];
  if (use == "IUse%") return Unit::inodes;
  if (use != "Use%" && use != "Capacity") return Unit::none;
  return words[0] == "Filesystem" || words[0] == "UUID" ? Unit::blocks : Unit::none;
}

// Read-only images are full by nature, memory file systems and pseudo ones are no disks.
bool never_full(std::string_view device, std::string_view mount) {
  for (const std::string_view name :
       {"tmpfs", "devtmpfs", "udev", "none", "shm", "efivarfs", "cgroup", "squashfs", "ramfs"}) {
    if (device == name) return true;
  }
  for (const std::string_view head : {"/snap/", "/var/lib/snapd/", "/sys/", "/proc/", "/dev/", "/run/",
                                      "/var/lib/docker/overlay2/", "/media/", "/mnt/cdrom"}) {
    if (mount.starts_with(head)) return true;
  }
  return device.starts_with("/dev/loop") || device.starts_with("/dev/sr") ||
         (device == "overlay" && mount != "/");
}

class DiskReader {
 public:
  explicit DiskReader(Reading& reading) : reading_(reading) {}

  void run() {
    for (number_ = 0; number_ < reading_.lines().size(); ++number_) {
      const std::string_view line = reading_.lines()[number_];
      const auto words = split_words(line);
      if (words.empty()) {
        if (!device_.empty()) unit_ = Unit::none;
        device_.clear();
        continue;
      }
      if (const Unit unit = header_of(words); unit != Unit::none) {
        unit_ = unit;
        device_.clear();
        continue;
      }
      if (unit_ != Unit::none) read_row(words, line);
    }
  }

 private:
  void read_row(const std::vector<std::string_view>& words, std::string_view line) {
    std::size_t use = 0;
    while (use < words.size() && !percent(words[use])) ++use;
    if (use == words.size()) {
      // A long device name stands alone; the numbers follow on the next line.
      if (words.size() == 1) device_ = std::string(words[0]);
      return;
    }
    const std::string device = device_.empty() || use >= 4 ? std::string(words[0]) : device_;
    device_.clear();
    if (use + 1 >= words.size() || use < 2) return;
    const auto begin = static_cast<std::size_t>(words[use + 1].data() - line.data());
    const std::string_view mount = trim(line.substr(begin));
    const std::int64_t used = *percent(words[use]);
    const bool inodes = unit_ == Unit::inodes;
    reading_.fact(inodes ? "disk.inodes." + std::string(mount) : "disk.used." + std::string(mount),
                  words[use], number_);
    const bool full = used >= kFull || (mount == "/" && used >= kRootFull);
    if (!full || used > 100 || never_full(device, mount)) return;
    Draft draft = reading_.event(ReaderEvent::disk_full, number_);
    draft.field("device", device).field("mount", mount).field("used_percent", used);
    if (inodes) draft.field("what", "inodes");
  }

  static std::optional<std::int64_t> percent(std::string_view word) {
    if (word.size() < 2 || word.back() != '%') return std::nullopt;
    return parse_number<std::int64_t>(word.substr(0, word.size() - 1));
  }

  Reading& reading_;
  std::size_t number_ = 0;
  Unit unit_ = Unit::none;
  std::string device_;  ///< of a wrapped row
};

}  // namespace

void read_disk_usage(Reading& reading) {
  DiskReader(reading).run();
}

}  // namespace faultline::facts
