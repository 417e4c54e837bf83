// See held_islands.hpp. As a tree without rows, such an island moves by its accelerations, its momenta carry half of its reactions, and its
// energy is compared with the work done on it: joints that prescribe nothing do none. What is gained of nothing goes, what is lost comes
// back, as velocities are scaled: J v = 0 holds for each scale. Its step is not halved.
#include "engine/steppers/held_islands.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/bilateral_rows.hpp"
#include "engine/constraints/held_accelerations.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/steppers/whips.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

constexpr double kUnheld = 0.02;  // share of the kinetic energy: with a larger defect the next step is of first order

bool movesByItself(const WorldData& w, int body) {
  if (body < 0) return false;
  const BodySlot& b = w.bodies[body];
  if (b.link >= 0) return w.trees[b.tree].immobile && w.trees[b.tree].movingBase;  // welded to one that does
  return b.kind == BodyKind::Kinematic && (b.velocity != Vec3::Zero() || b.omega != Vec3::Zero());
}

// Whether links have inertia against the loads through their joints: their step damps what swings fast.
bool isStiffened(const WorldData& w, const TreeRuntime& t) {
  if (!t.slender) return false;
  return std::any_of(w.slender.begin() + t.first, w.slender.begin() + t.first + t.tree.count,
                     [](const SlenderLink& r) { return r.stiffening(0, 0) != 0 || r.stiffening(1, 1) != 0; });
}

// Of its trees those that joints hold: others are there because contacts are near.
template <class F>
void forHeld(const WorldData& w, const Island& island, F&& f) {
  for (int ti : island.trees)
    if (isHeld(w, w.trees[ti])) f(ti);
}

// Whether nothing holds it to the world or to a body that is not of the island.
bool floats(const WorldData& w, const Island& island) {
  bool free = true;
  forHeld(w, island, [&](int ti) { free &= w.trees[ti].freeRoot; });
  const auto outside = [&](int body) { return body < 0 || w.bodies[body].link < 0; };
  return free && std::none_of(island.joints.begin(), island.joints.end(),
                              [&](int id) { return outside(w.joints[id].a) || outside(w.joints[id].b); });
}

// Whether all that joints hold in it is tied together, so that scaled velocities keep the momentum of what floats: one tree, or trees that
// neither contacts nor couplings alone bring together.
bool isOnePiece(const WorldData& w, const Island& island) {
  int held = 0;
  forHeld(w, island, [&](int) { held++; });
  return held == 1 || (island.contacts.empty() && island.couplings.empty());
}

struct RigidMotion {  // of all links that joints hold as one body
  Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero(), omega = Vec3::Zero();
  double kineticTwice = 0;
};

RigidMotion rigidMotion(const WorldData& w, const Island& island) {
  RigidMotion r;
  double mass = 0;
  const auto forLinks = [&](auto&& f) {
    forHeld(w, island, [&](int ti) {
      for (int i = w.trees[ti].first; i < w.trees[ti].first + w.trees[ti].tree.count; i++) f(w.model[i], w.state[i]);
    });
  };
  forLinks([&](const dynamics::LinkModel& m, const dynamics::LinkState& s) {
    mass += m.mass;
    r.centre += m.mass * s.c;
    r.velocity += m.mass * s.v;
  });
  r.centre /= mass;
  r.velocity /= mass;
  Mat3 inertia = Mat3::Zero();
  Vec3 L = Vec3::Zero();
  forLinks([&](const dynamics::LinkModel& m, const dynamics::LinkState& s) {
    const Vec3 arm = s.c - r.centre;
    const Mat3 own = s.R * m.inertia.asDiagonal() * s.R.transpose();
    inertia += own + m.mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    L += s.R * m.inertia.cwiseProduct(s.w) + m.mass * arm.cross(s.v - r.velocity);
  });
  r.omega = inertia.llt().solve(L);
  r.kineticTwice = mass * r.velocity.squaredNorm() + r.omega.dot(L);
  return r;
}

// Scales the motion relative to the island's rigid motion, or that against what it is fixed to, so that 2 T becomes `target`, where that is
// not too much; returns the scale.
double scaleHeldMotion(WorldData& w, const Island& island, double now, double target) {
  constexpr double kMost = 0.02;  // share of the motion that is given back in a step; more would hide a failure
  const bool floating = floats(w, island);
  RigidMotion rigid;
  if (floating) rigid = rigidMotion(w, island);
  const double relative = now - rigid.kineticTwice, wanted = std::max(0.0, relative + target - now);
  if (!(relative > 1e-9 * now)) return 1;
  const double scale = std::min(1 + kMost, std::sqrt(wanted / relative));
  forHeld(w, island, [&](int ti) {
    TreeRuntime& t = w.trees[ti];
    double* const v = w.v.data() + t.vFirst;
    int own = 0;
    if (floating) {
      const dynamics::LinkModel& m = w.model[t.first];
      double rates[6];
      const Vec6 twist = dynamics::stack(rigid.omega, rigid.velocity + rigid.omega.cross(t.tree.O - rigid.centre));
      trees::fitVelocity(m, w.state[t.first], t.tree.O, twist, rates);
      for (; own < m.nv; own++) v[own] = rates[own] + scale * (v[own] - rates[own]);
    }
    for (int k = own; k < t.nv; k++) v[k] *= scale;
    dynamics::updateTwists(t.tree, w.v.data());
  });
  return scale;
}

