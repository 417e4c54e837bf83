// Friction of contacts in the world: static and sliding coefficients, torsion, rolling, and the laws that bound it.
#include <cmath>

#include "tests/engine/step/scenes.hpp"

using namespace vertebra;

namespace {

WorldSettings awake() {
  WorldSettings s;
  s.sleeping = false;
  return s;
}
void ground(World& w, const Surface& surface) {
  Shape plane;
  plane.geometry.type = ShapeType::Plane;
  plane.surface = surface;
  int id;
  REQUIRE_FALSE(w.createShape(-1, plane, -1, id));
}
Surface with(double sliding, double sticking = 0, double torsion = 0, double rolling = 0) {
  Surface s;
  s.friction = sliding;
  s.staticFriction = sticking;
  s.torsionalFriction = torsion;
  s.rollingFriction = rolling;
  s.frictionRule = Combine::Minimum;
  return s;
}
Vec3 velocityOf(const World& w, int body, Vec3* spin = nullptr) {
  Vec3 v, s;
  w.bodyTwist(body, v, s);
  if (spin) *spin = s;
  return v;
}

}  // namespace

TEST_CASE("what sticks takes more to move than what slides", "[step]") {
  World w(awake());
  ground(w, with(0.3, 0.6));
  BodyDefinition d;
  d.pose.p = Vec3(0, 0, 0.1);
  d.mass = 2;
  d.inertia = 0.02 * Mat3::Identity();
  const int box = w.createBody(d);
  Shape cube;
  cube.geometry.type = ShapeType::Box;
  cube.geometry.size = Vec3(0.3, 0.3, 0.1);
  cube.surface = with(0.3, 0.6);
  int id;
  REQUIRE_FALSE(w.createShape(box, cube, -1, id));
  test::advance(w, 60);
  const double weight = 2 * 9.81;
  w.addForce(box, Vec3(0.55 * weight, 0, 0), nullptr, true);
  test::advance(w, 240);
  CHECK(std::fabs(velocityOf(w, box).x()) < 1e-3);
  w.addForce(box, Vec3(0.1 * weight, 0, 0), nullptr, true);  // 0.65: it breaks away and then meets 0.3
  test::advance(w, 240);
  CHECK(velocityOf(w, box).x() == Approx((0.65 - 0.3) * 9.81).epsilon(0.05));
}

TEST_CASE("rolling friction stops a ball, torsional friction a top", "[step]") {
  for (Lcp lcp : {Lcp::Pgs, Lcp::Dantzig, Lcp::Jacobi, Lcp::Cg, Lcp::Lemke}) {
    INFO("solver " << static_cast<int>(lcp));
    const double radius = 0.1, rolling = 0.005, torsion = 0.01;
    WorldSettings s = awake();
    s.lcp = lcp;
    World w(s);
    ground(w, with(0.8, 0, torsion, rolling));
    const int ball = test::addBall(w, radius, 1, Vec3(0, 0, radius), 0.8, 0), top = test::addBall(w, radius, 1, Vec3(0, 2, radius), 0.8, 0);
    test::advance(w, 30);
    REQUIRE_FALSE(w.setBodyTwist(ball, Vec3(1, 0, 0), Vec3(0, 10, 0), nullptr));
    REQUIRE_FALSE(w.setBodyTwist(top, Vec3::Zero(), Vec3(0, 0, 10), nullptr));
    const double from = w.bodyPose(ball).p.x();
    test::advance(w, 120);
    // Rolling torque r_r m g against 7/5 m R^2: the speed falls by 5/7 g r_r / R; the top's spin by 5/2 g r_t / R^2.
    Vec3 spin;
    CHECK(velocityOf(w, ball).x() == Approx(1 - 5.0 / 7 * 9.81 * rolling / radius * 0.5).epsilon(0.01));
    (void)velocityOf(w, top, &spin);
    CHECK(spin.z() == Approx(std::max(0.0, 10 - 2.5 * 9.81 * torsion / (radius * radius) * 0.5)).margin(0.05));
    test::advance(w, 1200);
    CHECK(velocityOf(w, ball).norm() < 1e-3);
    CHECK(w.bodyPose(ball).p.x() - from == Approx(0.5 / (5.0 / 7 * 9.81 * rolling / radius)).epsilon(0.02));
    (void)velocityOf(w, top, &spin);
    CHECK(spin.norm() < 1e-3);
  }
}

TEST_CASE("every law of friction brakes a block as its bound says", "[step]") {
  // Sliding along a diagonal of the standard tangents: the cone gives mu g, the fixed pyramid sqrt(2) times that.
  for (ContactFriction law : {ContactFriction::Cone, ContactFriction::Pyramid, ContactFriction::PyramidAlongSliding,
                              ContactFriction::Polyhedral, ContactFriction::Estimated, ContactFriction::Loetstedt}) {
    INFO("law " << static_cast<int>(law));
    WorldSettings s = awake();
    s.frictionLaw = law;
    World w(s);
    test::addGround(w, 0.3, 0);
    const int box = test::addBox(w, Vec3(0.4, 0.4, 0.05), 2, Vec3(0, 0, 0.05), 0.3, 0);
    test::advance(w, 60);
    const Vec3 along = Vec3(1, 1, 0).normalized();
    REQUIRE_FALSE(w.setBodyTwist(box, 2 * along, Vec3::Zero(), nullptr));
    test::advance(w, 60);
    const double slowed = 2 - velocityOf(w, box).dot(along), cone = 0.3 * 9.81 * 0.25;
    const bool box4 = law == ContactFriction::Pyramid || law == ContactFriction::Estimated || law == ContactFriction::Loetstedt;
    CHECK(slowed == Approx(box4 ? std::sqrt(2.0) * cone : cone).epsilon(0.03));
    test::advance(w, 480);
    CHECK(velocityOf(w, box).norm() < 2e-3);
  }
}
