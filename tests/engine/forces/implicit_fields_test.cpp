// Implicit force fields of the user: stable where explicit ones are not, equal to springs and dampers of joints, of second order where they
// are soft.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/forces/fields.hpp"

using namespace vertebra;

namespace {

// Springs to the origin and drag, along and about the world's axes, on one body's centre of mass; `pull` reverses the sign.
struct Law {
  world::World* world;
  Vec3 stiffness = Vec3::Zero(), drag = Vec3::Zero(), turnStiffness = Vec3::Zero(), turnDrag = Vec3::Zero();
  double across = 0;  // of a force at right angles to the displacement, about z
  int asked = 0;

  static void state(const Law& l, int body, Vec3& x, Vec3& turn, Vec3& v, Vec3& omega) {
    const Pose pose = l.world->bodyPose(body);
    x = pose.p;
    turn = quatLog(pose.q);
    l.world->bodyTwist(body, v, omega);
  }
  static bool force(void* user, int, int body, double* f, double* t) {
    Law& l = *static_cast<Law*>(user);
    l.asked++;
    Vec3 x, turn, v, omega;
    state(l, body, x, turn, v, omega);
    for (int k = 0; k < 3; k++) {
      f[k] -= l.stiffness[k] * x[k] + l.drag[k] * v[k];
      t[k] -= l.turnStiffness[k] * turn[k] + l.turnDrag[k] * omega[k];
    }
    f[0] -= l.across * x[1];
    f[1] += l.across * x[0];
    return true;
  }
  static bool gradient(void* user, int, int, double* byPose, double* byTwist) {
    const Law& l = *static_cast<const Law*>(user);
    for (int k = 0; k < 3; k++) {
      byPose[7 * k] -= l.stiffness[k];
      byTwist[7 * k] -= l.drag[k];
      byPose[7 * (3 + k)] -= l.turnStiffness[k];
      byTwist[7 * (3 + k)] -= l.turnDrag[k];
    }
    byPose[1] -= l.across;
    byPose[6] += l.across;
    return true;
  }
};

void add(world::World& w, Law& law, bool implicit, bool analytic, std::vector<int> bodies = {}) {
  FieldDefinition d;
  d.type = FieldType::User;
  d.evaluate = Law::force;
  if (analytic) d.gradient = Law::gradient;
  d.implicit = implicit;
  d.user = &law;
  d.bodies = std::move(bodies);
  int id = -1;
  const Failure f = w.createField(d, id);
  INFO(f.text());
  REQUIRE_FALSE(f);
}
Vec3 velocityOf(const world::World& w, int body) {
  Vec3 v, omega;
  w.bodyTwist(body, v, omega);
  return v;
}

// Drag of hundreds of kg/s along and about all axes is backward Euler: velocities to `absolute` [m/s] and a share of the remaining
// velocity.
void checkStiffDrag(const WorldSettings& settings, bool analytic, double absolute, double relative, double spinShare) {
  const double h = settings.timeStep, c = 600, mass = 2;
  world::World w(settings);
  const int body = point(w, Vec3::Zero(), Vec3(1, -2, 3), mass, Vec3(0, 4, 0));
  Law law{&w};
  law.drag = Vec3(c, c, 2 * c);
  law.turnDrag = Vec3::Constant(5);
  add(w, law, true, analytic);
  for (int i = 1; i <= 5; i++) {
    test::advance(w, 1);
    Vec3 v, omega;
    w.bodyTwist(body, v, omega);
    const double share = std::pow(1 / (1 + h * c / mass), i), along = std::pow(1 / (1 + 2 * h * c / mass), i);
    CHECK((v - Vec3(share, -2 * share, 3 * along)).norm() < absolute + relative * share);
    CHECK(omega.y() == Approx(4 * std::pow(1 / (1 + h * 5 / 0.01), i)).epsilon(spinShare));
  }
}

}  // namespace

