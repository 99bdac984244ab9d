#include <algorithm>
#include <set>

#include "base/text.h"
#include "packs/embedded.h"
#include "packs/packs.h"

namespace faultline::packs {
namespace {

// "## 7. Node hardware" -> "7"; "" for any other line.
std::string_view section_of(std::string_view line) {
  const std::size_t hashes = line.find_first_not_of('#');
  if (hashes == 0 || hashes == std::string_view::npos || line[hashes] != ' ') return {};
  line.remove_prefix(line.find_first_not_of("# "));
  const std::size_t dot = line.find_first_not_of("0123456789");
  if (dot == 0 || dot == std::string_view::npos || line.substr(dot, 2) != ". ") return {};
  return line.substr(0, dot);
}

std::set<std::string, std::less<>> all_sections() {
  std::set<std::string, std::less<>> found;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.size() < 3 || file.path.substr(file.path.size() - 3) != ".md") continue;
    bool code = false;  // inside ``` a '#' begins a shell comment
    for_each_line(file.content, [&](std::uint64_t, std::string_view line) {
      if (line.substr(0, 3) == "```") code = !code;
      if (const auto section = section_of(line); !code && !section.empty()) {
        found.insert(std::string(file.path) + "#" + std::string(section));
      }
      return true;
    });
  }
  return found;
}

}  // namespace

bool reference_exists(std::string_view reference) {
  static const auto kSections = all_sections();
  return kSections.count(reference) != 0;
}

}  // namespace faultline::packs
