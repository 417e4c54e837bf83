// The stepper `displacement`: see displacement.hpp.
//   1 bodies move by forces alone                      3 islands, waking      5 restitution, in velocities
//   2 collisions at those poses                        4 sweeps over the constraints displace them
// Source: Waterson, "Displacement Based Dynamics", algorithm 1; order of convergence 1.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/collision/contacts.hpp"
#include "engine/constraints/island_solution.hpp"
#include "engine/constraints/pair_constraint.hpp"
#include "engine/dynamics/free_rotation.hpp"
#include "engine/dynamics/link_recursions.hpp"
#include "engine/forces/fields.hpp"
#include "engine/islands/islands.hpp"
#include "engine/steppers/displacement/displacement.hpp"
#include "engine/steppers/loops.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/trees/implicit_fields.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

constexpr int kPushes = 4;       // times the set number of sweeps: those that move nothing cost a fraction of those that do
constexpr int kSlipRounds = 4;   // in which contacts turn from static to dynamic friction
constexpr double kSlips = 1e-3;  // share of the speed that gravity gives in a step: slower slip is the remaining error of sweeps

Mat3 worldInertia(const dynamics::LinkModel& m, const dynamics::LinkState& s) { return s.R * m.inertia.asDiagonal() * s.R.transpose(); }

Failure refused(const WorldData& w) {
  if (w.settings.solver != solve::Solver::Pgs)
    return {Failure::Unsupported, "the stepper displacement sweeps over positions itself: solver must be pgs (VTB_SOLVER_PGS)"};
  if (w.settings.frictionLaw != ContactFriction::Cone)
    return {Failure::Unsupported, "the stepper displacement knows friction by the cone only: friction_law must be VTB_FRICTION_LAW_CONE"};
  if (w.settings.poisson)
    return {Failure::Unsupported, "the stepper displacement gives back velocities: restitution_law must be VTB_RESTITUTION_LAW_NEWTON"};
  return {};
}

TreeRuntime& treeOf(WorldData& w, int link) { return w.trees[w.bodies[w.links[link].body].tree]; }

// Inertia of a tree's first link about its centre of mass with the resistance of the implicit fields on the tree, angular part first, world
// axes; likewise, times h, the remaining damping without the inertia.
Mat6 withFields(WorldData& w, int link, double h, Mat6* damping = nullptr) {
  Mat6 A = Mat6::Zero();
  if (damping) damping->setZero();
  const TreeRuntime& t = treeOf(w, link);
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const FieldGradient* g = trees::actingGradient(w, w.links[i].body);
    if (!g) continue;
    Mat6 there = Mat6::Identity();  // twist of a welded body from that of the link
    there.bottomLeftCorner<3, 3>() = -skew(w.state[i].c - w.state[link].c);
    A += there.transpose() * (h * g->damping + h * h * g->stiffness) * there;
    if (damping) *damping += h * there.transpose() * g->damping * there;
  }
  A.topLeftCorner<3, 3>() += worldInertia(w.model[link], w.state[link]);
  A.bottomRightCorner<3, 3>() += w.model[link].mass * Mat3::Identity();
  return A;
}

// Welded to a static or prescribed body: moves with it, and no force acts.
void carryImmobile(WorldData& w, TreeRuntime& t) {
  trees::placeBase(w, t);
  StepTally tally;  // nothing is clamped: it has no axes
  trees::settleTree(w, t, tally);
  dynamics::updateSubspaces(t.tree);
  dynamics::updateTwists(t.tree, w.v.data());
  const dynamics::LinkState& s = w.state[t.first];
  DisplacedBody& b = w.displacement.bodies[t.first];
  b = DisplacedBody();
  b.predicted = true;
  b.omega = b.freeOmega = b.startOmega = s.R * s.w;
  b.freeVelocity = b.startVelocity = s.v;
  b.freeCentre = s.c;
  b.freeTurn = s.q;
  t.settled = !t.movingBase;
}

