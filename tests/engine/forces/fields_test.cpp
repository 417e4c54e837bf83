// Force fields against closed forms.
#include <cmath>

#include "tests/engine/forces/fields.hpp"

using namespace vertebra;

namespace {

int add(world::World& w, const FieldDefinition& d) {
  int id = -1;
  const Failure f = w.createField(d, id);
  INFO(f.text());
  REQUIRE_FALSE(f);
  return id;
}
Vec3 velocityOf(const world::World& w, int body) {
  Vec3 v, omega;
  w.bodyTwist(body, v, omega);
  return v;
}

}  // namespace

TEST_CASE("a circular orbit stays one, and comes out right with the square of the step", "[step][fields]") {
  double off[2];
  for (int fine = 0; fine < 2; fine++) {
    world::World w(weightless(fine ? 0.005 : 0.01));
    FieldDefinition d;
    d.strength = 4;  // around 1 m with 2 m/s
    add(w, d);
    const int body = point(w, Vec3(1, 0, 0), Vec3(0, 2, 0));
    test::advance(w, fine ? 400 : 200);
    off[fine] = (w.bodyPose(body).p - Vec3(std::cos(4.0), std::sin(4.0), 0)).norm();
  }
  INFO(off[0] << " " << off[1]);
  CHECK(off[0] < 4e-3);
  CHECK(off[1] < 0.3 * off[0]);
}

TEST_CASE("two bodies under their gravitation keep momentum and turn about each other", "[step][fields]") {
  for (bool pairwise : {true, false}) {
    world::World w(weightless(2e-3));
    const int a = point(w, Vec3(0, 0, 0), Vec3(0, -0.5, 0), 3), b = point(w, Vec3(1, 0, 0), Vec3(0, 1.5, 0), 1);  // 2 m/s apart: a circle
    FieldDefinition d;
    d.type = pairwise ? FieldType::Pairwise : FieldType::Radial;
    d.strength = pairwise ? 1 : 3;  // G = 1; or G M of the heavy one
    d.source = pairwise ? -1 : a;
    add(w, d);
    double widest = 0, narrowest = 2;
    for (int i = 0; i < 3000; i++) {
      test::advance(w, 1);
      const double r = (w.bodyPose(b).p - w.bodyPose(a).p).norm();
      widest = std::max(widest, r);
      narrowest = std::min(narrowest, r);
    }
    CHECK(widest < 1.001);
    CHECK(narrowest > 0.999);
    Vec3 linear, angular;
    w.momentum(linear, angular);
    CHECK(linear.norm() < 1e-10);
    CHECK(angular.z() == Approx(1.5).epsilon(1e-4));
  }
}

TEST_CASE("drag slows by its law", "[step][fields]") {
  world::World w(weightless(1e-3));
  const int a = point(w, Vec3(0, 0, 0), Vec3(10, 0, 0), 2), b = point(w, Vec3(0, 5, 0), Vec3(10, 0, 0), 2, Vec3(0, 0, 3));
  FieldDefinition linear;
  linear.type = FieldType::Drag;
  linear.linear = 0.8;
  linear.wind = Vec3(1, 0, 0);
  linear.bodies = {a};
  add(w, linear);
  FieldDefinition quadratic;
  quadratic.type = FieldType::Drag;
  quadratic.quadratic = 0.1;
  quadratic.angular = 0.02;
  quadratic.bodies = {b};
  add(w, quadratic);
  test::advance(w, 2000);
  CHECK(velocityOf(w, a).x() == Approx(1 + 9 * std::exp(-0.4 * 2)).epsilon(1e-5));
  CHECK(velocityOf(w, b).x() == Approx(10 / (1 + 10 * 0.05 * 2)).epsilon(1e-5));
  Vec3 v, omega;
  w.bodyTwist(b, v, omega);
  CHECK(omega.z() == Approx(3 * std::exp(-2 * 2.0)).epsilon(1e-4));
}

TEST_CASE("a rotating ball flies in a circle under Magnus' force alone", "[step][fields]") {
  world::World w(weightless(1e-3));
  const int ball = point(w, Vec3::Zero(), Vec3(3, 0, 0), 0.5, Vec3(0, 0, 10));
  FieldDefinition d;
  d.type = FieldType::Magnus;
  d.strength = 0.1;  // rotates the velocity at 0.1 * 10 / 0.5 = 2 rad/s
  add(w, d);
  test::advance(w, 1000);
  CHECK((velocityOf(w, ball) - 3 * Vec3(std::cos(2.0), std::sin(2.0), 0)).norm() < 1e-4);
}

