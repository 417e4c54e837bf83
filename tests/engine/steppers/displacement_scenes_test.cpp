// Scenes under the stepper `displacement`: contacts, ropes, cloth, soft bodies (Waterson 7, 10).
#include <cmath>
#include <vector>

#include "engine/math/rotation.hpp"
#include "tests/engine/steppers/displacement.hpp"

using namespace vertebra;

TEST_CASE("displacement: a box rests, and on a slope sticks or slides as Coulomb says", "[step]") {
  for (double slope : {0.0, 0.3, 0.45, 0.6}) {
    WorldSettings s = test::displacementSettings();
    s.gravity = 9.81 * Vec3(std::sin(slope), 0, -std::cos(slope));
    world::World w(s);
    geometry::Shape ground;
    ground.geometry.type = geometry::ShapeType::Plane;
    ground.surface.friction = 0.4;
    ground.surface.staticFriction = 0.5;
    int id;
    REQUIRE_FALSE(w.createShape(-1, ground, -1, id));
    const int box = test::addBox(w, Vec3(0.2, 0.2, 0.05), 1, Vec3(0, 0, 0.05), 0, 0);
    w.setShapeSurface(id + 1, ground.surface);
    test::advance(w, 240);
    Vec3 v, omega;
    w.bodyTwist(box, v, omega);
    const bool sticks = std::tan(slope) < 0.5;
    INFO("slope " << slope << " v " << v.transpose() << " p " << w.bodyPose(box).p.transpose());
    CHECK(std::fabs(w.bodyPose(box).p.z() - 0.05) < 1e-6);
    if (sticks)
      CHECK(w.bodyPose(box).p.head<2>().norm() < 1e-5);
    else
      CHECK(v.x() == Approx(9.81 * (std::sin(slope) - 0.4 * std::cos(slope))).epsilon(1e-3));
  }
}

TEST_CASE("displacement: a tower of ten stands, and boxes made half inside each other part slowly", "[step]") {
  WorldSettings s = test::displacementSettings();
  s.solverIterations = 50;
  s.solverTolerance = 1e-5;
  world::World w(s);
  test::addGround(w, 0.6, 0);
  std::vector<int> tower;
  for (int i = 0; i < 10; i++) tower.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(0.003 * i, 0, 0.1 + 0.2 * i), 0.5, 0));
  const int inside = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(2, 0, 0.1), 0.5, 0);
  const int above = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(2.003, 0, 0.2), 0.5, 0);
  double parting = 0, trembling = 0;
  for (int i = 0; i < 1200; i++) {
    test::advance(w, 1);
    Vec3 v, omega;
    for (int b : {inside, above}) {
      w.bodyTwist(b, v, omega);
      parting = std::max(parting, v.norm());
    }
    w.bodyTwist(tower[9], v, omega);
    if (i > 240) trembling = std::max(trembling, v.norm());
  }
  INFO("parting " << parting << " trembling " << trembling << " top " << w.bodyPose(tower[9]).p.transpose());
  CHECK(parting < 1.01);
  CHECK(w.bodyPose(above).p.z() == Approx(0.3).margin(1e-3));
  CHECK(w.bodyPose(tower[9]).p.z() > 1.895);
  CHECK(trembling < 0.1);
  CHECK(w.statistics().maxPenetration < 0.11);
}

TEST_CASE("displacement: a ball bounces to the height its restitution says", "[step]") {
  for (double e : {0.0, 0.5, 0.9}) {
    world::World w(test::displacementSettings(1e-3));
    test::addGround(w, 0.5, e);
    const int ball = test::addBall(w, 0.1, 1, Vec3(0, 0, 1.1), 0.5, e);
    double top = 0.1;
    bool up = false;
    for (int i = 0; i < 1300; i++) {
      test::advance(w, 1);
      Vec3 v, omega;
      w.bodyTwist(ball, v, omega);
      up |= v.z() > 0.1;
      if (up) top = std::max(top, w.bodyPose(ball).p.z());
    }
    INFO("e " << e << " top " << top);
    CHECK(top - 0.1 == Approx(e * e).margin(0.01));
  }
}

