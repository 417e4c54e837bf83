// Multirate groups with their own steps and integrators: each moves as in a world of that step, whatever else is in the world; they merge
// on contact and part again; forces, fields and prescribed bodies in parts; rejected requests.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/forces/fields.hpp"

using namespace vertebra;

namespace {

WorldSettings settings(double rate, Stepper stepper = Stepper::Impulse) {
  WorldSettings s;
  s.stepper = stepper;
  s.timeStep = 1 / rate;
  s.sleeping = false;
  return s;
}

void ask(world::World& w, int body, double step, int integrator = -1) {
  const Failure f = w.setBodyIntegration(body, {step, integrator});
  INFO(f.text());
  REQUIRE_FALSE(f);
}

// Three rods on hinges, bent at the start.
struct Arm {
  test::Chain chain;
  explicit Arm(world::World& w) : chain(test::addChain(w, 3, 0.4, 1)) {
    const double start[3] = {1.2, 0.5, -0.3}, rate = 0.4;
    for (int k = 0; k < 3; k++) REQUIRE_FALSE(w.setJointState(chain.joints[k], start + k, &rate));
  }
  std::vector<double> state(const world::World& w) const {
    std::vector<double> all;
    for (int j : chain.joints) {
      double q, v;
      w.jointState(j, &q, &v);
      all.push_back(q);
      all.push_back(v);
    }
    return all;
  }
};

// A heavy disc that rotates about its axis, which is held at one end: a top.
int addTop(world::World& w, double omega) {
  BodyDefinition d;
  d.mass = 0.5;
  d.pose = {Vec3(3, 0, 1), quatFromAxisAngle(Vec3::UnitY(), 0.4)};
  d.inertia = Vec3(8e-4, 8e-4, 1.2e-3).asDiagonal();
  const int body = w.createBody(d);
  JointDefinition j;
  j.type = dynamics::JointType::Spherical;
  j.b = body;
  j.frameA.p = d.pose * Vec3(0, 0, -0.1);
  j.asTheyStand = true;
  int id;
  REQUIRE_FALSE(w.createJoint(j, id));
  REQUIRE_FALSE(w.setBodyTwist(body, Vec3::Zero(), d.pose.q * Vec3(0, 0, omega), nullptr));
  return body;
}

std::vector<double> stateOf(const world::World& w, int body) {
  const Pose p = w.bodyPose(body);
  Vec3 v, omega;
  w.bodyTwist(body, v, omega);
  return {p.p.x(), p.p.y(), p.p.z(), p.q.x(), p.q.y(), p.q.z(), p.q.w(), v.x(), v.y(), v.z(), omega.x(), omega.y(), omega.z()};
}

double farthest(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); i++) worst = std::max(worst, std::fabs(a[i] - b[i]));
  return worst;
}

// Counts how often a field is asked for its force on a body.
struct Asked {
  int body, times = 0;
};
bool count(void* user, int, int body, double*, double*) {
  Asked& a = *static_cast<Asked*>(user);
  a.times += body == a.body;
  return true;
}

}  // namespace

TEST_CASE("multirate: a top with its own step has the error of a world of that step, an arm beside it moves as if alone",
          "[step][multirate]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Spook, Stepper::Ode}) {
    constexpr double kSpin = 150;
    auto topAlone = [&](double rate) {
      world::World w(settings(rate, stepper));
      const int top = addTop(w, kSpin);
      test::advance(w, static_cast<int>(rate / 2));
      return stateOf(w, top);
    };
    const std::vector<double> exact = topAlone(stepper == Stepper::Spook ? 61440 : 15360), coarse = topAlone(240), fine = topAlone(1920);
    world::World alone(settings(240, stepper)), both(settings(240, stepper));
    const Arm lone(alone), arm(both);
    const int top = addTop(both, kSpin);
    ask(both, top, 1.0 / 1920);
    for (world::World* w : {&alone, &both}) test::advance(*w, 120);
    INFO("stepper " << int(stepper) << ": error at the world's step " << farthest(coarse, exact) << ", at an eighth "
                    << farthest(fine, exact) << ", of the group " << farthest(stateOf(both, top), exact));
    if (stepper == Stepper::Ode)  // velocities meet the rows again at the end of each world step, to round-off
      CHECK(farthest(stateOf(both, top), fine) < 1e-9);
    else
      CHECK(stateOf(both, top) == fine);
    CHECK(arm.state(both) == lone.state(alone));
    CHECK(farthest(fine, exact) < 0.3 * farthest(coarse, exact));
    CHECK(both.statistics().parts == 8);
    CHECK(alone.statistics().parts == 1);
  }
}

