// Momenta, factor and velocities of a tree in a step: see tree_step.hpp.
#include "engine/trees/tree_step.hpp"
#include "engine/trees/implicit_fields.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/free_rotation.hpp"
#include "engine/dynamics/joints/joints.hpp"
#include "engine/dynamics/link_recursions.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::trees {
namespace {

// Angular velocity after h of free rotation with extra impulse already in w: implicit midpoint of I w' = (I w) x w in inertial axes, which
// keeps energy and |L|. Fixed-point iteration; contraction is h |w|, so a link that rotates far in a step takes it in parts of a quarter of
// a radian. For a link of a tree third order in h suffices, the remainder is far below the step's own error; for a single body the
// iteration goes on to round-off, because there it is the only error.
Vec3 gyroscopicInParts(const dynamics::LinkModel& m, Vec3 w, double h) {
  const int parts = 1 + static_cast<int>(std::min(1e3, 4 * h * w.norm()));
  const double part = h / parts;
  for (int k = 0; k < parts; k++) {
    Vec3 next = w;
    for (int it = 0; it < 24; it++) {
      const Vec3 to = w + part * dynamics::torqueFreeAcceleration(m, Vec3(0.5 * (w + next)));
      const double change = (to - next).squaredNorm();
      next = to;
      if (change <= 1e-32 * w.squaredNorm()) break;
    }
    w = next;
  }
  return w;
}

inline Vec3 gyroscopic(const dynamics::LinkModel& m, const Vec3& w, double h, bool exact) {
  if (dynamics::turnsFar(w, h)) return gyroscopicInParts(m, w, h);
  auto map = [&](const Vec3& x) { return Vec3(w + h * dynamics::torqueFreeAcceleration(m, x)); };
  Vec3 next = map(Vec3(0.5 * (w + map(w))));
  if (!exact) return next;
  const double tiny = 1e-32 * w.squaredNorm();
  for (int it = 0; it < 12; it++) {
    const Vec3 to = map(0.5 * (w + next));
    const double change = (to - next).squaredNorm();
    next = to;
    if (change <= tiny) break;
  }
  return next;
}

}  // namespace

void growLinkRoom(RowWorkspace& work, std::size_t links) {
  work.pushes.resize(links);
  work.inertias.resize(links);
}
void lendInertias(RowWorkspace& work, TreeRuntime& t) {
  makeLinkRoom(work, static_cast<std::size_t>(t.tree.count));
  t.tree.inertia = work.inertias.data();
  t.tree.P = work.pushes.data();
}
void lendInertias(TreeWorld& w, RowWorkspace& work, std::span<const int> trees) {
  makeLinkRoom(work, static_cast<std::size_t>(w.longestTree));
  for (int ti : trees) {
    w.trees[ti].tree.inertia = work.inertias.data();
    w.trees[ti].tree.P = work.pushes.data();
  }
}

void updateGeometry(TreeWorld& w, TreeRuntime& t) {
  if (t.saddle)
    dynamics::updateSubspaces(t.tree);
  else
    dynamics::updateSubspacesAndInertias(t.tree);
}

namespace {

struct Push {  // by forces and impulses on a link: N s in world axes, N m s in inertial axes
  Vec3 impulse = Vec3::Zero(), turn = Vec3::Zero();
};

Push pushOn(const BodySlot& b, const Mat3& R, double h) {
  return {h * b.appliedForce() + b.applied->impulse, R.transpose() * (h * b.appliedTorque() + b.applied->angularImpulse)};
}

// A link without inertia passes forces on unchanged.
void passOn(const dynamics::LinkModel& m, const LinkRuntime& r, double half, const Push& push, Vec3& p, Vec3& l) {
  if (!(m.mass > 0)) p = push.impulse + half * r.reactionLinear;
  for (int k = 0; k < 3; k++)
    if (!(m.inertia[k] > 0)) l[k] = push.turn[k] + half * r.reactionAngular[k];
}

}  // namespace

void momenta(TreeWorld& w, TreeRuntime& t, double h, bool forces) {
  const double half = t.smooth || t.coasting ? 0.5 * h : 0;
  const Vec3 gravity = forces ? Vec3(h * w.settings.gravity) : Vec3(Vec3::Zero());
  const bool exact = t.tree.count == 1, forced = w.anyForce && forces, freeBody = isFreeBody(t);
  // Its momentum stays as it is in the world: the torque turned it already.
  const bool keepsTurn = freeBody && t.sprung && t.smooth;
  const LinkRuntime* const links = &w.links[t.first];
  const Vec3 O = t.tree.O;
  Push push;
  for (int i = 0, count = t.tree.count; i < count; i++) {
    const dynamics::LinkModel& m = t.tree.model[i];
    dynamics::LinkState& s = t.tree.state[i];
    const LinkRuntime& r = links[i];
    Vec3 v = r.startV + half * r.reactionLinear + r.gravityScale * gravity;
    Vec3 u = r.startW + half * r.reactionAngular;
    if (forced) [[unlikely]] {
      push = pushOn(w.bodies[r.body], s.R, h);
      if (m.mass > 0) v += push.impulse / m.mass;
      if (!keepsTurn) u += dynamics::inverseInertia(m).cwiseProduct(push.turn);
    }
    Vec3 p = m.mass * v, l;
    if (keepsTurn) [[unlikely]]
      l = s.R.transpose() * (dynamics::FreeRootJoint::quat(w.q0.data() + m.qOffset) * m.inertia.cwiseProduct(u)) + push.turn;
    else if (freeBody && dynamics::turnsFar(u, h)) [[unlikely]]  // its orientation keeps the angular momentum, see turnFreeBody
      l = s.R.transpose() * (dynamics::FreeRootJoint::quat(w.q0.data() + m.qOffset) * m.inertia.cwiseProduct(u));
    else
      l = m.inertia.cwiseProduct(gyroscopic(m, u, h, exact));
    if (r.light) [[unlikely]]
      passOn(m, r, half, push, p, l);
    t.tree.P[i].head<3>() = s.R * l + cross(s.c - O, p);
    t.tree.P[i].tail<3>() = p;
  }
}