TEST_CASE("a user's stiff drag is backward Euler where it is implicit, and tears where it is not", "[step][fields]") {
  const double h = 1.0 / 60, c = 600, mass = 2;
  for (bool analytic : {true, false}) checkStiffDrag(weightless(1.0 / 60), analytic, analytic ? 1e-11 : 1e-7, 1e-6, 1e-5);
  world::World w(weightless(h));
  const int body = point(w, Vec3::Zero(), Vec3(1, -2, 3), mass);
  Law law{&w};
  law.drag = Vec3::Constant(c);
  add(w, law, false, false);
  for (int i = 0; i < 20 && !w.step(); i++) continue;
  CHECK(velocityOf(w, body).norm() > 100);
}

TEST_CASE("a user's stiff springs never gain energy", "[step][fields]") {
  for (double stiffness : {1e3, 1e5, 1e8}) {
    world::World w(weightless(1.0 / 60));
    const int body = point(w, Vec3(0.1, 0.2, -0.1), Vec3(0, 0, 1), 1, Vec3(0, 0, 1));
    Law law{&w};
    law.stiffness = Vec3(stiffness, 0.1 * stiffness, 2 * stiffness);
    law.turnStiffness = Vec3::Constant(0.01 * stiffness);
    add(w, law, true, false);
    auto energy = [&] {
      const Vec3 x = w.bodyPose(body).p, turn = quatLog(w.bodyPose(body).q);
      return w.energy().kinetic + 0.5 * x.dot(law.stiffness.cwiseProduct(x)) + 0.5 * turn.dot(law.turnStiffness.cwiseProduct(turn));
    };
    const double start = energy();
    test::advance(w, 2);  // the first move uses the given velocities
    double most = 0;
    for (int i = 0; i < 300; i++) {
      test::advance(w, 1);
      most = std::max(most, energy());
    }
    CHECK(most < 1.05 * start + 0.5 * stiffness / 3600 * 4);
    CHECK(energy() < 1e-3 * start + 1e-6);
  }
}

TEST_CASE("a user's spring and drag on a slide agree with those of the slide's axis", "[step][fields]") {
  for (double stiffness : {2e3, 5e5}) {
    double way[2][100];
    for (bool own : {true, false}) {
      world::World w(weightless(1.0 / 240));
      const int body = point(w, Vec3::Zero(), Vec3::Zero(), 2);
      const int slide = test::addJoint(w, dynamics::JointType::Prismatic, -1, body, Vec3::Zero(), Vec3::Zero(), Vec3::UnitX());
      Law law{&w};
      dynamics::AxisParameters a = w.axis(slide, 0);
      if (own) {
        a.stiffness = stiffness;
        a.damping = 400;
        REQUIRE_FALSE(w.setAxis(slide, 0, a));
      } else {
        law.stiffness.x() = stiffness;
        law.drag.x() = 400;
        add(w, law, true, true);
      }
      const double q = 0.1, v = 2;
      REQUIRE_FALSE(w.setJointState(slide, &q, &v));
      for (double& x : way[own]) {
        test::advance(w, 1);
        w.jointState(slide, &x, nullptr);
      }
    }
    for (int i = 0; i < 100; i++) CHECK(way[0][i] == Approx(way[1][i]).margin(1e-12));
  }
}

TEST_CASE("a mild user's field asked to be implicit is the explicit one, of second order", "[step][fields]") {
  double off[2];
  for (int fine = 0; fine < 2; fine++) {
    const double h = fine ? 0.0025 : 0.005;
    world::World w(weightless(h)), other(weightless(h));
    const int body = point(w, Vec3(1, 0, 0), Vec3(0, 2, 0)), twin = point(other, Vec3(1, 0, 0), Vec3(0, 2, 0));
    Law law{&w}, explicitLaw{&other};
    law.stiffness = explicitLaw.stiffness = Vec3::Constant(4);
    add(w, law, true, false);
    add(other, explicitLaw, false, false);
    test::advance(w, fine ? 800 : 400);
    test::advance(other, fine ? 800 : 400);
    CHECK(w.bodyPose(body).p == other.bodyPose(twin).p);
    CHECK(law.asked == 25 * explicitLaw.asked);  // explicit fields are evaluated once only
    off[fine] = (w.bodyPose(body).p - Vec3(std::cos(4.0), std::sin(4.0), 0)).norm();
  }
  INFO(off[0] << " " << off[1]);
  CHECK(off[0] < 1e-3);
  CHECK(off[1] < 0.3 * off[0]);
}

