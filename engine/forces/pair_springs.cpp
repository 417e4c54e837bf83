// See pair_springs.hpp.
#include "engine/forces/pair_springs.hpp"

#include <algorithm>
#include <cmath>

#include "engine/state/stepper_traits.hpp"
#include "engine/trees/body_poses.hpp"

namespace vertebra::forces {

namespace {

constexpr double kMild = 0.25;

bool isPrescribed(const TreeWorld& w, int body) {  // moves as the caller says, or on such a body
  if (body < 0) return false;
  const BodySlot& b = w.bodies[body];
  if (b.link >= 0) return w.trees[b.tree].movingBase;
  return b.kind == BodyKind::Kinematic && (b.velocity != Vec3::Zero() || b.omega != Vec3::Zero());
}

// Explicit Euler makes any oscillation grow, the midpoint rule a mild one at the bound.
bool keepsOscillations(Integrator integrator) { return integrator != Integrator::ExplicitEuler && integrator != Integrator::Midpoint; }

// Under a stepper with integrators, that of a body.
bool keepsOscillations(const TreeWorld& w, int body) {
  if (body < 0) return true;
  const int own = w.bodies[body].rare->integration->integrator;
  return own < 0 || keepsOscillations(static_cast<Integrator>(own));
}

// Whether a joint is nothing but a spring or damper between two points of which none is prescribed.
bool isSpring(const TreeWorld& w, const JointSlot& j) {
  if (j.def->constraint != ConstraintType::Distance || j.def->breakable()) return false;
  const dynamics::AxisParameters& p = *j.axes[0].parameters;
  const bool free = !(p.friction > 0) && !(p.velocity < kInf) && !(p.lower > 0) && !(p.upper < kInf);
  return free && (p.stiffness > 0 || p.damping > 0) && j.axes[0].motor->mode == MotorMode::Off && !isPrescribed(w, j.a) &&
         !isPrescribed(w, j.b);
}

bool moves(const TreeWorld& w, int body) { return body >= 0 && w.bodies[body].link >= 0; }

template <class F>
void eachMild(TreeWorld& w, F&& visit) {
  for (const auto& [tree, joint] : w.mildSprings) visit(w.joints[joint]);
}

// The largest share, whatever the spring's direction, that h^2 k + h c is of the inertia of one end: of a push at the arm r the inverse
// inertia is 1/m + d' [r]' I^-1 [r] d in direction d, whose largest value its norm bounds.
double rateAt(const TreeWorld& w, int body, const Pose& frame, double soft) {
  if (!moves(w, body)) return 0;
  const BodySlot& b = w.bodies[body];
  const dynamics::LinkModel& m = w.model[b.link];
  if (!(m.mass > 0)) return kInf;
  const Mat3 arm = skew((b.inertialInLink().inverse() * frame).p);
  Mat3 turned = arm;
  for (int k = 0; k < 3; k++)
    if (m.inertia[k] > 0)
      turned.row(k) /= m.inertia[k];
    else if (arm.row(k).squaredNorm() > 0)
      return kInf;
  return soft * (1 / m.mass + (arm.transpose() * turned).norm());
}

struct End {
  Vec3 point = Vec3::Zero(), arm = Vec3::Zero(), velocity = Vec3::Zero();  // arm: from the centre of mass
};

End endOf(const TreeWorld& w, int body, const Pose& frame) {
  End e;
  e.point = body < 0 ? frame.p : (trees::poseOf(w.bodies, w, body) * frame).p;
  if (!moves(w, body)) return e;
  const dynamics::LinkState& s = w.state[w.bodies[body].link];
  e.arm = e.point - s.c;
  e.velocity = s.v + (s.R * s.w).cross(e.arm);
  return e;
}

// A spring with its ends as they are now.
struct Stretched {
  End a, b;
  double length = 0;
  Vec3 along = Vec3::Zero();  // from a to b
  Stretched(const TreeWorld& w, const JointSlot& j) : a(endOf(w, j.a, j.def->frameA)), b(endOf(w, j.b, j.def->frameB)) {
    const Vec3 between = b.point - a.point;
    length = between.norm();
    if (length > 1e-9) along = between / length;
  }
  Vec3 force(const JointSlot& j, double rate) const {  // on b
    const dynamics::AxisParameters& p = *j.axes[0].parameters;
    return -(p.stiffness * (length - p.rest) + p.damping * rate) * along;
  }
};

// Adds to both ends a force on b with its torque on either.
void push(TreeWorld& w, const JointSlot& j, Vec3 AppliedForces::*force, Vec3 AppliedForces::*torque, const Vec3& on,
          const Vec3 (&turns)[2]) {
  for (int side = 0; side < 2; side++) {
    const int body = side ? j.b : j.a;
    if (!moves(w, body)) continue;
    AppliedForces& f = w.bodies[body].applied.make();
    f.*force += side ? on : Vec3(-on);
    f.*torque += turns[side];
  }
}

template <class F>
void eachEnd(TreeWorld& w, F&& visit) {  // of mild springs: tree and forces of the body there
  eachMild(w, [&](JointSlot& j) {
    for (int body : {j.a, j.b})
      if (moves(w, body)) visit(w.trees[w.bodies[body].tree], w.bodies[body].applied.make());
  });
}

// Of the trees of one system.
template <class World, class F>
void eachMildOf(World& w, std::span<const int> trees, F&& visit) {
  for (int tree : trees)
    for (auto at = std::lower_bound(w.mildSprings.begin(), w.mildSprings.end(), std::pair(tree, -1));
         at != w.mildSprings.end() && at->first == tree; ++at)
      visit(w.joints[at->second]);
}

// The mean of a step, as force along the spring as it is at its end, and the rest of it.
void tell(const TreeWorld& w, JointSlot& j, const Stretched& end, const Vec3& force, const Vec3& torque) {
  JointBetween& own = j.between.make();
  j.axes[0].springForce = force.dot(end.along);
  own.force = force - j.axes[0].springForce * end.along;
  own.torque = moves(w, j.b) ? Vec3(torque - end.b.arm.cross(force)) : Vec3(Vec3::Zero());
}

void forget(AppliedForces& f) {
  for (Vec3* x : {&f.springForce, &f.springTorque, &f.springForceAtEnd, &f.springTorqueAtEnd}) x->setZero();
}

}  // namespace

void startSprings(TreeWorld& w) {
  const StepperTraits& stepper = traitsOf(w.settings.stepper);
  const bool sums = stepper.accelerationRows;  // forces are asked for as they are needed
  const bool may = stepper.mildSprings && !w.inParts && !(sums && !keepsOscillations(w.settings.odeIntegrator));
  const double h = w.settings.timeStep / w.settings.substeps;  // of the whole step: what is mild stays so in its parts
  w.mildSprings.clear();
  for (int id : w.auxiliaryJoints) {
    JointSlot& j = w.joints[id];
    j.mild = may && isSpring(w, j) && !(sums && !(keepsOscillations(w, j.a) && keepsOscillations(w, j.b)));
    for (int body : {j.a, j.b})
      if (moves(w, body)) w.trees[w.bodies[body].tree].sprung = false;
    const int owner = moves(w, j.b) ? j.b : j.a;
    if (j.mild && moves(w, owner)) w.mildSprings.emplace_back(w.bodies[owner].tree, id);
  }
  if (w.mildSprings.empty()) return;
  eachEnd(w, [](TreeRuntime&, AppliedForces& f) {
    f.springRate = 0;
    forget(f);
  });
  const auto eachRate = [&](JointSlot& j, auto&& visit) {
    const dynamics::AxisParameters& p = *j.axes[0].parameters;
    const double soft = h * h * p.stiffness + h * p.damping;
    if (moves(w, j.a)) visit(w.bodies[j.a].applied.make().springRate, rateAt(w, j.a, j.def->frameA, soft));
    if (moves(w, j.b)) visit(w.bodies[j.b].applied.make().springRate, rateAt(w, j.b, j.def->frameB, soft));
  };
  eachMild(w, [&](JointSlot& j) { eachRate(j, [](double& sum, double rate) { sum += rate; }); });
  std::erase_if(w.mildSprings, [&](const std::pair<int, int>& spring) {
    JointSlot& j = w.joints[spring.second];
    double both = 0;
    eachRate(j, [&](double& sum, double) { both += sum; });
    j.mild = both <= kMild;
    return !j.mild;
  });
  std::sort(w.mildSprings.begin(), w.mildSprings.end());
  eachMild(w, [&](JointSlot& j) {
    const Stretched s(w, j);
    JointBetween& start = j.between.make();
    start.startLength = s.length;
    start.startRate = s.along.dot(s.b.velocity - s.a.velocity);
    start.startForce = sums ? Vec3(Vec3::Zero()) : s.force(j, start.startRate);
    start.startTorque[0] = start.startForce.cross(s.a.arm);
    start.startTorque[1] = s.b.arm.cross(start.startForce);
    for (const auto& [force, torque] : {std::pair(&AppliedForces::springForce, &AppliedForces::springTorque),
                                        std::pair(&AppliedForces::springForceAtEnd, &AppliedForces::springTorqueAtEnd)})
      push(w, j, force, torque, start.startForce, start.startTorque);
  });
  eachEnd(w, [&](TreeRuntime& t, AppliedForces&) {
    t.sprung = true;
    w.anyForce = true;
  });
}

void springsMoved(TreeWorld& w, double h, bool atNodes) {
  eachEnd(w, [&](TreeRuntime&, AppliedForces& f) {
    f.springForce.setZero();
    f.springTorque.setZero();
    if (atNodes) return;
    f.springForceAtEnd.setZero();
    f.springTorqueAtEnd.setZero();
  });
  const auto smooth = [&](int body) {
    if (!moves(w, body)) return true;
    const TreeRuntime& t = w.trees[w.bodies[body].tree];
    return t.smooth || t.immobile;
  };
  eachMild(w, [&](JointSlot& j) {
    const Stretched s(w, j);
    JointBetween& own = j.between.make();
    // The rate of a damper: the length's over the step, which is the rate at its middle, and for the end what that leads to.
    const double rate = (s.length - own.startLength) / h;
    const bool mean = smooth(j.a) && smooth(j.b);
    const Vec3 end = s.force(j, atNodes || mean ? 2 * rate - own.startRate : rate);
    const Vec3 turns[2] = {end.cross(s.a.arm), s.b.arm.cross(end)};
    // Where the force at the end acts in the whole step, none of it moves the next one (symplectic Euler).
    if (!atNodes && mean) push(w, j, &AppliedForces::springForceAtEnd, &AppliedForces::springTorqueAtEnd, end, turns);
    const Vec3 half = 0.5 * (own.startForce + end),
               halves[2] = {0.5 * (own.startTorque[0] + turns[0]), 0.5 * (own.startTorque[1] + turns[1])};
    const bool asEnd = atNodes || !mean;
    push(w, j, &AppliedForces::springForce, &AppliedForces::springTorque, asEnd ? end : half, asEnd ? turns : halves);
    const bool tellsEnd = !atNodes && !mean;
    tell(w, j, s, tellsEnd ? end : half, tellsEnd ? turns[1] : halves[1]);
    if (!atNodes) return;
    own.startForce = half;
    for (int side = 0; side < 2; side++) own.startTorque[side] = halves[side];
  });
}

int countSprings(const TreeWorld& w, std::span<const int> trees) {
  int count = 0;
  eachMildOf(w, trees, [&](const JointSlot&) { count++; });
  return count;
}

double springsHere(TreeWorld& w, std::span<const int> trees, double* rates) {
  eachMildOf(w, trees, [&](JointSlot& j) {
    for (int body : {j.a, j.b})
      if (moves(w, body)) forget(w.bodies[body].applied.make());
  });
  double power = 0;
  eachMildOf(w, trees, [&](JointSlot& j) {
    const Stretched s(w, j);
    const Vec3 speed = s.b.velocity - s.a.velocity, force = s.force(j, s.along.dot(speed));
    const Vec3 turns[2] = {force.cross(s.a.arm), s.b.arm.cross(force)};
    for (const auto& [forces, torques] : {std::pair(&AppliedForces::springForce, &AppliedForces::springTorque),
                                          std::pair(&AppliedForces::springForceAtEnd, &AppliedForces::springTorqueAtEnd)})
      push(w, j, forces, torques, force, turns);
    Eigen::Map<Vec3> on(rates), turned(rates + 3);
    on = force;
    turned = turns[1];
    rates += 6;
    power += force.dot(speed);
  });
  return power;
}

void addImpulses(TreeWorld& w, std::span<const int> trees, const double* impulses) {
  eachMildOf(w, trees, [&](JointSlot& j) {
    JointBetween& own = j.between.make();
    own.startForce += Eigen::Map<const Vec3>(impulses);
    own.startTorque[1] += Eigen::Map<const Vec3>(impulses + 3);
    impulses += 6;
  });
}

void tellSprings(TreeWorld& w, double h) {
  eachMild(w, [&](JointSlot& j) {
    const JointBetween& own = *j.between;
    const Stretched s(w, j);
    if (own.startForce != Vec3::Zero()) return tell(w, j, s, own.startForce / h, own.startTorque[1] / h);
    const Vec3 force = s.force(j, 0);  // its system rests
    tell(w, j, s, force, s.b.arm.cross(force));
  });
}

void meanSprings(TreeWorld& w) {
  eachEnd(w, [](TreeRuntime&, AppliedForces& f) { f.springForce.setZero(), f.springTorque.setZero(); });
  eachMild(w, [&](JointSlot& j) {
    const JointBetween& own = *j.between;
    push(w, j, &AppliedForces::springForce, &AppliedForces::springTorque, own.startForce, own.startTorque);
  });
}

void dropSprings(TreeWorld& w) {
  eachEnd(w, [](TreeRuntime&, AppliedForces& f) { forget(f); });
  eachMild(w, [](JointSlot& j) { j.mild = false; });
  w.mildSprings.clear();
}

}  // namespace vertebra::forces
