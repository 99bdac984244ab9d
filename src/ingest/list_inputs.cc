// The walk over what the user named. Every entry that is no directory becomes an Input or a skipped row.
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>
#include <set>

#include "ingest/file_source.h"
#include "ingest/ingest.h"
#include "ingest/kinds.h"

namespace faultline::ingest {
namespace {

using FileId = std::pair<dev_t, ino_t>;

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

// Deeper trees than this are loops of bind mounts, or hostile.
constexpr int kMaxDirectoryDepth = 256;

struct Root {
  std::string real;   // absolute, links resolved; "-" for standard input
  std::string label;  // first part of its chains; may be empty for a directory
  bool directory = false;
};

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), &std::free);
  return resolved ? std::string(resolved.get()) : std::string();
}

/// The last `count` components of an absolute path; all of it when it has fewer.
std::string last_components(const std::string& path, std::size_t count) {
  std::size_t cut = path.size();
  while (count-- != 0 && cut != 0) {
    cut = path.rfind('/', cut - 1);
    if (cut == std::string::npos) return path;
  }
  return path.substr(cut + 1);
}

// A chain starts with the last component of what was named, so that nothing of the analysing machine's tree
// is shown. Two roots of one name get as many parents as it takes to tell them apart. A lone directory needs
// no name of its own, unless the name says which node it came from.
void label(std::vector<Root>& roots) {
  std::vector<std::size_t> components(roots.size(), 1);
  for (bool clash = true; clash;) {
    clash = false;
    std::map<std::string, std::vector<std::size_t>> by_label;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      roots[i].label = last_components(roots[i].real, components[i]);
      by_label[roots[i].label].push_back(i);
    }
    for (const auto& [text, same] : by_label) {
      if (same.size() < 2) continue;
      for (const std::size_t i : same) {
        if (roots[i].label == roots[i].real || roots[i].real == "-") continue;
        ++components[i];
        clash = true;
      }
    }
  }
  if (roots.size() != 1 || !roots[0].directory) return;
  const PathIdentity identity = identity_from_chain(roots[0].label + "/x");
  if (identity.speaker == Speaker{} && identity.instance_group.empty() && identity.collection.empty()) {
    roots[0].label.clear();
  }
}

class InputWalk {
 public:
  explicit InputWalk(const Limits& limits) : limits_(limits) {}
  InputList run(const std::vector<std::string>& paths);

 private:
  void add_root(const std::string& path);
  void entry(const std::string& path, const std::string& chain, int depth);
  void directory(const std::string& path, const std::string& chain, int depth);
  void link(const std::string& path, const std::string& chain);
  void file(const std::string& path, const std::string& chain, const struct stat& status);
  void skip(const std::string& chain, std::string reason) {
    CoverageRow row;
    row.chain = chain;
    row.kind = ArtifactKind::empty;
    row.state = CoverageRow::State::skipped;
    row.reason = std::move(reason);
    list_.skipped.push_back(std::move(row));
  }
  [[nodiscard]] bool full() const {
    return list_.inputs.size() + list_.skipped.size() >= limits_.max_artifacts;
  }

  const Limits& limits_;
  InputList list_;
  std::vector<Root> roots_;
  std::set<FileId> directories_;
  std::map<FileId, std::string> files_;
  bool full_reported_ = false;
};

void InputWalk::add_root(const std::string& path) {
  Root root{.real = path, .label = {}};
  if (path != "-") {
    root.real = path.empty() ? std::string() : real_path(path);
    struct stat status {};
    if (root.real.empty() || ::stat(root.real.c_str(), &status) != 0) {
      list_.problems.push_back({Rung::skip, path, path.empty() ? "an empty path" : error_text(errno), {}});
      return;
    }
    root.directory = S_ISDIR(status.st_mode);
  }
  const bool again =
      std::any_of(roots_.begin(), roots_.end(), [&](const Root& r) { return r.real == root.real; });
  if (!again) roots_.push_back(std::move(root));
}

