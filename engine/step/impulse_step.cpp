// The stepper `impulse`: see docs/design.md, Stepper. One physics step:
//   1 prescribed bodies move            5 each island: momenta, factor, rows, velocities; smooth islands: energy defect, halving,
//   2 trees move                          correction, accelerations
//   3 collisions                        6 speed caps, sleep, memory of contacts
//   4 islands, waking
// A step that ends in something not a number is undone as a whole.
#include <algorithm>
#include <cmath>

#include "engine/step/island_rows.hpp"
#include "engine/step/tree_step.hpp"

namespace vertebra {
namespace {

// Of the kinetic energy; above it a smooth island's step is halved. A tenth of what the capped correction may remove in one step.
constexpr double kDefect = 4e-3;

bool same(const Vec3& a, const Vec3& b) { return (a - b).norm() <= 1e-9 * (a.norm() + b.norm()); }

void movePrescribed(WorldData& w, double h) {
  w.stepPrescribed.clear();
  for (std::size_t i = 0; i < w.bodies.size(); i++) {
    BodySlot& b = w.bodies[i];
    if (!b.alive || b.kind != BodyKind::Kinematic || !b.enabled) continue;
    w.stepPrescribed.push_back({static_cast<int>(i), b.pose, b.velocity, b.spin, b.moveTime, b.arrived});
    if (b.moveTime > 0) {
      const double left = b.moveTime;
      b.velocity = (b.moveTarget.p - b.pose.p) / left;
      b.spin = quatLog(b.moveTarget.q * b.pose.q.conjugate()) / left;
      b.moveTime = left - h > 1e-9 * h ? left - h : 0;
      if (b.moveTime == 0) {
        b.velocity *= left / h;
        b.spin *= left / h;
        b.pose = b.moveTarget;
        b.arrived = true;
        continue;
      }
    } else if (b.arrived) {
      b.velocity.setZero();
      b.spin.setZero();
      b.arrived = false;
    }
    b.pose.p += h * b.velocity;
    b.pose.q = normalized(quatExp(h * b.spin) * b.pose.q);
  }
  for (TreeRuntime& t : w.trees) {
    if (t.baseBody < 0) continue;
    const BodySlot& b = w.bodies[t.baseBody];
    // What its base does is part of a tree's motion while it goes on evenly; a change of it is a blow, and its step of first order. The
    // second-order form takes a turning base for one that turns about its centre of mass.
    const bool even = same(b.velocity, t.baseVelocity) && same(b.spin, t.baseSpin);
    if (!even || (b.spin.squaredNorm() > 0 && b.com.squaredNorm() > 0)) t.smooth = t.fresh = false;
    t.baseVelocity = b.velocity;
    t.baseSpin = b.spin;
    t.movingBase = b.kind == BodyKind::Kinematic && (b.velocity.squaredNorm() > 0 || b.spin.squaredNorm() > 0);
    if (t.movingBase && t.asleep) wakeTree(w, static_cast<int>(&t - w.trees.data()));
  }
}

bool finite(const WorldData& w, const TreeRuntime& t) {
  double sum = 0;
  for (int k = 0; k < t.nv; k++) sum += std::fabs(w.v[t.vFirst + k]);
  for (int k = 0; k < t.nq; k++) sum += std::fabs(w.q[t.qFirst + k]);
  return std::isfinite(sum) && sum < 1e100;
}

std::string noInertia(const WorldData& w, int link) {
  const std::string body = "body " + std::to_string(w.links[link].body);
  const int joint = w.links[link].joint;
  const bool jointed = joint >= 0 && !w.model[link].freeRoot;
  const std::string place = jointed ? "moves on joint " + std::to_string(joint) : "is free";
  return body + " " + place + " but nothing from it on has inertia that way: give it or what hangs on it mass and inertia" +
         (jointed ? ", or its joint armature" : "");
}

Failure diverged(const WorldData& w) {
  return {Failure::Diverged, "the step at " + std::to_string(w.time) +
                                 " s gave coordinates that are not numbers and was undone; use a smaller time step or softer drives"};
}

Failure noFactor(const WorldData& w, const TreeRuntime& t, int link) {
  return finite(w, t) ? Failure{Failure::Argument, noInertia(w, link), w.links[link].body} : diverged(w);
}

// Velocity that a prescribed base alone gives each link of its tree, for the rows' right sides.
void baseMotion(WorldData& w, TreeRuntime& t) {
  w.baseTwist.resize(w.model.size());
  w.baseRate.resize(w.v.size());
  if (t.saddle) {
    for (int i = t.first; i < t.first + t.tree.count; i++) w.baseTwist[i] = t.tree.base.twist;
    return;
  }
  std::fill_n(w.extraFull.begin() + t.vFirst, t.nv, 0.0);
  sweepDown(t.tree, w.extraFull.data(), w.baseRate.data());
  for (int i = t.first; i < t.first + t.tree.count; i++) w.baseTwist[i] = w.state[i].t;
}

// Momenta, factor, unconstrained velocities in x. The factor is of the present poses.
Failure project(WorldData& w, TreeRuntime& t, double h, bool smooth) {
  momenta(w, t, h);
  if (t.restrained) restraints(w, t, h, smooth);
  updateGeometry(w, t);
  const int bad = factorAndSolveTree(w, t);
  if (bad >= 0) return noFactor(w, t, bad);
  if (w.settings.energyAccount) referenceMotion(w, t, h);
  return {};
}

// Back to saveTree. Accelerations and reactions are those of the start until a step has succeeded.
void restore(WorldData& w, TreeRuntime& t) {
  std::copy_n(w.q0.begin() + t.qFirst, t.nq, w.q.begin() + t.qFirst);
  std::copy_n(w.v0.begin() + t.vFirst, t.nv, w.v.begin() + t.vFirst);
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    w.state[i].v = w.links[i].startV;
    w.state[i].w = w.links[i].startW;
    w.state[i].c = w.links[i].startC;
  }
  w.account.lostClamp -= t.clampWork;
}

double floorOf(const WorldData& w, const TreeRuntime& t) { return t.mass * 1e-4; }  // 2 T at 1 cm/s

// End of a smooth step: energy defect judged against the start values; true = good (corrected, accelerations known).
bool finishSmooth(WorldData& w, TreeRuntime& t, double h, bool mayHalve) {
  if (t.movingBase && t.baseSpin.squaredNorm() > 0) {  // which drives and brakes it by right
    t.defect = 0;
    accelerations(w, t, h);
    return true;
  }
  const double now = kineticTwice(w, t);
  const double target = t.startKinetic + workTwice(w, t, h);
  const double scale = std::max({now, t.startKinetic, floorOf(w, t)});
  t.defect = std::fabs(now - target) / scale;
  if (mayHalve && !(t.defect <= kDefect)) return false;
  if (w.settings.energyCorrection && target > 0 && now > 0) {
    const double s = scaleRelativeMotion(w, t, now, target);
    w.statistics.maxEnergyCorrection = std::max(w.statistics.maxEnergyCorrection, std::fabs(s - 1));
    if (w.settings.energyAccount && s != 1) w.account.corrected += 0.5 * (kineticTwice(w, t) - now);
  }
  accelerations(w, t, h);
  return true;
}

// A smooth tree alone over h, from the saved start, in two halves if need be. Collisions were looked at for the whole step.
// `after` of the step is left beyond it.
Failure advanceSmooth(WorldData& w, TreeRuntime& t, double h, int depth, double after) {
  saveTree(w, t, false);
  moveTree(w, t, h, after);
  if (Failure f = project(w, t, h, true)) return f;
  velocitiesOf(w, t);
  const bool mayHalve = depth < w.settings.maxHalvings;
  const EnergyAccount before = w.account;
  if (t.restrained) recordRestraintForces(w, t, h, true);
  if (finishSmooth(w, t, h, mayHalve)) {
    t.worstHalf = std::max(t.worstHalf, t.defect);
    return {};
  }
  t.worstHalf = kInf;
  w.account = before;
  restore(w, t);
  w.statistics.halvings++;
  if (Failure f = advanceSmooth(w, t, 0.5 * h, depth + 1, after + 0.5 * h)) return f;
  return advanceSmooth(w, t, 0.5 * h, depth + 1, after);
}

// The step of a moved tree again, in halves. The defect grows with the third power of the step: where the halves say that the whole
// would fail once more, the next step starts with halves.
Failure advanceInHalves(WorldData& w, TreeRuntime& t, double h) {
  restore(w, t);
  w.statistics.halvings++;
  t.worstHalf = 0;
  for (int half = 0; half < 2; half++)
    if (Failure f = advanceSmooth(w, t, 0.5 * h, 1, half ? 0 : 0.5 * h)) return f;
  t.expectHalving = 8 * t.worstHalf > kDefect;
  return {};
}

// A tree whose state was just written: its accelerations are found first, so that the first step is of second order too.
Failure startSmooth(WorldData& w, TreeRuntime& t, double h) {
  t.smooth = true;  // the second-order form of springs and dampers
  if (t.restrained) restraints(w, t, h, true);
  updateGeometry(w, t);
  const int bad = factorTree(w, t);
  if (bad >= 0) return noFactor(w, t, bad);
  if (needsFirstOrder(w, t, h))
    t.smooth = false;
  else
    accelerations(w, t, h);
  return {};
}

Failure stepIsland(WorldData& w, Island& island, double h) {
  if (island.trees.size() == 1 && island.contacts.empty() && island.joints.empty() && island.couplings.empty()) {
    TreeRuntime& t = w.trees[island.trees[0]];
    if (t.expectHalving && t.smooth && !t.restrained && !w.anyForce && w.settings.maxHalvings > 0) {
      if (Failure f = advanceInHalves(w, t, h)) return f;
      capSpeeds(w, t);
      return {};
    }
    t.expectHalving = false;
  }
  bool smooth = true, motors = false;
  for (int ti : island.trees) {
    TreeRuntime& t = w.trees[ti];
    if (Failure f = project(w, t, h, t.smooth)) return f;
    smooth &= t.smooth;
    motors |= t.restrained;
    if (t.movingBase) baseMotion(w, t);
  }
  IslandRows rows(w, island, h);
  rows.build();
  if (!rows.empty()) {
    rows.solve();
    rows.shift();
  }
  for (int ti : island.trees) velocitiesOf(w, w.trees[ti]);
  if (motors) {
    // Motors at their bounds act as constant forces; whoever crossed a bound changes sides and the island is solved again.
    for (int pass = 0; pass < 8; pass++) {
      bool again = false;
      for (int ti : island.trees)
        if (w.trees[ti].restrained && !w.trees[ti].smooth) again |= resaturate(w, w.trees[ti], h, pass >= 3);
      if (!again) break;
      for (int ti : island.trees)
        if (Failure f = project(w, w.trees[ti], h, w.trees[ti].smooth)) return f;
      w.lambdaScratch.clear();
      for (const Row& r : w.rows.rows) w.lambdaScratch.push_back(r.lambda);
      for (int ti : island.trees)
        if (w.trees[ti].movingBase) baseMotion(w, w.trees[ti]);
      rows.build();
      if (w.lambdaScratch.size() == w.rows.rows.size())
        for (std::size_t i = 0; i < w.rows.rows.size(); i++)
          w.rows.rows[i].lambda = std::min(w.rows.rows[i].hi, std::max(w.rows.rows[i].lo, w.lambdaScratch[i]));
      if (!rows.empty()) {
        rows.solve();
        rows.shift();
      }
      for (int ti : island.trees) velocitiesOf(w, w.trees[ti]);
    }
  }
  if (!rows.empty()) {
    rows.store();
    if (w.bilateral.count() > 0) {
      const double left = closeLoops(w, island);
      w.statistics.maxJointError = std::max(w.statistics.maxJointError, left);
    }
  }
  const bool rowless = rows.empty();
  bool firstOrder = !rowless;
  for (int ti : island.trees) {
    TreeRuntime& t = w.trees[ti];
    const EnergyAccount before = w.account;
    if (t.restrained) recordRestraintForces(w, t, h, t.smooth);
    const bool wasSmooth = t.smooth;
    t.smooth = rowless && !needsFirstOrder(w, t, h);
    if (!t.smooth) {
      firstOrder = true;
    } else if (!wasSmooth) {
      accelerations(w, t, h);
    } else if (!finishSmooth(w, t, h, w.settings.maxHalvings > 0)) {
      w.account = before;
      if (Failure f = advanceInHalves(w, t, h)) return f;
    }
    capSpeeds(w, t);  // last: the balance of energy would take the loss for an error and halve the step
  }
  if (firstOrder) w.statistics.firstOrder++;
  return {};
}

// Powered axes keep an unwrapped coordinate of their own.
void readAxes(WorldData& w, double h) {
  for (int id : w.auxiliaryJoints) {
    JointSlot& j = w.joints[id];
    if (j.def.constraint != ConstraintType::AxisAngular && j.def.constraint != ConstraintType::AxisLinear) continue;
    const double before = j.q[0];
    j.q[0] = axisCoordinate(w, j, before);
    j.v[0] = (j.q[0] - before) / h;
  }
}

void accountPrescribed(WorldData& w, double h) {  // work of applied forces
  if (!w.settings.energyAccount || !w.anyForce) return;
  for (const TreeRuntime& t : w.trees)
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      const BodySlot& b = w.bodies[w.links[i].body];
      const LinkState& s = w.state[i];
      const Vec3 p = h * (b.force + b.persistentForce) + b.impulse, l = h * (b.torque + b.persistentTorque) + b.angularImpulse;
      w.account.workApplied += 0.5 * (p.dot(s.v + w.links[i].stepV) + l.dot(s.R * Vec3(s.w + w.links[i].stepW)));
    }
}

