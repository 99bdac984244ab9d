#include "packs/packs.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>

#include "packs/pattern_reader.h"
#include "packs/schema.h"
#include "packs/set_lint.h"

namespace faultline::packs {
namespace {

constexpr KeyRule kPackKeys[] = {
    {"schema", Want::integer, Need::required},
    {"area", Want::string, Need::required},
    {"about", Want::string, Need::required},
    {"pattern", Want::tables, Need::optional},
};

std::string_view stem_of(std::string_view name) {
  const std::size_t slash = name.find_last_of('/');
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  return name.substr(0, name.find('.'));
}

// FNV-1a over all bytes in order; a zero byte between files, so that moving a border changes it.
class Hash {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) step(static_cast<unsigned char>(c));
    step(0);
  }
  [[nodiscard]] std::string hex() const {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(value_ >> shift) & 0xF];
    return text;
  }

 private:
  void step(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3ULL; }
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

// One file with what was read from it: positions in LoadedPattern point here.
struct Pack {
  explicit Pack(std::string name) : complaints(std::move(name)) {}
  Complaints complaints;
  Node document;
};

void read_pack(Pack& pack, std::map<std::string, LoadedPattern>& merged) {
  const Node& top = pack.document;
  check_keys(top, kPackKeys, "a pack", pack.complaints);
  if (const auto schema = integer_of(top, "schema"); schema && *schema != 1) {
    pack.complaints.add(position_of(top, "schema"), "schema " + std::to_string(*schema) + " is not known",
                        "this version reads schema 1");
  }
  const std::string_view stem = stem_of(pack.complaints.file());
  const std::string area = text_of(top, "area");
  if (!area.empty() && area != stem) {
    pack.complaints.add(position_of(top, "area"),
                        "area '" + area + "' is not the name of the file, '" + std::string(stem) + "'");
  }
  std::map<std::string, std::uint32_t> here;
  for (const Node* table : tables_of(top, "pattern")) {
    LoadedPattern row{read_pattern(*table, area.empty() ? stem : area, pack.complaints), table,
                      &pack.complaints};
    lint_pattern(row.pattern, *table, pack.complaints);
    const std::string id = row.pattern.id;
    if (id.empty()) continue;  // was complained of
    const auto [first, fresh] = here.emplace(id, table->at.line);
    if (!fresh) {
      pack.complaints.add(position_of(*table, "id"), "id '" + id + "' is used twice",
                          "the first one is in line " + std::to_string(first->second));
      continue;
    }
    merged.insert_or_assign(id, std::move(row));  // a later pack replaces
  }
}

}  // namespace

LoadedPacks load_packs(const std::vector<PackFile>& files) {
  LoadedPacks loaded;
  Hash hash;
  std::deque<Pack> packs;
  std::map<std::string, LoadedPattern> merged;
  for (const PackFile& file : files) {
    hash.add(file.text);
    auto document = parse_document(file.name, file.text);
    if (!document) {
      loaded.problems.push_back(std::move(document.error()));
      continue;
    }
    Pack& pack = packs.emplace_back(file.name);
    pack.document = std::move(*document);
    read_pack(pack, merged);
  }
  std::vector<LoadedPattern> rows;
  rows.reserve(merged.size());
  for (auto& [id, row] : merged) rows.push_back(std::move(row));
  if (loaded.problems.empty()) lint_set(rows);  // with a file missing, every edge into it would look broken
  for (const Pack& pack : packs) {
    for (Problem& problem : pack.complaints.problems()) loaded.problems.push_back(std::move(problem));
  }
  for (LoadedPattern& row : rows) loaded.set.patterns.push_back(std::move(row.pattern));
  loaded.set.hash = hash.hex();
  return loaded;
}

}  // namespace faultline::packs
