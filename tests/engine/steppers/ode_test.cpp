// The stepper `ode`: the order of each integrator on smooth motion, rows at acceleration and at velocity level, restitution found by
// rollback, merging of tree systems, contacts at rest, friction, limits, drives and fields.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

WorldSettings ode(double rate, Integrator integrator = Integrator::RungeKutta4, StepControl control = StepControl::Fixed) {
  WorldSettings s;
  s.stepper = Stepper::Ode;
  s.odeIntegrator = integrator;
  s.odeControl = control;
  s.timeStep = 1 / rate;
  s.sleeping = false;
  s.stabilisation = Stabilisation::None;
  return s;
}

// Pose after a second of three rods hanging from the world, bent at the start.
Vec3 tip(const WorldSettings& s) {
  world::World w(s);
  const test::Chain c = test::addChain(w, 3, 0.4, 1);
  const double start[3] = {1.2, 0.5, -0.3}, rate = 0.4;
  for (int k = 0; k < 3; k++) REQUIRE_FALSE(w.setJointState(c.joints[k], start + k, &rate));
  test::advance(w, static_cast<int>(std::lround(1 / s.timeStep)));
  return w.bodyPose(c.bodies[2]).p;
}

void push(world::World& w, int body, const Vec3& velocity, const Vec3& omega) {
  double residual[2];
  REQUIRE_FALSE(w.setBodyTwist(body, velocity, omega, residual));
}

double jointError(const world::World& w, const std::vector<int>& joints) {
  double worst = 0;
  for (int j : joints) {
    const JointDefinition& d = w.joint(j);
    const Vec3 a = d.a < 0 ? d.frameA.p : w.bodyPose(d.a) * d.frameA.p;
    worst = std::max(worst, (a - w.bodyPose(d.b) * d.frameB.p).norm());
  }
  return worst;
}

}  // namespace

TEST_CASE("ode: each integrator moves a chain with its own order", "[step][ode]") {
  const Vec3 exact = tip(ode(8000, Integrator::DormandPrince));
  struct Case {
    Integrator integrator;
    double rate, order;
  };
  for (const TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse})
    for (const Case& c :
         {Case{Integrator::ExplicitEuler, 4000, 1}, Case{Integrator::SymplecticEuler, 4000, 1}, Case{Integrator::ImplicitEuler, 4000, 1},
          Case{Integrator::Midpoint, 1000, 2}, Case{Integrator::RungeKutta4, 120, 4}, Case{Integrator::DormandPrince, 160, 5}}) {
      if (treeSolver == TreeSolver::Sparse && c.integrator == Integrator::ImplicitEuler) continue;
      WorldSettings coarse = ode(c.rate, c.integrator), fine = ode(2 * c.rate, c.integrator);
      coarse.treeSolver = fine.treeSolver = treeSolver;
      const double a = (tip(coarse) - exact).norm(), b = (tip(fine) - exact).norm();
      INFO("integrator " << static_cast<int>(c.integrator) << " tree solver " << static_cast<int>(treeSolver) << " errors " << a << " "
                         << b);
      CHECK(std::log2(a / b) == Approx(c.order).margin(c.order > 4 ? 0.5 : 0.25));
    }
}

TEST_CASE("ode: adaptive steps keep their error bound", "[step][ode]") {
  const Vec3 exact = tip(ode(8000, Integrator::DormandPrince));
  for (const auto& [integrator, control] :
       {std::pair(Integrator::RungeKutta4, StepControl::Doubling), std::pair(Integrator::Midpoint, StepControl::Doubling),
        std::pair(Integrator::DormandPrince, StepControl::Embedded)}) {
    double last = kInf;
    for (double tolerance : {1e-5, 1e-8}) {
      WorldSettings s = ode(10, integrator, control);
      s.odeTolerance = tolerance;
      const double error = (tip(s) - exact).norm();
      INFO("integrator " << static_cast<int>(integrator) << " tolerance " << tolerance << " error " << error);
      CHECK(error < 3e3 * tolerance);
      CHECK(error < 0.1 * last);
      last = error;
    }
  }
}

