// Values that objects share: equal ones are one, others are not, and a change of one object leaves the others as they are.
#include <set>

#include "engine/geometry/shape.hpp"
#include "engine/state/shared.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

struct Value {
  double number = 0;
  std::shared_ptr<int> holds;
  bool operator==(const Value& o) const { return number == o.number; }
  std::uint64_t hash() const { return Hash()(number > 500 ? 500 : number).value(); }  // collides above 500
};

}  // namespace

TEST_CASE("equal values are kept once, unused ones are let go") {
  SharedValues<Value> values;
  std::vector<Shared<Value>> kept;
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < 1000; i++) kept.push_back(values.keep({static_cast<double>(i), nullptr}));
  std::set<const Value*> places;
  for (const Shared<Value>& v : kept) places.insert(&*v);
  CHECK(places.size() == 1000);
  for (int i = 0; i < 1000; i++) {
    REQUIRE(&*kept[i] == &*kept[2000 + i]);
    REQUIRE(kept[i]->number == i);
  }
  const auto held = std::make_shared<int>(7);
  {
    int completed = 0;
    const auto complete = [&](Value&) { completed++; };
    const Shared<Value> a = values.keep({-1, held}, complete), b = values.keep({-1, nullptr}, complete);
    CHECK(&*a == &*b);
    CHECK(completed == 1);
    CHECK(held.use_count() == 2);
  }
  CHECK(held.use_count() == 1);
  for (int i = 0; i < 100000; i++) (void)values.keep({1e6 + i, nullptr});  // all with one hash: none is in use when the next one comes
  CHECK(&*values.keep({999, nullptr}) == &*kept[999]);
  CHECK(&*Shared<Value>() == &*Shared<Value>());
}

TEST_CASE("bodies, shapes and joints that begin alike change apart") {
  world::World w{WorldSettings()};
  int body[3], shape[3], joint[2];
  for (int& b : body) b = test::addBox(w, Vec3(0.1, 0.2, 0.3), 2, Vec3(&b - body, 0, 1), 0.5, 0);
  for (int i = 0; i < 3; i++) {
    geometry::Shape ball;
    ball.geometry.type = geometry::ShapeType::Sphere;
    ball.geometry.size = Vec3(0.1, 0, 0);
    REQUIRE_FALSE(w.createShape(body[i], ball, -1, shape[i]));
  }
  for (int i = 0; i < 2; i++)
    joint[i] = test::addJoint(w, dynamics::JointType::Spherical, body[i], body[i + 1], Vec3(0.5, 0, 0), Vec3(-0.5, 0, 0));

  geometry::Surface slippery;
  slippery.friction = 0.01;
  w.setShapeSurface(shape[1], slippery);
  w.setShapeFilter(shape[2], 4, 8);
  CHECK(w.shape(shape[0]).surface.friction == geometry::Surface().friction);
  CHECK(w.shape(shape[1]).surface.friction == 0.01);
  CHECK(w.shape(shape[2]).surface.friction == geometry::Surface().friction);
  CHECK(w.shape(shape[0]).category == 1);
  CHECK(w.shape(shape[1]).mask == 0xffffffffu);
  CHECK((w.shape(shape[2]).category == 4 && w.shape(shape[2]).mask == 8));

  REQUIRE_FALSE(w.setBodyMass(body[1], 5, Vec3(0.01, 0, 0), Vec3(1, 2, 3).asDiagonal()));
  double mass = 0;
  Vec3 com;
  Mat3 inertia;
  for (int i = 0; i < 3; i++) {
    w.bodyMass(body[i], mass, com, inertia);
    CHECK(mass == (i == 1 ? 5 : 2));
    CHECK(com.x() == (i == 1 ? 0.01 : 0));
  }
  dynamics::AxisParameters p = w.axis(joint[0], 2);
  p.damping = 3;
  REQUIRE_FALSE(w.setAxis(joint[0], 2, p));
  REQUIRE_FALSE(w.setSwingTwist(joint[1], 0.5, -1, 1));
  CHECK(w.axis(joint[0], 2).damping == 3);
  CHECK(w.axis(joint[0], 1).damping == 0);
  CHECK(w.axis(joint[1], 2).damping == 0);
  CHECK(w.joint(joint[0]).swing == kInf);
  CHECK(w.joint(joint[1]).swing == 0.5);
  CHECK((w.joint(joint[1]).a == body[1] && w.joint(joint[1]).b == body[2]));
}

TEST_CASE("a world that becomes planar measures from where its bodies are then") {
  world::World w{WorldSettings()};
  const int body = test::addBox(w, Vec3(0.1, 0.1, 0.1), 1, Vec3(1, 2, 3), 0.5, 0);
  WorldSettings s = w.settings();
  s.planar = true;
  REQUIRE_FALSE(w.setSettings(s));
  CHECK(w.bodyCreated(body).p == Vec3(1, 2, 3));
  test::advance(w, 10);
  CHECK(w.bodyCreated(body).p == Vec3(1, 2, 3));
}