// A body at the end of its island's step: its coordinates and twist.
void settleBody(WorldData& w, TreeRuntime& t, StepTally& tally) {
  dynamics::LinkState& s = w.state[t.first];
  const DisplacedBody& b = w.displacement.bodies[t.first];
  double *q = w.q.data() + t.qFirst, *v = w.v.data() + t.vFirst;
  if (b.rotor) {
    v[0] = b.axis.dot(b.omega);
  } else {
    for (int k = 0; k < 3; k++) q[k] = s.c[k];
    for (int k = 0; k < 4; k++) q[3 + k] = s.q.coeffs()[k];
    for (int k = 0; k < 3; k++) v[k] = b.omega[k], v[3 + k] = s.v[k];
  }
  dynamics::updatePoses(t.tree, w.q.data());
  t.tree.O = s.c;
  trees::moveBase(w, t);
  dynamics::updateSubspaces(t.tree);
  dynamics::updateTwists(t.tree, w.v.data());
  trees::capSpeeds(w, t, tally);
  t.smooth = t.coasting = t.ahead = t.shifted = t.fresh = false;
  w.displacement.bodies[t.first].predicted = false;
}

// How far joints are open before the step: what they keep of that is no reason to make it in parts.
void measureJoints(WorldData& w) {
  openBefore(w).assign(w.joints.size(), 0);
  if (!(w.divided.least < kInf)) return;
  for (int id : w.auxiliaryJoints) {
    const JointSlot& j = w.joints[id];
    double q[7];
    std::copy_n(j.q, j.nq, q);
    constraints::PairConstraint c;
    constraints::viewPair(w.bodies, w, j, q, c);
    openBefore(w)[id] = std::max(c.apart, c.turned);
  }
}

}  // namespace

// Response of a body's rotation to a torque. The gyroscopic form (Waterson eq. 36, 65) adds how a rotation of the body changes its
// momentum; where that would replace the inertia rather than add to it, it is left out.
void refreshInertia(WorldData& w, int link, double h) {
  DisplacedBody& b = w.displacement.bodies[link];
  const dynamics::LinkModel& m = w.model[link];
  const dynamics::LinkState& s = w.state[link];
  if (b.pulled) {
    const Mat6 inverse = withFields(w, link, h).inverse();
    b.inverseInertia = inverse.topLeftCorner<3, 3>();
    b.mixed = inverse.bottomLeftCorner<3, 3>();
    b.moving = inverse.bottomRightCorner<3, 3>();
    return;
  }
  b.inverseInertia = s.R * dynamics::inverseInertia(m).asDiagonal() * s.R.transpose();
  if (!w.settings.displacementGyroscopic) return;
  const Mat3 inertia = worldInertia(m, s);
  const Mat3 whole = inertia - skew(h * (inertia * b.freeOmega)) + inertia * skew(h * b.freeOmega);
  const Mat3 symmetric = 0.5 * (whole + whole.transpose()) - 0.5 * inertia;
  if (symmetric.determinant() > 0 && symmetric(0, 0) > 0 && symmetric.topLeftCorner<2, 2>().determinant() > 0)
    b.inverseInertia = whole.inverse();
}