TEST_CASE("ode: the three Eulers in adaptive steps err by the root of their bound", "[step][ode]") {
  // The error of a step is of second order and is kept at the bound: step lengths are proportional to the bound's root, and so is the error
  // after a second.
  const Vec3 exact = tip(ode(8000, Integrator::DormandPrince));
  for (Integrator integrator : {Integrator::ExplicitEuler, Integrator::SymplecticEuler, Integrator::ImplicitEuler}) {
    double last = 0;
    for (double tolerance : {1e-4, 1e-6}) {
      WorldSettings s = ode(10, integrator, StepControl::Doubling);
      s.odeTolerance = tolerance;
      const double error = (tip(s) - exact).norm();
      INFO("integrator " << static_cast<int>(integrator) << " tolerance " << tolerance << " error " << error << " after " << last);
      CHECK(error < 0.3 * std::sqrt(tolerance));
      if (last > 0) CHECK(last / error == Approx(10).margin(2));
      last = error;
    }
  }
}

TEST_CASE("ode: evaluations are those of the integrator, for every tree system, within the smallest step", "[step][ode]") {
  struct Case {
    Integrator integrator;
    StepControl control;
    int evaluations;
  };
  const auto fall = [](const WorldSettings& s, int balls) {
    world::World w(s);
    for (int k = 0; k < balls; k++) test::addBall(w, 0.1, 1, Vec3(2 * k, 0, 0), 0, 0);
    test::advance(w, 1);
    return w.statistics().evaluations;
  };
  for (const Case& c : {Case{Integrator::ExplicitEuler, StepControl::Fixed, 1}, Case{Integrator::SymplecticEuler, StepControl::Fixed, 2},
                        Case{Integrator::Midpoint, StepControl::Fixed, 2}, Case{Integrator::RungeKutta4, StepControl::Fixed, 4},
                        Case{Integrator::DormandPrince, StepControl::Fixed, 6},
                        // Free fall is exact from the second order on: as one step, as two halves, or with the stage of the lower order.
                        Case{Integrator::Midpoint, StepControl::Doubling, 6}, Case{Integrator::RungeKutta4, StepControl::Doubling, 12},
                        Case{Integrator::DormandPrince, StepControl::Embedded, 7}})
    for (int balls : {1, 3}) {
      INFO("integrator " << static_cast<int>(c.integrator) << " control " << static_cast<int>(c.control) << " balls " << balls);
      CHECK(fall(ode(60, c.integrator, c.control), balls) == balls * c.evaluations);
    }
  // Euler's step and its two halves are g h^2 / 4 apart: 1e-6 m gives steps of 0.64 ms, three evaluations each. Rejected steps are counted
  // too, and steps stay somewhat below the bound.
  WorldSettings s = ode(60, Integrator::ExplicitEuler, StepControl::Doubling);
  const double steps = 1.0 / 60 / std::sqrt(4 * s.odeTolerance / 9.81);
  CHECK(fall(s, 1) >= 3 * steps);
  CHECK(fall(s, 1) <= 3 * 1.5 * steps);
  // A bound that would take a million of them ends at the smallest step.
  s.odeTolerance = 1e-15;
  s.odeSmallest = 2e-3;
  const int least = 3 * static_cast<int>(std::ceil(1.0 / 60 / s.odeSmallest));
  CHECK(fall(s, 1) >= least);
  CHECK(fall(s, 1) <= least + 3 * 3);
}

TEST_CASE("ode: a free body keeps its momenta and turns as Euler's equations say", "[step][ode]") {
  world::World w([] {
    WorldSettings s = ode(500);
    s.gravity.setZero();
    return s;
  }());
  BodyDefinition d;
  d.mass = 2;
  d.inertia = Vec3(0.1, 0.2, 0.35).asDiagonal();
  const int body = w.createBody(d);
  push(w, body, Vec3(1, 2, 3), Vec3(0.1, 4, 0.1));
  const auto momentum = [&] {
    Vec3 v, omega;
    w.bodyTwist(body, v, omega);
    const Quat q = w.bodyPose(body).q;
    return Vec3(q * d.inertia * (q.conjugate() * omega));
  };
  const Vec3 before = momentum();
  test::advance(w, 1000);
  CHECK((momentum() - before).norm() < 1e-8);
  CHECK((w.bodyPose(body).p - 2 * Vec3(1, 2, 3)).norm() < 1e-12);
}

