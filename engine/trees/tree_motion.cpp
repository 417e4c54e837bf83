// Coordinates of a tree over a step: saved, moved by velocities and accelerations, clamped at their limits, and placed. See tree_step.hpp.
#include "engine/trees/tree_step.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/free_rotation.hpp"
#include "engine/dynamics/joints/joints.hpp"
#include "engine/dynamics/link_recursions.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::trees {
namespace {

double potential(const TreeWorld& w, const TreeRuntime& t) {
  double sum = springEnergy(w, t, w.q.data());
  for (int i = t.first; i < t.first + t.tree.count; i++)
    sum -= w.model[i].mass * w.links[i].gravityScale * w.settings.gravity.dot(w.state[i].c);
  return sum;
}

constexpr double kRounding = 1e-14;  // rad or m beyond a limit at which a joint stands

// Clamps coordinates that passed their limits by at most `most`; true if any passed by more. On a cycle the limit's row brings them back,
// together with the rows that close it: closing would undo a clamp.
bool clampLimits(TreeWorld& w, TreeRuntime& t, double most) {
  bool more = false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].limited || w.links[i].looped) continue;
    const dynamics::LinkModel& m = w.model[i];
    const JointSlot& j = w.joints[w.links[i].joint];
    double* q = w.q.data() + m.qOffset;
    if (m.type == dynamics::JointType::Spherical) {
      const Vec3& n = j.def->axis;
      const double lower = j.def->twistLower, upper = j.def->twistUpper;
      // q = swing * twist: the twist rotates about the axis, the swing rotates the axis to its direction.
      Quat r = dynamics::SphericalJoint::quat(q);
      if (r.w() < 0) r.coeffs() = -r.coeffs();
      const double along = r.x() * n.x() + r.y() * n.y() + r.z() * n.z();
      if (within(j, r.w(), along, 0)) continue;
      double twist = 2 * arctan2(along, r.w());
      const Quat swing = r * quatFromAxisAngle(n, -twist);
      const Vec3 swingVector = quatLog(swing);
      const double angle = swingVector.norm();
      const double twistTo = std::min(upper, std::max(lower, twist));
      const double beyond = std::max(angle - j.def->swing, std::fabs(twist - twistTo));
      more |= beyond > most;
      if (beyond <= 0 || beyond > most) continue;
      const Quat kept = angle > j.def->swing ? quatExp(swingVector * (j.def->swing / angle)) : swing;
      dynamics::SphericalJoint::store(normalized(kept * quatFromAxisAngle(n, twistTo)), q);
      continue;
    }
    for (int k = 0, limited = limitedAxes(m); k < limited; k++) {
      const dynamics::AxisParameters& a = *j.axes[k].parameters;
      const double to = q[k] < a.lower ? a.lower : q[k] > a.upper ? a.upper : q[k];
      const bool far = std::fabs(q[k] - to) > most;
      more |= far;
      if (!far) q[k] = to;
    }
  }
  return more;
}

Vec3 momentOfMass(const TreeRuntime& t) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < t.tree.count; i++) sum += t.tree.model[i].mass * t.tree.state[i].c;
  return sum;
}

// A free tree as a whole. Poses are always made from the coordinates: those of a world that is restored are.
void translate(TreeWorld& w, TreeRuntime& t, const Vec3& by) {
  for (int k = 0; k < 3; k++) w.q[t.tree.model[0].qOffset + k] += by[k];
  dynamics::updateTranslated(t.tree, w.q.data());
}

constexpr double kThrown = 1e-3;  // m, of the centre of mass, that is let pass where contacts bear: they would be moved away
constexpr double kUneven = 5e-4;  // m, of the links against the centre of mass, in the mean over the mass, that is let pass
constexpr double kSlow = 0.02;    // rad by which links turn in a step without moving the centre of mass: by micrometres

