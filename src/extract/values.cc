#include "extract/values.h"

#include <algorithm>
#include <limits>

#include "base/secrets.h"
#include "base/text.h"

namespace faultline::extract {
namespace {

bool is_decimal(std::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+';
  });
}

std::optional<FieldValue> integer(std::string_view text) {
  if (const auto value = parse_number<std::int64_t>(text)) return FieldValue(*value);
  return std::nullopt;
}

std::optional<FieldValue> hex(std::string_view text) {
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") text.remove_prefix(2);
  const auto value = parse_number<std::uint64_t>(text, 16);
  if (!value || *value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return std::nullopt;
  return FieldValue(static_cast<std::int64_t>(*value));
}

std::optional<FieldValue> number(std::string_view text) {
  if (auto whole = integer(text)) return whole;
  if (!is_decimal(text)) return std::nullopt;  // "nan" and "inf" stay text
  if (const auto value = parse_double(text)) return FieldValue(*value);
  return std::nullopt;
}

}  // namespace

FieldValue field_value(std::string_view name, FieldType type, std::string_view text) {
  std::optional<FieldValue> value;
  switch (type) {
    case FieldType::integer:
    case FieldType::rank:
    case FieldType::bytes:
      value = integer(text);
      break;
    case FieldType::hex:
      value = hex(text);
      break;
    case FieldType::number:
    case FieldType::duration:
      value = number(text);
      break;
    case FieldType::pci:
      if (auto address = normal_pci(text)) value = FieldValue(std::move(*address));
      break;
    case FieldType::pod_uid: {
      std::string uid(text);
      std::replace(uid.begin(), uid.end(), '_', '-');
      value = FieldValue(mask_value(name, uid));
      break;
    }
    case FieldType::text:
    case FieldType::guid:
    case FieldType::host:
    case FieldType::ip:
    case FieldType::time:
      break;
  }
  if (value) return std::move(*value);
  return mask_value(name, trim(text));
}

FieldValue constant_value(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  if (const auto value = parse_number<std::int64_t>(text)) return *value;
  return std::string(text);
}

}  // namespace faultline::extract
