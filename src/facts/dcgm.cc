// Tables of `dcgmi diag -r` and `dcgmi health -c`. Two cells a row; long texts wrap into rows with an empty
// first cell. Skipped tests are no failures, and a test that could not start CUDA says nothing about the
// hardware.
#include "base/text.h"
#include "facts/dcgm_json.h"
#include "facts/text_readers.h"

namespace faultline::facts {
namespace {

struct DcgmRow {
  std::string_view name;
  std::string_view value;  ///< as printed between the bars, one blank taken off the front
};

std::optional<DcgmRow> row_of(std::string_view line) {
  line = trim(line);
  if (line.size() < 5 || line.front() != '|' || line.back() != '|') return std::nullopt;
  const std::size_t bar = line.find('|', 1);
  if (bar + 1 >= line.size() || line.find('|', bar + 1) != line.size() - 1) return std::nullopt;
  DcgmRow row;
  row.name = trim(line.substr(1, bar - 1));
  row.value = line.substr(bar + 1, line.size() - bar - 2);
  if (!row.value.empty()) row.value.remove_prefix(1);
  // Two blanks close a cell; a third one belongs to wrapped text.
  if (row.value.ends_with("  ")) row.value.remove_suffix(2);
  return row;
}

// "GPU: 3", "GPUs: 3, 4", "GPU 3" after "Fail - "; "All" names none.
std::vector<std::string> gpus_named(std::string_view text) {
  std::vector<std::string> out;
  if (!text.starts_with("GPU")) return out;
  std::string number;
  for (const char c : text.substr(3)) {
    if (c >= '0' && c <= '9') {
      number += c;
    } else if (!number.empty()) {
      out.push_back(std::move(number));
      number.clear();
    }
    if (out.size() >= 64) return out;
  }
  if (!number.empty()) out.push_back(std::move(number));
  return out;
}

}  // namespace

void DcgmFailures::failed(std::string_view test, const std::vector<std::string>& gpus, std::size_t line,
                          std::optional<std::uint64_t> offset) {
  if (gpus.empty()) reading_.event(ReaderEvent::dcgm_test_failed, line, offset).field("test", test);
  for (const std::string& gpu : gpus) {
    reading_.event(ReaderEvent::dcgm_test_failed, line, offset).gpu(gpu).field("test", test);
  }
}

void DcgmFailures::message(std::string_view text, std::size_t line) {
  if (fabric_told_ || text.find("system not yet initialized") == std::string_view::npos) return;
  fabric_told_ = true;
  reading_.event(ReaderEvent::dcgm_fabric_not_ready, line);
}

void read_dcgm_diag(Reading& reading) {
  DcgmFailures failures(reading);
  bool inside = false;
  std::string wrapped;  ///< text of the warning that is being collected
  std::string test;
  std::size_t wrapped_line = 0;
  const auto flush = [&] {
    if (!wrapped.empty()) failures.message(wrapped, wrapped_line);
    wrapped.clear();
  };
  for (std::size_t n = 0; n < reading.lines().size(); ++n) {
    const auto row = row_of(reading.lines()[n]);
    if (!row) continue;
    const std::string_view value = trim(row->value);
    if (row->name == "Diagnostic" && value == "Result") {
      inside = true;
      continue;
    }
    if (!inside) continue;
    if (row->name.empty()) {
      // DCGM 4 lists GPUs below the test: "GPU3: Fail".
      const std::size_t colon = value.find(": Fail");
      if (!test.empty() && value.starts_with("GPU") && colon != std::string_view::npos && colon < 8) {
        failures.failed(test, gpus_named(value.substr(0, colon)), n, std::nullopt);
      } else if (!wrapped.empty() && wrapped.size() < 16384) {
        wrapped += row->value;
      }
      continue;
    }
    flush();
    if (row->name.starts_with("Warning") || row->name == "Error" || row->name.starts_with("Error:")) {
      wrapped = std::string(row->value);
      wrapped_line = n;
      continue;
    }
    test.clear();
    if (row->name == "Info" || row->name.starts_with("Info")) continue;
    if (row->name == "DCGM Version") reading.fact("version.dcgm", value, n);
    if (row->name == "Driver Version Detected") reading.fact("version.nvidia_driver", value, n);
    if (!value.starts_with("Fail")) continue;
    test = std::string(row->name);
    const std::size_t dash = value.find(" - ");
    failures.failed(
        test,
        dash == std::string_view::npos ? std::vector<std::string>{} : gpus_named(value.substr(dash + 3)), n,
        std::nullopt);
  }
  flush();
}

void read_dcgm_health(Reading& reading) {
  bool inside = false;
  std::string gpu;
  std::string message;
  std::size_t message_line = 0;
  const auto flush = [&] {
    // "GPU 4's NvLink link 11 is currently down" has a kind of its own.
    constexpr std::string_view kLink = "NvLink link ";
    const std::size_t at = message.find(kLink);
    if (at != std::string::npos && message.find("currently down") != std::string::npos) {
      const std::string_view rest = std::string_view(message).substr(at + kLink.size());
      const auto link = parse_number<std::int64_t>(rest.substr(0, rest.find(' ')));
      if (link)
        reading.event(ReaderEvent::nvidia_smi_nvlink_inactive, message_line).gpu(gpu).field("link", *link);
    }
    message.clear();
  };
  for (std::size_t n = 0; n < reading.lines().size(); ++n) {
    const std::string_view line = reading.lines()[n];
    if (line.find("Health Monitor Report") != std::string_view::npos) {
      inside = true;
      continue;
    }
    if (!inside) continue;
    const auto row = row_of(line);
    if (!row) continue;
    const std::string_view value = trim(row->value);
    if (row->name.empty()) {
      if (message.empty()) message_line = n;
      if (message.size() < 4096) message += row->value;
      continue;
    }
    flush();
    if (row->name == "Overall Health") reading.fact("dcgm.health", value, n);
    if (!row->name.starts_with("-> ")) continue;
    const std::string_view what = trim(row->name.substr(3));
    if (parse_number<unsigned>(what)) {
      gpu = std::string(what);
    } else if (value == "Failure" && what.find("system") != std::string_view::npos) {
      reading.event(ReaderEvent::dcgm_health_failed, n).gpu(gpu).field("test", what);
    }
  }
  flush();
}

}  // namespace faultline::facts
