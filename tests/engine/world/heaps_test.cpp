// Figures that land on each other: sweeps over their joints' limits and contacts converge slowly. Those that would not settle end early,
// and the dearer ones that follow end at what is enough; nothing sinks deeper for that.
#include <algorithm>

#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

int addPart(world::World& w, int figure, const Vec3& place, geometry::ShapeType type, const Vec3& size, double mass) {
  BodyDefinition d;
  d.pose.p = place;
  const int body = w.createBody(d);
  geometry::Shape shape;
  shape.geometry.type = type;
  shape.geometry.size = size;
  shape.surface = {0.7, 0};
  shape.category = 2u << figure;
  shape.mask = ~shape.category;
  int id = -1;
  REQUIRE_FALSE(w.createShape(body, shape, -1, id));
  REQUIRE_FALSE(w.setBodyMassFromShapes(body, 0, mass));
  return body;
}

// A trunk of 8 kg and four limbs of three links, with limits; parts of one figure pass each other.
void addFigure(world::World& w, int figure, const Vec3& place) {
  const int trunk = addPart(w, figure, place, geometry::ShapeType::Box, Vec3(0.12, 0.08, 0.2), 8);
  for (int limb = 0; limb < 4; limb++) {
    int parent = trunk;
    Vec3 end(limb % 2 ? 0.15 : -0.15, 0, limb / 2 ? 0.2 : -0.2);
    for (int k = 0; k < 3; k++) {
      const Vec3 at = place + Vec3(end.x(), 0, end.z() - 0.2 * k - 0.1);
      const int link = addPart(w, figure, at, geometry::ShapeType::Capsule, Vec3(0.035, 0, 0.06), k == 2 ? 0.4 : 1.5);
      const int joint = test::addJoint(w, k == 0 ? dynamics::JointType::Universal : dynamics::JointType::Revolute, parent, link,
                                       k == 0 ? end : Vec3(0, 0, -0.1), Vec3(0, 0, 0.1));
      for (int a = 0; a < w.jointAxes(joint); a++) {
        dynamics::AxisParameters p;
        p.lower = -0.6;
        p.upper = 0.4;
        p.friction = 0.05;
        REQUIRE_FALSE(w.setAxis(joint, a, p));
      }
      parent = link;
    }
  }
}

struct Landing {
  int sweeps = 0;
  double deepest = 0, risen = -kInf, atRest = 0;  // m; J above the start; m at the end
};

Landing land(double rate) {
  WorldSettings s = test::awake(Stepper::Impulse, rate);
  world::World w(s);
  test::addGround(w, 0.7, 0);
  for (int k = 0; k < 10; k++) addFigure(w, k, Vec3(0.17 * (k % 3), 0.14 * (k % 2), 0.8 + 0.55 * k));
  const double start = test::totalEnergy(w);
  Landing seen;
  for (int k = 0; k < 4 * rate; k++) {
    test::advance(w, 1);
    const Statistics& told = w.statistics();
    seen.sweeps = std::max(seen.sweeps, told.solverIterations);
    seen.deepest = std::max(seen.deepest, told.maxPenetration);
    seen.risen = std::max(seen.risen, test::totalEnergy(w) - start);
  }
  for (const Contact& c : w.contacts()) seen.atRest = std::max(seen.atRest, -c.gap);
  return seen;
}

}  // namespace

TEST_CASE("a heap of figures lands with few sweeps, no deeper and without new energy", "[step][heap]") {
  const WorldSettings defaults;
  for (double rate : {240, 60}) {
    const Landing seen = land(rate);
    CAPTURE(rate, seen.sweeps, seen.deepest, seen.atRest, seen.risen);
    // Three times those of the settings where none end early; five times before.
    CHECK(seen.sweeps <= 2.8 * defaults.solverIterations);
    CHECK(seen.deepest < (rate > 200 ? 5e-3 : 20e-3));
    CHECK(seen.atRest < 5e-3);
    CHECK(seen.risen < 0.002 * 9.81 * 216);  // the first step of a fall: m g^2 h^2 / 2
  }
}
