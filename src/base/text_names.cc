// Names that are written in several ways: PCI addresses and host lists.
#include <algorithm>
#include <array>

#include "base/text.h"

namespace faultline {
namespace {

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

void append_padded_hex(std::string& out, std::uint64_t value, std::size_t digits) {
  std::array<char, 16> text{};
  const char* end = std::to_chars(text.data(), text.data() + text.size(), value, 16).ptr;
  const auto size = static_cast<std::size_t>(end - text.data());
  if (size < digits) out.append(digits - size, '0');
  out.append(text.data(), size);
}

std::optional<std::string> pci_text(std::uint64_t domain, std::uint64_t bus, std::uint64_t device) {
  if (domain > UINT32_MAX || bus > 0xff || device > 0x1f) return std::nullopt;
  std::string out;
  append_padded_hex(out, domain,
                    4);  // domains beyond 16 bits exist behind bridges that remap; they stay longer
  out += ':';
  append_padded_hex(out, bus, 2);
  out += ':';
  append_padded_hex(out, device, 2);
  return out;
}

// A host list has at most a few groups; more are no host list, and would only cost stack.
constexpr std::size_t kMostGroups = 8;

struct HostItem {
  std::vector<std::string_view> literals;  // literals.size() == groups.size() + 1
  std::vector<std::vector<std::string>> groups;
};

/// "3-5,9,07-10" into its numbers as text; false if it is not of that form.
bool expand_group(std::string_view body, std::size_t limit, std::vector<std::string>& out) {
  for (const std::string_view part : split(body, ',')) {
    const std::size_t dash = part.find('-');
    const auto low = parse_number<std::uint64_t>(part.substr(0, dash));
    if (!low) return false;
    if (dash == std::string_view::npos) {
      if (out.size() < limit) out.emplace_back(part);
      continue;
    }
    const auto high = parse_number<std::uint64_t>(part.substr(dash + 1));
    if (!high || *high < *low) return false;
    for (std::uint64_t n = *low; out.size() < limit; ++n) {
      std::string digits = std::to_string(n);
      if (digits.size() < dash) digits.insert(0, dash - digits.size(), '0');
      out.push_back(std::move(digits));
      if (n == *high) break;
    }
  }
  return !out.empty();
}

/// The parts of one item; a malformed one is a single literal.
HostItem parse_item(std::string_view item, std::size_t limit) {
  HostItem parsed;
  std::string_view rest = item;
  for (;;) {
    const std::size_t open = rest.find('[');
    if (open == std::string_view::npos) break;
    const std::size_t close = rest.find(']', open);
    std::vector<std::string> numbers;
    if (close == std::string_view::npos || parsed.groups.size() == kMostGroups ||
        !expand_group(rest.substr(open + 1, close - open - 1), limit, numbers)) {
      return HostItem{{item}, {}};
    }
    parsed.literals.push_back(rest.substr(0, open));
    parsed.groups.push_back(std::move(numbers));
    rest.remove_prefix(close + 1);
  }
  parsed.literals.push_back(rest);
  return parsed;
}

void emit(const HostItem& item, std::size_t group, std::string prefix, std::size_t limit,
          std::vector<std::string>& out) {
  prefix += item.literals[group];
  if (group == item.groups.size()) {
    out.push_back(std::move(prefix));
    return;
  }
  for (const std::string& number : item.groups[group]) {
    if (out.size() >= limit) return;
    emit(item, group + 1, prefix + number, limit, out);
  }
}

}  // namespace

std::optional<std::string> normal_pci(std::string_view text) {
  const bool named = text.size() > 4 && iequals(text.substr(0, 4), "PCI:");
  if (named) text.remove_prefix(4);
  std::string_view function;
  if (const std::size_t dot = text.find('.'); dot != std::string_view::npos) {
    function = text.substr(dot + 1);
    if (function.size() != 1 || function[0] < '0' || function[0] > '7') return std::nullopt;
    text = text.substr(0, dot);
  }
  std::array<std::string_view, 3> parts;  // domain, bus, device
  const std::size_t last = text.rfind(':');
  if (last == std::string_view::npos) return std::nullopt;
  parts[2] = text.substr(last + 1);
  const std::size_t before = last == 0 ? std::string_view::npos : text.rfind(':', last - 1);
  if (before == std::string_view::npos) {
    // Without a domain only the function tells an address from a time of day.
    if (function.empty()) return std::nullopt;
    parts[0] = "0000";
    parts[1] = text.substr(0, last);
  } else {
    parts[0] = text.substr(0, before);
    parts[1] = text.substr(before + 1, last - before - 1);
  }
  if (parts[0].size() < 4 || parts[0].size() > 8 || parts[1].size() != 2 || parts[2].size() != 2)
    return std::nullopt;
  if (!is_hex(parts[0]) || !is_hex(parts[1]) || !is_hex(parts[2])) return std::nullopt;
  return pci_text(*parse_number<std::uint32_t>(parts[0], 16), *parse_number<std::uint32_t>(parts[1], 16),
                  *parse_number<std::uint32_t>(parts[2], 16));
}

std::optional<std::string> pci_from_nccl_bus_id(std::string_view hex) {
  if (hex.size() > 13 || !is_hex(hex)) return std::nullopt;
  const auto id = parse_number<std::uint64_t>(hex, 16);
  if (!id) return std::nullopt;
  return pci_text(*id >> 20, (*id >> 12) & 0xff, (*id >> 4) & 0xff);
}

std::vector<std::string> expand_host_list(std::string_view list, std::size_t limit) {
  std::vector<std::string> hosts;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t at = 0; at <= list.size() && hosts.size() < limit; ++at) {
    if (at < list.size()) {
      if (list[at] == '[') inside = true;
      if (list[at] == ']') inside = false;
      if (list[at] != ',' || inside) continue;
    }
    const std::string_view item = trim(list.substr(begin, at - begin));
    begin = at + 1;
    if (item.empty() || item == "(null)") continue;
    emit(parse_item(item, limit), 0, {}, limit, hosts);
  }
  return hosts;
}

}  // namespace faultline
