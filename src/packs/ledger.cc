#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "packs/embedded.h"
#include "packs/packs.h"

namespace faultline::packs {

std::vector<Problem> check_ledger(const PatternSet& builtin, std::string_view ledger) {
  constexpr std::string_view kFile = "patterns/ids.txt";
  std::vector<Problem> problems;
  std::map<std::string, bool, std::less<>> retired;  // id -> is it
  std::string last;
  const auto complain = [&](std::uint64_t number, std::string what, std::string hint = {}) {
    problems.push_back({Rung::stop, std::string(kFile) + ":" + std::to_string(number) + ":1", std::move(what),
                        std::move(hint)});
  };
  for_each_line(ledger, [&](std::uint64_t number, std::string_view line) {
    if (line.empty() || line.front() == '#') return true;
    const auto words = split_words(line);
    if (words.empty() || words.size() > 2 || (words.size() == 2 && words[1] != "retired")) {
      complain(number, "a line of the ledger is an id, or an id and the word retired");
      return true;
    }
    const std::string id(words[0]);
    if (id == last) complain(number, "id '" + id + "' stands there twice");
    if (id < last) complain(number, "id '" + id + "' is out of order", "sort the ledger");
    last = id;
    retired[id] = words.size() == 2;
    return true;
  });
  std::map<std::string_view, const Pattern*> present;
  for (const Pattern& pattern : builtin.patterns) {
    present[pattern.id] = &pattern;
    const auto row = retired.find(pattern.id);
    if (row != retired.end() && !row->second) continue;
    problems.push_back(
        {Rung::stop, pattern.file + ":" + std::to_string(pattern.line) + ":1",
         "id '" + pattern.id + (row == retired.end() ? "' is not in the ledger" : "' was retired"),
         row == retired.end() ? "add it to patterns/ids.txt" : "ids are never reused"});
  }
  for (const auto& [id, gone] : retired) {
    if (!gone && present.count(id) == 0) {
      problems.push_back(
          {Rung::stop, std::string(kFile), "id '" + id + "' belongs to no pattern", "mark it retired"});
    }
  }
  return problems;
}

std::vector<Problem> check_ledger(const PatternSet& builtin) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == "patterns/ids.txt") return check_ledger(builtin, file.content);
  }
  return {{Rung::stop, "patterns/ids.txt", "the ledger of ids is missing", {}}};
}

}  // namespace faultline::packs
