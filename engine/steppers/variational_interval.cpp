// See variational_interval.hpp.
#include "engine/steppers/variational_interval.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/free_rotation.hpp"
#include "engine/dynamics/joints/joints.hpp"
#include "engine/dynamics/link_recursions.hpp"
#include "engine/steppers/physics_step.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/trees/implicit_fields.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

// Tolerance of a joint's increment, rad or m. The remaining impulse acts at the interval's end, so that nothing is lost.
constexpr double kConverged = 1e-8;
constexpr int kMostIterations = 12;
constexpr int kMoreHalvings = 5;  // where a step would diverge
constexpr double kFarthest = 10;  // rad or m from the initial guess: there is no solution near by
// Cosines of half the rotation of a link in an interval. Beyond a quarter turn the momentum about a principal axis, I sin(angle) / h, falls
// again: another branch, which does not continue the motion. Beyond a quarter of a radian the energy of long chains jumps when they whip.
constexpr double kQuarterTurn = 0.70710678, kFineTurn = 0.99220;
// P at the start of an interval, with what forces give there in `half` [s].
void startMomenta(WorldData& w, TreeRuntime& t, double half) {
  const Vec3 gravity = half * w.settings.gravity;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const dynamics::LinkModel& m = w.model[i];
    const dynamics::LinkState& s = w.state[i];
    Vec3 p = m.mass * (s.v + w.links[i].gravityScale * gravity), l = s.R * m.inertia.cwiseProduct(s.w);
    if (w.anyForce) {
      const BodySlot& b = w.bodies[w.links[i].body];
      p += half * b.appliedForce();
      l += half * b.appliedTorque();
    }
    w.interval[i].start = dynamics::stack(l + cross(s.c - t.tree.O, p), p);
  }
}

// s, of the forces that act at the end of an interval: half of it. A tree that is ahead flies to the end of the step without any.
double shareAtEnd(const TreeRuntime& t, double h, bool node) { return 0.5 * (!t.ahead ? t.interval : node ? h : 0); }

// P at its end; a whole form holds half of the forces of the next step, too. `forces` false: the momenta of the interval itself.
void endMomenta(WorldData& w, TreeRuntime& t, double h, IntervalForm form, bool node, bool forces = true) {
  const double share = forces ? shareAtEnd(t, h, node) + (form == IntervalForm::Whole ? 0.5 * moveAfter(w, h) : 0) : 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    dynamics::LinkState& s = w.state[i];
    Vec3 p = share * w.model[i].mass * w.links[i].gravityScale * w.settings.gravity, l = Vec3::Zero();
    if (w.anyForce && forces) {
      const BodySlot& b = w.bodies[w.links[i].body];
      p += share * b.appliedForce();
      l += share * b.appliedTorque();
      if (node) {
        p += b.applied->impulse;
        l += b.applied->angularImpulse;
      }
      if (node && t.sprung && !t.ahead) {  // what flew in parts had the force of the start so far; both ends of a spring get the same
        const double rest = 0.5 * (h - t.interval);
        p += rest * (b.applied->springForce - b.applied->springForceAtEnd);
        l += rest * (b.applied->springTorque - b.applied->springTorqueAtEnd);
      }
    }
    const Vec6& brought = w.interval[i].momentum;
    l += cross(t.rare->intervalOrigin - t.tree.O, brought.tail<3>());
    t.tree.P[i - t.first] = brought + dynamics::stack(l + cross(s.c - t.tree.O, p), p);
  }
}

// Where the last interval was smooth: its increment and the velocity now give the acceleration, the error of its own guess the third
// derivative.
void predict(WorldData& w, TreeRuntime& t, double h) {
  const double last = t.interval, bend = t.smooth ? h * h / last : 0, third = t.smooth ? h * h * (h + last) / 6 : 0;
  double step[6];
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const dynamics::LinkModel& m = w.model[i];
    double* q = w.q.data() + m.qOffset;
    for (int k = 0; k < m.nv; k++) {
      const double v = w.v[m.vOffset + k];
      step[k] = h * v;
      if (t.smooth) step[k] += bend * (v - w.increment[m.vOffset + k] / last) + third * w.a[m.vOffset + k];
    }
    if (m.nv == 1) {
      q[0] += step[0];
    } else if (m.nv > 0) {
      dynamics::withJoint(m.type, [&](auto joint) { decltype(joint)::advance(m, q, step); });
    }
  }
}