TEST_CASE("a stiff implicit field converges with the step", "[step][fields]") {
  // Overdamped: c >> sqrt(k m). x' = -k / c x after the velocity has settled.
  double off[3];
  for (int i = 0; i < 3; i++) {
    const double h = 1.0 / (60 << i);
    world::World w(weightless(h));
    const int body = point(w, Vec3(1, 0, 0), Vec3(-1, 0, 0));
    Law law{&w};
    law.stiffness.x() = 1000;
    law.drag.x() = 1000;
    add(w, law, true, false);
    test::advance(w, 60 << i);
    const double slow = -500 + std::sqrt(250000.0 - 1000);
    off[i] = std::fabs(w.bodyPose(body).p.x() - std::exp(slow));
  }
  INFO(off[0] << " " << off[1] << " " << off[2]);
  CHECK(off[0] < 0.02);
  CHECK(off[1] < 0.6 * off[0]);
  CHECK(off[2] < 0.6 * off[1]);
}

TEST_CASE("a stiff drag at the end of a chain holds it in the same motion as a fine explicit step", "[step][fields]") {
  Vec3 end[2];
  for (bool coarse : {false, true}) {
    WorldSettings s = weightless(coarse ? 1.0 / 480 : 1.0 / 30720);
    s.gravity = Vec3(0, 0, -9.81);
    world::World w(s);
    const test::Chain chain = test::addChain(w, 4, 0.25, 0.5);
    for (int i = 0; i < 4; i++) {
      const double q = i == 0 ? 1.2 : 0.1, v = 0;
      REQUIRE_FALSE(w.setJointState(chain.joints[i], &q, &v));
    }
    Law law{&w};
    law.drag = Vec3::Constant(400);
    law.turnDrag = Vec3::Constant(0.2);
    add(w, law, coarse, false, {chain.bodies[3]});
    test::advance(w, coarse ? 240 : 15360);
    end[coarse] = w.bodyPose(chain.bodies[3]).p;
  }
  INFO(end[0].transpose() << " and " << end[1].transpose());
  CHECK((end[0] - end[1]).norm() < 5e-3);
}

TEST_CASE("only the resisting part of a field's gradient is implicit", "[step][fields]") {
  // A negative spring: explicit and implicit are the same bits, however strong.
  world::World w(weightless(1e-3)), other(weightless(1e-3));
  const int body = point(w, Vec3(1e-3, 0, 0), Vec3::Zero()), twin = point(other, Vec3(1e-3, 0, 0), Vec3::Zero());
  Law law{&w}, explicitLaw{&other};
  law.stiffness = explicitLaw.stiffness = Vec3(-2e4, 0, 0);
  law.across = explicitLaw.across = 10;
  add(w, law, true, true);
  add(other, explicitLaw, false, true);
  test::advance(w, 20);
  test::advance(other, 20);
  CHECK(w.bodyPose(body).p == other.bodyPose(twin).p);
}

