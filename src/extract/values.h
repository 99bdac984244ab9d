#pragma once
// Text of a capture -> value of a field, by the type that the pattern declares. As printed: no unit is
// converted, nothing is rounded. What is not of its type stays text.
#include <string_view>

#include "model/event.h"
#include "model/pattern.h"

namespace faultline::extract {

/// `name` of the field: a value of a secret-bearing name is masked whole, any other text by its shape.
FieldValue field_value(std::string_view name, FieldType type, std::string_view text);

/// A field that the pattern itself knows: whole numbers and booleans as such.
FieldValue constant_value(std::string_view text);

}  // namespace faultline::extract
