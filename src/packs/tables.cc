#include "packs/tables.h"

#include <algorithm>

#include "packs/document.h"
#include "packs/embedded.h"

namespace faultline::packs {
namespace {

Result<std::string> cell(const Node& value, std::string_view file) {
  if (value.type == Node::Type::table)
    return fail(Rung::stop, at(file, value.at), "a row holds plain values only, not a table");
  if (value.type != Node::Type::array) return value.string;
  std::string joined;
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const Node& item = value.items[i];
    if (item.type == Node::Type::table || item.type == Node::Type::array) {
      return fail(Rung::stop, at(file, item.at), "an array in a row holds plain values only");
    }
    joined += (i == 0 ? "" : ",") + item.string;
  }
  return joined;
}

}  // namespace

Result<std::vector<TableRow>> load_table(std::string_view name) {
  const std::string path = "references/tables/" + std::string(name) + ".toml";
  const auto files = embedded_files();
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& f) { return f.path == path; });
  if (file == files.end()) return fail(Rung::stop, path, "there is no such table");
  const auto document = parse_document(path, file->content);
  if (!document) return tl::unexpected(document.error());
  std::vector<TableRow> rows;
  for (const Member& member : document->members) {
    if (member.key != "row" || member.value.type != Node::Type::array) {
      return fail(Rung::stop, at(path, member.at), "a table holds [[row]] only, not '" + member.key + "'");
    }
    for (const Node& item : member.value.items) {
      if (item.type != Node::Type::table) return fail(Rung::stop, at(path, item.at), "a row is a table");
      TableRow row;
      for (const Member& value : item.members) {
        auto text = cell(value.value, path);
        if (!text) return tl::unexpected(text.error());
        row.emplace(value.key, std::move(*text));
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace faultline::packs
