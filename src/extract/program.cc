#include "extract/program.h"

#include <algorithm>

#include "base/regex.h"

namespace faultline::extract {
namespace {

// Of one expression: RE2 drops and rebuilds its automaton beyond it, and falls back to a slower walk. Its
// default of 8 MiB would let some hundred patterns take gigabytes on hostile text.
constexpr std::int64_t kMemory = 2 << 20;

re2::RE2::Options byte_options() {
  re2::RE2::Options options;
  options.set_encoding(
      re2::RE2::Options::EncodingLatin1);  // bytes are bytes: broken UTF-8 must not hide a line
  options.set_log_errors(false);
  options.set_max_mem(kMemory);
  return options;
}

re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

Result<Program> Program::make(const std::string& expression) {
  Program program;
  program.regex_ = std::make_unique<re2::RE2>(expression, byte_options());
  if (!program.regex_->ok()) return fail(Rung::stop, {}, "RE2 refuses it: " + program.regex_->error());
  const auto tree = parse_regex(expression);
  if (!tree) return tl::unexpected(tree.error());
  const std::string strict = print_regex(tree->root);
  if (const std::string loose = print_regex(without_boundaries(without_anchors(tree->root)));
      loose != strict) {
    program.loose_ = std::make_unique<Loose>();
    program.loose_->expression = loose;
  }
  for (const auto& [name, number] : program.regex_->NamedCapturingGroups()) {
    program.groups_.push_back({number, name});
    program.count_ = std::max(program.count_, number + 1);
  }
  if (program.count_ == 0) program.count_ = 1;
  return program;
}

bool Program::matches(std::string_view text) const {
  return regex_->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

bool Program::may_match_within(std::string_view line) const {
  const re2::RE2* regex = regex_.get();
  if (loose_) {
    std::call_once(loose_->once, [this] {
      loose_->regex = std::make_unique<re2::RE2>(loose_->expression, byte_options());
    });
    regex = loose_->regex.get();
    if (!regex->ok()) return true;  // too large without its anchors: every line may
  }
  return regex->Match(piece(line), 0, line.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

bool Program::find(std::string_view text, Match& match) const {
  match.groups.assign(static_cast<std::size_t>(count_), {});
  if (!regex_->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, match.groups.data(), count_))
    return false;
  match.whole = {match.groups[0].data(), match.groups[0].size()};
  for (const Group& group : groups_) {
    const re2::StringPiece& found = match.groups[static_cast<std::size_t>(group.number)];
    if (!found.empty()) match.captures.push_back({group.name, {found.data(), found.size()}});
  }
  return true;
}

}  // namespace faultline::extract