// m, of second order, by which gravity moves a tree in a step of first order if nothing else moves it as a whole. Contacts that bear leave
// none.
Vec3 fallOf(const TreeWorld& w, const TreeRuntime& t, double h) {
  double share = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) share += w.model[i].mass * w.links[i].gravityScale;
  return 0.5 * h * h * share / t.mass * w.settings.gravity;
}

// Where each link would turn to by its own velocity, while the poses are those of the start; kept in t2 until carryLinks.
void aimLinks(const TreeWorld& w, TreeRuntime& t, double h) {
  for (int i = 0; i < t.tree.count; i++) {
    dynamics::LinkState& s = t.tree.state[i];
    s.t2.head<4>() = (quatExp(h * (s.R * w.links[t.first + i].startW)) * s.q).coeffs();
  }
}

// m by which a link fell short of the way that its own velocity and the fall of the tree give.
Vec3 missedBy(const TreeWorld& w, const TreeRuntime& t, int i, double h, const Vec3& fall) {
  const LinkRuntime& link = w.links[t.first + i];
  return h * link.startV + fall - (t.tree.state[i].c - link.startC);
}

// Moves the links on to where their own velocities take them, as far as the joints let them: by the displacement that is nearest to it in
// the metric of the mass. False, and nothing is done, if some motion meets no inertia. The inertias must be lent.
bool moveOn(TreeWorld& w, TreeRuntime& t, double h, const Vec3& fall) {
  t.tree.O = t.tree.state[0].c;
  for (int i = 0; i < t.tree.count; i++) {
    const dynamics::LinkModel& m = t.tree.model[i];
    dynamics::LinkState& s = t.tree.state[i];
    const Vec3 p = m.mass * missedBy(w, t, i, h, fall);
    const Vec3 turn = s.R.transpose() * quatLog(normalized(Quat(Eigen::Vector4d(s.t2.head<4>())) * s.q.conjugate()));
    t.tree.P[i].head<3>() = s.R * m.inertia.cwiseProduct(turn) + cross(s.c - t.tree.O, p);
    t.tree.P[i].tail<3>() = p;
  }
  setArmature(w, t);
  dynamics::updateSubspacesAndInertias(t.tree);
  if (dynamics::factorAndSweepUp(t.tree, t.hasAxisForces ? w.extra.data() : nullptr, nullptr, w.z.data()) >= 0) return false;
  dynamics::sweepDownAccelerations(t.tree, w.z.data(), w.extraFull.data());
  displaceTree(w, t, w.extraFull.data());
  dynamics::updatePoses(t.tree, w.q.data());
  return true;
}

// Joints that turn at constant rates carry what hangs on them along chords, so that a light link that whips would throw heavy ones. Links
// that missed their way by much are moved on, and the centre of mass goes as the momentum says.
void carryLinks(TreeWorld& w, TreeRuntime& t, double h) {
  aimLinks(w, t, h);
  dynamics::updatePoses(t.tree, w.q.data());
  const Vec3 fall = t.falls ? fallOf(w, t, h) : Vec3(Vec3::Zero());
  const auto missed = [&] {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < t.tree.count; i++) sum += t.tree.model[i].mass * missedBy(w, t, i, h, fall);
    return Vec3(sum / t.mass);
  };
  Vec3 off = missed();
  double spread = 0;
  bool looped = false;  // on a cycle joints beyond the tree have their say
  for (int i = 0; i < t.tree.count; i++) {
    spread += t.tree.model[i].mass * (missedBy(w, t, i, h, fall) - off).squaredNorm();
    looped |= w.links[t.first + i].looped;
  }
  const bool uneven = spread > t.mass * kUneven * kUneven && !looped && moveOn(w, t, h, fall);
  if (uneven) off = missed();
  if (uneven || t.falls || off.norm() > kThrown) translate(w, t, off);
}

