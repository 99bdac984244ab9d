#pragma once
// The evidence text of an event: its line, masked, cut to size around the part that matched.
#include <string>
#include <string_view>

namespace faultline::extract {

/// `masked` is mask_secrets(raw); `match` is a part of `raw`. At most `limit` bytes, cut at UTF-8 borders, a
/// cut marked by an ellipsis, and as much of the match visible as fits.
std::string excerpt(std::string_view raw, std::string_view masked, std::string_view match, std::size_t limit);

}  // namespace faultline::extract
