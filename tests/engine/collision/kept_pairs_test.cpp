// The broad phase keeps its pairs from step to step, without those that may not touch. Edits that let bodies touch are seen by the next
// step: it finds what the same step finds after a restored snapshot, which searches for all pairs again.
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

struct Found {
  std::vector<std::array<double, 3>> contacts;  // shapes, gap
  int pairs = 0;
  bool operator==(const Found&) const = default;
};

Found step(world::World& w) {
  w.resetStatistics();
  test::advance(w, 1);
  Found found;
  found.pairs = w.statistics().pairs;
  for (const Contact& c : w.contacts()) found.contacts.push_back({double(c.shapeA), double(c.shapeB), c.gap});
  return found;
}

struct Scene {
  explicit Scene(std::uint64_t seed) : r(seed), w(test::awake(Stepper::Impulse, 240)) {
    test::addGround(w, 0.5, 0);
    for (int i = 0; i < 12; i++) bodies.push_back(add(Vec3(0.15 * (i % 4), 0.15 * (i / 4), 0.1)));
  }
  int add(const Vec3& p) {
    const int body = r.unit() < 0.5 ? test::addBall(w, 0.09, 1, p, 0.5, 0) : test::addBox(w, Vec3(0.08, 0.08, 0.08), 1, p, 0.5, 0);
    return body;
  }
  int shapeOf(int body) const {
    for (int s = 0;; s++)
      if (w.shapeAlive(s) && w.shapeBody(s) == body) return s;
  }
  int any() { return bodies[static_cast<std::size_t>(r.below(static_cast<int>(bodies.size())))]; }

  void edit(int kind) {
    const int a = any();
    int b = any();
    while (b == a) b = any();
    switch (kind) {
      case 0:
        return w.setShapeFilter(shapeOf(a), 1, r.unit() < 0.5 ? ~0u : 0u);
      case 1:
        return w.setPairCollides(a, b, r.unit() < 0.7);
      case 2:
        REQUIRE_FALSE(w.setBodyKind(a, r.unit() < 0.7 ? BodyKind::Dynamic : r.unit() < 0.5 ? BodyKind::Static : BodyKind::Kinematic));
        return;
      case 3:
        REQUIRE_FALSE(w.setBodyEnabled(a, r.unit() < 0.7));
        return;
      case 4:  // the new body takes the slots of the old one
        w.destroyBody(a);
        *std::find(bodies.begin(), bodies.end(), a) = add(Vec3(r.range(0, 0.5), r.range(0, 0.4), 0.25));
        return;
      case 5:
        if (joint >= 0 && w.jointAlive(joint)) {
          w.destroyJoint(joint);
        } else if (w.bodyKind(a) == BodyKind::Dynamic && w.bodyKind(b) == BodyKind::Dynamic) {
          JointDefinition d;
          d.type = dynamics::JointType::Spherical;
          d.a = a;
          d.b = b;
          d.bodiesCollide = false;
          d.asTheyStand = true;
          REQUIRE_FALSE(w.createJoint(d, joint));
        }
        return;
      default: {
        const geometry::Shape old = w.shape(shapeOf(a));
        w.destroyShape(shapeOf(a));
        geometry::Shape made = old;
        made.mask = ~0u;
        int id;
        REQUIRE_FALSE(w.createShape(b, made, -1, id));  // b has two, a none
        w.destroyShape(id);
        REQUIRE_FALSE(w.createShape(a, made, -1, id));
      }
    }
  }

  test::Random r;
  world::World w;
  std::vector<int> bodies;
  int joint = -1;
};

}  // namespace

TEST_CASE("after any edit a step finds the contacts that a search of all pairs finds", "[collision]") {
  int contacts = 0;
  for (std::uint64_t seed = 1; seed <= 8; seed++) {
    Scene s(seed);
    test::advance(s.w, 30);
    for (int i = 0; i < 150; i++) {
      const int kind = s.r.below(7);
      s.edit(kind);
      std::vector<std::uint8_t> bytes;
      s.w.save(bytes);
      const Found kept = step(s.w);
      REQUIRE_FALSE(s.w.restore(bytes.data(), bytes.size()));
      const Found fresh = step(s.w);
      INFO("seed " << seed << ", edit " << i << " of kind " << kind << ": pairs " << kept.pairs << " and " << fresh.pairs);
      REQUIRE(kept == fresh);
      contacts += static_cast<int>(kept.contacts.size());
      test::advance(s.w, s.r.below(3));
    }
  }
  CHECK(contacts > 8 * 150 * 10);
}
