#pragma once
// Goldens are files in tests/report/golden/. UPDATE_GOLDEN=1 in the environment rewrites them; the difference
// is reviewed like code.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace faultline::samples {

inline std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline void check_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(FAULTLINE_SOURCE_DIR) + "/tests/report/golden/" + name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  INFO("golden: " << path << "; UPDATE_GOLDEN=1 rewrites it");
  CHECK(file_text(path) == text);
}

}  // namespace faultline::samples