TEST_CASE("ode: chains of free poses drift by the order of the integrator, less with rows in velocity", "[step][ode]") {
  const auto drift = [](Integrator integrator, bool accelerations, Stabilisation stabilisation = Stabilisation::None) {
    WorldSettings s = ode(500, integrator);
    s.freePoses = true;
    s.bilateralAccelerations = accelerations;
    s.stabilisation = stabilisation;
    world::World w(s);
    const test::Chain c = test::addChain(w, 4, 0.25, 1);
    push(w, c.bodies[3], Vec3(1, 0, 0), Vec3::Zero());
    test::advance(w, 500);
    return jointError(w, c.joints);
  };
  const double euler = drift(Integrator::ExplicitEuler, true), velocity = drift(Integrator::ExplicitEuler, false),
               midpoint = drift(Integrator::Midpoint, true), fourth = drift(Integrator::RungeKutta4, true),
               held = drift(Integrator::Midpoint, true, Stabilisation::Baumgarte),
               closed = drift(Integrator::RungeKutta4, true, Stabilisation::Newton);
  INFO("Euler " << euler << ", in velocity " << velocity << ", midpoint " << midpoint << ", RK4 " << fourth << ", Baumgarte " << held
                << ", Newton " << closed);
  CHECK(midpoint < 0.1 * euler);
  CHECK(fourth < 0.01 * midpoint);
  CHECK(velocity < euler);
  CHECK(held < midpoint);
  CHECK(closed < 1e-12);
}

TEST_CASE("ode: a ball bounces where it meets the ground, not where a step ends", "[step][ode]") {
  // Dropped from 1 m with restitution 0.8: heights follow e^2, times are those of free fall.
  WorldSettings s = ode(60);
  world::World w(s);
  test::addGround(w, 0.5, 0.8);
  const double radius = 0.1;
  const int ball = test::addBall(w, radius, 1, Vec3(0, 0, 1 + radius), 0.5, 0.8);
  const double fall = std::sqrt(2 / 9.81), speed = 9.81 * fall;
  const double time = 1.2;  // after the first bounce at 0.45 s, before the second at 1.17 s ends
  test::advance(w, static_cast<int>(std::lround(time * 60)));
  const double first = fall, second = first + 2 * 0.8 * speed / 9.81, since = time - second, up = 0.64 * speed;
  REQUIRE(since > 0);
  CHECK(w.bodyPose(ball).p.z() - radius == Approx(up * since - 0.5 * 9.81 * since * since).margin(5e-3));
  CHECK(w.statistics().stops == 0);
  world::World coarse([&] {
    WorldSettings t = s;
    t.rollbackDepth = 0;
    return t;
  }());
  test::addGround(coarse, 0.5, 0.8);
  const int other = test::addBall(coarse, radius, 1, Vec3(0, 0, 1 + radius), 0.5, 0.8);
  test::advance(coarse, static_cast<int>(std::lround(time * 60)));
  CHECK(std::fabs(coarse.bodyPose(other).p.z() - w.bodyPose(ball).p.z()) > 5e-3);
}

TEST_CASE("ode: important contacts are gone back to, stabilised ones pushed out afterwards", "[step][ode]") {
  const double height = 0.52, h = 1.0 / 60, touch = std::sqrt(2 * height / 9.81);
  const int landing = static_cast<int>(std::ceil(touch / h));  // in the middle of this step
  const double deep = 0.5 * 9.81 * landing * h * landing * h - height;
  REQUIRE(deep == Approx(0.025));
  for (int marked : {0, 1, 2}) {  // neither, the ground, the ball
    world::World w(ode(60));
    const int ground = test::addGround(w, 0.5, 0), ball = test::addBall(w, 0.2, 1, Vec3(0, 0, 0.2 + height), 0.5, 0);
    if (marked > 0) {
      const int shape = marked == 1 ? ground : ground + 1;
      geometry::Surface surface = w.shape(shape).surface;
      surface.stabilised = true;
      w.setShapeSurface(shape, surface);
    }
    test::advance(w, landing - 1);
    CHECK(w.statistics().rows == 0);
    w.resetStatistics();
    test::advance(w, 1);
    const auto depth = [&] { return 0.2 - w.bodyPose(ball).p.z(); };
    INFO("marked " << marked << ": " << depth() << " m deep where it landed, rollbacks " << w.statistics().rollbacks);
    Vec3 v, omega;
    w.bodyTwist(ball, v, omega);
    if (marked == 0) {
      CHECK(w.statistics().rollbacks == 1);
      CHECK(w.statistics().evaluations > 4);
      CHECK(depth() < 2e-4);
    } else {  // it flew on to the end of the step: depth by hand, then pushed out by a share per step
      CHECK(w.statistics().rollbacks == 0);
      CHECK(w.statistics().evaluations == 4);
      CHECK(w.statistics().rows == 3);  // the contact's at the end of the step
      CHECK(depth() == Approx(deep).epsilon(1e-9));
      CHECK(v.z() > 0);
      CHECK(v.z() < 1);
    }
    w.resetStatistics();
    test::advance(w, 120);
    CHECK(w.statistics().rollbacks == 0);
    CHECK(w.statistics().stops == 0);
    CHECK(w.statistics().evaluations == 4);
    CHECK(w.statistics().rows == 5 * 3);  // at each evaluation and at the end
    CHECK(std::fabs(depth()) < 1e-4);
  }
}

