// Random kinematic trees for tests: every joint type, along and against the tree, chains, stars and anything between, fixed and free
// roots, a moving base.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/dynamics/tree.hpp"
#include "tests/support.hpp"

namespace test {

inline vertebra::Vec3 randomVector(Random& r, double size = 1) {
  const double x = r.range(-size, size), y = r.range(-size, size), z = r.range(-size, size);
  return {x, y, z};
}
inline vertebra::Vec3 randomDirection(Random& r) {
  for (;;) {
    const vertebra::Vec3 v = randomVector(r);
    if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
  }
}
inline vertebra::Vec6 randomSix(Random& r, double size = 1) {
  return vertebra::dynamics::stack(randomVector(r, size), randomVector(r, size));
}
inline vertebra::Pose randomPose(Random& r, double size) {
  const vertebra::Vec3 p = randomVector(r, size);
  return {p, vertebra::quatExp(randomVector(r, 2))};
}

struct TreeOptions {
  int links = 1;
  bool freeRoot = false;
  double massRatio = 1;                              // masses are spread evenly in the logarithm between 1 and this
  int reach = 1 << 30;                               // how far back a parent may be: 1 gives a chain
  int onlyType = -1;                                 // a JointType, or -1 for any
  std::vector<vertebra::dynamics::JointType> types;  // of each link, if given
  bool forest = false;                               // several links without parent
  double fixedShare = 0;  // additional share of links that are fixed to their parents; their masses are mixed, see below
};

struct RandomTree {
  std::vector<vertebra::dynamics::LinkModel> model;
  vertebra::dynamics::JointFrameList frames;  // of all links
  std::vector<vertebra::dynamics::LinkState> state;
  std::vector<vertebra::Mat6> inertia;
  std::vector<vertebra::Vec6> P;
  std::vector<double> columns, q;
  int nv = 0;
  vertebra::dynamics::Base base;
  vertebra::dynamics::Tree tree;

  RandomTree(Random& r, const TreeOptions& o) : model(o.links), state(o.links), inertia(o.links) {
    using namespace vertebra;
    int nq = 0;
    for (int i = 0; i < o.links; i++) {
      dynamics::LinkModel& m = model[i];
      const int reach = std::min(o.reach, i);
      m.parent = i == 0 || (o.forest && r.unit() < 0.2) ? -1 : i - 1 - r.below(reach);
      const bool free = m.parent < 0 && o.freeRoot;
      const bool fix = o.fixedShare > 0 && r.unit() < o.fixedShare;
      const auto type = free               ? dynamics::JointType::FreeRoot
                        : !o.types.empty() ? o.types[i]
                        : fix              ? dynamics::JointType::Fixed
                              : static_cast<dynamics::JointType>(o.onlyType >= 0 ? o.onlyType : r.below(dynamics::kJointTypes));
      const Vec3 axis = randomDirection(r);
      Vec3 axis2 = randomDirection(r);
      if (r.unit() < 0.5 || std::fabs(axis.dot(axis2)) > 0.8) axis2 = axis.cross(axis2).normalized();
      const Pose inParent = randomPose(r, 0.4), inChild = randomPose(r, 0.4);
      dynamics::keepFrames(m, dynamics::setJoint(m, {type, axis, axis2, 0.1}, inParent, inChild, r.below(3) == 0), frames);
      m.qOffset = nq;
      m.vOffset = nv;
      nq += dynamics::jointNq(type);
      nv += m.nv;
      const double mass = std::pow(o.massRatio, r.unit());
      const double a = r.range(0.05, 0.5), b = r.range(0.05, 0.5), c = r.range(0.05, 0.5);  // a box
      dynamics::setInertia(m, mass, mass / 12 * Vec3(b * b + c * c, a * a + c * c, a * a + b * b));
    }
    if (o.fixedShare > 0) mixMasses(r);
    q.resize(nq + 1);
    for (const dynamics::LinkModel& m : model)
      dynamics::withJoint(m.type, [&](auto joint) {
        double increment[6];
        for (double& x : increment) x = r.range(-1.5, 1.5);
        if (m.velocityIsTwist) std::rotate(increment, increment + 3, increment + 6);  // drawn as for a floating joint, linear part first
        decltype(joint)::neutral(&q[m.qOffset]);
        decltype(joint)::advance(m, &q[m.qOffset], increment);
      });
    std::size_t numbers = 0;
    for (const dynamics::LinkModel& m : model) numbers += dynamics::columnNumbers(m);
    columns.resize(numbers);
    dynamics::attachColumns(model.data(), state.data(), model.size(), columns.data());
    tree.model = model.data();
    tree.state = state.data();
    tree.inertia = inertia.data();
    P.resize(model.size());
    tree.P = P.data();
    tree.count = o.links;
    tree.O = randomVector(r);
    const Pose stands = randomPose(r, 1);
    base.pose.c = stands.p;
    base.pose.q = stands.q;
    base.pose.R = dynamics::rotationOf(stands.q);
    base.twist = randomSix(r);
    tree.base = &base;
    update();
  }
  RandomTree(const RandomTree&) = delete;
  RandomTree& operator=(const RandomTree&) = delete;

  bool fixedToParent(int i) const { return model[i].nv == 0; }
  // Of links fixed together one keeps its mass; half of the others lose all of it, some only their moments or their mass.
  void mixMasses(Random& r) {
    std::vector<int> head(model.size()), keeper(model.size());
    for (std::size_t i = 0; i < model.size(); i++) {
      head[i] = !fixedToParent(static_cast<int>(i)) || model[i].parent < 0 ? static_cast<int>(i) : head[model[i].parent];
      if (head[i] == static_cast<int>(i) || r.below(2)) keeper[head[i]] = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < model.size(); i++) {
      if (keeper[head[i]] == static_cast<int>(i)) continue;
      const int kind = r.below(8);
      if (kind < 5) model[i].mass = 0;
      if (kind < 4 || kind == 5) vertebra::dynamics::setInertia(model[i], model[i].mass, vertebra::Vec3::Zero());
    }
  }

  void update() {
    vertebra::dynamics::updatePoses(tree, q.data());
    vertebra::dynamics::updateSubspaces(tree);
  }
  const vertebra::dynamics::BodyPose& parentPose(int i) const {
    return model[i].parent >= 0 ? static_cast<const vertebra::dynamics::BodyPose&>(state[model[i].parent]) : base.pose;
  }
  // The six wrenches of saddle.hpp about O.
  void wrenches(int i, vertebra::Vec6* T) const {
    vertebra::dynamics::withJoint(model[i].type,
                                  [&](auto joint) { decltype(joint)::constraints(model[i], parentPose(i), tree.O, state[i], T); });
  }
  vertebra::Vec6 parentTwist(int i, bool withBase) const {
    if (model[i].parent >= 0) return state[model[i].parent].t;
    if (model[i].velocityIsTwist || !withBase) return vertebra::Vec6::Zero();
    return base.twist;
  }
};

}  // namespace test
