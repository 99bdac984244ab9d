#include "facts/dcgm_json.h"

#include "base/text.h"

namespace faultline::facts {
namespace {

class DcgmJson {
 public:
  explicit DcgmJson(Reading& reading) : reading_(reading), failures_(reading) {}

  void read(const JsonValue& diagnostic) {
    for (const std::string_view list : {"test_categories"}) {
      const JsonValue* categories = diagnostic.find(list);
      if (categories == nullptr) continue;
      for (const JsonValue& category : categories->items) {
        const JsonValue* tests = category.find("tests");
        if (tests == nullptr) continue;
        for (const JsonValue& test : tests->items) read_test(test);
      }
    }
    version(diagnostic.at({"metadata", "version"}), "version.dcgm");
    version(diagnostic.at({"metadata", "Driver Version Detected"}), "version.nvidia_driver");
    version(diagnostic.find("DCGM Version"), "version.dcgm");
    version(diagnostic.find("Driver Version Detected"), "version.nvidia_driver");
    if (const JsonValue* error = diagnostic.find("runtime_error"); error != nullptr && error->is_string()) {
      reading_.note("dcgmi diag did not run: " + error->string.substr(0, 200));
    }
  }

 private:
  std::size_t line(const JsonValue& value) const { return reading_.lines().at_offset(value.offset); }

  void version(const JsonValue* value, std::string_view key) {
    if (value != nullptr && value->is_string()) reading_.fact(key, value->string, line(*value));
  }

  void read_test(const JsonValue& test) {
    const JsonValue* results = test.find("results");
    if (results == nullptr) return;
    for (const JsonValue& result : results->items) {
      const JsonValue* status = result.find("status");
      if (status == nullptr) continue;
      if (iequals(status->string, "fail")) {
        failures_.failed(test.text("name"), gpus(result), line(*status), status->offset);
      }
      warnings(result);
    }
  }

  static std::vector<std::string> gpus(const JsonValue& result) {
    std::vector<std::string> out;
    // DCGM 4 names an entity, DCGM 3 a GPU or a list of them as text.
    if (const JsonValue* id = result.find("entity_id");
        id != nullptr &&
        (result.text("entity_group").empty() || iequals(result.text("entity_group"), "gpu"))) {
      out.push_back(id->string);
    } else if (const JsonValue* gpu = result.find("gpu_id")) {
      out.push_back(gpu->string);
    } else if (const JsonValue* list = result.find("gpu_ids"); list != nullptr && list->is_string()) {
      for (const std::string_view part : split(list->string, ',')) {
        if (parse_number<unsigned>(trim(part)) && out.size() < 64) out.emplace_back(trim(part));
      }
    }
    return out;
  }

  void warnings(const JsonValue& result) {
    const JsonValue* warnings = result.find("warnings");
    if (warnings == nullptr) return;
    if (warnings->is_string()) failures_.message(warnings->string, line(*warnings));
    for (const JsonValue& warning : warnings->items) {
      failures_.message(warning.is_string() ? std::string_view(warning.string) : warning.text("warning"),
                        line(warning));
    }
  }

  Reading& reading_;
  DcgmFailures failures_;
};

}  // namespace

bool read_dcgm_document(Reading& reading, const JsonValue& value) {
  for (const std::string_view key : {"DCGM Diagnostic", "DCGM GPU Diagnostic"}) {
    if (const JsonValue* diagnostic = value.find(key)) {
      DcgmJson(reading).read(*diagnostic);
      // DCGM 4 writes some of it beside the categories.
      if (const JsonValue* metadata = value.find("metadata")) {
        if (const JsonValue* version = metadata->find("version")) {
          reading.fact("version.dcgm", version->string, reading.lines().at_offset(version->offset));
        }
        if (const JsonValue* driver = metadata->find("Driver Version Detected")) {
          reading.fact("version.nvidia_driver", driver->string, reading.lines().at_offset(driver->offset));
        }
      }
      return true;
    }
  }
  return false;
}

}  // namespace faultline::facts