TEST_CASE("stiff implicit fields are the same under all tree solvers", "[step][fields]") {
  // A chain with two links welded to each other, its end in stiff springs and drag that couple translation and rotation, contacts, an
  // active limit.
  std::vector<Vec3> way[3];
  double fastest = 0;
  for (int solver = 0; solver < 3; solver++) {
    WorldSettings s;
    s.timeStep = 1.0 / 120;
    s.sleeping = false;
    s.treeSolver = static_cast<TreeSolver>(solver);
    world::World w(s);
    const test::Chain chain = test::addChain(w, 5, 0.25, 0.5);
    const int flag = test::addRod(w, 0.2, 0.1, Pose{Vec3(0.1, 0, -1.2), Quat::Identity()});
    test::addJoint(w, dynamics::JointType::Fixed, chain.bodies[4], flag, Vec3(0.1, 0, -0.1), Vec3::Zero());
    dynamics::AxisParameters limited;
    limited.upper = 0.4;
    REQUIRE_FALSE(w.setAxis(chain.joints[1], 0, limited));
    const int ball = test::addBall(w, 0.1, 1, Vec3(3, 0, 0.1), 0.5, 0.2);
    test::addGround(w, 0.5, 0);
    for (int i = 0; i < 5; i++) {
      const double q = i == 0 ? 1.2 : 0.1, v = 0;
      REQUIRE_FALSE(w.setJointState(chain.joints[i], &q, &v));
    }
    Law law{&w};
    law.drag = Vec3(40, 0, 400);
    law.turnDrag = Vec3::Constant(2);
    law.stiffness = Vec3(0, 0, 3000);
    law.turnStiffness = Vec3(0, 100, 0);
    add(w, law, true, false, {chain.bodies[2], flag, ball});
    for (int i = 0; i < 120; i++) {
      test::advance(w, 1);
      for (int b : {chain.bodies[4], flag, ball}) way[solver].push_back(w.bodyPose(b).p);
      fastest = std::max(fastest, velocityOf(w, flag).norm());
    }
  }
  CHECK(fastest > 0.5);
  for (int solver : {1, 2})
    for (std::size_t i = 0; i < way[0].size(); i++) {
      INFO("tree solver " << solver << ", body " << i % 3 << ", step " << i / 3);
      REQUIRE((way[solver][i] - way[0][i]).norm() < 1e-6);
    }
}

TEST_CASE("stiff implicit fields under the steppers variational and displacement", "[step][fields]") {
  for (Stepper stepper : {Stepper::Variational, Stepper::Displacement}) {
    INFO("stepper " << int(stepper));
    auto world = [&](double h) {
      WorldSettings s = weightless(h);
      s.stepper = stepper;
      return s;
    };
    checkStiffDrag(world(1.0 / 60), true, 1e-9, 0, 1e-6);
    for (double stiffness : {1e3, 1e5, 1e8}) {  // springs: no energy gain
      world::World w(world(1.0 / 60));
      const int body = point(w, Vec3(0.1, 0.2, -0.1), Vec3(0, 0, 1), 1, Vec3(0, 0, 1));
      Law law{&w};
      law.stiffness = Vec3(stiffness, 0.1 * stiffness, 2 * stiffness);
      law.turnStiffness = Vec3::Constant(0.01 * stiffness);
      add(w, law, true, false);
      auto energy = [&] {
        const Vec3 x = w.bodyPose(body).p, turn = quatLog(w.bodyPose(body).q);
        return w.energy().kinetic + 0.5 * x.dot(law.stiffness.cwiseProduct(x)) + 0.5 * turn.dot(law.turnStiffness.cwiseProduct(turn));
      };
      const double start = energy();
      test::advance(w, 2);
      double most = 0;
      for (int i = 0; i < 300; i++) {
        test::advance(w, 1);
        most = std::max(most, energy());
      }
      INFO("stiffness " << stiffness);
      CHECK(most < 1.05 * start + 0.5 * stiffness / 3600 * 4);
      CHECK(energy() < 1e-3 * start + 1e-6);
    }
    double off[3];
    for (int i = 0; i < 3; i++) {  // and the method converges
      world::World w(world(1.0 / (60 << i)));
      const int body = point(w, Vec3(1, 0, 0), Vec3(-1, 0, 0));
      Law law{&w};
      law.stiffness.x() = 1000;
      law.drag.x() = 1000;
      add(w, law, true, false);
      test::advance(w, 60 << i);
      off[i] = std::fabs(w.bodyPose(body).p.x() - std::exp(-500 + std::sqrt(250000.0 - 1000)));
    }
    INFO(off[0] << " " << off[1] << " " << off[2]);
    CHECK(off[0] < 0.02);
    CHECK(off[1] < 0.6 * off[0]);
    CHECK(off[2] < 0.6 * off[1]);
  }
}

