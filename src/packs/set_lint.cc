#include "packs/set_lint.h"

#include <algorithm>
#include <map>
#include <set>

#include "packs/packs.h"
#include "packs/schema.h"
#include "packs/tables.h"

namespace faultline::packs {
namespace {

using Index = std::size_t;

class SetLint {
 public:
  explicit SetLint(std::vector<LoadedPattern>& patterns) : rows_(patterns) {
    if (const auto table = load_table("kinds")) {
      for (const TableRow& row : *table) {
        if (const auto kind = row.find("kind"); kind != row.end()) kinds_.insert(kind->second);
      }
    }
    for (Index i = 0; i < rows_.size(); ++i) {
      by_id_[rows_[i].pattern.id] = i;
      by_kind_[rows_[i].pattern.kind].push_back(i);
    }
    for (const std::string& kind : kinds_) targets_.push_back(kind);
    for (const auto& [id, index] : by_id_) targets_.push_back(id);
  }

  void run() {
    edges_.resize(rows_.size());
    for (Index i = 0; i < rows_.size(); ++i) {
      kind(i);
      reference(i);
      overlaps(i);
      explains(i);
    }
    cycles();
  }

 private:
  void complain(Index i, Position at, std::string what, std::string hint = {}) {
    rows_[i].complaints->add(at, std::move(what), std::move(hint));
  }

  void kind(Index i) {
    const std::string& name = rows_[i].pattern.kind;
    if (name.empty() || kinds_.count(name) != 0) return;
    const std::vector<std::string_view> known(kinds_.begin(), kinds_.end());
    std::string hint = did_you_mean(name, known);
    if (hint.empty()) hint = "the dictionary of kinds is references/tables/kinds.toml";
    complain(i, position_of(*rows_[i].table, "kind"), "kind '" + name + "' is not in the dictionary",
             std::move(hint));
  }

  void reference(Index i) {
    const std::string& text = rows_[i].pattern.reference;
    if (text.empty() || reference_exists(text)) return;
    complain(i, position_of(*rows_[i].table, "reference"), "reference '" + text + "' leads to no section",
             "references/FILE.md#N, where the file has a heading \"## N. ...\"");
  }

  void overlaps(Index i) {
    const Pattern& p = rows_[i].pattern;
    for (std::size_t k = 0; k < p.overlaps.size(); ++k) {
      if (p.overlaps[k].empty()) continue;
      const Position at = position_of(*rows_[i].table, "overlaps", k);
      if (p.overlaps[k] == p.id) {
        complain(i, at, "a pattern overlaps itself");
      } else if (by_id_.count(p.overlaps[k]) == 0) {
        std::vector<std::string_view> ids;
        for (const auto& row : by_id_) ids.push_back(row.first);
        complain(i, at, "overlaps '" + p.overlaps[k] + "', which is no pattern",
                 did_you_mean(p.overlaps[k], ids));
      }
    }
  }

  void explains(Index i) {
    const Pattern& p = rows_[i].pattern;
    for (std::size_t k = 0; k < p.explains.size(); ++k) {
      const std::string& target = p.explains[k];
      if (target.empty()) continue;
      const Position at = position_of(*rows_[i].table, "explains", k);
      if (const auto id = by_id_.find(target); id != by_id_.end()) {
        if (id->second == i) complain(i, at, "a pattern explains itself");
        edges_[i].insert(id->second);
      } else if (const auto kind = by_kind_.find(target); kind != by_kind_.end()) {
        // Its own kind means: the others of that kind.
        for (const Index other : kind->second) {
          if (other != i) edges_[i].insert(other);
        }
      } else if (kinds_.count(target) == 0) {
        complain(i, at, "explains '" + target + "', which is neither a pattern nor a kind",
                 did_you_mean(target, targets_));
      }
    }
  }

  // Depth first, without recursion (a user's pack may chain thousands); one complaint per loop found.
  void cycles() {
    enum class State { fresh, open, done };
    std::vector<State> state(rows_.size(), State::fresh);
    struct Frame {
      Index node;
      std::set<Index>::const_iterator next;
    };
    for (Index start = 0; start < rows_.size(); ++start) {
      if (state[start] != State::fresh) continue;
      std::vector<Frame> path{{start, edges_[start].begin()}};
      state[start] = State::open;
      while (!path.empty()) {
        Frame& top = path.back();
        if (top.next == edges_[top.node].end()) {
          state[top.node] = State::done;
          path.pop_back();
          continue;
        }
        const Index target = *top.next++;
        if (state[target] == State::fresh) {
          state[target] = State::open;
          path.push_back({target, edges_[target].begin()});
        } else if (state[target] == State::open && target != top.node) {
          auto from =
              std::find_if(path.begin(), path.end(), [&](const Frame& f) { return f.node == target; });
          std::string loop;
          for (auto f = from; f != path.end(); ++f) loop += rows_[f->node].pattern.id + " -> ";
          complain(target, position_of(*rows_[target].table, "explains"),
                   "explains in a circle: " + loop + rows_[target].pattern.id,
                   "drop the weakest of these edges");
        }
      }
    }
  }

  std::vector<LoadedPattern>& rows_;
  std::set<std::string> kinds_;
  std::map<std::string, Index> by_id_;
  std::map<std::string, std::vector<Index>> by_kind_;
  std::vector<std::string_view> targets_;
  std::vector<std::set<Index>> edges_;
};

}  // namespace

void lint_set(std::vector<LoadedPattern>& patterns) {
  SetLint(patterns).run();
}

}  // namespace faultline::packs
