// Pairs of bodies that do not collide. A step asks for every pair whose boxes overlap, so the place of each body's pairs is known: a search
// of the whole list by halves takes longer the more figures there are (docs/notes/performance.md).
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/state/growth.hpp"

namespace vertebra::inline state {

class BodyPairs {
 public:
  using Pair = std::pair<int, int>;

  const std::vector<Pair>& list() const { return pairs_; }  // the smaller body first, in ascending order
  bool empty() const { return pairs_.empty(); }

  void clear() {
    pairs_.clear();
    first_.clear();
  }
  void add(std::vector<Pair> more) {  // of the same form, in any order
    if (more.empty()) return;
    std::sort(more.begin(), more.end());
    const std::size_t old = pairs_.size();
    makeRoom(pairs_, old + more.size());
    pairs_.insert(pairs_.end(), more.begin(), more.end());
    std::inplace_merge(pairs_.begin(), pairs_.begin() + static_cast<std::ptrdiff_t>(old), pairs_.end());
    first_.clear();
  }
  void set(int a, int b, bool there) {
    const Pair pair(std::min(a, b), std::max(a, b));
    const auto at = std::lower_bound(pairs_.begin(), pairs_.end(), pair);
    if (there == (at != pairs_.end() && *at == pair)) return;
    const std::ptrdiff_t place = at - pairs_.begin();
    if (there) {
      makeRoom(pairs_, pairs_.size() + 1);
      pairs_.insert(pairs_.begin() + place, pair);
    } else {
      pairs_.erase(at);
    }
    first_.clear();
  }
  template <class F>
  void dropIf(F&& f) {
    std::erase_if(pairs_, f);
    first_.clear();
  }

  void prepare() {  // after changes, before `contains`
    if (!first_.empty() || pairs_.empty()) return;
    growTo(first_, static_cast<std::size_t>(pairs_.back().first) + 2);
    std::size_t at = 0;
    for (std::size_t body = 0; body < first_.size(); body++) {
      while (at < pairs_.size() && pairs_[at].first < static_cast<int>(body)) at++;
      first_[body] = static_cast<int>(at);
    }
  }
  bool contains(int a, int b) const {
    const std::size_t smaller = static_cast<std::size_t>(std::min(a, b));
    if (smaller + 1 >= first_.size()) return false;
    const auto from = pairs_.begin() + first_[smaller], to = pairs_.begin() + first_[smaller + 1];
    return std::binary_search(from, to, Pair(static_cast<int>(smaller), std::max(a, b)));
  }

 private:
  std::vector<Pair> pairs_;
  std::vector<int> first_;  // by smaller body, the place of its first pair, and after the last the end; empty: not prepared
};

}  // namespace vertebra::inline state
