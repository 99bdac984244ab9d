#include "decode/record_values.h"

#include <algorithm>

#include "base/text.h"

namespace faultline::decode {
namespace {

bool all_of_chars(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

bool is_instance_id(std::string_view text) {
  return text.starts_with("i-") && (text.size() == 10 || text.size() == 19) &&
         all_of_chars(text.substr(2), "0123456789abcdef");
}

/// DNS-1123, as pods, namespaces and containers are named.
bool is_kubernetes_name(std::string_view text) {
  return text.size() <= 253 && all_of_chars(text, "abcdefghijklmnopqrstuvwxyz0123456789-.") &&
         text.front() != '-' && text.back() != '-';
}

/// `<pod>_<ns>_<ctr>[-<64hex>][.log]`
bool add_container_file(std::string_view name, Speaker& speaker) {
  if (name.ends_with(".log")) name.remove_suffix(4);
  const auto parts = split(name, '_');
  if (parts.size() != 3) return false;
  std::string_view container = parts[2];
  const std::size_t dash = container.rfind('-');
  if (dash != std::string_view::npos && container.size() - dash == 65 &&
      all_of_chars(container.substr(dash + 1), "0123456789abcdef")) {
    container = container.substr(0, dash);
  }
  if (!is_kubernetes_name(parts[0]) || !is_kubernetes_name(parts[1]) || !is_kubernetes_name(container))
    return false;
  speaker.pod = parts[0];
  speaker.container = container;
  return true;
}

Instant received(Instant time) {
  time.source = Instant::Source::container;
  return time;
}

}  // namespace

Instant time_of(std::string_view text, const TimeHints& hints) {
  text = trim(text);
  if (const auto epoch = try_epoch(text); epoch && epoch->length == text.size()) return received(epoch->time);
  if (const auto stamp = try_any_time(text, hints); stamp && stamp->length == text.size())
    return received(stamp->time);
  return {};
}

Instant time_of(const JsonValue* value, const TimeHints& hints) {
  if (value == nullptr) return {};
  switch (value->type) {
    case JsonValue::Type::string:
    case JsonValue::Type::integer:
      return time_of(std::string_view(value->string), hints);
    case JsonValue::Type::number: {
      // 1767225600.123456 has its digits; 1.7672256e9 is a double that must be written out.
      if (const Instant time = time_of(std::string_view(value->string), hints); time.known()) return time;
      if (!(value->number >= 1e9 && value->number < 1e10)) return {};
      Instant time;
      time.ns = static_cast<std::int64_t>(value->number) * kSecond;
      time.precision_ns = kSecond;
      time.base = Instant::Base::epoch;
      return received(time);
    }
    default:
      return {};
  }
}

Instant time_from_us(std::uint64_t epoch_us) {
  constexpr std::uint64_t kLatest = std::uint64_t{7'258'118'400} * 1'000'000;  // the year 2200
  if (epoch_us == 0 || epoch_us > kLatest) return {};
  Instant time;
  time.ns = static_cast<std::int64_t>(epoch_us) * 1000;
  time.precision_ns = 1000;
  time.base = Instant::Base::epoch;
  return received(time);
}

Instant utc_time_of(std::string_view text, const TimeHints& hints) {
  TimeHints utc = hints;
  utc.zone_offset_s = 0;
  Instant time = time_of(text, utc);
  if (time.wall() && !time.year_inferred) time.zone = Instant::Zone::printed;
  return time;
}

void add_log_stream(std::string_view stream, Speaker& speaker) {
  if (stream.empty()) return;
  speaker.stream = stream;
  for (const std::size_t size : {std::size_t{19}, std::size_t{10}}) {
    if (stream.size() < size || !is_instance_id(stream.substr(stream.size() - size))) continue;
    const bool alone =
        stream.size() == size ||
        std::string_view("/_.-").find(stream[stream.size() - size - 1]) != std::string_view::npos;
    if (!alone) continue;
    speaker.node = stream.substr(stream.size() - size);
    return;
  }
  for (const std::string_view mark : {"-application.var.log.containers.", ".var.log.containers."}) {
    const std::size_t at = stream.find(mark);
    if (at == std::string_view::npos) continue;
    if (mark.front() == '-') speaker.node = stream.substr(0, at);
    add_container_file(stream.substr(at + mark.size()), speaker);
    return;
  }
  for (const std::string_view mark : {"-dataplane.", "-host."}) {
    const std::size_t at = stream.find(mark);
    if (at == std::string_view::npos || at == 0) continue;
    speaker.node = stream.substr(0, at);
    return;
  }
  add_container_file(stream, speaker);
}

void add_container_name(std::string_view name, Speaker& speaker) {
  if (name.starts_with('/')) name.remove_prefix(1);
  const auto parts = split(name, '_');
  if (parts.size() >= 6 && parts[0] == "k8s") {
    speaker.container = parts[1];
    speaker.pod = parts[2];
  } else if (!name.empty()) {
    speaker.container = name;
  }
}

std::string_view first_text(const JsonValue& object, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const std::string_view text = object.text(key); !text.empty()) return text;
  }
  return {};
}

}  // namespace faultline::decode
