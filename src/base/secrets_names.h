#pragma once
// Which names hold secrets, and which values beside such names are none. Internal to base: the maskers in
// secrets.cc ask here.
#include <string_view>

namespace faultline::secrets {

struct NameJudgement {
  std::string_view mask;     ///< class to print in the mask; empty: no secret
  bool place = false;        ///< *_FILE, *_PATH: usually names where the secret is, and is none then
  bool unless_path = false;  ///< a plain path in it is harmless
  bool common_word = false;  ///< "token", "auth", ...: also a word of plain English in front of a colon
};

NameJudgement judge_name(std::string_view name);

/// Nothing to hide: empty, a switch, a reference ($NAME), a placeholder, or already masked.
bool is_trivial_value(std::string_view value);

/// /var/run/x, ~/x, ./x, C:\x.
bool is_plain_path(std::string_view value);

}  // namespace faultline::secrets
