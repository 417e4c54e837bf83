// Random skeletons with every type of joint, rotated frames on both sides, fixed and massless links, armature and chains of mimics.
#pragma once
#include <memory>
#include <vector>

#include "engine/figure/coordinates.hpp"
#include "engine/math/rotation.hpp"
#include "tests/engine/dynamics/random_tree.hpp"
#include "tests/support.hpp"

namespace test {

using namespace vertebra;

inline Mat3 randomInertia(Random& r, double mass, double size) {  // of a cloud of points: meets the triangle inequality
  Mat3 inertia = Mat3::Zero();
  for (int k = 0; k < 6; k++) {
    const Vec3 d = randomVector(r, size);
    inertia += mass / 6 * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  return inertia;
}

struct RandomSkeletonOptions {
  int links = 12;
  std::vector<dynamics::JointType> types = {
      dynamics::JointType::Revolute,    dynamics::JointType::Continuous, dynamics::JointType::Prismatic, dynamics::JointType::Universal,
      dynamics::JointType::Spherical,   dynamics::JointType::Planar,     dynamics::JointType::Floating,  dynamics::JointType::Fixed,
      dynamics::JointType::Cylindrical, dynamics::JointType::Screw,      dynamics::JointType::Wheel};
  bool mimic = false;
  bool armature = true;
  bool massless = true;  // some links have neither mass nor inertia, but their subtree has
};

inline std::shared_ptr<figure::Skeleton> randomSkeleton(std::uint64_t seed, const RandomSkeletonOptions& options = {}) {
  Random r(seed);
  auto s = std::make_shared<figure::Skeleton>();
  s->name = "random";
  // File order is not parents first: links get their places by a random order of indices.
  std::vector<int> order(options.links);
  for (int i = 0; i < options.links; i++) order[i] = i;
  for (int i = options.links - 1; i > 0; i--) std::swap(order[i], order[r.below(i + 1)]);
  s->links.resize(options.links);
  s->root = order[0];
  for (int i = 0; i < options.links; i++) {
    figure::LinkDescription& link = s->links[order[i]];
    link.name = "link" + std::to_string(i);
    link.mass = r.range(0.2, 3);
    link.com = randomVector(r, 0.2);
    link.inertia = randomInertia(r, link.mass, 0.3);
  }
  std::vector<figure::JointDescription> joints;
  for (int i = 1; i < options.links; i++) {
    figure::JointDescription j;
    j.name = "joint" + std::to_string(i);
    j.type = options.types[(i - 1) % options.types.size()];
    const int back = r.below(3) == 0 ? r.below(i) : i - 1;
    j.parent = order[back];
    j.child = order[i];
    j.inParent = randomPose(r, 0.4);
    j.inChild = randomPose(r, 0.2);
    j.axis = randomDirection(r);
    j.axis2 = randomDirection(r);
    j.pitch = 0.1;
    if (options.armature && r.below(2)) j.axes[0].armature = r.range(0, 0.1);
    joints.push_back(j);
  }
  if (options.massless)
    for (int i = 1; i + 1 < options.links; i += 3)  // the next link hangs from this one by at most one axis, and so supplies its inertia
      if (joints[i].parent == order[i] && dynamics::jointNv(joints[i].type) <= 1 && dynamics::jointNv(joints[i - 1].type) <= 3 &&
          s->links[joints[i].child].mass > 0 && s->links[joints[i - 1].parent].mass > 0) {
        s->links[order[i]].mass = 0;
        s->links[order[i]].inertia.setZero();
      }
  for (std::size_t i = joints.size(); i-- > 1;) std::swap(joints[i], joints[r.below(static_cast<int>(i) + 1)]);
  s->joints = joints;
  if (options.mimic) {
    std::vector<int> scalar;
    for (int j = 0; j < static_cast<int>(joints.size()); j++)
      if (dynamics::jointNv(joints[j].type) == 1) scalar.push_back(j);
    for (std::size_t k = 1; k < scalar.size(); k += 2)  // chains: each second joint follows the one before or an earlier follower
      s->joints[scalar[k]].mimic = {scalar[k >= 3 && k % 4 == 3 ? k - 2 : k - 1], r.range(-2, 2), r.range(-0.5, 0.5)};
  }
  return s;
}

inline std::vector<double> randomCoordinates(Random& r, const figure::Coordinates& c, double size = 2) {
  std::vector<double> q(c.nq), v(c.nv);
  figure::neutral(c, q.data());
  for (double& x : v) x = r.range(-size, size);
  figure::integrate(c, q.data(), v.data(), 1, q.data());
  return q;
}
inline std::vector<double> randomValues(Random& r, int n, double size = 2) {
  std::vector<double> v(n);
  for (double& x : v) x = r.range(-size, size);
  return v;
}

}  // namespace test
