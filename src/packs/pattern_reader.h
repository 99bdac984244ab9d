#pragma once
// One [[pattern]] table -> Pattern. Says all that is wrong with it; never compiles an expression.
#include <string_view>

#include "model/pattern.h"
#include "packs/complaints.h"
#include "packs/document.h"

namespace faultline::packs {

/// `area` is that of the file. What could not be read stays at its default and was complained of.
Pattern read_pattern(const Node& table, std::string_view area, Complaints& complaints);

/// Expressions, captures, fields, examples of one pattern against one another.
void lint_pattern(const Pattern& pattern, const Node& table, Complaints& complaints);

}  // namespace faultline::packs
