// Where packs come from: the binary itself, and a directory that the user names.
#include <algorithm>
#include <fstream>
#include <system_error>

#include "packs/embedded.h"
#include "packs/packs.h"

namespace faultline::packs {
namespace {

constexpr std::uintmax_t kMaxPackBytes = 16 << 20;  // all built-in packs together are far below one MiB
constexpr std::size_t kMaxPackFiles = 1000;

bool is_pack(std::string_view path) {
  return path.substr(0, 9) == "patterns/" && path.size() > 14 && path.substr(path.size() - 5) == ".toml";
}

Result<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text;
  char buffer[65536];
  while (in && text.size() <= kMaxPackBytes) {
    in.read(buffer, sizeof buffer);
    text.append(buffer, static_cast<std::size_t>(in.gcount()));
  }
  if (text.size() > kMaxPackBytes) return fail(Rung::stop, path.string(), "the pack is larger than 16 MiB");
  if (!in.eof()) return fail(Rung::stop, path.string(), "the pack cannot be read");
  return text;
}

}  // namespace

std::vector<PackFile> builtin_packs() {
  std::vector<PackFile> files;
  for (const EmbeddedFile& file : embedded_files()) {
    if (is_pack(file.path)) files.push_back({std::string(file.path), std::string(file.content)});
  }
  return files;
}

Result<std::vector<PackFile>> read_pack_directory(const std::filesystem::path& directory) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() != ".toml" || !entry->is_regular_file(error) || error) continue;
    paths.push_back(entry->path());
    if (paths.size() > kMaxPackFiles)
      return fail(Rung::stop, directory.string(), "more than 1000 packs in one directory");
  }
  if (error)
    return fail(Rung::stop, directory.string(), "the directory of packs cannot be read: " + error.message());
  if (paths.empty())
    return fail(Rung::stop, directory.string(), "the directory holds no pack",
                "packs are files named AREA.toml");
  std::sort(paths.begin(), paths.end());
  std::vector<PackFile> files;
  for (const auto& path : paths) {
    auto text = read_file(path);
    if (!text) return tl::unexpected(text.error());
    files.push_back({path.string(), std::move(*text)});
  }
  return files;
}

}  // namespace faultline::packs