void predictBody(WorldData& w, TreeRuntime& t, double h) {
  const int link = t.first;
  const dynamics::LinkModel& m = w.model[link];
  dynamics::LinkState& s = w.state[link];
  const LinkRuntime& r = w.links[link];
  if (t.immobile) return carryImmobile(w, t);
  DisplacedBody& b = w.displacement.bodies[link];
  b = DisplacedBody();
  b.predicted = true;
  b.rotor = !t.freeRoot;
  if (b.rotor) {
    const double inertia = w.joints[r.joint].axes[0].parameters->armature, rate = w.v[m.vOffset];
    b.axis = s.R * m.joint->axis;
    b.inverseInertia = b.axis * b.axis.transpose() / inertia;
    b.omega = b.freeOmega = b.startOmega = rate * b.axis;
    w.q[m.qOffset] += h * rate;
    return;
  }
  b.inverseMass = 1 / m.mass;
  b.startVelocity = r.startV;
  b.startOmega = s.R * r.startW;
  s.v = r.startV + h * r.gravityScale * w.settings.gravity;
  Vec3 L = s.R * m.inertia.cwiseProduct(r.startW);
  if (w.anyForce)
    for (int i = link; i < link + t.tree.count; i++) {
      const BodySlot& body = w.bodies[w.links[i].body];
      const Vec3 impulse = h * body.appliedForce() + body.applied->impulse;
      s.v += b.inverseMass * impulse;
      L += h * body.appliedTorque() + body.applied->angularImpulse + (w.state[i].c - s.c).cross(impulse);
    }
  if (t.pulled) {  // backward Euler on the linearised field: its force at the end of the step
    b.pulled = true;
    Mat6 damping;
    const Mat6 A = withFields(w, link, h, &damping);
    const Vec6 before = dynamics::stack(s.R * r.startW, r.startV);
    const Vec6 twist = A.llt().solve(Vec6(dynamics::stack(L, m.mass * s.v) + damping * before));
    s.v = twist.tail<3>();
    L = worldInertia(m, s) * Vec3(twist.head<3>());
  }
  s.c += h * s.v;
  dynamics::turnFreely(m, s.q, L, h);
  s.R = dynamics::rotationOf(s.q);
  s.w = dynamics::inverseInertia(m).cwiseProduct(s.R.transpose() * L);
  b.omega = b.freeOmega = s.R * s.w;
  b.freeVelocity = s.v;
  b.freeCentre = s.c;
  b.freeTurn = s.q;
  refreshInertia(w, link, h);
  carryWelded(w, link);
}

void carryWelded(WorldData& w, int link) {
  dynamics::Tree& tree = treeOf(w, link).tree;
  for (int i = 1; i < tree.count; i++) dynamics::poseAt(tree, i, w.q.data());
}

void DisplacementIsland::build() {
  DisplacementData& data = w_.displacement;
  data.items.clear();
  data.joints.clear();
  data.contacts.clear();
  auto add = [&](int id) {
    DisplacedJoint item;
    item.joint = id;
    data.items.push_back({DisplacedItem::Joint, static_cast<int>(data.joints.size())});
    data.joints.push_back(item);
  };
  for (int ti : island_.trees)
    if (!w_.trees[ti].freeRoot) add(w_.links[w_.trees[ti].first].joint);
  for (int id : island_.joints) add(id);
  for (int id : island_.couplings) data.items.push_back({DisplacedItem::Coupling, id});
  for (int id : island_.constraints) data.items.push_back({DisplacedItem::User, id});
  warmStart_ = w_.settings.displacementWarmStart;
  if (warmStart_ < 0) warmStart_ = data.items.empty() ? kContactsStart : 0;
  addContacts();
}

void DisplacementIsland::visit(const DisplacedItem& item) {
  relaxation_ = w_.settings.solverRelaxation;
  regularisation_ = w_.settings.displacementRegularisation;
  switch (item.kind) {
    case DisplacedItem::Joint:
      return joint(w_.displacement.joints[item.index]);
    case DisplacedItem::Coupling:
      return coupling(w_.couplings[item.index]);
    case DisplacedItem::User:
      return userConstraint(item.index);
    case DisplacedItem::Contact:
      return contact(w_.displacement.contacts[item.index]);
  }
}

double DisplacementIsland::sweep(int number) {
  const std::vector<DisplacedItem>& items = w_.displacement.items;
  const int n = static_cast<int>(items.size());
  const solve::SweepOrder order = w_.settings.solverOrder;
  const bool backward = order == solve::SweepOrder::Backward || (order == solve::SweepOrder::Symmetric && number % 2 == 1);
  residual_ = 0;
  if (order == solve::SweepOrder::Shuffled) {  // round from a starting point that changes, with a stride that reaches all
    int stride = 1 + static_cast<int>((2654435761u * static_cast<unsigned>(number + 1)) % static_cast<unsigned>(std::max(1, n)));
    auto divisor = [](int a, int b) {
      while (b != 0) a = std::exchange(b, a % b);
      return a;
    };
    while (divisor(stride, n) != 1) stride++;
    for (int k = 0; k < n; k++) visit(items[static_cast<std::size_t>((number + static_cast<std::int64_t>(k) * stride) % n)]);
  } else {
    for (int k = 0; k < n; k++) visit(items[backward ? n - 1 - k : k]);
  }
  return residual_;
}

