// See topology.hpp.
#include "engine/retarget/topology.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::retarget {

namespace {

constexpr double kAlike = 0.08;  // of a branch's length: how much lengths of the two sides may differ
constexpr double kShort = 0.3;   // of the longest pair: shorter ones are fingers, eyes, ears

class Tree {
 public:
  explicit Tree(const std::vector<Node>& nodes) : nodes_(nodes), children_(nodes.size()), reach_(nodes.size(), 0.0) {
    for (std::size_t i = nodes.size(); i-- > 0;) {
      const int p = nodes[i].parent;
      if (p < 0) continue;
      children_[static_cast<std::size_t>(p)].push_back(static_cast<int>(i));
      reach_[static_cast<std::size_t>(p)] = std::max(reach_[static_cast<std::size_t>(p)], reach_[i] + length(static_cast<int>(i)));
    }
    for (std::vector<int>& c : children_) std::reverse(c.begin(), c.end());
  }
  const std::vector<int>& children(int node) const { return children_[static_cast<std::size_t>(node)]; }

  Branch follow(int first) const {
    Branch b;
    for (int at = first; at >= 0;) {
      b.chain.push_back(at);
      b.length.push_back(length(at));
      b.total += b.length.back();
      const std::vector<int>& next = children(at);
      const auto further = [&](int x, int y) { return far(x) < far(y); };
      at = next.empty() || (next.size() > 2 && b.chain.size() > 2) ? -1 : *std::max_element(next.begin(), next.end(), further);
    }
    return b;
  }

 private:
  double length(int node) const {
    const Node& n = nodes_[static_cast<std::size_t>(node)];
    return n.parent < 0 ? 0 : (n.p - nodes_[static_cast<std::size_t>(n.parent)].p).norm();
  }
  double far(int node) const { return reach_[static_cast<std::size_t>(node)] + length(node); }

  const std::vector<Node>& nodes_;
  std::vector<std::vector<int>> children_;
  std::vector<double> reach_;
};

bool alike(const Branch& a, const Branch& b) {
  if (a.chain.size() != b.chain.size() || a.chain.size() < 2 || !(a.total > 0)) return false;
  for (std::size_t i = 0; i < a.length.size(); i++)
    if (std::fabs(a.length[i] - b.length[i]) > kAlike * a.total) return false;
  return true;
}

}  // namespace

std::vector<Pair> mirroredPairs(const std::vector<Node>& nodes) {
  const Tree tree(nodes);
  std::vector<Pair> found;
  std::vector<bool> within(nodes.size(), false);  // of a limb
  for (int n = 0; n < static_cast<int>(nodes.size()); n++) {
    const int parent = nodes[static_cast<std::size_t>(n)].parent;
    if (parent >= 0 && within[static_cast<std::size_t>(parent)]) within[static_cast<std::size_t>(n)] = true;
    if (within[static_cast<std::size_t>(n)]) continue;
    std::vector<Branch> branches;
    for (int c : tree.children(n)) branches.push_back(tree.follow(c));
    std::vector<bool> used(branches.size(), false);
    for (std::size_t a = 0; a < branches.size(); a++) {
      if (used[a]) continue;
      std::vector<std::size_t> same = {a};
      for (std::size_t b = a + 1; b < branches.size(); b++)
        if (!used[b] && alike(branches[a], branches[b])) same.push_back(b);
      if (same.size() < 2) continue;
      for (std::size_t i : same) {
        used[i] = true;
        within[static_cast<std::size_t>(branches[i].chain[0])] = true;
      }
      found.push_back({n, static_cast<int>(same.size()), {branches[same[0]], branches[same[1]]}});
    }
  }
  double longest = 0;
  for (const Pair& p : found) longest = std::max(longest, p.total());
  found.erase(std::remove_if(found.begin(), found.end(), [&](const Pair& p) { return p.total() < kShort * longest; }), found.end());
  return found;
}

bool bendOf(const Pair& pair, int side, Bend& out, int held) {
  // Nodes that lie on one point count once; both sides are cut at the same place.
  const Branch &a = pair.side[0], &b = pair.side[1], &mine = pair.side[side];
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < a.length.size(); i++) {
    if (i > 0 && a.length[i] + b.length[i] < 2e-3 * a.total) continue;
    distinct.push_back(i);
  }
  double most = 0;
  for (std::size_t k = static_cast<std::size_t>(1 + held); k + 1 < distinct.size(); k++) {
    const auto mean = [&](std::size_t i) { return a.length[i] + b.length[i]; };
    const double shorter = std::min(mean(distinct[k]), mean(distinct[k + 1]));
    if (shorter < most + 1e-9) continue;
    most = shorter;
    out = {mine.chain[distinct[k] - 1], mine.chain[distinct[k + 1] - 1], mine.chain[distinct[k + 1]]};
  }
  return most > 0;
}

}  // namespace vertebra::retarget
