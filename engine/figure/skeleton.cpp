// See skeleton.hpp.
#include "engine/figure/skeleton.hpp"

#include <cmath>

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
  return "";
}

}  // namespace vertebra::figure