// Energy at the end of a step that was of second order as a whole; false: it is too far off.
bool correctEnergy(WorldData& w, const Island& island, double h, StepTally& tally) {
  double now = 0, expected = 0, start = 0, doubt = 0, least = 0;
  bool driven = false, sprung = false;
  forHeld(w, island, [&](int ti) {
    const TreeRuntime& t = w.trees[ti];
    double inDoubt = 0;
    now += trees::kineticTwice(w, t);
    start += t.startKinetic;
    expected += t.startKinetic + trees::workTwice(w, t, h, true, &inDoubt);
    doubt += inDoubt;
    least += leastKineticTwice(t);
    driven |= trees::hasDrives(w, t);
    sprung |= t.sprung;
  });
  const double target = std::clamp(now, expected - doubt, expected + doubt);
  const bool good = std::fabs(now - target) <= kUnheld * std::max({now, start, least});
  double corrected = 0;
  if (w.settings.energyCorrection && now > 0 && !(good && (driven || sprung)) && isOnePiece(w, island)) {
    const double s = scaleHeldMotion(w, island, now, target);
    tally.maxEnergyCorrection = std::max(tally.maxEnergyCorrection, std::fabs(s - 1));
    forHeld(w, island, [&](int ti) {
      corrected += trees::kineticTwice(w, w.trees[ti]);
      if (driven && s != 1 && w.trees[ti].hasAxisForces) trees::recordAxisForces(w, w.trees[ti]);
    });
    corrected = 0.5 * (corrected - now);
  }
  if (w.settings.energyAccount) {
    tally.account.corrected += corrected;
    tally.account.discretisation += 0.5 * (now - expected);
  }
  return good;
}

}  // namespace

bool isHeldByJoints(WorldData& w, const RowWorkspace& work, const Island& island) {
  if (work.bilateral.count() == 0 || !island.constraints.empty() || !traitsOf(w.settings.stepper).smoothSteps) return false;
  if (w.settings.stabilisation != Stabilisation::Newton || !constraints::rigidRowsAreExact(w.settings)) return false;
  if (!work.rows.rows.empty()) return false;  // those that reach their bound in every other step would leave half of their reaction out
  for (int id : island.couplings)
    if (w.couplings[id].def.velocityLevel) return false;
  for (int id : island.joints)
    if (movesByItself(w, w.joints[id].a) || movesByItself(w, w.joints[id].b)) return false;
  return std::none_of(island.trees.begin(), island.trees.end(), [&](int ti) { return w.trees[ti].movingBase || w.trees[ti].pulled; });
}

bool flowsOn(WorldData& w, const Island& island, double next) {
  constexpr double kFar = 0.3;  // rad a step
  for (int ti : island.trees) {
    TreeRuntime& t = w.trees[ti];
    if (t.shifted || isStiffened(w, t)) return false;
    for (int i = t.first; i < t.first + t.tree.count; i++)
      if (next * next * w.state[i].w.squaredNorm() > kFar * kFar) return false;
    if (trees::needsFirstOrder(w, t, next)) return false;
  }
  return true;
}

bool startAlike(WorldData& w, const Island& island) {
  const auto smooth = [&](int ti) { return w.trees[ti].smooth; };
  const bool all = std::all_of(island.trees.begin(), island.trees.end(), smooth);
  for (int ti : island.trees) w.trees[ti].smooth = all;
  return all;
}

Failure finishHeld(WorldData& w, RowWorkspace& work, Island& island, double h, bool second, bool flows) {
  StepTally& tally = *island.tally;
  for (int ti : island.trees) {
    TreeRuntime& t = w.trees[ti];
    if (t.hasAxisForces) trees::recordImplicitAxisForces(w, t, h, t.smooth ? trees::AxisForm::Smooth : trees::AxisForm::Implicit, tally);
  }
  const bool good = (!second || correctEnergy(w, island, h, tally)) && flows;
  bool refactored = false, driven = false;
  for (int ti : island.trees) {
    TreeRuntime& t = w.trees[ti];
    const bool again = !t.smooth && t.driven;  // the factor of a step of first order holds more
    t.coasting = false;
    t.smooth = good;
    driven |= again;
    if (again || !good) trees::forgetAccelerations(w, t);
    if (!good && t.slender) trees::meanReactions(w, t, h);
    if (!again || !good) continue;
    trees::implicitAxisForces(w, t, h, true);
    trees::updateGeometry(w, t);
    if (const int bad = trees::factorTree(w, t); bad >= 0) return noFactor(w, t, bad);
    refactored = true;
  }
  if (good) {
    constraints::HeldAccelerations accelerations(w, work, island, refactored);
    for (int pass = 0; pass < (driven ? 2 : 1); pass++) accelerations.find(h);  // as the factor holds half a step of damping
  } else {
    constraints::dropEndForces(island, w);
    tally.firstOrder++;
  }
  for (int ti : island.trees) {
    trees::noteFall(w, w.trees[ti], h);
    trees::capSpeeds(w, w.trees[ti], tally);
  }
  return {};
}

}  // namespace vertebra::steppers