TEST_CASE("multirate: bounces and rest in parts equal those in a world of that step", "[step][multirate]") {
  auto build = [](world::World& w, bool coarse, bool fine) {
    test::addGround(w, 0.5, 0);
    if (coarse) test::addBox(w, Vec3(0.2, 0.2, 0.1), 2, Vec3(-2, 0, 0.12), 0.5, 0);
    int ball = -1;
    if (fine) {
      ball = test::addBall(w, 0.1, 1, Vec3(2, 0, 1), 0.5, 0.7);
      REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(1, 0, -4), Vec3::Zero(), nullptr));
    }
    return ball;
  };
  world::World both(settings(60)), one(settings(60)), other(settings(480));
  const int ball = build(both, true, true), ballAlone = build(other, false, true);
  build(one, true, false);
  ask(both, ball, 1.0 / 480);
  for (int i = 0; i < 180; i++) {
    test::advance(both, 1);
    test::advance(one, 1);
    test::advance(other, 8);
    INFO("step " << i);
    REQUIRE(farthest(stateOf(both, ball), stateOf(other, ballAlone)) < 1e-6);
    REQUIRE(stateOf(both, 0) == stateOf(one, 0));
  }
  for (const Contact& c : both.contacts())
    if (c.bodyB == ball || c.bodyA == ball) CHECK(c.force.norm() == Approx(9.81).epsilon(0.01));
}

TEST_CASE("multirate: groups merge on contact, and part again", "[step][multirate]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Ode}) {
    WorldSettings s = settings(64, stepper);
    s.gravity.setZero();
    world::World w(s);
    const int slow = test::addBall(w, 0.1, 3, Vec3(0, 0, 0), 0, 1), fast = test::addBall(w, 0.1, 1, Vec3(-1, 0, 0), 0, 1);
    REQUIRE_FALSE(w.setBodyTwist(fast, Vec3(2, 0, 0), Vec3::Zero(), nullptr));
    ask(w, fast, 1.0 / 512);
    Asked asked{slow};
    FieldDefinition d;
    d.type = FieldType::User;
    d.evaluate = count;
    d.user = &asked;
    int field;
    REQUIRE_FALSE(w.createField(d, field));
    int together = 0, apart = 0, merges = 0, last = 0;
    for (int i = 0; i < 60; i++) {
      const int before = asked.times;
      w.resetStatistics();
      test::advance(w, 1);
      merges += w.statistics().merges;
      const int times = asked.times - before;
      if (stepper == Stepper::Ode) continue;
      CHECK((times == 1 || times == 8 || merges > 0));
      (times == 1 ? apart : together)++;
      last = times;
    }
    INFO("stepper " << int(stepper) << ": " << together << " steps together, " << apart << " apart, merges " << merges);
    CHECK(merges == 1);
    if (stepper == Stepper::Impulse) {
      CHECK(together > 0);
      CHECK(together < 5);
      CHECK(last == 1);
    }
    const std::vector<double> a = stateOf(w, slow), b = stateOf(w, fast);
    CHECK(a[7] == Approx(1).epsilon(1e-9));  // elastic, 1 kg against 3 kg
    CHECK(b[7] == Approx(-1).epsilon(1e-9));
    // Their positions show when they met: 0.8 m at 2 m/s.
    CHECK(a[0] == Approx(60.0 / 64 - 0.4).margin(2e-3));
  }
}

TEST_CASE("multirate: a coarse box hit by a fine ball on its floor moves as in a world of the finer step", "[step][multirate]") {
  auto run = [](double rate, double own) {
    world::World w(settings(rate));
    test::addGround(w, 0.3, 0);
    const int box = test::addBox(w, Vec3(0.2, 0.2, 0.2), 2, Vec3(0, 0, 0.2), 0.3, 0),
              ball = test::addBall(w, 0.1, 1, Vec3(-1, 0, 0.2), 0.3, 0);
    REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(6, 0, 0), Vec3::Zero(), nullptr));
    if (own > 0) ask(w, ball, own);
    test::advance(w, static_cast<int>(rate));
    return w.bodyPose(box).p;
  };
  const Vec3 fine = run(1920, 0), coarse = run(120, 0), mixed = run(120, 1.0 / 1920);
  INFO("fine " << fine.transpose() << ", coarse " << coarse.transpose() << ", mixed " << mixed.transpose());
  CHECK(mixed.x() > 0.1);
  CHECK((mixed - fine).norm() < 0.02 * fine.norm());
}

