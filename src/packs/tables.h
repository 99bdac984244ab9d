#pragma once
// Tables of references/tables/*.toml as plain rows: the Xid catalogue, instance types, versions. Loaded once
// from the embedded copies; a table that does not parse is a bug and is caught by tests.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace faultline::packs {

/// One `[[row]]`: key -> value as text; numbers and booleans in their TOML form, arrays joined with ",".
using TableRow = std::map<std::string, std::string, std::less<>>;
/// `name`: "xid", "instance_types", ... (stem of the file).
Result<std::vector<TableRow>> load_table(std::string_view name);

}  // namespace faultline::packs