// Waterson's fig. 1: an impact at a step of 1/30 s neither tears a chain nor makes it diverge, whatever the speed to the last digit. The
// ball and the floor whip the chain about at 90 rad/s, 3 rad a step; steps made whole tear it at most of these speeds. Of 120 speeds one
// gains energy as the chain whips on, which docs/notes/known_gaps.md names.
TEST_CASE("displacement: strong impacts at large steps stay stable", "[step]") {
  int gained = 0;
  for (int k = 0; k < 12; k++) {
    WorldSettings s = test::displacementSettings(1.0 / 30);
    s.solverIterations = 30;
    s.adaptiveSubsteps = WorldSettings().adaptiveSubsteps;
    world::World w(s);
    test::addGround(w, 0.6, 0);
    std::vector<int> joints;
    int last = -1;
    for (int i = 0; i < 6; i++) {
      const int body = test::addSolid(w, geometry::ShapeType::Capsule, Vec3(0.05, 0, 0.1), 1, Vec3(0, 0, 2.5 - 0.3 * i), 0.5, 0);
      if (last >= 0) joints.push_back(test::addJoint(w, dynamics::JointType::Spherical, last, body, Vec3(0, 0, -0.15), Vec3(0, 0, 0.15)));
      last = body;
    }
    const int ball = test::addBall(w, 0.2, 20, Vec3(-1, 0, 1.5), 0.5, 0);
    REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(30 + 0.01 * k, 0, 0), Vec3::Zero(), nullptr));
    const double start = w.energy().kinetic + w.energy().potential;
    double gap = 0, torn = 0, most = 0;  // late; at all; kinetic and potential energy
    for (int i = 0; i < 300; i++) {
      test::advance(w, 1);
      for (int j : joints) torn = std::max(torn, test::jointGap(w, j));
      if (i > 120)
        for (int j : joints) gap = std::max(gap, test::jointGap(w, j));
      most = std::max(most, w.energy().kinetic + w.energy().potential);
    }
    INFO("speed " << 30 + 0.01 * k << " gap " << gap << " torn " << torn << " energy " << most << " of " << start);
    CHECK(torn < 0.05);
    CHECK(gap < 0.01);
    CHECK(most < 2 * start);
    gained += most > start + 2;
  }
  CHECK(gained < 2);
}

// Waterson's fig. 6: the middle node goes straight to the place that the rope's length gives. With two links it goes along one, then the
// other.
TEST_CASE("displacement: three nodes and their total length need one sweep", "[step]") {
  double aside[2], left[2];
  const double a = 0.5, deep = 0.6;  // the ends are 1 m apart, the rope is as long as one with a sag of 0.5
  const double length = 2 * std::sqrt(a * a + 0.25), before = 2 * std::sqrt(a * a + deep * deep) - length;
  for (bool whole : {false, true}) {
    WorldSettings s = test::displacementSettings();
    s.gravity.setZero();
    s.solverIterations = 1;
    world::World w(s);
    BodyDefinition d;
    d.pose.p = Vec3(0, 0, -deep);
    const int node = w.createBody(d);
    if (whole) {
      UserConstraintDefinition c;
      c.measure = PointMeasure::Length;
      c.pointBodies = {-1, node, -1};
      c.points = {Vec3(-a, 0, 0), Vec3::Zero(), Vec3(a, 0, 0)};
      c.value = length;
      int id = -1;
      REQUIRE_FALSE(w.createConstraint(c, id));
    } else {
      for (double end : {-a, a}) {
        JointDefinition link;
        link.constraint = ConstraintType::Distance;
        link.b = node;
        link.frameA.p = Vec3(end, 0, 0);
        int id = -1;
        REQUIRE_FALSE(w.createJoint(link, id));
        dynamics::AxisParameters p = w.axis(id, 0);
        p.lower = p.upper = 0.5 * length;
        REQUIRE_FALSE(w.setAxis(id, 0, p));
      }
    }
    test::advance(w, 1);
    const Vec3 p = w.bodyPose(node).p;
    aside[whole] = std::fabs(p.x());
    left[whole] = std::fabs((p - Vec3(-a, 0, 0)).norm() + (p - Vec3(a, 0, 0)).norm() - length);
    // Newton's step of the length over the depth, which is one sweep.
    if (whole) CHECK(p.z() == Approx(-deep + before / (2 * deep / std::sqrt(a * a + deep * deep))).epsilon(1e-12));
  }
  INFO("aside " << aside[0] << " " << aside[1] << " left " << left[0] << " " << left[1] << " of " << before);
  CHECK(aside[1] < 1e-12);
  CHECK(aside[0] > 1e-3);
  CHECK(left[1] < 0.05 * before);
}