TEST_CASE("ode: tree systems that meet within a step merge, and momentum is kept", "[step][ode]") {
  WorldSettings s = ode(30);
  s.gravity.setZero();
  world::World w(s);
  const double r = 0.05;
  const int a = test::addBall(w, r, 1, Vec3(-0.317, 0, 0), 0, 1), b = test::addBall(w, r, 3, Vec3(0.3, 0, 0), 0, 1);
  push(w, a, Vec3(6, 0, 0), Vec3::Zero());
  int merges = 0;
  for (int k = 0; k < 12; k++) {
    w.resetStatistics();
    test::advance(w, 1);
    merges += w.statistics().merges;
  }
  CHECK(merges == 1);
  Vec3 va, vb, omega;
  w.bodyTwist(a, va, omega);
  w.bodyTwist(b, vb, omega);
  CHECK(va.x() == Approx(-3).epsilon(2e-3));
  CHECK(vb.x() == Approx(3).epsilon(2e-3));
  CHECK((1 * va + 3 * vb - Vec3(6, 0, 0)).norm() < 1e-9);
  // It met the other after the 0.517 m between their surfaces, and no window of 25 mm ends within the margin of that.
  const double left = 12.0 / 30 - 0.517 / 6;
  CHECK(w.bodyPose(b).p.x() - 0.3 == Approx(3 * left).margin(3e-3));
}

TEST_CASE("ode: a box rests, sticks and slides by Coulomb's law at acceleration level and in velocity", "[step][ode]") {
  for (bool accelerations : {true, false})
    for (double slope : {0.2, 0.6}) {
      WorldSettings s = ode(240);
      s.unilateralAccelerations = accelerations;
      s.gravity = 9.81 * Vec3(std::sin(slope), 0, -std::cos(slope));
      world::World w(s);
      test::addGround(w, 0.4, 0);
      const int box = test::addBox(w, Vec3(0.1, 0.1, 0.05), 2, Vec3(0, 0, 0.05), 0.4, 0);
      test::advance(w, 240);
      INFO("accelerations " << accelerations << " slope " << slope << " height " << w.bodyPose(box).p.z());
      const double along = std::max(0.0, 9.81 * (std::sin(slope) - 0.4 * std::cos(slope)));
      Vec3 v, omega;
      w.bodyTwist(box, v, omega);
      CHECK(v.x() == Approx(along).margin(accelerations ? 1e-3 : 0.01));
      CHECK(w.bodyPose(box).p.x() == Approx(0.5 * along).margin(0.02));
      CHECK(w.bodyPose(box).p.z() == Approx(0.05).margin(accelerations ? 5e-5 : 2e-3));
      double normal = 0;
      for (const Contact& c : w.contacts()) normal += c.force.dot(c.normal);
      CHECK(std::fabs(normal) == Approx(2 * 9.81 * std::cos(slope)).epsilon(0.01));
    }
}

TEST_CASE("ode: separate tree systems each report their contact forces", "[step][ode]") {
  for (bool accelerations : {true, false}) {
    WorldSettings s = ode(240);
    s.unilateralAccelerations = accelerations;
    world::World w(s);
    test::addGround(w, 0.5, 0);
    std::vector<int> boxes;
    for (int k = 0; k < 3; k++) boxes.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1 + k, Vec3(2 * k, 0, 0.1), 0.5, 0));
    test::advance(w, 100);
    for (int k = 0; k < 3; k++) {
      double normal = 0;
      for (const Contact& c : w.contacts())
        if (c.bodyA == boxes[k] || c.bodyB == boxes[k]) normal += std::fabs(c.force.dot(c.normal));
      INFO("accelerations " << accelerations << ", box " << k << ": " << normal << " N");
      CHECK(normal == Approx((1 + k) * 9.81).epsilon(5e-3));
    }
  }
}