TEST_CASE("a stiff implicit drag on a jointed body comes to the same under impulse, variational and displacement", "[step][fields]") {
  // An arm of two rods that falls through a thick medium: after a second it sinks at the balance of drag and weight.
  Vec3 end[3];
  const Stepper steppers[] = {Stepper::Impulse, Stepper::Variational, Stepper::Displacement};
  for (int k = 0; k < 3; k++) {
    WorldSettings s;
    s.timeStep = 1.0 / 960;
    s.sleeping = false;
    s.stepper = steppers[k];
    s.solverIterations = 100;
    s.solverTolerance = 1e-9;
    world::World w(s);
    const int upper = test::addRod(w, 0.5, 1, Pose{Vec3(0.25, 0, 0), quatFromAxisAngle(Vec3::UnitY(), -kPi / 2)}),
              lower = test::addRod(w, 0.5, 1, Pose{Vec3(0.75, 0, 0), quatFromAxisAngle(Vec3::UnitY(), -kPi / 2)});
    test::addJoint(w, dynamics::JointType::Revolute, -1, upper, Vec3::Zero(), Vec3(0, 0, 0.25));
    test::addJoint(w, dynamics::JointType::Revolute, upper, lower, Vec3(0, 0, -0.25), Vec3(0, 0, 0.25));
    Law law{&w};
    law.drag = Vec3::Constant(300);
    law.turnDrag = Vec3::Constant(20);
    add(w, law, true, false, {upper, lower});
    test::advance(w, 960);
    end[k] = w.bodyPose(lower).p;
  }
  INFO(end[0].transpose() << ", " << end[1].transpose() << ", " << end[2].transpose());
  CHECK(end[0].z() < -0.01);
  for (int k : {1, 2}) CHECK((end[k] - end[0]).norm() < 2e-3);
}

TEST_CASE("implicit fields are the user's, and not for the stepper ode", "[step][fields]") {
  for (bool users : {true, false}) {
    WorldSettings s = weightless(1e-3);
    if (users) s.stepper = Stepper::Ode;
    world::World w(s);
    point(w, Vec3::Zero(), Vec3::Zero());
    Law law{&w};
    FieldDefinition d;
    d.type = users ? FieldType::User : FieldType::Drag;
    if (users) d.evaluate = Law::force;
    d.implicit = true;
    d.user = &law;
    int id = -1;
    CHECK(w.createField(d, id).kind() == (users ? Failure::Unsupported : Failure::Argument));
  }
  world::World w(weightless(1e-3));
  point(w, Vec3::Zero(), Vec3::Zero());
  Law law{&w};
  add(w, law, true, false);
  WorldSettings s = weightless(1e-3);
  s.stepper = Stepper::Ode;
  CHECK(w.setSettings(s).kind() == Failure::Unsupported);
  CHECK(w.settings().stepper == Stepper::Impulse);
  s.stepper = Stepper::Variational;
  s.treeSolver = TreeSolver::Dense;
  CHECK_FALSE(w.setSettings(s));
}

namespace {

// A spring and damper between the first two bodies of `pair`, and one of each body to the world.
struct Between {
  world::World* world;
  std::vector<int> pair;
  double stiffness = 0, damping = 0, ground = 0;

  static bool force(void* user, int, int body, double* f, double*) {
    const Between& l = *static_cast<Between*>(user);
    Vec3 v[2], omega;
    const bool second = body == l.pair[1];
    if (!second && body != l.pair[0]) {
      for (int k = 0; k < 3; k++) f[k] -= l.ground * l.world->bodyPose(body).p[k];
      return true;
    }
    for (int k = 0; k < 2; k++) l.world->bodyTwist(l.pair[k], v[k], omega);
    const Vec3 apart = l.world->bodyPose(l.pair[1]).p - l.world->bodyPose(l.pair[0]).p;
    const Vec3 pull = (second ? -1 : 1) * (l.stiffness * apart + l.damping * (v[1] - v[0])) - l.ground * l.world->bodyPose(body).p;
    for (int k = 0; k < 3; k++) f[k] += pull[k];
    return true;
  }
};

}  // namespace

