// Narrow phase of every pair of types on random poses: the gap against an independent signed distance, and the invariances.
#include "engine/geometry/collision.hpp"

#include "tests/engine/geometry/samples.hpp"

using namespace test;

namespace {

const geometry::ShapeType kSolids[] = {geometry::ShapeType::Sphere, geometry::ShapeType::Capsule, geometry::ShapeType::Box,
                                       geometry::ShapeType::Cylinder, geometry::ShapeType::Convex};

const geometry::ContactPoint* deepest(const geometry::Manifold& m) {
  const geometry::ContactPoint* best = nullptr;
  for (int i = 0; i < m.count; ++i)
    if (!best || m.points[i].gap < best->gap) best = &m.points[i];
  return best;
}

struct Scene {
  geometry::Geometry a, b;
  Pose pa, pb;
};

// About half of them touch, half are apart by less than the shapes' size; some are aligned with each other.
Scene randomScene(Random& r, geometry::ShapeType ta, geometry::ShapeType tb, int i) {
  Scene s{randomGeometry(r, ta), randomGeometry(r, tb), {randomVector(r, 3), randomRotation(r)}, {}};
  s.pb = {s.pa.p + r.range(0.2, 1.9) * randomUnit(r), randomRotation(r)};
  if (i % 4 == 0) s.pb.q = s.pa.q;
  if (i % 4 == 1) {
    Vec3 turn = Vec3::Unit(r.below(3)) * (r.below(4) * kPi / 2);
    s.pb.q = s.pa.q * quatExp(turn);
    if (i % 8 == 1) s.pb.p = s.pa.p + s.pa.q * Vec3(Vec3::Unit(r.below(3)) * r.range(0.2, 1.9));
  }
  return s;
}

// A contact is valid: both surface points are in their shapes and no point of the shapes lies beyond the two planes.
void checkGeometry(const Scene& s, const geometry::Manifold& m, double margin) {
  for (int i = 0; i < m.count; ++i) {
    const geometry::ContactPoint& c = m.points[i];
    REQUIRE(c.normal.norm() == Approx(1).epsilon(1e-12));
    REQUIRE(c.gap < margin);
    for (int k = 0; k < i; ++k) CHECK(m.points[k].feature != c.feature);
    Vec3 onA = c.position - c.normal * (c.gap / 2), onB = c.position + c.normal * (c.gap / 2);
    Random r(7);
    for (int k = 0; k < 60; ++k) {
      Vec3 n = randomUnit(r);
      CHECK(n.dot(onA) <= width(s.a, s.pa, n) + 2e-2);
      CHECK(n.dot(onB) <= width(s.b, s.pb, n) + 2e-2);
    }
  }
}

}  // namespace

TEST_CASE("gaps agree with the signed distance for every pair of convex shapes") {
  Random r(41);
  const double margin = 0.6;
  for (geometry::ShapeType ta : kSolids)
    for (geometry::ShapeType tb : kSolids) {
      int contacts = 0, penetrating = 0;
      for (int i = 0; i < 60; ++i) {
        Scene s = randomScene(r, ta, tb, i);
        geometry::Manifold m;
        geometry::collide(geometry::Collider(s.a, s.pa), geometry::Collider(s.b, s.pb), margin, m);
        double distance = signedDistance(s.a, s.pa, s.b, s.pb, r);
        const geometry::ContactPoint* c = deepest(m);
        INFO("types " << static_cast<int>(ta) << ' ' << static_cast<int>(tb) << " trial " << i << " distance " << distance);
        if (!c) {
          CHECK(distance > margin - 1e-6);
          continue;
        }
        ++contacts;
        penetrating += c->gap < 0;
        checkGeometry(s, m, margin);
        // Both numbers are separations along some direction, so neither can exceed the true distance, their maximum: the engine's must be
        // as large as the search's and must equal that along its own normal. Deep round shapes: a polytope of 160 points at most.
        CHECK(c->gap > distance - 3e-5 - 2e-4 * std::max(0.0, -distance));
        double along = -width(s.b, s.pb, -c->normal) - width(s.a, s.pa, c->normal);
        CHECK(along == Approx(c->gap).margin(3e-5));
      }
      CHECK(contacts > 25);
      CHECK(penetrating > 5);
    }
}