TEST_CASE("ode: a tower stands, and a body thrown at it merges with it", "[step][ode]") {
  WorldSettings s = ode(240);
  world::World w(s);
  test::addGround(w, 0.8, 0);
  std::vector<int> boxes;
  for (int k = 0; k < 5; k++) boxes.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0, 0, 0.1 + 0.2 * k), 0.8, 0));
  test::advance(w, 240);
  for (int k = 0; k < 5; k++) CHECK((w.bodyPose(boxes[k]).p - Vec3(0, 0, 0.1 + 0.2 * k)).norm() < 1e-3);
  const int ball = test::addBall(w, 0.05, 5, Vec3(-1, 0, 0.7), 0.5, 0);
  push(w, ball, Vec3(8, 0, 0), Vec3::Zero());
  test::advance(w, 60);
  CHECK(w.bodyPose(boxes[3]).p.x() > 0.05);
  test::advance(w, 480);
  for (int b : boxes) CHECK(w.bodyPose(b).p.z() > 0.09);
}

TEST_CASE("ode: joints stop at their limits, bounce there, and stick by dry friction", "[step][ode]") {
  world::World w(ode(240));
  const test::Chain c = test::addChain(w, 1, 1, 1);
  dynamics::AxisParameters axis = w.axis(c.joints[0], 0);
  axis.lower = -0.5;
  axis.upper = 0.5;
  REQUIRE_FALSE(w.setAxis(c.joints[0], 0, axis));
  double q = 0, v = 4;
  REQUIRE_FALSE(w.setJointState(c.joints[0], &q, &v));
  double most = 0;
  for (int k = 0; k < 480; k++) {
    test::advance(w, 1);
    w.jointState(c.joints[0], &q, &v);
    most = std::max(most, std::fabs(q));
  }
  CHECK(most <= 0.5 + 2e-4);
  CHECK(most > 0.499);
  // Perfectly elastic limits keep the energy of a joint without gravity.
  world::World bouncing([] {
    WorldSettings s = ode(240);
    s.gravity.setZero();
    return s;
  }());
  const test::Chain other = test::addChain(bouncing, 1, 1, 1);
  axis.restitution = 1;
  REQUIRE_FALSE(bouncing.setAxis(other.joints[0], 0, axis));
  q = 0, v = 4;
  REQUIRE_FALSE(bouncing.setJointState(other.joints[0], &q, &v));
  test::advance(bouncing, 480);
  bouncing.jointState(other.joints[0], &q, &v);
  CHECK(std::fabs(v) == Approx(4).epsilon(1e-6));
  // Eight radians: there and back four times.
  CHECK(q == Approx(0).margin(0.02));
  // Friction of 0.5 N m over an inertia of 1/3 kg m^2 stops 1 rad/s within 2/3 s, for good.
  world::World stuck([] {
    WorldSettings s = ode(240);
    s.gravity.setZero();
    return s;
  }());
  const test::Chain third = test::addChain(stuck, 1, 1, 1);
  dynamics::AxisParameters dry = stuck.axis(third.joints[0], 0);
  dry.friction = 0.5;
  REQUIRE_FALSE(stuck.setAxis(third.joints[0], 0, dry));
  q = 0, v = 1;
  REQUIRE_FALSE(stuck.setJointState(third.joints[0], &q, &v));
  test::advance(stuck, 120);
  stuck.jointState(third.joints[0], &q, &v);
  CHECK(v == Approx(0.25).margin(2e-3));
  test::advance(stuck, 120);
  stuck.jointState(third.joints[0], &q, &v);
  CHECK(std::fabs(v) < 1e-6);
  CHECK(q == Approx(1.0 / 3).margin(3e-3));
}

TEST_CASE("ode: drives push with their gains and bounds, and infinite gains are refused", "[step][ode]") {
  WorldSettings s = ode(1000);
  s.gravity.setZero();
  world::World w(s);
  const test::Chain c = test::addChain(w, 1, 1, 3);  // 1 kg m^2 about its hinge
  MotorSettings m;
  m.mode = MotorMode::Position;
  m.position = 1;
  m.stiffness = 25;
  m.damping = 6;
  REQUIRE_FALSE(w.setMotor(c.joints[0], 0, m));
  test::advance(w, 500);
  double q, v;
  w.jointState(c.joints[0], &q, &v);
  // x'' + 6 x' + 25 x = 25 from rest at 0: 1 - exp(-3 t) (cos 4 t + 3/4 sin 4 t).
  CHECK(q == Approx(1 - std::exp(-1.5) * (std::cos(2) + 0.75 * std::sin(2))).epsilon(1e-8));
  m.stiffness = kInf;
  REQUIRE_FALSE(w.setMotor(c.joints[0], 0, m));
  CHECK(w.step().kind() == Failure::Unsupported);
}

