#pragma once
// What a run was asked to do, resolved once from options; a stage gets only its own part.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "model/pattern.h"

namespace faultline::app {

struct Settings {
  std::vector<std::string> paths;
  std::vector<std::string> pack_directories;
  Limits limits;
  unsigned jobs = 1;
  std::int32_t zone_offset_s = 0;        ///< for stamps without a zone; --tz
  std::optional<std::int64_t> since_ns;  ///< events with a known wall time before it are left out
  std::optional<std::int64_t> until_ns;
  std::vector<std::int32_t> ranks;
};

/// Asked and told while a run goes on. All members may be empty.
struct Observer {
  std::function<bool()> interrupted;  ///< Ctrl-C
  std::function<void(std::uint64_t bytes, const std::string& chain)>
      progress;  ///< stored bytes since the last call
};

}  // namespace faultline::app