// The increment of the interval, and the third derivative from the error of the guess by velocity and last increment.
void remember(WorldData& w, TreeRuntime& t, double h) {
  const double before = t.interval, bend = t.smooth ? h * h / before : 0, third = t.smooth ? 6 / (h * h * (h + before)) : 0;
  double moved[6];
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const dynamics::LinkModel& m = w.model[i];
    const double *q0 = w.q0.data() + m.qOffset, *q = w.q.data() + m.qOffset;
    if (m.nv == 1) {
      moved[0] = q[0] - q0[0];
    } else if (m.nv > 0) {
      dynamics::withJoint(m.type, [&](auto joint) { decltype(joint)::difference(m, q0, q, moved); });
    }
    for (int k = 0; k < m.nv; k++) {
      const double v = w.v[m.vOffset + k];
      double& last = w.increment[m.vOffset + k];
      w.a[m.vOffset + k] = t.smooth ? third * (moved[k] - h * v - bend * (v - last / before)) : 0;
      last = moved[k];
    }
  }
}

// Newton's method from the present coordinates; a factor is reused while the iteration contracts well. False: no solution near by, or a
// link rotates too far.
bool solveInterval(WorldData& w, TreeRuntime& t, double h, double leastTurn) {
  dynamics::IntervalLink* links = &w.interval[t.first];
  const double *extra = t.hasAxisForces ? w.extra.data() : nullptr, *generalized = t.hasAxisForces ? w.generalized.data() : nullptr;
  const double share = t.ahead ? 0 : 0.5 * h;  // those of the axes acted on the tree that is ahead
  dynamics::placeInterval(t.tree, links, w.q.data(), h);
  double last = kInf;
  bool renew = true;
  for (int it = 0; it < kMostIterations; it++) {
    if (t.hasAxisForces) trees::midpointAxisForces(w, t, h, share, false);
    if (renew) {
      if (dynamics::factorInterval(t.tree, links, extra, generalized, h, w.z.data()) >= 0) return false;
    } else {
      dynamics::sweepIntervalUp(t.tree, links, generalized, w.z.data());
    }
    const double change = dynamics::advanceInterval(t.tree, links, w.z.data(), h, w.q.data());
    if (!(change < kFarthest)) return false;
    const double contraction = it == 0 ? std::min(1.0, 2 * change) : change / last;
    if (change * contraction <= kConverged) {
      for (int i = 0; i < t.tree.count; i++)
        if (links[i].turn < leastTurn) return false;
      if (t.hasAxisForces) trees::midpointAxisForces(w, t, h, share, false);
      dynamics::leftOverInterval(t.tree, links, generalized, w.leftOver.data());
      return true;
    }
    if (it > 3 && contraction > 0.9) return false;
    renew = change > 0.01 || (it > 0 && contraction > 0.05);
    last = change;
  }
  return false;
}

// In an island with rows a tree may rotate so fast that no interval has a solution near by; its step, of first order in any case, is then
// that of `impulse`: coordinates advance with the velocities, momenta with the bodies.
void glide(WorldData& w, TreeRuntime& t, double h) {
  std::copy_n(w.q0.begin() + t.qFirst, t.nq, w.q.begin() + t.qFirst);
  for (int k = t.vFirst; k < t.vFirst + t.nv; k++) w.increment[k] = h * w.v[k];
  std::fill_n(w.leftOver.begin() + t.vFirst, t.nv, 0.0);
  trees::displaceTree(w, t, w.increment.data());
  dynamics::updatePoses(t.tree, w.q.data());
  trees::momenta(w, t, h, false);
  for (int i = t.first; i < t.first + t.tree.count; i++) w.interval[i].momentum = t.tree.P[i - t.first];
}