TEST_CASE("ode: bodies that attract each other keep energy and momentum to the integrator's order", "[step][ode]") {
  const auto energyError = [](double rate) {
    WorldSettings s = ode(rate);
    s.gravity.setZero();
    world::World w(s);
    FieldDefinition f;
    f.type = FieldType::Pairwise;
    f.strength = 1;
    int id;
    REQUIRE_FALSE(w.createField(f, id));
    BodyDefinition d;
    d.mass = 1;
    d.inertia = 0.01 * Mat3::Identity();
    d.pose.p = Vec3(1, 0, 0);
    const int a = w.createBody(d);
    d.pose.p = Vec3(-1, 0, 0);
    const int b = w.createBody(d);
    push(w, a, Vec3(0, 0.3, 0), Vec3::Zero());
    push(w, b, Vec3(0, -0.3, 0), Vec3::Zero());
    const auto energy = [&] { return w.energy().kinetic - 1 / (w.bodyPose(a).p - w.bodyPose(b).p).norm(); };
    const double before = energy();
    test::advance(w, static_cast<int>(2 * rate));
    CHECK((w.bodyPose(a).p + w.bodyPose(b).p).norm() < 1e-12);
    return std::fabs(energy() - before);
  };
  const double coarse = energyError(20), fine = energyError(40);
  INFO(coarse << " " << fine);
  CHECK(std::log2(coarse / fine) > 3.5);
}

TEST_CASE("ode: a body that cannot leave a contact is stopped there, not passed through", "[step][ode]") {
  // A ball that bounces without loss between two walls with a clearance of half a millimetre on each side: more rollbacks than a window
  // allows.
  WorldSettings s = ode(60);
  s.gravity.setZero();
  world::World w(s);
  const double r = 0.05;
  BodyDefinition d;
  d.kind = BodyKind::Static;
  for (double side : {-1.0, 1.0}) {
    d.pose.p = Vec3(side * (r + 0.5 + 5e-4), 0, 0);
    test::addShape(w, w.createBody(d), geometry::ShapeType::Box, Vec3(0.5, 1, 1), 0, 1);
  }
  const int ball = test::addBall(w, r, 1, Vec3::Zero(), 0, 1);
  push(w, ball, Vec3(200, 0, 0), Vec3::Zero());
  int stops = 0;
  for (int k = 0; k < 10; k++) {
    w.resetStatistics();
    test::advance(w, 1);
    stops += w.statistics().stops;
    CHECK(std::fabs(w.bodyPose(ball).p.x()) < 5e-4 + 2e-4);
    Vec3 v, omega;
    w.bodyTwist(ball, v, omega);
    CHECK(v.norm() == (stops > 0 ? 0 : 200));
  }
  CHECK(stops == 1);
}

// A body on a slide meets a limit half a metre on and bounces: its place is that of the closed form to 1 mm; without rollback it
// would be 45 mm off at the touch alone.
// The slide points one way or the other: the limit is its lower or its upper one.
TEST_CASE("ode: a step rolls back to the touch of a limit, a lower or an upper one", "[step][ode]") {
  for (double way : {1.0, -1.0}) {
    WorldSettings s = ode(60);
    s.gravity.setZero();
    s.rollbackDepth = 1e-6;
    world::World w(s);
    BodyDefinition b;
    b.mass = 2;
    b.inertia = Mat3::Identity();
    const int body = w.createBody(b);
    const int joint = test::addJoint(w, dynamics::JointType::Prismatic, -1, body, Vec3::Zero(), Vec3::Zero(), Vec3(0, 0, way));
    dynamics::AxisParameters axis;
    (way > 0 ? axis.lower : axis.upper) = -0.5 * way;
    axis.restitution = 0.6;
    REQUIRE_FALSE(w.setAxis(joint, 0, axis));
    const double v = -2.7;
    REQUIRE_FALSE(w.setBodyTwist(body, Vec3(0, 0, v), Vec3::Zero(), nullptr));
    for (int k = 1; k <= 36; k++) {
      test::advance(w, 1);
      const double t = k / 60.0, touch = -0.5 / v, z = t < touch ? v * t : -0.5 - 0.6 * v * (t - touch);
      INFO("slide " << way << ", step " << k << ": " << w.bodyPose(body).p.z() << " of " << z);
      REQUIRE(w.bodyPose(body).p.z() == Approx(z).margin(2e-3));
    }
  }
}

