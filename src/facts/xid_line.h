#pragma once
// An Xid line of the NVIDIA driver quoted inside a message: "NVRM: Xid (PCI:0000:5b:00): 74, ...".
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::facts {

struct QuotedXid {
  std::int64_t xid = 0;
  std::string pci;  ///< dddd:bb:dd
};
std::optional<QuotedXid> find_xid(std::string_view message);

}  // namespace faultline::facts
