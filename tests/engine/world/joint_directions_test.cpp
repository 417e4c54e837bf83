// A tree may run against a joint. Coordinates, limits, springs, motors and their forces stay those of the joint as the user defined it: a
// mechanism moves alike whichever body of the joint its tree starts at.
#include <cmath>
#include <functional>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

const dynamics::JointType kTypes[] = {dynamics::JointType::Revolute,    dynamics::JointType::Prismatic, dynamics::JointType::Universal,
                                      dynamics::JointType::Spherical,   dynamics::JointType::Planar,    dynamics::JointType::Floating,
                                      dynamics::JointType::Cylindrical, dynamics::JointType::Screw,     dynamics::JointType::Wheel};

struct Outcome {
  std::vector<double> q, impulses;  // samples of coordinates; for each axis the sums of motor, spring, friction and limit force times time
  Vec3 bodyA, force, torque;        // final position of body a; sums of the joint's reaction times time
};

// Two free bodies on one joint, a -> b; the tree starts at the body created first.
Outcome drift(dynamics::JointType type, bool against, TreeSolver treeSolver, double h, const std::function<void(world::World&, int)>& fit) {
  WorldSettings s;
  s.timeStep = h;
  s.sleeping = false;
  s.treeSolver = treeSolver;
  s.gravity = Vec3(0, 0, -1);
  world::World w(s);
  BodyDefinition a, b;
  a.com = Vec3(0.1, -0.05, 0.2);
  a.mass = 2;
  a.inertia = Vec3(0.15, 0.3, 0.25).asDiagonal();
  b.pose = {Vec3(0.4, 0.1, -0.2), quatExp(Vec3(0.2, 0.5, -0.3))};
  b.com = Vec3(-0.1, 0.1, 0.05);
  b.inertia = Vec3(0.2, 0.1, 0.12).asDiagonal();
  int bodies[2];
  for (int k = 0; k < 2; k++) bodies[k] = w.createBody((k == 0) == against ? b : a);
  JointDefinition d;
  d.type = type;
  d.a = bodies[against];
  d.b = bodies[!against];
  d.frameA = {Vec3(0.2, 0.1, 0), quatExp(Vec3(0.3, -0.2, 0.4))};
  d.asTheyStand = true;
  d.axis = Vec3(1, 2, 2) / 3;
  d.axis2 = Vec3(2, 1, -2) / 3;
  d.pitch = 0.1;
  int joint;
  REQUIRE_FALSE(w.createJoint(d, joint));
  fit(w, joint);
  // The same motion of the two bodies, whichever comes first.
  const int axes = w.jointAxes(joint);
  double v[6];
  for (int k = 0; k < axes; k++) v[k] = 0.6 * (k % 2 ? -1 : 1);
  REQUIRE_FALSE(w.setJointState(joint, nullptr, v));
  Vec3 ofA, omegaOfA, ofRoot, omegaOfRoot;
  w.bodyTwist(d.a, ofA, omegaOfA);
  w.bodyTwist(bodies[0], ofRoot, omegaOfRoot);
  const Vec3 turn = Vec3(0.3, -0.4, 0.2) - omegaOfA, arm = w.bodyPose(bodies[0]).p - w.bodyPose(d.a).p;
  REQUIRE_FALSE(w.setBodyTwist(bodies[0], ofRoot - ofA + turn.cross(arm), omegaOfRoot + turn, nullptr));  // a: at rest, turning
  REQUIRE_FALSE(w.setJointState(joint, nullptr, v));
  Outcome o;
  o.impulses.assign(4 * axes, 0);
  o.force = o.torque = Vec3::Zero();
  const int steps = static_cast<int>(std::lround(0.5 / h));
  for (int i = 0; i < steps; i++) {
    const Failure f = w.step();
    INFO(f.text());
    REQUIRE_FALSE(f);
    JointForces forces;
    w.jointForces(joint, forces);
    for (int k = 0; k < axes; k++) {
      const double each[4] = {forces.motor[k], forces.spring[k], forces.friction[k], forces.limit[k]};
      for (int e = 0; e < 4; e++) o.impulses[4 * k + e] += h * each[e];
    }
    o.force += h * forces.force;
    o.torque += h * forces.torque;
    if ((i + 1) % (steps / 10)) continue;
    double q[7];
    w.jointState(joint, q, nullptr);
    o.q.insert(o.q.end(), q, q + dynamics::jointNq(type));
  }
  o.bodyA = w.bodyPose(d.a).p;
  return o;
}

