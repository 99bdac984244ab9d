#include "facts/xid_line.h"

#include "base/text.h"

namespace faultline::facts {

std::optional<QuotedXid> find_xid(std::string_view message) {
  constexpr std::string_view kHead = "Xid (PCI:";
  const std::size_t at = message.find(kHead);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = message.substr(at + kHead.size());
  const std::size_t close = rest.find("): ");
  if (close == std::string_view::npos || close > 32) return std::nullopt;
  const auto pci = normal_pci(rest.substr(0, close));
  const std::string_view tail = rest.substr(close + 3);
  std::size_t digits = 0;
  while (digits < tail.size() && digits < 5 && tail[digits] >= '0' && tail[digits] <= '9') ++digits;
  const auto xid = parse_number<std::int64_t>(tail.substr(0, digits));
  if (!pci || !xid) return std::nullopt;
  return QuotedXid{*xid, *pci};
}

}  // namespace faultline::facts