bool turns(const TreeWorld& w, const TreeRuntime& t, double h) {
  for (int i = t.first; i < t.first + t.tree.count; i++)
    if (h * h * w.links[i].startW.squaredNorm() > kSlow * kSlow) return true;
  return false;
}

// `placed`: poses are those of the coordinates. What clamps move in a free tree leaves its centre of mass where it was, but for round-off,
// which is taken away before the poses are made.
void settle(TreeWorld& w, TreeRuntime& t, StepTally& tally, double after, bool placed) {
  if (t.rare) t.rare.make().clampWork = 0;
  const bool passed = t.limited && clampLimits(w, t, placed ? 0 : kRounding);
  if (!placed) dynamics::updatePoses(t.tree, w.q.data());
  if (passed) {
    const bool accounted = w.settings.energyAccount;
    const double before = accounted ? potential(w, t) : 0;
    const Vec3 mass = t.freeRoot ? momentOfMass(t) : Vec3::Zero();
    clampLimits(w, t, kInf);
    dynamics::updatePoses(t.tree, w.q.data());
    if (t.freeRoot) translate(w, t, (mass - momentOfMass(t)) / t.mass);
    if (accounted) {
      const double work = t.rare.make().clampWork = before - potential(w, t);
      tally.account.lostClamp += work;
    }
  }
  t.tree.O = t.tree.state[0].c;
  moveBase(w, t, after);
}

}  // namespace

void noteFall(const TreeWorld& w, TreeRuntime& t, double h) {
  constexpr double kOther = 1e-6;  // share of the weight that is round-off
  t.falls = false;
  if (!t.freeRoot || t.smooth) return;
  Vec3 change = Vec3::Zero(), weight = Vec3::Zero();
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    change += w.model[i].mass * (w.state[i].v - w.links[i].startV);
    weight += w.model[i].mass * w.links[i].gravityScale * w.settings.gravity;
  }
  t.falls = (change - h * weight).squaredNorm() < kOther * kOther * h * h * weight.squaredNorm();
}

void setArmature(TreeWorld& w, const TreeRuntime& t) {
  if (!t.hasAxisForces) return;
  std::fill_n(w.extra.begin() + t.vFirst, t.nv, 0.0);
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].hasAxisForces) continue;
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < w.model[i].nv; k++) w.extra[w.model[i].vOffset + k] = j.axes[k].parameters->armature;
  }
}

void keepStepStart(const TreeWorld& w, TreeRuntime& t) {
  std::vector<StartVelocity>& start = t.rare.make().stepStart;
  start.resize(static_cast<std::size_t>(t.tree.count));
  for (int i = 0; i < t.tree.count; i++) start[i] = {w.links[t.first + i].startV, w.links[t.first + i].startW};
}

void saveTree(TreeWorld& w, TreeRuntime& t, bool wholeStep, bool compared) {
  noteSaving(w, t);
  t.startShifted = t.shifted;
  std::copy_n(w.q.begin() + t.qFirst, t.nq, w.q0.begin() + t.qFirst);
  std::copy_n(w.v.begin() + t.vFirst, t.nv, w.v0.begin() + t.vFirst);
  if (!wholeStep && !t.divided) keepStepStart(w, t);
  t.divided = !wholeStep;
  LinkRuntime* const links = &w.links[t.first];
  for (int i = 0, count = t.tree.count; i < count; i++) {
    LinkRuntime& r = links[i];
    const dynamics::LinkState& s = t.tree.state[i];
    r.startV = s.v;
    r.startW = s.w;
    r.startC = s.c;
  }
  t.startKinetic = (compared && (t.smooth || t.fresh || t.slender || t.coasting)) || w.settings.energyAccount ? kineticTwice(w, t) : 0;
}