int factorTree(TreeWorld& w, TreeRuntime& t) {
  const double* extra = t.hasAxisForces ? w.extra.data() : nullptr;
  // The inertia that each spring and drive acts on, which decides its form: the same under all tree solvers.
  if (t.saddle && (t.springs || hasDrives(w, t))) {
    dynamics::updateInertias(t.tree);
    (void)dynamics::factor(t.tree, extra);
  }
  const int bad = t.saddle ? t.saddle->factor(t.tree, extra) : dynamics::factor(t.tree, extra);
  return bad < 0 ? -1 : t.first + bad;
}

int factorAndSolveTree(TreeWorld& w, TreeRuntime& t, bool pushed) {
  const double* g = t.hasAxisForces || pushed ? w.generalized.data() : nullptr;
  if (t.saddle) {
    const int bad = factorTree(w, t);
    if (bad < 0) t.saddle->solve(t.tree, g, w.v.data());
    return bad;
  }
  const int bad = dynamics::factorAndSweepUp(t.tree, t.hasAxisForces ? w.extra.data() : nullptr, g, w.z.data());
  return bad < 0 ? -1 : t.first + bad;
}

void solveTree(TreeWorld& w, TreeRuntime& t) {
  const double* g = t.hasAxisForces ? w.generalized.data() : nullptr;
  if (t.saddle)
    t.saddle->solve(t.tree, g, w.v.data());
  else
    dynamics::sweepUp(t.tree, g, w.z.data());
}

void referenceMotion(TreeWorld& w, TreeRuntime& t, double h) {
  double* x = coordinatesOf(w) + t.vFirst;
  double* reference = w.reference.data() + t.vFirst;
  std::copy_n(x, t.nv, reference);
  if (t.smooth) return;
  momenta(w, t, h, false);
  if (t.pulled) holdFields(w, t, h);
  if (t.slender) carrySlenderLinks(w, t, 0);
  solveReference(w, t);
}

void solveReference(TreeWorld& w, TreeRuntime& t) {
  solveHeld(w, t);
  double* const x = coordinatesOf(w) + t.vFirst;
  std::swap_ranges(x, x + t.nv, w.reference.data() + t.vFirst);
  findReferenceRate(w, t);
}

void solveHeld(TreeWorld& w, TreeRuntime& t) {
  if (t.hasAxisForces) {  // the terms of the factor beyond the inertia neither brake nor drive
    std::copy_n(w.generalized.begin() + t.vFirst, t.nv, w.extraFull.begin() + t.vFirst);
    for (int k = t.vFirst; k < t.vFirst + t.nv; k++) w.generalized[k] = w.extra[k] * w.v0[k];
    addCoasting(w, t, t.step);
  }
  solveTree(w, t);
  if (t.hasAxisForces) std::copy_n(w.extraFull.begin() + t.vFirst, t.nv, w.generalized.begin() + t.vFirst);
}

void findReferenceRate(TreeWorld& w, TreeRuntime& t) {
  if (t.saddle)
    std::copy_n(w.reference.begin() + t.vFirst, t.nv, w.referenceRate.begin() + t.vFirst);
  else
    dynamics::sweepDown(t.tree, w.reference.data(), w.referenceRate.data());
}

void followBase(TreeWorld& w, TreeRuntime& t) {
  dynamics::updateSubspaces(t.tree);
  dynamics::updateTwists(t.tree, w.v.data());
  t.settled = !t.movingBase;
  if (t.movingBase)  // rows read it
    for (int i = t.first; i < t.first + t.tree.count; i++) w.baseTwist[i] = w.state[i].t;
}

void baseMotion(TreeWorld& w, TreeRuntime& t) {
  if (t.saddle) {
    for (int i = t.first; i < t.first + t.tree.count; i++) w.baseTwist[i] = t.tree.base->twist;
    return;
  }
  std::fill_n(w.extraFull.begin() + t.vFirst, t.nv, 0.0);
  dynamics::sweepDown(t.tree, w.extraFull.data(), w.baseRate.data());
  for (int i = t.first; i < t.first + t.tree.count; i++) w.baseTwist[i] = w.state[i].t;
}

void velocitiesOf(TreeWorld& w, TreeRuntime& t) {
  if (t.saddle)
    dynamics::updateTwists(t.tree, w.v.data());
  else
    dynamics::sweepDown(t.tree, w.z.data(), w.v.data());
}

}  // namespace vertebra::trees