int DisplacementIsland::sweepUntilSettled(Pass pass, int most) {
  pass_ = pass;
  int sweeps = 0;
  for (double residual = kInf; sweeps < most && residual > w_.settings.solverTolerance; sweeps++) residual = sweep(sweeps);
  return sweeps;
}

void DisplacementIsland::solve() {
  const WorldSettings& set = w_.settings;
  if (w_.displacement.items.empty()) return;
  for (DisplacedJoint& item : w_.displacement.joints) startRates(item);
  pass_ = Pass::Start;
  sweep(0);
  const int pushes = onlyContacts() ? sweepUntilSettled(Pass::Push, kPushes * set.solverIterations) : 0;
  for (int ti : island_.trees) {  // at once, so that impulses which cancel leave all arms as they are
    const DisplacedBody& b = w_.displacement.bodies[w_.trees[ti].first];
    if (!b.rotor) displace(w_.trees[ti].first, b.omega - b.freeOmega);
  }
  pass_ = Pass::Move;
  int sweeps = 0;
  const int most = constraints::sweepsInTime(w_.settings, w_, *island_.tally);
  double residual = kInf;
  const double slow = std::max(set.solverTolerance, kSlips * h_ * set.gravity.norm());
  for (int round = 0; round == 0 || (round < kSlipRounds && letSlip(std::max(slow, 10 * residual))); round++) {
    residual = kInf;
    for (int k = 0; k < most && residual > set.solverTolerance; k++) residual = sweep(sweeps++);
  }
  StepTally& tally = *island_.tally;
  tally.rows += static_cast<int>(w_.displacement.items.size());
  tally.solverIterations = std::max(tally.solverIterations, pushes + sweeps);
  tally.solverResidual = std::max(tally.solverResidual, residual);
}

void DisplacementIsland::bounce() {
  // Angular velocities follow from the rotation by the displacements (Waterson eq. 45), which is at most half a turn, whatever the sum of
  // torques.
  for (int ti : island_.trees) {
    const int link = w_.trees[ti].first;
    DisplacedBody& b = w_.displacement.bodies[link];
    if (b.rotor) continue;
    dynamics::LinkState& s = w_.state[link];
    b.omega = b.freeOmega + quatLog(s.q * b.freeTurn.conjugate()) / h_;
    refreshInertia(w_, link, h_);
    s.w = s.R.transpose() * b.omega;
  }
  if (onlyContacts()) sweepUntilSettled(Pass::Settle, w_.settings.solverIterations);
  bool any = false;
  for (const DisplacedContact& c : w_.displacement.contacts) any |= c.surface.restitution > 0 && c.normal > 0;
  for (const DisplacedJoint& item : w_.displacement.joints) any |= w_.joints[item.joint].hasAxisForces;
  if (!any) return;
  sweepUntilSettled(Pass::Bounce, w_.settings.solverIterations);
}

