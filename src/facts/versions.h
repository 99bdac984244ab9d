#pragma once
// One way to tell a version: the component's name as the reports use it (version.nccl, version.nvidia_driver
// ...), the value as printed without a leading "v" or an epoch.
#include <string_view>

#include "base/json.h"
#include "facts/reading.h"

namespace faultline::facts {

void tell_version(Reading& reading, const Speaker& subject, std::string_view component,
                  std::string_view value, std::size_t line);
void tell_version(Reading& reading, std::string_view component, std::string_view value, std::size_t line);

/// "name-version-release.arch" of rpm, "name_version_arch" of deb, "name==version" of pip: the component that
/// reports follow, and its version. Packages of no interest: false.
struct PackageVersion {
  std::string_view component;
  std::string_view version;
};
std::optional<PackageVersion> version_of_package(std::string_view package);
/// The component of a package by its bare name.
std::string_view component_of_package(std::string_view name);

/// The version checker prints some values twice without a gap: "2.21.52.21.5" -> "2.21.5".
std::string_view undoubled(std::string_view value);
/// Its JSON form; false when the value is none.
bool read_version_document(Reading& reading, const JsonValue& value);

}  // namespace faultline::facts
