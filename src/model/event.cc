#include "model/event.h"

#include <fmt/format.h>

namespace faultline {

std::string_view device_word(std::string_view kind) {
  return kind.starts_with("pcie_") ? "PCI device" : "GPU";
}

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