TEST_CASE("an implicit field that is stiff between two bodies is refused by their names, a mild one or one to the world is not",
          "[step][fields]") {
  struct Case {
    double stiffness, damping, ground;
    bool refused;
  };
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Displacement})
    for (const Case& c : {Case{1e6, 0, 0, true}, Case{0, 1e4, 0, true}, Case{1e6, 1e4, 1e6, true}, Case{0.1, 0.1, 1e6, false},
                          Case{0, 0, 1e6, false}, Case{0.1, 0.1, 0, false}}) {
      WorldSettings s = weightless(1.0 / 240);
      s.stepper = stepper;
      world::World w(s);
      std::vector<int> bodies;
      for (int k = 0; k < 5; k++) bodies.push_back(point(w, Vec3(k, 0.1 * k, 0), Vec3::Zero()));
      Between law{&w, {bodies[1], bodies[4]}, c.stiffness, c.damping, c.ground};
      FieldDefinition d;
      d.type = FieldType::User;
      d.evaluate = Between::force;
      d.implicit = true;
      d.user = &law;
      int id = -1;
      REQUIRE_FALSE(w.createField(d, id));
      const std::uint64_t before = w.hash();
      const Failure f = w.step();
      INFO("stepper " << static_cast<int>(stepper) << ", stiffness " << c.stiffness << ", damping " << c.damping << ", to the world "
                      << c.ground << ": " << f.text());
      CHECK(f.kind() == (c.refused ? Failure::Unsupported : Failure::None));
      if (!c.refused) continue;
      CHECK(f.text().find("between bodies 1 and 4") != std::string::npos);
      CHECK(w.hash() == before);
      d.implicit = false;  // as the text says
      law.stiffness = 1;
      law.damping = law.ground = 0;
      REQUIRE_FALSE(w.setField(id, d));
      CHECK_FALSE(w.step());
    }
}

TEST_CASE("an implicit field is looked at again when a body joins it", "[step][fields]") {
  world::World w(weightless(1.0 / 240));
  const int first = point(w, Vec3(1, 0, 0), Vec3::Zero());
  Between law{&w, {first, first + 1}, 1e6, 0, 1e6};
  law.pair = {-2, -2};
  FieldDefinition d;
  d.type = FieldType::User;
  d.evaluate = Between::force;
  d.implicit = true;
  d.user = &law;
  int id = -1;
  REQUIRE_FALSE(w.createField(d, id));
  test::advance(w, 3);
  law.pair = {first, point(w, Vec3(2, 0, 0), Vec3::Zero())};
  CHECK(w.step().kind() == Failure::Unsupported);
}

TEST_CASE("bodies that moved without fields have room for the factor of an implicit one", "[step][fields]") {
  // Two free bodies, whose factors lie beside each other; the field begins before the first step, or after it.
  Pose last[2][2];
  for (bool late : {false, true}) {
    world::World w(weightless(1.0 / 60));
    const int first = point(w, Vec3(0.1, 0, 0), Vec3::Zero()), second = point(w, Vec3(0, 3, 0), Vec3::Zero());
    Law law{&w};
    law.drag = Vec3(600, 500, 400);
    law.turnDrag = Vec3(3, 4, 5);
    if (!late) add(w, law, true, true, {first, second});
    test::advance(w, 1);
    if (late) add(w, law, true, true, {first, second});
    for (int body : {first, second}) REQUIRE_FALSE(w.setBodyTwist(body, Vec3(1, 2, -1), Vec3(0.5, 1, 2), nullptr));
    test::advance(w, 5);
    last[late][0] = w.bodyPose(first);
    last[late][1] = w.bodyPose(second);
  }
  for (int k = 0; k < 2; k++) CHECK(last[0][k] == last[1][k]);
}