TEST_CASE("Lennard-Jones: no force at the minimum, energy kept, the grid finds every pair", "[step][fields]") {
  FieldDefinition d;
  d.type = FieldType::LennardJones;
  d.strength = 0.5;
  d.length = 1;
  {
    world::World w(weightless(1e-3));
    const double rest = std::pow(2.0, 1.0 / 6);
    const int a = point(w, Vec3::Zero(), Vec3::Zero()), b = point(w, Vec3(1.3, 0, 0), Vec3::Zero());
    add(w, d);
    auto potential = [&] {
      const double s6 = std::pow((w.bodyPose(b).p - w.bodyPose(a).p).norm(), -6);
      return 4 * 0.5 * (s6 * s6 - s6);
    };
    const double start = potential();
    double nearest = 2;
    for (int i = 0; i < 4000; i++) {
      test::advance(w, 1);
      nearest = std::min(nearest, (w.bodyPose(b).p - w.bodyPose(a).p).norm());
      REQUIRE(w.energy().kinetic + potential() == Approx(start).margin(1e-4));
    }
    CHECK(nearest < rest);
  }
  Vec3 swarm[2][40];
  for (int grid = 0; grid < 2; grid++) {
    world::World w(weightless(1e-3));
    test::Random r(5);
    std::vector<int> bodies;
    for (int i = 0; i < 40; i++) {
      const double x = r.range(-3, 3), y = r.range(-3, 3), z = r.range(-3, 3);
      bodies.push_back(point(w, Vec3(x, y, z), Vec3::Zero()));
    }
    d.range = grid ? 20 : kInf;  // the neighbours of one cell contain all of them
    const int id = add(w, d);
    test::advance(w, 50);
    d.range = 1.5;
    REQUIRE_FALSE(w.setField(id, d));
    test::advance(w, 50);
    for (int i = 0; i < 40; i++) swarm[grid][i] = w.bodyPose(bodies[i]).p;
  }
  for (int i = 0; i < 40; i++) CHECK((swarm[0][i] - swarm[1][i]).norm() < 1e-9);
}

TEST_CASE("an attractor pulls within its range, a repulsor pushes", "[step][fields]") {
  world::World w(weightless(1e-3));
  const int in = point(w, Vec3(1, 0, 0), Vec3::Zero()), out = point(w, Vec3(0, 3, 0), Vec3::Zero());
  FieldDefinition d;
  d.type = FieldType::Attractor;
  d.strength = 4;
  d.exponent = 1;  // a spring of 4 N/m
  d.range = 2;
  const int id = add(w, d);
  test::advance(w, 500);
  CHECK(w.bodyPose(in).p.x() == Approx(std::cos(1.0)).margin(1e-5));
  CHECK(w.bodyPose(out).p.y() == 3);
  d.strength = -1;
  d.exponent = -0.5;
  d.range = kInf;
  d.bodies = {out};
  REQUIRE_FALSE(w.setField(id, d));
  test::advance(w, 1);
  CHECK(velocityOf(w, out).y() == Approx(1e-3 / std::sqrt(3.0)).epsilon(1e-6));
}

TEST_CASE("a user's field acts, wakes the bodies that it changes, and fails the step when its force is not finite", "[step][fields]") {
  WorldSettings s = weightless(1e-3);
  s.gravity = Vec3(0, 0, -9.81);
  s.sleeping = true;
  world::World w(s);
  test::addGround(w, 0.5, 0);
  const int box = test::addBox(w, Vec3(0.1, 0.1, 0.1), 2, Vec3(0, 0, 0.1), 0.5, 0);
  static double push;
  static bool good;
  push = 0, good = true;
  FieldDefinition d;
  d.type = FieldType::User;
  d.evaluate = [](void*, int, int, double* force, double*) {
    force[0] = push;
    return good;
  };
  const int id = add(w, d);
  test::advance(w, 1500);
  CHECK_FALSE(w.bodyAwake(box));
  push = 15;  // more than friction, 9.81 N
  const double from = w.bodyPose(box).p.x();
  test::advance(w, 500);
  CHECK(w.bodyPose(box).p.x() - from == Approx(0.5 * (15 - 0.5 * 2 * 9.81) / 2 * 0.25).epsilon(0.02));
  good = false;
  const double t = w.time();
  CHECK(w.step().kind() == Failure::Argument);
  CHECK(w.time() == t);
  good = true;
  test::advance(w, 1);
  w.destroyField(id);
  CHECK_FALSE(w.fieldAlive(id));
  test::advance(w, 1);
}

TEST_CASE("fields go with their bodies and come with snapshots", "[step][fields]") {
  world::World w(weightless(1e-3));
  const int a = point(w, Vec3(0, 0, 0), Vec3::Zero(), 5), b = point(w, Vec3(1, 0, 0), Vec3(0, 1, 0));
  FieldDefinition d;
  d.strength = 1;
  d.source = a;
  const int radial = add(w, d);
  FieldDefinition drag;
  drag.type = FieldType::Drag;
  drag.linear = 0.1;
  drag.bodies = {b};
  const int air = add(w, drag);
  test::advance(w, 100);
  std::vector<std::uint8_t> saved;
  w.save(saved);
  test::advance(w, 100);
  const std::uint64_t after = w.hash();
  REQUIRE_FALSE(w.restore(saved.data(), saved.size()));
  test::advance(w, 100);
  CHECK(w.hash() == after);
  w.destroyBody(a);
  CHECK_FALSE(w.fieldAlive(radial));
  CHECK(w.fieldAlive(air));
  w.destroyBody(b);
  CHECK_FALSE(w.fieldAlive(air));
}