TEST_CASE("planes: the lowest points of every convex shape") {
  Random r(42);
  geometry::Geometry plane;
  plane.type = geometry::ShapeType::Plane;
  for (geometry::ShapeType type : kSolids)
    for (int i = 0; i < 200; ++i) {
      geometry::Geometry g = randomGeometry(r, type);
      Pose ground{randomVector(r, 1), i % 2 ? randomRotation(r) : Quat(Quat::Identity())};
      Vec3 up = ground.q * Vec3::UnitZ();
      Pose pose{ground.p + ground.q * Vec3(r.range(-3, 3), r.range(-3, 3), r.range(-0.2, 1.5)), randomRotation(r)};
      if (i % 5 == 0) pose.q = ground.q;
      double lowest = -width(g, pose, -up) - up.dot(ground.p), margin = 0.3;
      geometry::Manifold m, swapped;
      geometry::collide(geometry::Collider(g, pose), geometry::Collider(plane, ground), margin, m);
      geometry::collide(geometry::Collider(plane, ground), geometry::Collider(g, pose), margin, swapped);
      REQUIRE(swapped.count == m.count);
      if (lowest > margin + 1e-9) CHECK(m.count == 0);
      if (lowest > margin - 1e-9) continue;
      REQUIRE(m.count > 0);
      CHECK(m.count <= (type == geometry::ShapeType::Convex ? geometry::Manifold::kCapacity : 4));
      CHECK(deepest(m)->gap == Approx(lowest).margin(1e-9));
      for (int k = 0; k < m.count; ++k) {
        const geometry::ContactPoint& c = m.points[k];
        CHECK((c.normal + up).norm() < 1e-12);
        CHECK((swapped.points[k].normal - up).norm() < 1e-12);
        CHECK(up.dot(c.position - ground.p) == Approx(c.gap / 2).margin(1e-9));
      }
    }
}

TEST_CASE("contacts move with the shapes and mirror with their order") {
  Random r(43);
  for (geometry::ShapeType ta : kSolids)
    for (geometry::ShapeType tb : kSolids)
      for (int i = 0; i < 20; ++i) {
        Scene s = randomScene(r, ta, tb, 2 + 4 * i);
        geometry::Manifold m, moved, swapped;
        geometry::collide(geometry::Collider(s.a, s.pa), geometry::Collider(s.b, s.pb), 0.3, m);
        geometry::collide(geometry::Collider(s.b, s.pb), geometry::Collider(s.a, s.pa), 0.3, swapped);
        Pose rigid{randomVector(r, 100), randomRotation(r)};
        geometry::collide(geometry::Collider(s.a, rigid * s.pa), geometry::Collider(s.b, rigid * s.pb), 0.3, moved);
        INFO("types " << static_cast<int>(ta) << ' ' << static_cast<int>(tb) << " trial " << i);
        REQUIRE((m.count > 0) == (swapped.count > 0));
        REQUIRE((m.count > 0) == (moved.count > 0));
        if (m.count == 0) continue;
        const geometry::ContactPoint *c = deepest(m), *d = deepest(moved), *e = deepest(swapped);
        CHECK(d->gap == Approx(c->gap).margin(1e-6));
        CHECK(e->gap == Approx(c->gap).margin(3e-5));
        CHECK((rigid.q * c->normal - d->normal).norm() < 1e-3);
        CHECK((c->normal + e->normal).norm() < 1e-3);
      }
}