void placeBase(const TreeWorld& w, TreeRuntime& t, double after) {
  if (t.baseBody < 0) return;
  const BodySlot& b = w.bodies[t.baseBody];
  Pose pose = b.pose;
  if (after > 0) pose = {b.pose.p - after * b.velocity, normalized(quatExp(-after * b.omega) * b.pose.q)};
  const Pose p = pose * b.inertialInLink();
  dynamics::BodyPose& base = t.onBase->base.pose;
  base.c = p.p;
  base.q = p.q;
  base.R = dynamics::rotationOf(p.q);
}

void moveBase(const TreeWorld& w, TreeRuntime& t, double after) {
  if (t.baseBody < 0) return;
  const BodySlot& b = w.bodies[t.baseBody];
  t.onBase->base.twist = dynamics::stack(b.omega, b.velocity + b.omega.cross(t.tree.O - (b.pose.p - after * b.velocity)));
}

bool turnFreeBody(TreeWorld& w, const TreeRuntime& t, double h, const Vec3& L) {
  const dynamics::LinkModel& m = t.tree.model[0];
  if (!isFreeBody(t) || !dynamics::turnsFar(dynamics::inverseInertia(m).cwiseProduct(t.tree.state[0].R.transpose() * L), h)) return false;
  Quat turn = t.tree.state[0].q;
  dynamics::turnFreely(m, turn, L, h);
  for (int k = 0; k < 4; k++) w.q[m.qOffset + 3 + k] = turn.coeffs()[k];
  return true;
}

void moveTree(TreeWorld& w, TreeRuntime& t, double h, StepTally& tally, double after) {
  const double half = t.smooth || (t.coasting && t.unheld) ? 0.5 * h : 0;
  const bool falls = !t.smooth && t.falls, carried = !t.smooth && t.freeRoot && t.tree.count > 1 && turns(w, t, h);
  const bool shifted = t.shifted && !carried;
  double* const coordinates = w.q.data();
  const double *const velocities = w.v.data(), *const accelerations = w.a.data();
  double step[6];
  for (int i = 0, count = t.tree.count; i < count; i++) {
    const dynamics::LinkModel& m = t.tree.model[i];
    if (m.nv == 0) continue;
    double* q = coordinates + m.qOffset;
    const double *v = velocities + m.vOffset, *a = accelerations + m.vOffset;
    if (m.nv == 1) {
      q[0] += h * (v[0] + half * a[0]) + (shifted ? w.shift[m.vOffset] : 0);
      continue;
    }
    if (m.velocityIsTwist) {
      const dynamics::LinkState& s = t.tree.state[i];
      dynamics::FreeRootJoint::move(s, h, half, a, shifted ? w.shift.data() + m.vOffset : nullptr, q);
      if (dynamics::turnsFar(s.w, h)) (void)turnFreeBody(w, t, h, s.R * m.inertia.cwiseProduct(s.w));
      continue;
    }
    for (int k = 0; k < m.nv; k++) step[k] = h * (v[k] + half * a[k]) + (shifted ? w.shift[m.vOffset + k] : 0);
    dynamics::withJoint(m.type, [&](auto joint) { decltype(joint)::advance(m, q, step); });
  }
  if (carried) carryLinks(w, t, h);
  if (falls && !carried) Eigen::Map<Vec3>(&coordinates[t.tree.model[0].qOffset]) += fallOf(w, t, h);
  if (carried && t.shifted) displaceTree(w, t, w.shift.data());
  const bool placed = carried && !t.shifted;
  t.shifted = false;
  placeBase(w, t, after);
  settle(w, t, tally, after, placed);
}

void displaceTree(TreeWorld& w, TreeRuntime& t, const double* step) {
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const dynamics::LinkModel& m = w.model[i];
    double* q = w.q.data() + m.qOffset;
    const double* d = step + m.vOffset;
    if (m.nv > 0) dynamics::withJoint(m.type, [&](auto joint) { decltype(joint)::advance(m, q, d); });
  }
}

void settleTree(TreeWorld& w, TreeRuntime& t, StepTally& tally, double after) { settle(w, t, tally, after, false); }

}  // namespace vertebra::trees