TEST_CASE("multirate: fields, applied forces and prescribed bodies act in every part, impulses once", "[step][multirate]") {
  auto build = [](world::World& w) {
    BodyDefinition d;
    d.kind = BodyKind::Kinematic;
    d.velocity = Vec3(0.3, 0, 0.2);
    d.omega = Vec3(0, 0, 1);
    const int platform = w.createBody(d);
    test::addShape(w, platform, geometry::ShapeType::Box, Vec3(1, 1, 0.1), 0.8, 0);
    const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0.3, 0, 0.2), 0.8, 0);
    const int flier = test::addBall(w, 0.1, 1, Vec3(5, 0, 0), 0, 0);
    FieldDefinition drag;
    drag.type = FieldType::Drag;
    drag.quadratic = 0.5;
    drag.bodies = {flier};
    int id;
    REQUIRE_FALSE(w.createField(drag, id));
    w.addForce(flier, Vec3(0, 3, 0), nullptr, true);
    w.addImpulse(flier, Vec3(4, 0, 0), nullptr);
    return std::pair(box, flier);
  };
  world::World w(settings(64)), fine(settings(512));
  const auto [box, flier] = build(w);
  build(fine);
  ask(w, box, 1.0 / 512);
  ask(w, flier, 1.0 / 512);
  for (int i = 0; i < 96; i++) {
    test::advance(w, 1);
    test::advance(fine, 8);
    INFO("step " << i);
    REQUIRE(stateOf(w, flier) == stateOf(fine, flier));
    REQUIRE(farthest(stateOf(w, box), stateOf(fine, box)) < 1e-6);
  }
  Vec3 linear, angular, fineLinear, fineAngular;
  w.bodyAcceleration(flier, linear, angular);
  fine.bodyAcceleration(flier, fineLinear, fineAngular);
  CHECK((linear - fineLinear).norm() < 1e-12);
}

TEST_CASE("multirate: applied work and the forces in joints are those of the parts", "[step][multirate]") {
  WorldSettings s = settings(60);
  s.energyAccount = true;
  world::World w(s);
  const int ball = test::addBall(w, 0.1, 2, Vec3(3, 0, 0), 0, 0);
  const test::Chain chain = test::addChain(w, 4, 0.3, 1);
  for (int b : {ball, chain.bodies[0]}) ask(w, b, 1.0 / 960);
  w.addForce(ball, Vec3(1, 2, 30), nullptr, true);
  const double before = test::totalEnergy(w);
  test::advance(w, 120);
  CHECK(w.energy().workApplied == Approx(test::totalEnergy(w) - before).epsilon(1e-9));
  JointForces f;
  w.jointForces(chain.joints[0], f);
  CHECK(f.force.norm() == Approx(4 * 9.81).epsilon(1e-9));
}

TEST_CASE("multirate: groups sleep and wake in parts", "[step][multirate]") {
  WorldSettings s = settings(60);
  s.sleeping = true;
  s.sleepTime = 0.2;
  world::World w(s);
  test::addGround(w, 0.5, 0);
  const int sleeper = test::addBox(w, Vec3(0.2, 0.2, 0.2), 1, Vec3(0, 0, 0.2), 0.5, 0),
            fine = test::addBox(w, Vec3(0.2, 0.2, 0.2), 1, Vec3(2, 0, 0.2), 0.5, 0);
  ask(w, fine, 1.0 / 480);
  test::advance(w, 1);
  CHECK(w.statistics().parts == 8);
  test::advance(w, 60);
  REQUIRE_FALSE(w.bodyAwake(sleeper));
  REQUIRE_FALSE(w.bodyAwake(fine));
  test::advance(w, 1);
  CHECK(w.statistics().parts == 1);  // no body with a step of its own is awake
  w.addImpulse(fine, Vec3(-6, 0, 0), nullptr);
  double fastest = 0;
  for (int i = 0; i < 60; i++) {
    test::advance(w, 1);
    fastest = std::max(fastest, std::fabs(stateOf(w, sleeper)[7]));
    CHECK(w.statistics().maxPenetration < 5e-3);
  }
  CHECK(fastest > 1);
}