TEST_CASE("the same call twice gives the same bits; far from the origin precision stays") {
  Random r(44);
  for (geometry::ShapeType ta : kSolids)
    for (geometry::ShapeType tb : kSolids) {
      Scene s = randomScene(r, ta, tb, 2);
      geometry::Manifold m, n;
      geometry::collide(geometry::Collider(s.a, s.pa), geometry::Collider(s.b, s.pb), 2, m);
      geometry::collide(geometry::Collider(s.b, s.pb), geometry::Collider(s.a, s.pa), 2, n);  // something in between
      geometry::collide(geometry::Collider(s.a, s.pa), geometry::Collider(s.b, s.pb), 2, n);
      REQUIRE(m.count > 0);
      REQUIRE(m.count == n.count);
      for (int i = 0; i < m.count; ++i) {
        CHECK(m.points[i].gap == n.points[i].gap);
        CHECK(m.points[i].position == n.points[i].position);
        CHECK(m.points[i].feature == n.points[i].feature);
      }
      Vec3 far(1e5, -2e5, 3e5);
      Pose pa{s.pa.p + far, s.pa.q}, pb{s.pb.p + far, s.pb.q};
      geometry::collide(geometry::Collider(s.a, pa), geometry::Collider(s.b, pb), 2, n);
      REQUIRE(n.count > 0);
      CHECK(deepest(n)->gap == Approx(deepest(m)->gap).margin(1e-8));
    }
}

TEST_CASE("the effort of a search for contacts is that of its distances and penetrations") {
  const auto effort = [](geometry::ShapeType ta, geometry::ShapeType tb, double apart) {
    geometry::Geometry a, b;
    a.type = ta;
    b.type = tb;
    a.size = b.size = {0.5, 0.5, 0.5};
    geometry::Manifold m;
    m.effort = 7;
    geometry::collide(geometry::Collider(a, {}), geometry::Collider(b, {{apart, 0, 0}, Quat::Identity()}), 0.01, m);
    return m.effort;
  };
  using geometry::ShapeType;
  CHECK(effort(ShapeType::Sphere, ShapeType::Sphere, 0) == 0);  // a closed form
  CHECK(effort(ShapeType::Cylinder, ShapeType::Cylinder, 3) == 1);
  CHECK(effort(ShapeType::Cylinder, ShapeType::Cylinder, 0) > 500);  // as deep in all directions
}

TEST_CASE("degenerate poses: same centre, same pose, needles, NaN") {
  Random r(45);
  for (geometry::ShapeType ta : kSolids)
    for (geometry::ShapeType tb : kSolids) {
      geometry::Geometry a = randomGeometry(r, ta), b = randomGeometry(r, tb);
      for (const Pose& pb : {Pose{}, Pose{{0, 0, 0}, quatFromRpy(0.3, 0.2, 0.1)}, Pose{{0, 0, 1e-12}, Quat::Identity()}}) {
        geometry::Manifold m;
        geometry::collide(geometry::Collider(a, {}), geometry::Collider(b, pb), 0.01, m);
        INFO("types " << static_cast<int>(ta) << ' ' << static_cast<int>(tb));
        REQUIRE(m.count > 0);
        const geometry::ContactPoint* c = deepest(m);
        CHECK(c->gap < 0);
        CHECK(c->normal.allFinite());
        CHECK(c->position.allFinite());
        double along = -width(b, pb, -c->normal) - width(a, {}, c->normal);
        CHECK(along == Approx(c->gap).margin(1e-4));
        CHECK(c->gap > signedDistance(a, {}, b, pb, r) - 2e-3);  // concentric round shapes fill EPA's arrays before convergence
      }
      geometry::Manifold m;
      m.count = 3;
      geometry::collide(geometry::Collider(a, {}), geometry::Collider(b, {{std::nan(""), 0, 0}, Quat::Identity()}), 0.01, m);
      CHECK(m.count == 0);
    }
  // A needle on a plate.
  geometry::Geometry needle, plate;
  needle.type = plate.type = geometry::ShapeType::Box;
  needle.size = {1e-3, 1e-3, 1};
  plate.size = {2, 2, 1e-3};
  for (int i = 0; i < 50; ++i) {
    Pose pose{{r.range(-1, 1), r.range(-1, 1), r.range(0, 1)}, randomRotation(r)};
    geometry::Manifold m;
    geometry::collide(geometry::Collider(needle, pose), geometry::Collider(plate, {}), 0.05, m);
    double distance = signedDistance(needle, pose, plate, {}, r);
    if (m.count == 0)
      CHECK(distance > 0.05 - 1e-6);
    else
      CHECK(deepest(m)->gap > distance - 1e-5);
  }
}