void DisplacementIsland::store() {
  pass_ = Pass::Account;
  sweep(0);
  for (DisplacedJoint& item : w_.displacement.joints) storeJoint(item);
  for (DisplacedContact& c : w_.displacement.contacts) storeContact(c);
  for (int id : island_.couplings)
    for (const CouplingTerm& t : w_.couplings[id].def.terms) {
      JointSlot& j = w_.joints[t.joint];
      if (j.role != Role::Auxiliary) continue;
      constraints::PairConstraint c;
      constraints::viewPair(w_.bodies, w_, j, j.q, c);
      if (t.axis >= c.axes) continue;
      j.between.make().force += t.coefficient * w_.couplings[id].impulse / h_ * c.axis[t.axis].tail<3>();
      j.between.make().torque += t.coefficient * w_.couplings[id].impulse / h_ * c.axis[t.axis].head<3>();
    }
  for (int id : island_.constraints) {
    UserConstraintSlot& c = w_.constraints[id];
    for (std::size_t k = 0; k < c.force.size(); k++) c.force[k] = static_cast<int>(k) < c.count ? c.impulse[k] / h_ : 0;
  }
  if (left_ > constraints::bearableDepth(w_.settings)) island_.tally->unsolved++;
  if (!w_.settings.energyAccount) return;
  // Work of all constraints: their impulses times the mean of the velocities before and after, so that rows that only carry a weight give
  // none. Work without a kind of its own belongs to the held directions.
  double given = 0;
  for (int ti : island_.trees) {
    const int link = w_.trees[ti].first;
    const DisplacedBody& b = w_.displacement.bodies[link];
    const dynamics::LinkState& s = w_.state[link];
    const dynamics::LinkModel& m = w_.model[link];
    if (b.rotor) {
      const double inertia = w_.joints[w_.links[link].joint].axes[0].parameters->armature;
      given += 0.5 * inertia * (b.omega - b.freeOmega).dot(b.omega + b.startOmega);
      continue;
    }
    const Vec3 change = s.R.transpose() * (b.omega - b.freeOmega), sum = s.R.transpose() * (b.omega + b.startOmega);
    given += 0.5 * m.mass * (s.v - b.freeVelocity).dot(s.v + b.startVelocity) + 0.5 * change.dot(m.inertia.cwiseProduct(sum));
  }
  const double drives = work_[static_cast<int>(Kind::Drive)], friction = work_[static_cast<int>(Kind::Friction)];
  island_.tally->account.workDrives += drives;
  island_.tally->account.lostFriction -= friction;
  island_.tally->account.lostImpact -= given + lifted_ - drives - friction;
}

void reserveDisplacement(WorldData& w, std::size_t contacts) {
  openBefore(w).reserve(w.joints.size());
  w.displacement.bodies.reserve(w.model.size());
  w.displacement.foreseen.reserve(contacts);
}

Failure stepDisplacement(WorldData& w, double h) {
  if (Failure f = refused(w)) return f;
  w.displacement.bodies.assign(w.model.size(), DisplacedBody());
  measureJoints(w);
  for (TreeRuntime& t : w.trees) {
    if (t.asleep) continue;  // if it wakes in this step, it starts from rest
    const dynamics::LinkModel& m = w.model[t.first];
    if (!t.freeRoot && w.links[t.first].joint < 0)
      return {Failure::Unsupported, "the stepper displacement moves bodies in space: it is not for planar worlds (VTB_WORLD_FLAG_PLANAR)"};
    const bool light =
        t.freeRoot ? w.links[t.first].light : m.nv > 0 && !(w.joints[w.links[t.first].joint].axes[0].parameters->armature > 0);
    if (light) return noFactor(w, t, t.first);
    trees::saveTree(w, t, true);
    predictBody(w, t, h);
  }
  collision::collideAll(w);
  takeForeseen(w);
  islands::buildIslands(w);
  for (int k = 0; k < w.islandCount; k++) {
    Island members = w.island(k);
    beginIsland(w, members, w.islandTally);
    DisplacementIsland island(w, members, h);
    island.build();
    for (int ti : members.trees)  // trees that woke in this step
      if (!w.displacement.bodies[w.trees[ti].first].predicted) predictBody(w, w.trees[ti], h);
    island.solve();
    island.bounce();
    island.store();
    if (w.islandTally.badConstraint >= 0) return badConstraint(w.islandTally.badConstraint);
    if (island.tooFar()) return {Failure::TooDeep, ""};
    for (int ti : members.trees) {
      settleBody(w, w.trees[ti], w.islandTally);
      if (w.trees[ti].pulled) trees::concludeFields(w, w.trees[ti], 0);
    }
    w.islandTally.firstOrder++;
    addTally(w, w.islandTally);
  }
  return {};
}

}  // namespace vertebra::steppers
