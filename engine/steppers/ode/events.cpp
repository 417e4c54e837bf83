// See events.hpp. Swing and twist limits are no events: they are pushed out afterwards.
#include "engine/steppers/ode/events.hpp"

#include <algorithm>

#include "engine/constraints/row_law.hpp"
#include "engine/steppers/ode/tree_systems.hpp"
#include "engine/steppers/physics_step.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

bool touchedBefore(const TreeSystem& system, const Contact& c) {
  return std::any_of(system.contacts.begin(), system.contacts.end(),
                     [&](const Contact& b) { return b.shapeA == c.shapeA && b.shapeB == c.shapeB && b.gap <= constraints::kTouching; });
}

bool belongsTo(const WorldData& w, int system, const Contact& c) {
  return systemOf(w, c.bodyA) == system || systemOf(w, c.bodyB) == system;
}

// rad or m by which links passed a limit of their joint that they did not touch at the coordinates `before` of their tree.
double depthPastLimits(const WorldData& w, const TreeRuntime& t, const double* before) {
  double depth = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].hasAxisForces || w.links[i].looped) continue;
    const dynamics::LinkModel& m = w.model[i];
    const JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < trees::limitedAxes(m); k++) {
      const double lower = j.axes[k].parameters->lower, upper = j.axes[k].parameters->upper;
      const double q = w.q[m.qOffset + k], q0 = before[m.qOffset - t.qFirst + k];
      if (q0 - lower > constraints::kTouching) depth = std::max(depth, lower - q);
      if (upper - q0 > constraints::kTouching) depth = std::max(depth, q - upper);
    }
  }
  return depth;
}

}  // namespace

bool isUnimportant(const WorldData& w, const Contact& c) { return c.speculative >= 0 || constraints::isStabilised(w.shapes, c); }

double depthOfPassed(const WorldData& w, int g) {
  const TreeSystem& system = w.ode.systems[g];
  double depth = 0;
  for (const Contact& c : w.contacts) {
    if (!belongsTo(w, g, c)) continue;
    if (-c.gap > depth && !isUnimportant(w, c) && !touchedBefore(system, c)) depth = -c.gap;
  }
  const double* before = system.y.data();
  for (int ti : system.island.trees) {
    const TreeRuntime& t = w.trees[ti];
    if (t.hasAxisForces && !system.leavesLimits) depth = std::max(depth, depthPastLimits(w, t, before));
    before += t.nq;
  }
  return depth;
}

bool touchesAnew(const WorldData& w, int g) {
  const TreeSystem& system = w.ode.systems[g];
  return std::any_of(w.contacts.begin(), w.contacts.end(), [&](const Contact& c) {
    return c.gap <= 0.5 * constraints::kTouching && belongsTo(w, g, c) && !isUnimportant(w, c) && !touchedBefore(system, c);
  });
}

double throughDepth(const WorldData& w, const Contact& c) {
  double least = kInf;
  for (int shape : {c.shapeA, c.shapeB}) {
    const double inner = w.shapes[shape].def->inner;
    if (inner > 0) least = std::min(least, inner);
  }
  return 0.5 * least;
}

double fastestApproach(const WorldData& w, const Contact& c, bool alongNormal) {
  Vec3 between = Vec3::Zero();
  double turning = 0;
  for (int side = 0; side < 2; side++) {
    const int shape = side ? c.shapeB : c.shapeA, body = side ? c.bodyB : c.bodyA;
    if (body < 0) continue;
    Vec3 v, omega;
    trees::twistOf(w, body, v, omega);
    const Vec3 centre = v + omega.cross(trees::poseOf(w, body).q * w.bodies[body].inertialInLink().p);
    between += side ? Vec3(-centre) : centre;
    if (omega.squaredNorm() > 0) turning += omega.norm() * w.shapes[shape].place->reach;
  }
  return (alongNormal ? c.normal.dot(between) : between.norm()) + turning;
}

bool passesThrough(const WorldData& w, int g, const Contact& c, double time) {
  constexpr double kThrough = 1.5;  // times half the radius of the ball inside the thinner one
  return belongsTo(w, g, c) && fastestApproach(w, c, false) * time > kThrough * throughDepth(w, c);
}

bool wentDeep(const WorldData& w) {
  constexpr double kTold = 2;  // times `adaptive.depth`
  const double depth = kTold * w.settings.adaptiveDepth;
  const auto byShapes = [](const Contact& a, const Contact& b) { return std::pair(a.shapeA, a.shapeB) < std::pair(b.shapeA, b.shapeB); };
  return std::any_of(w.contacts.begin(), w.contacts.end(), [&](const Contact& c) {
    if (!(-c.gap > depth) || constraints::pushesBack(w.shapes, c)) return false;
    double start = 0;
    const auto [first, last] = std::equal_range(w.ode.before.begin(), w.ode.before.end(), c, byShapes);
    for (auto k = first; k != last; ++k) start = std::max(start, -k->gap);
    return gaveWay(-c.gap, start, depth);
  });
}

}  // namespace vertebra::steppers