double treeJointError(const WorldData& w) {
  double worst = 0;
  for (const TreeRuntime& t : w.trees)
    for (int i = 0; i < t.tree.count; i++) {
      const LinkModel& m = t.tree.model[i];
      if (m.freeRoot || m.type == JointType::Prismatic || m.type == JointType::Planar || m.type == JointType::Floating) continue;
      const LinkState& s = t.tree.state[i];
      const BodyPose& p = m.parent >= 0 ? static_cast<const BodyPose&>(t.tree.state[m.parent]) : t.tree.base.pose;
      worst = std::max(worst, (p.c + p.R * m.inParent - s.c - s.R * m.inChild).norm());
    }
  return worst;
}

// A blow is no smooth motion: its step is of first order, neither halved (each half would strike again) nor corrected in energy.
bool struck(const WorldData& w, const TreeRuntime& t) {
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const BodySlot& b = w.bodies[w.links[i].body];
    if (b.impulse.squaredNorm() > 0 || b.angularImpulse.squaredNorm() > 0) return true;
  }
  return false;
}

void undo(WorldData& w) {
  for (const WorldData::Prescribed& s : w.stepPrescribed) {
    BodySlot& b = w.bodies[s.body];
    b.pose = s.pose;
    b.velocity = s.velocity;
    b.spin = s.spin;
    b.moveTime = s.moveTime;
    b.arrived = s.arrived;
  }
  for (TreeRuntime& t : w.trees) {
    if (t.asleep || (t.immobile && t.baseBody < 0)) continue;
    placeBase(w, t);
    std::copy_n(w.stepQ.begin() + t.qFirst, t.nq, w.q.begin() + t.qFirst);
    std::copy_n(w.stepV.begin() + t.vFirst, t.nv, w.v.begin() + t.vFirst);
    std::fill_n(w.a.begin() + t.vFirst, t.nv, 0.0);
    refreshTree(w, t);
  }
  holdByContacts(w);
  for (JointSlot& j : w.joints) {  // first guesses of the next step: what the failed one left may be no number
    for (auto& axis : j.impulse) std::fill_n(axis, 4, 0.0);
    std::fill_n(j.auxImpulse, 6, 0.0);
  }
  w.account = w.stepAccount;
}

}  // namespace