double difference(const Outcome& a, const Outcome& b) {
  double worst = std::max({(a.bodyA - b.bodyA).norm(), (a.force - b.force).norm(), (a.torque - b.torque).norm()});
  for (std::size_t i = 0; i < a.q.size(); i++) worst = std::max(worst, std::fabs(a.q[i] - b.q[i]));
  for (std::size_t i = 0; i < a.impulses.size(); i++) worst = std::max(worst, std::fabs(a.impulses[i] - b.impulses[i]));
  return worst;
}

}  // namespace

TEST_CASE("a joint acts in its own coordinates whichever way the tree runs", "[step]") {
  struct Fitting {
    const char* name;
    int force;  // of Outcome::impulses, which must act; -1 = none
    std::function<void(dynamics::AxisParameters&, MotorSettings&, int)> axis;
  };
  const Fitting fittings[] = {
      {"free", -1, [](dynamics::AxisParameters&, MotorSettings&, int) {}},
      {"springs", 1, [](dynamics::AxisParameters& p, MotorSettings&, int k) { p.stiffness = 3 + k, p.rest = 0.1 * k, p.damping = 0.1; }},
      {"stiff springs", 1,
       [](dynamics::AxisParameters& p, MotorSettings&, int k) { p.stiffness = 300 + 100 * k, p.rest = 0.05, p.damping = 5; }},
      {"limits", 3,
       [](dynamics::AxisParameters& p, MotorSettings&, int k) { p.lower = -0.1 - 0.02 * k, p.upper = 0.08, p.restitution = 0.5; }},
      {"velocity limits", 3, [](dynamics::AxisParameters& p, MotorSettings&, int k) { p.velocity = 0.3 + 0.05 * k; }},
      {"friction", 2, [](dynamics::AxisParameters& p, MotorSettings&, int k) { p.friction = 0.2 + 0.1 * k; }},
      {"bounded position motor", 0,
       [](dynamics::AxisParameters&, MotorSettings& m, int k) {
         m.mode = MotorMode::Position;
         m.position = 0.2 - 0.1 * k;
         m.stiffness = 40;
         m.damping = 3;
         m.maxForce = 1.5;
       }},
      {"given forces and rotors", 0,
       [](dynamics::AxisParameters& p, MotorSettings& m, int k) {
         p.armature = 0.05 + 0.02 * k;
         m.mode = MotorMode::Torque;
         m.force = k % 2 ? 0.5 : -0.8;
       }},
  };
  for (dynamics::JointType type : kTypes)
    for (const Fitting& f : fittings) {
      auto fit = [&](world::World& w, int joint) {
        for (int k = 0; k < w.jointAxes(joint); k++) {
          dynamics::AxisParameters p;
          MotorSettings m;
          f.axis(p, m, k);
          REQUIRE_FALSE(w.setAxis(joint, k, p));
          REQUIRE_FALSE(w.setMotor(joint, k, m));
        }
        if (type == dynamics::JointType::Spherical && f.force == 3) REQUIRE_FALSE(w.setSwingTwist(joint, 0.15, -0.1, 0.08));
      };
      for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense}) {
        double apart[2], most = 0;
        for (int refined : {0, 1}) {
          const double h = refined ? 0.25e-3 : 1e-3;
          const Outcome along = drift(type, false, treeSolver, h, fit), against = drift(type, true, treeSolver, h, fit);
          apart[refined] = difference(along, against);
          for (std::size_t i = 0; i < along.impulses.size() && f.force >= 0; i++)
            if (static_cast<int>(i % 4) == f.force) most = std::max(most, std::fabs(along.impulses[i]));
        }
        INFO(dynamics::jointTypeName(type) << ", " << f.name << ", tree solver " << int(treeSolver) << ": " << apart[0] << " apart, "
                                           << apart[1] << " with a quarter of the step, impulse " << most);
        // Their remaining difference is the step's own error, of first order here.
        CHECK(apart[0] < 2e-3);
        CHECK(apart[1] < 0.26 * apart[0] + 1e-8);
        CHECK((f.force < 0 || most > 0.02));
      }
    }
}
