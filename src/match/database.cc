#include "match/database.h"

#include <cstdlib>

#include "match/proposal.h"

namespace faultline::match {
namespace {

struct FreeError {
  void operator()(hs_compile_error_t* error) const { hs_free_compile_error(error); }
};
using ErrorPointer = std::unique_ptr<hs_compile_error_t, FreeError>;

}  // namespace

std::string refusal_of(const std::string& proposal) {
  hs_expr_info_t* info = nullptr;
  hs_compile_error_t* error = nullptr;
  const hs_error_t code = hs_expression_info(proposal.c_str(), 0, &info, &error);
  const ErrorPointer owned(error);
  std::free(info);  // the library's default allocator is malloc
  if (code == HS_SUCCESS) return {};
  return owned && owned->message != nullptr ? owned->message : "refused";
}

Result<const hs_database_t*> Database::get() {
  std::call_once(once_, [this] { compile(); });
  if (!compiled_ && !expressions_.empty()) return tl::unexpected(problem_);
  return compiled_.get();
}

void Database::compile() {
  if (expressions_.empty()) return;
  std::vector<std::string> texts;
  std::vector<unsigned> ids;
  for (const Expression* e : expressions_) {
    texts.push_back(print_regex(e->tree));
    ids.push_back(e->pattern);
  }
  const std::vector<unsigned> flags(texts.size(), 0);
  std::vector<bool> reduced(texts.size(), false);
  // An expression that is too large only as a part of the whole is reduced to its literals, once: RE2 decides
  // anyway.
  for (;;) {
    std::vector<const char*> pointers;
    pointers.reserve(texts.size());
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    hs_database_t* database = nullptr;
    hs_compile_error_t* error = nullptr;
    const hs_error_t code =
        hs_compile_multi(pointers.data(), flags.data(), ids.data(), static_cast<unsigned>(texts.size()),
                         HS_MODE_BLOCK, nullptr, &database, &error);
    const ErrorPointer owned(error);
    if (code == HS_SUCCESS) {
      compiled_.reset(database);
      std::size_t size = 0;
      if (hs_database_size(database, &size) == HS_SUCCESS) bytes_ = size;
      return;
    }
    const auto bad = static_cast<std::size_t>(owned && owned->expression >= 0 ? owned->expression : -1);
    const std::string what = owned && owned->message != nullptr ? owned->message : "out of memory";
    if (bad >= texts.size() || reduced[bad]) {
      problem_ = {Rung::stop,
                  bad < texts.size() ? expressions_[bad]->where : std::string("patterns"),
                  "the patterns cannot be compiled for scanning: " + what,
                  {}};
      return;
    }
    reduced[bad] = true;
    texts[bad] = print_regex(literal_proposal_of(expressions_[bad]->tree));
  }
}

}  // namespace faultline::match