Failure physicsStep(WorldData& w, double h) {
  if (Failure f = ensure(w)) return f;
  if (w.owner.beforeStep) w.owner.beforeStep(w.owner.callbackUser);
  w.stepQ = w.q;
  w.stepV = w.v;
  w.stepAccount = w.account;
  movePrescribed(w, h);
  for (const TreeRuntime& t : w.trees)
    if (t.fresh && !t.smooth) {
      holdByContacts(w);  // accelerations that know of no contact would push what rests through its floor
      break;
    }
  for (TreeRuntime& t : w.trees) {
    if (t.asleep || (t.immobile && t.baseBody < 0)) continue;
    if (t.immobile && !t.movingBase && t.settled) continue;
    saveTree(w, t, true);
    if (w.anyForce && struck(w, t)) t.smooth = t.fresh = false;
    if (!t.smooth && t.fresh && !t.immobile)
      if (Failure f = startSmooth(w, t, h)) {
        undo(w);
        return f;
      }
    t.fresh = false;
    moveTree(w, t, h);
    if (t.immobile) {  // welded to something prescribed: goes along
      updateSubspaces(t.tree);
      updateTwists(t.tree, w.v.data());
      t.settled = !t.movingBase;
    }
  }
  collideAll(w);
  buildIslands(w);
  w.statistics.rows = 0;
  w.statistics.firstOrder = 0;
  w.statistics.lcpIterations = 0;
  w.statistics.lcpResidual = 0;
  w.statistics.complementarity = 0;
  w.statistics.infeasible = 0;
  clearJointForces(w);
  w.memoryNext.clear();
  Failure failure;
  for (int k = 0; k < w.islandCount && !failure; k++) failure = stepIsland(w, w.islands[k], h);
  if (!failure)
    for (int k = 0; k < w.islandCount && !failure; k++)
      for (int ti : w.islands[k].trees)
        if (!finite(w, w.trees[ti])) {
          failure = diverged(w);
          break;
        }
  if (failure) {
    w.contacts.swap(w.contactsBefore);
    w.statistics.contacts = static_cast<int>(w.contacts.size());
    undo(w);
    return failure;
  }
  for (int k = 0; k < w.islandCount; k++)
    if (!w.islands[k].joints.empty()) {
      readAxes(w, h);
      break;
    }
  accountPrescribed(w, h);
  // Contacts of sleeping islands keep their impulses for the day they wake.
  keepSleepingMemory(w);
  std::sort(w.memoryNext.begin(), w.memoryNext.end(), [](const ContactMemory& a, const ContactMemory& b) {
    return a.shapeA != b.shapeA ? a.shapeA < b.shapeA : a.shapeB != b.shapeB ? a.shapeB < b.shapeB : a.feature < b.feature;
  });
  w.memory.swap(w.memoryNext);
  updateTouching(w);
  sleepIslands(w, h);
  for (const Contact& c : w.contacts) w.statistics.maxPenetration = std::max(w.statistics.maxPenetration, -c.gap);
  if (w.settings.energyAccount) w.statistics.maxJointError = std::max(w.statistics.maxJointError, treeJointError(w));
  w.statistics.islands = w.islandCount;
  if (w.anyForce)  // impulses act once
    for (BodySlot& b : w.bodies) {
      b.impulse.setZero();
      b.angularImpulse.setZero();
    }
  w.lastStep = h;
  w.time += h;
  w.steps++;
  return {};
}

}  // namespace vertebra
