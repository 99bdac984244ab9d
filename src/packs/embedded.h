#pragma once
// The files that travel inside the binary: packs, tables, runbooks and schemas, by their path in the
// repository ("patterns/gpu.toml"). Written by cmake/Embed.cmake; sorted by path; lives forever.
#include <span>
#include <string_view>

namespace faultline::packs {

struct EmbeddedFile {
  std::string_view path;
  std::string_view content;
};

std::span<const EmbeddedFile> embedded_files();

}  // namespace faultline::packs