// A ball joint between bodies that is open and moves: at acceleration level its error obeys C'' + 2 a C' + a^2 C = 0.
TEST_CASE("ode: Baumgarte's stabilisation closes a joint as a critically damped spring", "[step][ode]") {
  const double a = 20, open = 0.02;
  WorldSettings s = ode(240);
  s.gravity.setZero();
  s.stabilisation = Stabilisation::Baumgarte;
  s.baumgarte = a;
  world::World w(s);
  BodyDefinition b;
  b.mass = 2;
  b.inertia = Mat3::Identity();
  const int body = w.createBody(b);
  JointDefinition d;
  d.type = dynamics::JointType::Spherical;
  d.b = body;
  d.auxiliary = true;
  int joint = -1;
  REQUIRE_FALSE(w.createJoint(d, joint));
  REQUIRE_FALSE(w.setBodyPose(body, Pose{Vec3(open, 0, 0), Quat::Identity()}, nullptr));
  test::advance(w, 1);
  Vec3 v, omega;
  w.bodyTwist(body, v, omega);
  const double x = w.bodyPose(body).p.x(), rate = v.x();
  CHECK(x > 0.9 * open);
  for (int k = 1; k <= 60; k++) {
    test::advance(w, 1);
    const double t = k / 240.0;
    INFO("step " << k);
    REQUIRE(w.bodyPose(body).p.x() == Approx((x + (rate + a * x) * t) * std::exp(-a * t)).margin(1e-5));
  }
}

TEST_CASE("ode: a step that would take too long fails after bounded work, rows included, and is undone", "[step][ode]") {
  // A bound on the error that takes millions of steps.
  WorldSettings s = ode(60, Integrator::ExplicitEuler, StepControl::Doubling);
  s.odeTolerance = 1e-15;
  s.odeSmallest = 1e-10;
  const auto evaluations = [&](bool onGround) {
    world::World w(s);
    test::addGround(w, 0.5, 0);
    // A ball that slides on its contact as it spins; a box that turns as Euler's equations say.
    const int body =
        onGround ? test::addBall(w, 0.1, 1, Vec3(0, 0, 0.1), 0.5, 0) : test::addBox(w, Vec3(0.1, 0.2, 0.4), 1, Vec3(0, 0, 5), 0.5, 0);
    push(w, body, Vec3::Zero(), Vec3(3, 5, 40));
    const std::uint64_t before = w.hash();
    const Failure failure = w.step();
    CHECK(failure.kind() == Failure::Diverged);
    CHECK(failure.text().find("takes too long") != std::string::npos);
    CHECK(w.hash() == before);
    const int needed = w.statistics().evaluations;
    WorldSettings easy = s;
    easy.odeTolerance = 1e-6;
    REQUIRE_FALSE(w.setSettings(easy));
    CHECK_FALSE(w.step());
    return needed;
  };
  const int flying = evaluations(false), pressing = evaluations(true);
  INFO(flying << " evaluations in flight, " << pressing << " with a contact");
  CHECK(flying < 3'000'000);
  CHECK(pressing < flying / 2);
}

// A blade that turns just above the ground: its step has a thousand windows, and each of them searches for all contacts. The searches are
// cheap between balls and dear between cylinders of one centre, whose penetration is as deep in all directions.
TEST_CASE("ode: what the searches for contacts cost is part of the work that has a bound", "[step][ode]") {
  const auto step = [](geometry::ShapeType type, Failure& failure) {
    WorldSettings s = ode(60);
    s.gravity.setZero();
    s.contactCorrection = 0;  // what overlaps stays so
    world::World w(s);
    test::addGround(w, 0.5, 0);
    const int blade = test::addBox(w, Vec3(0.2, 0.01, 1e-3), 1, Vec3(0, 0, 1.5e-3), 0, 0);
    push(w, blade, Vec3::Zero(), Vec3(0, 0, 300));
    for (int k = 0; k < 10; k++) {
      const Vec3 place(10.0 * (k + 1), 0, 5), size(0.1, 0.1, 0.1);
      test::addShape(w, -1, type, size, 0, 0, Pose{place, Quat::Identity()});
      test::addSolid(w, type, size, 1, place, 0, 0);
    }
    const std::uint64_t before = w.hash();
    failure = w.step();
    if (failure) CHECK(w.hash() == before);
    return w.statistics().evaluations;
  };
  Failure balls, cylinders;
  const int ofBalls = step(geometry::ShapeType::Sphere, balls), ofCylinders = step(geometry::ShapeType::Cylinder, cylinders);
  INFO(ofBalls << " evaluations with balls, " << ofCylinders << " with cylinders: " << cylinders.text());
  CHECK_FALSE(balls);
  REQUIRE(cylinders.kind() == Failure::Diverged);
  CHECK(cylinders.text().find("takes too long") != std::string::npos);
  CHECK(ofCylinders < ofBalls / 2);
}