void InputWalk::file(const std::string& path, const std::string& chain, const struct stat& status) {
  const auto [row, fresh] = files_.try_emplace(FileId{status.st_dev, status.st_ino}, chain);
  if (!fresh) {
    // The same path named twice is one file; another name of it (a hard link) is told.
    if (row->second != chain) skip(chain, "same file as " + row->second);
    return;
  }
  Input input;
  input.path = path;
  input.chain = chain;
  input.size = static_cast<std::uint64_t>(status.st_size);
  input.modified_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  list_.inputs.push_back(std::move(input));
}

void InputWalk::link(const std::string& path, const std::string& chain) {
  char target[PATH_MAX];
  const ssize_t size = ::readlink(path.c_str(), target, sizeof target);
  const std::string text =
      "symbolic link to " + (size > 0 ? std::string(target, static_cast<std::size_t>(size)) : "?");
  const std::string real = real_path(path);
  if (real.empty()) return skip(chain, text + ", which does not exist");
  // What lies inside is met under its own name; what lies outside was not handed in.
  const bool inside = std::any_of(roots_.begin(), roots_.end(), [&](const Root& root) {
    return real == root.real || (root.directory && real.size() > root.real.size() &&
                                 real.compare(0, root.real.size(), root.real) == 0 &&
                                 (root.real == "/" || real[root.real.size()] == '/'));
  });
  skip(chain, text + (inside ? ": read under that name" : ", outside of the input: not followed"));
}

void InputWalk::directory(const std::string& path, const std::string& chain, int depth) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return skip(chain, "cannot be read: " + error_text(errno));
  if (!directories_.insert({status.st_dev, status.st_ino}).second) {
    if (depth != 0) skip(chain, "directory that was walked already");
    return;
  }
  if (depth > kMaxDirectoryDepth)
    return skip(chain, "directories nested deeper than " + std::to_string(kMaxDirectoryDepth));
  const std::unique_ptr<DIR, CloseDirectory> handle(::opendir(path.c_str()));
  if (!handle) return skip(chain, "cannot be opened: " + error_text(errno));
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* found = ::readdir(handle.get())) {
    const std::string name = found->d_name;
    if (name != "." && name != "..") names.push_back(name);
    if (names.size() > limits_.max_artifacts) break;
  }
  if (errno != 0) skip(chain.empty() ? "." : chain, "listing the directory failed: " + error_text(errno));
  if (names.empty() && depth == 0) skip(chain.empty() ? "." : chain, "directory without a file");
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (full()) {
      if (!full_reported_) {
        list_.problems.push_back(
            {Rung::note, chain, "more files than --max-artifacts: the rest is not read", {}});
      }
      full_reported_ = true;
      return;
    }
    entry(path == "/" ? path + name : path + "/" + name, chain.empty() ? name : chain + "/" + name,
          depth + 1);
  }
}

void InputWalk::entry(const std::string& path, const std::string& chain, int depth) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return skip(chain, "cannot be read: " + error_text(errno));
  switch (status.st_mode & S_IFMT) {
    case S_IFREG:
      return file(path, chain, status);
    case S_IFDIR:
      return directory(path, chain, depth);
    case S_IFLNK:
      return link(path, chain);
    case S_IFIFO:
      return skip(chain, "named pipe: not opened");
    case S_IFSOCK:
      return skip(chain, "socket: not opened");
    case S_IFCHR:
    case S_IFBLK:
      return skip(chain, "device: not opened");
    default:
      return skip(chain, "no regular file: not opened");
  }
}

InputList InputWalk::run(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) add_root(path);
  label(roots_);
  for (const Root& root : roots_) {
    if (root.real == "-") {
      list_.inputs.push_back({.path = "-", .chain = "-"});
    } else {
      entry(root.real, root.label, 0);
    }
  }
  const auto by_chain = [](const auto& a, const auto& b) { return a.chain < b.chain; };
  std::stable_sort(list_.inputs.begin(), list_.inputs.end(), by_chain);
  std::stable_sort(list_.skipped.begin(), list_.skipped.end(), by_chain);
  return std::move(list_);
}

}  // namespace

InputList list_inputs(const std::vector<std::string>& paths, const Limits& limits) {
  return InputWalk(limits).run(paths);
}

}  // namespace faultline::ingest
