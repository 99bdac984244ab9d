#include "model/event.h"

#include <fmt/format.h>

namespace faultline {

std::string field_text(const FieldValue& value) {
  struct Printer {
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return fmt::format("{}", v); }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(const std::string& v) const { return v; }
  };
  return std::visit(Printer{}, value);
}

}  // namespace faultline