// A free body that rotates too far for an interval: its momenta, which forces alone change, give its way, and its orientation turns freely.
// False: it is none.
bool spin(WorldData& w, TreeRuntime& t, double h) {
  if (!trees::isFreeBody(t) || t.hasAxisForces) return false;
  const dynamics::LinkModel& m = w.model[t.first];
  std::copy_n(w.q0.begin() + t.qFirst, t.nq, w.q.begin() + t.qFirst);
  dynamics::updatePoses(t.tree, w.q.data());
  const Vec6& start = w.interval[t.first].start;
  const Vec3 v = start.tail<3>() / m.mass;
  Quat turn = w.state[t.first].q;
  dynamics::turnFreely(m, turn, start.head<3>(), h);
  dynamics::FreeRootJoint::store(w.state[t.first].c + h * v, turn, w.q.data() + m.qOffset);
  dynamics::FreeRootJoint::difference(m, w.q0.data() + m.qOffset, w.q.data() + m.qOffset, w.increment.data() + m.vOffset);
  std::fill_n(w.leftOver.begin() + t.vFirst, t.nv, 0.0);
  dynamics::updatePoses(t.tree, w.q.data());
  w.interval[t.first].momentum = start;
  t.smooth = false;
  return true;
}

// Displacements and clamps at limits after an interval. The momenta of the links go with them: about a fixed point those of a link that is
// set elsewhere would begin to turn it.
void displace(WorldData& w, TreeRuntime& t, StepTally& tally, double after) {
  dynamics::IntervalLink* links = &w.interval[t.first];
  const auto takeWith = [&](double sign) {
    for (int i = 0; i < t.tree.count; i++) links[i].momentum.head<3>() += sign * t.tree.state[i].c.cross(Vec3(links[i].momentum.tail<3>()));
  };
  takeWith(-1);
  if (t.shifted) trees::displaceTree(w, t, w.shift.data());
  t.shifted = false;
  trees::settleTree(w, t, tally, after);
  takeWith(1);
}

// To the poses from which the interval began, `after` before the end of the step.
void returnToStart(WorldData& w, TreeRuntime& t, double after) {
  std::copy_n(w.q0.begin() + t.qFirst, t.nq, w.q.begin() + t.qFirst);
  trees::placeBase(w, t, after);
  dynamics::updatePoses(t.tree, w.q.data());
  trees::updateGeometry(w, t);
}

}  // namespace

Failure endInterval(WorldData& w, TreeRuntime& t, double h, IntervalForm form, bool node) {
  endMomenta(w, t, h, form, node);
  if (!t.hasAxisForces) {
    std::copy_n(w.leftOver.begin() + t.vFirst, t.nv, w.generalized.begin() + t.vFirst);
  } else {
    if (form == IntervalForm::Smooth) {
      trees::midpointAxisForces(w, t, t.interval, shareAtEnd(t, h, node), true);
    } else {
      trees::implicitAxisForces(w, t, h, false);
      trees::addRotorMomenta(w, t);
    }
    for (int k = t.vFirst; k < t.vFirst + t.nv; k++) w.generalized[k] += w.leftOver[k];
  }
  trees::updateGeometry(w, t);
  if (t.pulled) trees::pullByFields(w, t, h);
  t.slender = form == IntervalForm::Whole && t.rare->pull > 1 && trees::isSlender(t, h);
  if (t.slender) {  // where rows act, steps are of first order in any case
    trees::stiffenSlenderLinks(w, t, h);
    trees::carrySlenderLinks(w, t, 0.5 * h);
  }
  const int bad = trees::factorAndSolveTree(w, t, true);
  if (bad >= 0) return noFactor(w, t, bad);
  if (w.settings.energyAccount && node) {
    std::copy_n(trees::coordinatesOf(w) + t.vFirst, t.nv, w.reference.begin() + t.vFirst);
    if (form == IntervalForm::Whole) {
      endMomenta(w, t, h, form, node, false);
      if (t.slender) trees::carrySlenderLinks(w, t, 0);
      trees::solveReference(w, t);
    }
  }
  return {};
}

