// See skeleton.hpp.
#include "engine/figure/skeleton.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vertebra::figure {

int Skeleton::findLink(const std::string& n) const {
  for (std::size_t i = 0; i < links.size(); i++)
    if (links[i].name == n) return static_cast<int>(i);
  return -1;
}
int Skeleton::findJoint(const std::string& n) const {
  for (std::size_t i = 0; i < joints.size(); i++)
    if (joints[i].name == n) return static_cast<int>(i);
  return -1;
}

int Skeleton::findSite(const std::string& n) const {
  for (std::size_t i = 0; i < sites.size(); i++)
    if (sites[i].name == n) return static_cast<int>(i);
  return -1;
}

std::string checkSkeleton(const Skeleton& s) {
  const int n = static_cast<int>(s.links.size()), m = static_cast<int>(s.joints.size());
  if (n == 0) return "the skeleton has no links";
  if (s.root < 0 || s.root >= n) return "root is not the index of a link";
  for (const LinkDescription& l : s.links) {
    if (!(l.mass >= 0) || !std::isfinite(l.mass)) return "link '" + l.name + "': mass is negative or not a number";
    if (!l.com.allFinite() || !l.inertia.allFinite()) return "link '" + l.name + "': centre of mass or inertia is not a number";
  }
  std::vector<int> parentJoint(n, -1);
  for (int j = 0; j < m; j++) {
    const JointDescription& d = s.joints[j];
    const std::string who = "joint '" + d.name + "': ";
    if (d.child < 0 || d.child >= n || d.parent < -1 || d.parent >= n) return who + "parent or child is not the index of a link";
    if (d.child == d.parent) return who + "parent and child are the same link";
    if (!d.inParent.p.allFinite() || !d.inChild.p.allFinite() || !d.inParent.q.coeffs().allFinite() || !d.inChild.q.coeffs().allFinite())
      return who + "its frame is not a number";
    if (std::fabs(d.axis.norm() - 1) > 1e-6) return who + "axis is not a unit vector";
    if (dynamics::hasTwoAxes(d.type) && std::fabs(d.axis2.norm() - 1) > 1e-6) return who + "axis2 is not a unit vector";
    for (const dynamics::AxisParameters& a : d.axes)
      if (a.lower != a.lower || a.upper != a.upper || a.lower > a.upper || !(a.damping >= 0) || !(a.friction >= 0) || !(a.stiffness >= 0) ||
          !(a.armature >= 0) || !(a.velocity >= 0) || !(a.effort >= 0) || !std::isfinite(a.rest) ||
          !(a.restitution >= 0 && a.restitution <= 1))
        return who + "an axis parameter is out of range (lower <= upper; damping, friction, stiffness, armature, velocity, effort >= 0)";
    if (d.loop) continue;
    if (d.child == s.root) return who + "the root link is the child of a joint";
    if (d.parent < 0) return who + "a joint to the world other than the root's must be marked as a loop";
    if (parentJoint[d.child] >= 0) return who + "link '" + s.links[d.child].name + "' has two parents; mark one joint as a loop";
    parentJoint[d.child] = j;
  }
  for (int l = 0; l < n; l++) {
    int at = l;
    for (int k = 0; at != s.root; k++) {
      if (parentJoint[at] < 0 || k > n) return "link '" + s.links[l].name + "' is not connected to the root";
      at = s.joints[parentJoint[at]].parent;
    }
  }
  for (int j = 0; j < m; j++) {
    int at = j;
    for (int k = 0; s.joints[at].mimic.master >= 0; k++) {
      const Mimic& mimic = s.joints[at].mimic;
      const std::string who = "joint '" + s.joints[at].name + "': ";
      if (mimic.master >= m) return who + "mimics a joint that does not exist";
      if (!std::isfinite(mimic.multiplier) || !std::isfinite(mimic.offset)) return who + "mimic multiplier or offset is not a number";
      if (dynamics::jointNv(s.joints[at].type) != 1) return who + "mimic needs a joint with one axis";
      int nv = dynamics::jointNv(s.joints[mimic.master].type);
      if (nv > 1) return who + "mimics a joint with more than one axis";
      if (k > m) return who + "mimics itself through a chain";
      at = mimic.master;
    }
  }
  for (const Site& site : s.sites) {
    if (site.link < 0 || site.link >= n) return "site '" + site.name + "': it is not on a link";
    if (!site.pose.p.allFinite() || !site.pose.q.coeffs().allFinite()) return "site '" + site.name + "': its pose is not a number";
  }
  for (const auto& [role, link] : s.roles)
    if (link < 0 || link >= n) return "role '" + role + "': it is not a link's";
  return "";
}

std::vector<std::pair<int, int>> neighbourPairs(const Skeleton& s) {
  std::vector<int> cluster(s.links.size());  // of links without freedom between them
  std::iota(cluster.begin(), cluster.end(), 0);
  const auto find = [&](int i) {
    while (cluster[i] != i) i = cluster[i] = cluster[cluster[i]];
    return i;
  };
  for (const JointDescription& j : s.joints)
    if (j.parent >= 0 && j.type == dynamics::JointType::Fixed) cluster[find(j.child)] = find(j.parent);
  std::vector<std::vector<int>> solid(s.links.size());  // links with shapes, by cluster
  for (std::size_t i = 0; i < s.links.size(); i++)
    if (!s.links[i].shapes.empty()) solid[find(static_cast<int>(i))].push_back(static_cast<int>(i));
  std::vector<std::pair<int, int>> pairs;
  const auto exclude = [&](const std::vector<int>& a, const std::vector<int>& b) {
    for (int i : a)
      for (int j : b)
        if (i != j) pairs.emplace_back(std::min(i, j), std::max(i, j));
  };
  for (const auto& links : solid) exclude(links, links);
  for (const JointDescription& j : s.joints)
    if (j.parent >= 0) exclude(solid[find(j.parent)], solid[find(j.child)]);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace vertebra::figure
