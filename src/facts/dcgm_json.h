#pragma once
// `dcgmi diag -j` (DCGM 3 and 4), and what its failures have in common with the text form.
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "facts/reading.h"

namespace faultline::facts {

class DcgmFailures {
 public:
  explicit DcgmFailures(Reading& reading) : reading_(reading) {}
  void failed(std::string_view test, const std::vector<std::string>& gpus, std::size_t line,
              std::optional<std::uint64_t> offset);
  /// A warning's text: says when CUDA could not start for want of the NVLink fabric. Told once a document.
  void message(std::string_view text, std::size_t line);

 private:
  Reading& reading_;
  bool fabric_told_ = false;
};

bool read_dcgm_document(Reading& reading, const JsonValue& value);

}  // namespace faultline::facts