void dropGainOfPart(WorldData& w, TreeRuntime& t, StepTally& tally, double most) {
  const bool turned = t.movingBase && t.onBase->omega.squaredNorm() > 0;  // by a base that does work on it
  if (!w.settings.energyCorrection || turned) return;
  if (t.hasAxisForces) trees::measureAxes(w, t);
  const double now = trees::kineticTwice(w, t), target = t.startKinetic + (t.ahead ? 0 : trees::workTwice(w, t, t.interval, false));
  if (!(target > 0) || !(now - target > most * std::max(now, t.startKinetic))) return;
  const double scale = trees::scaleRelativeMotion(w, t, now, target, true);
  tally.maxEnergyCorrection = std::max(tally.maxEnergyCorrection, std::fabs(scale - 1));
  if (w.settings.energyAccount) tally.account.corrected += 0.5 * (trees::kineticTwice(w, t) - now);
}

Failure flyInterval(WorldData& w, TreeRuntime& t, double h, int depth, double share, double after, StepTally& tally) {
  dynamics::IntervalLink* links = &w.interval[t.first];
  if (depth > 0) {
    trees::saveTree(w, t, false, false);
    t.startKinetic = trees::kineticTwice(w, t);
  }
  startMomenta(w, t, share);
  dynamics::beginInterval(t.tree, links);
  predict(w, t, h);
  trees::placeBase(w, t, after);
  const bool whole = t.ahead && (trees::isFreeBody(t) || t.pulled);  // it spins, or fields are linear in its motion over the step
  const bool mayHalve = depth < w.settings.maxHalvings && !whole;
  // Beyond that only where there is no solution else, and nothing that could take its place; what such short parts gain is dropped whole.
  const bool mustHalve =
      mayHalve || (!t.ahead && !trees::isFreeBody(t) && w.settings.maxHalvings > 0 && depth < w.settings.maxHalvings + kMoreHalvings);
  const bool taut = mayHalve && !t.ahead && h * h * t.rare->swing > kTaut;
  if (!taut && solveInterval(w, t, h, mayHalve || trees::isFreeBody(t) ? kFineTurn : kQuarterTurn)) {
    remember(w, t, h);
  } else if (mustHalve) {
    returnToStart(w, t, after + h);
    tally.halvings++;
    if (Failure f = flyInterval(w, t, 0.5 * h, depth + 1, t.ahead ? share : 0.25 * h, after + 0.5 * h, tally)) return f;
    if (Failure f = endInterval(w, t, 0.5 * h, IntervalForm::Smooth, false)) return f;
    trees::velocitiesOf(w, t);
    if (!t.ahead || share == 0) dropGainOfPart(w, t, tally, mayHalve ? kGainedOfNothing : 0);
    t.smooth = !t.ahead;
    return flyInterval(w, t, 0.5 * h, depth + 1, t.ahead ? 0 : 0.25 * h, after, tally);
  } else if (!spin(w, t, h)) {
    if (t.ahead) {
      glide(w, t, h);
    } else {
      returnToStart(w, t, after + h);
      if (t.hasAxisForces) trees::midpointAxisForces(w, t, h, 0.5 * h, true);
      const int bad = trees::factorTree(w, t);
      return bad >= 0 ? noFactor(w, t, bad) : diverged(w);
    }
  }
  t.interval = h;
  if (t.freeRoot) {  // about the old O, as the momenta
    for (int k = 0; k < 6; k++) links[0].momentum[k] += w.leftOver[t.vFirst + k];
    std::fill_n(w.leftOver.begin() + t.vFirst, 6, 0.0);
  }
  t.rare.make().intervalOrigin = t.tree.O;
  if (t.shifted || t.hasAxisForces) {
    displace(w, t, tally, after);
  } else {  // the poses are those of the last iteration
    t.tree.O = t.tree.state[0].c;
    trees::moveBase(w, t, after);
  }
  return {};
}

}  // namespace vertebra::steppers