TEST_CASE("multirate: under ode each group has its own integrator and step", "[step][multirate][ode]") {
  auto error = [](double rate, Integrator own, double step, const std::vector<double>& exact) {
    world::World w(settings(rate, Stepper::Ode));
    const Arm arm(w);
    BodyDefinition d;
    d.pose.p = Vec3(9, 0, 0);
    w.createBody(d);  // beside it, under the world's RK4
    ask(w, arm.chain.bodies[1], step, static_cast<int>(own));
    test::advance(w, static_cast<int>(rate));
    return farthest(arm.state(w), exact);
  };
  std::vector<double> exact;
  {
    world::World w(settings(8000, Stepper::Ode));
    const Arm arm(w);
    test::advance(w, 8000);
    exact = arm.state(w);
  }
  struct Case {
    Integrator integrator;
    double rate, order;
  };
  for (const Case& c :
       {Case{Integrator::ExplicitEuler, 4000, 1}, Case{Integrator::SymplecticEuler, 4000, 1}, Case{Integrator::ImplicitEuler, 2000, 1},
        Case{Integrator::Midpoint, 1000, 2}, Case{Integrator::RungeKutta4, 960, 4}}) {
    const double a = error(c.rate, c.integrator, 0, exact), b = error(2 * c.rate, c.integrator, 0, exact);
    INFO("integrator " << int(c.integrator) << " errors " << a << " " << b);
    CHECK(std::log2(a / b) == Approx(c.order).margin(0.25));
    // The same with its own step.
    CHECK(error(c.rate, c.integrator, 0.5 / c.rate, exact) == Approx(b).epsilon(1e-3));
  }
  // Two groups in one world, each moves as it would alone.
  world::World both(settings(200, Stepper::Ode)), alone(settings(200, Stepper::Ode));
  const Arm arm(both);
  ask(both, arm.chain.bodies[0], 0, static_cast<int>(Integrator::ExplicitEuler));
  const int top = addTop(both, 30), same = addTop(alone, 30);
  test::advance(both, 100);
  test::advance(alone, 100);
  CHECK(stateOf(both, top) == stateOf(alone, same));
}

TEST_CASE("multirate: implicit Euler has the highest rank, then the order counts", "[step][multirate][ode]") {
  // Stiff springs at the joints: what they have left after a second differs between the integrators.
  auto run = [](int first, int second) {
    world::World w(settings(50, Stepper::Ode));
    const Arm arm(w);
    dynamics::AxisParameters p;
    p.stiffness = 2e3;
    p.damping = 20;
    const double start = 0.05, rate = 0;
    for (int j : arm.chain.joints) {
      REQUIRE_FALSE(w.setAxis(j, 0, p));
      REQUIRE_FALSE(w.setJointState(j, &start, &rate));
    }
    ask(w, arm.chain.bodies[0], 0, first);
    ask(w, arm.chain.bodies[2], 0, second);
    const Failure f = w.step();
    for (int i = 0; !f && i < 49; i++)
      if (w.step()) return kInf;
    return f ? kInf : std::fabs(arm.state(w)[0]);
  };
  const int implicit = static_cast<int>(Integrator::ImplicitEuler), rk4 = static_cast<int>(Integrator::RungeKutta4);
  const double one = run(implicit, implicit);
  CHECK(one < 0.01);
  CHECK(run(rk4, implicit) == one);
  CHECK(run(implicit, rk4) == one);
  CHECK(run(rk4, rk4) != one);
}

TEST_CASE("multirate: unsupported requests are refused", "[step][multirate]") {
  for (Stepper stepper : {Stepper::Variational, Stepper::Displacement}) {
    world::World w(settings(240, stepper));
    const int body = test::addBall(w, 0.1, 1, Vec3::Zero(), 0, 0);
    CHECK(w.setBodyIntegration(body, {1e-3, -1}).kind() == Failure::Unsupported);
    CHECK(w.bodyIntegration(body).step == 0);
  }
  world::World w(settings(240));
  const int body = test::addBall(w, 0.1, 1, Vec3::Zero(), 0, 0);
  CHECK(w.setBodyIntegration(body, {0, 2}).kind() == Failure::Unsupported);
  ask(w, body, 1e-3);
  CHECK(w.setSettings(settings(240, Stepper::Variational)).kind() == Failure::Unsupported);
  CHECK_FALSE(w.setSettings(settings(240, Stepper::Ode)));
  ask(w, body, 0, 2);
  CHECK(w.setSettings(settings(240, Stepper::Impulse)).kind() == Failure::Unsupported);
}
