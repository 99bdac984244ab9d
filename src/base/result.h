#pragma once
// Result<T>: a value, or the Problem that kept us from having one. All that input can cause is a Result;
// what only a bug of ours can cause is an assert. Library exceptions stop at the folder that hides the
// library.
#include <string>
#include <tl/expected.hpp>

namespace faultline {

/// How far a problem reaches (after libarchive's ladder).
enum class Rung {
  note,  ///< something was cut or repaired; reading goes on
  skip,  ///< this artifact ends here; the run goes on
  stop,  ///< nothing sensible can follow: bad options, bad pack, nothing readable, output not writable
};

/// What went wrong, where, and what the reader of the message can do about it.
struct Problem {
  Rung rung = Rung::skip;
  std::string
      where;         ///< artifact chain, `file:line:column`, or option name; bytes as found, escaped at print
  std::string what;  ///< one sentence, lower case, no final period
  std::string hint;  ///< what to try; may be empty
};

template <class T>
using Result = tl::expected<T, Problem>;

inline tl::unexpected<Problem> fail(Problem problem) {
  return tl::unexpected<Problem>(std::move(problem));
}
inline tl::unexpected<Problem> fail(Rung rung, std::string where, std::string what, std::string hint = {}) {
  return tl::unexpected<Problem>(Problem{rung, std::move(where), std::move(what), std::move(hint)});
}

}  // namespace faultline