TEST_CASE("a rope's total length and a tetrahedron's volume hold under every stepper", "[step]") {
  double softError[2][2] = {};
  for (bool refined : {false, true})
    for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Displacement, Stepper::Spook, Stepper::Ode})
      for (PointMeasure measure : {PointMeasure::Length, PointMeasure::Volume}) {
        const bool soft = stepper == Stepper::Spook;
        const int parts = refined ? 4 : 1;
        if (refined && !soft) continue;
        WorldSettings s = test::displacementSettings(1e-3 / parts);
        s.stepper = stepper;
        world::World w(s);
        UserConstraintDefinition c;
        c.measure = measure;
        test::Random random(7);
        double before = 0;
        const int count = measure == PointMeasure::Length ? 5 : 4;
        for (int k = 0; k < count; k++) {
          BodyDefinition d;
          d.pose.p =
              measure == PointMeasure::Length ? Vec3(0.3 * k, 0.05 * (k % 2), 0) : Vec3(0.2 * (k == 1), 0.2 * (k == 2), 0.2 * (k == 3));
          d.mass = 0.5 + 0.1 * k;
          d.velocity = Vec3(0.3 * k, -0.2 * k * k, 0.5 * (k % 3));
          c.pointBodies.push_back(w.createBody(d));
          c.points.push_back(Vec3(0.02, 0.01 * k, 0));
        }
        int id = -1;
        REQUIRE_FALSE(w.createConstraint(c, id));
        auto measured = [&] {
          Vec3 p[5];
          for (int k = 0; k < count; k++) p[k] = w.bodyPose(c.pointBodies[k]) * c.points[k];
          if (measure == PointMeasure::Volume) return (p[1] - p[0]).dot((p[2] - p[0]).cross(p[3] - p[0])) / 6;
          double sum = 0;
          for (int k = 1; k < count; k++) sum += (p[k] - p[k - 1]).norm();
          return sum;
        };
        before = measured();
        Vec3 momentum, angular, later, laterAngular;
        w.momentum(momentum, angular);
        // Initial velocities that violate the joint: every stepper but SPOOK removes them at once. SPOOK's first step follows them, and the
        // error decays with the relaxation time tau, down to tau h / 2 times the change of direction of the bodies' paths.
        double worst = 0, first = 0;
        for (int i = 0; i < 500 * parts; i++) {
          test::advance(w, 1);
          const double error = std::fabs(measured() / before - 1);
          if (soft && i < 15 * s.spookRelaxation / s.timeStep)
            first = std::max(first, error);
          else
            worst = std::max(worst, error);
        }
        w.momentum(later, laterAngular);
        INFO("stepper " << static_cast<int>(stepper) << " measure " << static_cast<int>(measure) << " worst " << worst << " first "
                        << first);
        CHECK(worst < (soft ? 5e-4 / parts : 1e-6));
        CHECK(first < 5e-3 / parts);
        if (soft) softError[measure == PointMeasure::Volume][refined] = worst;
        const double weight = 9.81 * (0.5 * count + 0.05 * count * (count - 1));
        CHECK((later - momentum + 0.5 * weight * Vec3::UnitZ()).norm() < 1e-9);
        CHECK(std::fabs(w.constraintForces(id)[0]) > 1e-3);
      }
  for (const double(&error)[2] : softError) CHECK(error[1] < 0.4 * error[0]);
}

// Waterson's fig. 7: 400 nodes, 8 sweeps, g = 100 m/s^2; the total length of each row and column of links besides the links.
TEST_CASE("displacement: the total length rows of a cloth take its error below 0.6", "[step]") {
  const int n = 20;
  const double spacing = 0.1;
  for (bool corners : {false, true}) {  // hangs by one edge, or by its four corners
    double error[2];
    for (bool whole : {false, true}) {
      WorldSettings s = test::displacementSettings(1.0 / 60);
      s.gravity = Vec3(0, 0, -100);
      s.solverIterations = 8;
      s.solverTolerance = 0;
      world::World w(s);
      std::vector<int> nodes, links;
      for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
          BodyDefinition d;
          d.mass = 0.05;
          d.pose.p = Vec3(c * spacing, r * spacing, 0);
          if (corners ? (r % (n - 1) == 0 && c % (n - 1) == 0) : r == 0) d.kind = BodyKind::Static;
          nodes.push_back(w.createBody(d));
        }
      for (int i = 0; i < n * n; i++)
        for (int to : {i % n + 1 < n ? i + 1 : -1, i + n < n * n ? i + n : -1}) {
          if (to < 0) continue;
          JointDefinition d;
          d.constraint = ConstraintType::Distance;
          d.a = nodes[i];
          d.b = nodes[to];
          int id = -1;
          if (w.bodyKind(d.a) == BodyKind::Static && w.bodyKind(d.b) == BodyKind::Static) continue;
          REQUIRE_FALSE(w.createJoint(d, id));
          links.push_back(id);
        }
      for (int line = 0; whole && line < 2 * n; line++) {
        UserConstraintDefinition d;
        d.measure = PointMeasure::Length;
        bool moves = false;
        for (int k = 0; k < n; k++) {
          d.pointBodies.push_back(nodes[line < n ? line * n + k : k * n + line - n]);
          d.points.push_back(Vec3::Zero());
          moves |= w.bodyKind(d.pointBodies.back()) == BodyKind::Dynamic;
        }
        int id = -1;
        if (moves) REQUIRE_FALSE(w.createConstraint(d, id));
      }
      error[whole] = 0;
      for (int i = 0; i < 60; i++) {
        test::advance(w, 1);
        for (int link : links)
          if (i >= 30)
            error[whole] +=
                std::fabs((w.bodyPose(w.joint(link).a).p - w.bodyPose(w.joint(link).b).p).norm() - spacing) / (30.0 * links.size());
      }
    }
    INFO("corners " << corners << ": " << error[0] << " m without, " << error[1] << " with");
    CHECK(error[1] < 0.6 * error[0]);
  }
}