// The blade makes the windows short; a rate that would open a depth within one of them outlasts it, and throws what is deep.
TEST_CASE("ode: penetration and passed limits open no faster in a step of many windows", "[step][ode]") {
  const bool many = GENERATE(false, true), unilateral = GENERATE(false, true);
  INFO((many ? "many windows" : "one window") << (unilateral ? ", accelerations" : ", velocities"));
  WorldSettings s = ode(60);
  s.gravity.setZero();
  s.unilateralAccelerations = unilateral;
  world::World w(s);
  test::addGround(w, 0, 0);
  const double deep = 0.02, past = 0.05;
  const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(5, 0, 0.1 - deep), 0, 0);
  const test::Chain flap = test::addChain(w, 1, 0.4, 1);
  dynamics::AxisParameters limit = w.axis(flap.joints[0], 0);
  limit.lower = past;  // it stands at 0
  REQUIRE_FALSE(w.setAxis(flap.joints[0], 0, limit));
  if (many) {
    const int blade = test::addBox(w, Vec3(0.2, 0.01, 1e-3), 1, Vec3(0, 10, 1.5e-3), 0, 0);
    push(w, blade, Vec3::Zero(), Vec3(0, 0, 300));
  }
  REQUIRE_FALSE(w.step());
  Vec3 velocity, omega;
  w.bodyTwist(box, velocity, omega);
  double q, rate;
  w.jointState(flap.joints[0], &q, &rate);
  const double most = s.contactCorrection * deep * 60, mostRate = 0.3 * past * 60;  // kLimitReturn
  CHECK(velocity.z() > 0.3 * most);
  CHECK(velocity.z() < 1.01 * most);
  CHECK(rate >= 0);
  CHECK(rate < 1.01 * mostRate);
}

TEST_CASE("ode: a step that makes energy of nothing is made in shorter ones, or refused", "[step][ode]") {
  // Eight links of 20 g bear a ball of up to 1,000 times their mass: they swing faster than a step of 1/60 s resolves, and a Runge-Kutta
  // step would multiply the energy.
  for (const Integrator integrator : {Integrator::RungeKutta4, Integrator::DormandPrince, Integrator::Midpoint})
    for (const double ratio : {1.0, 100.0, 1000.0}) {
      world::World w(ode(60, integrator));
      test::Chain c = test::addChain(w, 8, 0.1, 0.02, -1, dynamics::JointType::Spherical);
      BodyDefinition ball;
      ball.pose.p = Vec3(0, 0, -0.9);
      ball.mass = ratio * 0.02;
      ball.inertia = 0.004 * ball.mass * Mat3::Identity();
      const int load = w.createBody(ball);
      test::addJoint(w, dynamics::JointType::Spherical, c.bodies.back(), load, Vec3(0, 0, -0.05), Vec3(0, 0, 0.1));
      push(w, c.bodies[3], Vec3(3, 0, 0), Vec3(0, 20, 5));
      const double start = test::totalEnergy(w), weight = (0.16 + ball.mass) * 9.81;
      Failure f;
      for (int i = 0; i < 60 && !f; i++) {
        f = w.step();
        INFO("integrator " << static_cast<int>(integrator) << ", load " << ratio << " x, step " << i << ": " << f.text());
        REQUIRE(test::totalEnergy(w) < start + 0.02 * weight);
        if (f) CHECK(f.kind() == Failure::Diverged);
      }
      INFO("integrator " << static_cast<int>(integrator) << ", load " << ratio << " x: " << f.text());
      CHECK((f || w.statistics().halvings > 0));
    }
  world::World plain(ode(240));
  const test::Chain c = test::addChain(plain, 3, 0.4, 1);
  const double start[3] = {1.2, 0.5, -0.3}, rate = 0.4;
  for (int k = 0; k < 3; k++) REQUIRE_FALSE(plain.setJointState(c.joints[k], start + k, &rate));
  test::advance(plain, 240);
  CHECK(plain.statistics().halvings == 0);
}
