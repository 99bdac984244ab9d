#pragma once
// The keys of JSON text whose end may be missing: enough to tell documents apart. Not a parser: values are
// stepped over, and it stops at the first byte that is no JSON.
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::ingest {

struct JsonKeys {
  std::set<std::string, std::less<>> top;  ///< of the outermost objects; members of an outermost array count
  std::set<std::string, std::less<>> second;  ///< of objects directly in those (arrays between do not count)
  std::set<std::string, std::less<>> deeper;
  std::string kind;  ///< the first top-level "kind", "apiVersion" and "schema" that are strings
  std::string api_version;
  std::string schema;
  bool array = false;         ///< the first document is an array
  std::size_t documents = 0;  ///< complete ones, one after another
  std::size_t consumed = 0;   ///< bytes of `text` that were JSON
  bool complete = false;      ///< all of `text` was JSON, or JSON cut by its end

  [[nodiscard]] bool has(std::string_view key) const { return top.find(key) != top.end(); }
  [[nodiscard]] bool nested(std::string_view key) const {
    return second.find(key) != second.end() || deeper.find(key) != deeper.end();
  }
  [[nodiscard]] bool anywhere(std::string_view key) const { return has(key) || nested(key); }
};
/// `text` starts with `{` or `[`.
JsonKeys scan_json_keys(std::string_view text);

}  // namespace faultline::ingest