// Waterson 8: a nonlinear force inside the sweeps. A body on a penalty contact sinks to the depth that the contact's law gives for its
// weight.
TEST_CASE("displacement: penalty contacts, linear and Hertzian, carry a weight at their depth", "[step]") {
  for (bool hertz : {false, true}) {
    world::World w(test::displacementSettings());
    geometry::Shape ground;
    ground.geometry.type = geometry::ShapeType::Plane;
    ground.surface.stiffness = hertz ? 1e6 : 5000;
    ground.surface.damping = hertz ? 0.5 : 50;
    ground.surface.hertz = hertz;
    int id = -1;
    REQUIRE_FALSE(w.createShape(-1, ground, -1, id));
    const int ball = test::addBall(w, 0.1, 2, Vec3(0, 0, 0.12), 0.5, 0);
    test::advance(w, 1500);
    const double depth = hertz ? std::pow(2 * 9.81 / 1e6, 2.0 / 3) : 2 * 9.81 / 5000;
    INFO("hertz " << hertz << ": " << 0.1 - w.bodyPose(ball).p.z() << " expected " << depth);
    CHECK(0.1 - w.bodyPose(ball).p.z() == Approx(depth).epsilon(1e-3));
  }
}

TEST_CASE("displacement: rolling friction stops a ball, torsional friction a top", "[step]") {
  const double radius = 0.1, rolling = 0.005, torsion = 0.01;
  world::World w(test::displacementSettings());
  geometry::Shape plane;
  plane.geometry.type = geometry::ShapeType::Plane;
  plane.surface.friction = 0.8;
  plane.surface.torsionalFriction = torsion;
  plane.surface.rollingFriction = rolling;
  int id;
  REQUIRE_FALSE(w.createShape(-1, plane, -1, id));
  const int ball = test::addBall(w, radius, 1, Vec3(0, 0, radius), 0.8, 0), top = test::addBall(w, radius, 1, Vec3(0, 2, radius), 0.8, 0);
  test::advance(w, 30);
  REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(1, 0, 0), Vec3(0, 10, 0), nullptr));
  REQUIRE_FALSE(w.setBodyTwist(top, Vec3::Zero(), Vec3(0, 0, 10), nullptr));
  test::advance(w, 60);
  // As under the other steppers: the ball slows by 5/7 g r_r / R, the top by 5/2 g r_t / R^2.
  Vec3 v, omega;
  w.bodyTwist(ball, v, omega);
  CHECK(v.x() == Approx(1 - 5.0 / 7 * 9.81 * rolling / radius * 0.25).epsilon(0.02));
  w.bodyTwist(top, v, omega);
  CHECK(omega.z() == Approx(10 - 2.5 * 9.81 * torsion / (radius * radius) * 0.25).margin(0.1));
}

// A ball deep in damped Hertzian ground, in one step: the impulse is l = h k d^1.5 max(0, 1 - c u) at the depth d and the speed u of the
// step's end, however large the damping.
TEST_CASE("displacement: a damped Hertzian contact finds its implicit force", "[step]") {
  for (double damping : {1.0, 10.0, 100.0}) {
    const double h = 1.0 / 240, k = 1e5, in = 2, start = 0.002;
    WorldSettings s = test::displacementSettings(h);
    s.gravity.setZero();
    world::World w(s);
    geometry::Shape plane;
    plane.geometry.type = geometry::ShapeType::Plane;
    plane.surface.stiffness = k;
    plane.surface.damping = damping;
    plane.surface.hertz = true;
    int id;
    REQUIRE_FALSE(w.createShape(-1, plane, -1, id));
    const int ball = test::addBall(w, 0.1, 1, Vec3(0, 0, 0.1 - start), 0, 0);
    REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(0, 0, -in), Vec3::Zero(), nullptr));
    test::advance(w, 1);
    double low = 0, high = in;  // of the impulse
    for (int i = 0; i < 100; i++) {
      const double l = 0.5 * (low + high), u = l - in, d = std::max(0.0, start - h * u);
      (h * k * d * std::sqrt(d) * std::max(0.0, 1 - damping * u) > l ? low : high) = l;
    }
    Vec3 v, omega;
    w.bodyTwist(ball, v, omega);
    INFO("damping " << damping << ": " << v.z() << " of " << low - in);
    CHECK(v.z() == Approx(low - in).margin(1e-6));
    CHECK(w.statistics().solverIterations < 30);
  }
}
