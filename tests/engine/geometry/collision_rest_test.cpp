// What a resting body needs of a manifold: enough points, spread over the contact area, with features that survive small motions.
#include <set>

#include "engine/geometry/collision.hpp"
#include "tests/engine/geometry/samples.hpp"

using namespace test;

namespace {

geometry::Geometry make(geometry::ShapeType type, const Vec3& size) {
  geometry::Geometry g;
  g.type = type;
  g.size = size;
  return g;
}

geometry::Geometry hullBox(const Vec3& h) {
  std::vector<Vec3> p;
  for (int k = 0; k < 8; ++k) p.push_back({k & 1 ? h.x() : -h.x(), k & 2 ? h.y() : -h.y(), k & 4 ? h.z() : -h.z()});
  return convex(p);
}

std::set<std::uint32_t> features(const geometry::Manifold& m) {
  std::set<std::uint32_t> s;
  for (int i = 0; i < m.count; ++i) s.insert(m.points[i].feature);
  return s;
}

// Whether the vertical through `x` passes through the polygon of contact points (any order, at most 4).
bool carries(const geometry::Manifold& m, const Vec3& x) {
  for (int k = 0; k < 16; ++k) {  // no half-plane through x leaves all points on one side
    Vec3 d(std::cos(k * kPi / 8), std::sin(k * kPi / 8), 0);
    double most = -kInf;
    for (int i = 0; i < m.count; ++i) most = std::max(most, d.dot(m.points[i].position - x));
    if (most < 1e-9) return false;
  }
  return true;
}

struct Rest {
  const char* name;
  geometry::Geometry top, bottom;
  double height;  // of the top's centre when it just touches
  int points;
  Quat turn = Quat::Identity();
};

std::vector<Rest> rests() {
  geometry::Geometry box = make(geometry::ShapeType::Box, {0.5, 0.4, 0.3}), slab = make(geometry::ShapeType::Box, {2, 2, 0.2}),
                     plane = make(geometry::ShapeType::Plane, {0, 0, 0});
  geometry::Geometry can = make(geometry::ShapeType::Cylinder, {0.3, 0, 0.4}), rod = make(geometry::ShapeType::Capsule, {0.1, 0, 0.5});
  geometry::Geometry hull = hullBox({0.5, 0.4, 0.3}), hullSlab = hullBox({2, 2, 0.2});
  Quat lying = quatFromRpy(kPi / 2, 0, 0), yawed = quatFromRpy(0, 0, 0.6);
  return {{"box on plane", box, plane, 0.3, 4},
          {"box on box", box, slab, 0.5, 4},
          {"turned box on box", box, slab, 0.5, 4, yawed},
          {"equal boxes", box, box, 0.6, 4},
          {"turned equal boxes", box, box, 0.6, 4, yawed},
          {"hull on plane", hull, plane, 0.3, 4},
          {"hull on hull", hull, hullSlab, 0.5, 4},
          {"hull on box", hull, slab, 0.5, 4},
          {"box on hull", box, hullSlab, 0.5, 4},
          {"can on plane", can, plane, 0.4, 4},
          {"can on box", can, slab, 0.6, 4},
          {"can on hull", can, hullSlab, 0.6, 4},
          {"can on can", can, can, 0.8, 4},
          {"lying can on box", can, slab, 0.5, 2, lying},
          {"lying can on plane", can, plane, 0.3, 2, lying},
          {"lying rod on plane", rod, plane, 0.1, 2, lying},
          {"lying rod on box", rod, slab, 0.3, 2, lying},
          {"lying rod on hull", rod, hullSlab, 0.3, 2, lying}};
}

}  // namespace

TEST_CASE("resting manifolds carry the weight, apart and in penetration, and keep their ids") {
  Random r(51);
  for (const Rest& rest : rests())
    for (double gap : {-1e-3, -1e-6, 1e-6, 1e-3}) {
      INFO(rest.name << " gap " << gap);
      geometry::Collider bottom(rest.bottom, {});
      Pose pose{{0, 0, rest.height + gap}, rest.turn};
      geometry::Manifold m;
      geometry::collide(geometry::Collider(rest.top, pose), bottom, 0.01, m);
      CHECK(m.count == rest.points);
      if (rest.points == 4) CHECK(carries(m, pose.p));
      for (int i = 0; i < m.count; ++i) {
        CHECK(m.points[i].gap == Approx(gap).margin(1e-8));
        CHECK((m.points[i].normal + Vec3::UnitZ()).norm() < 1e-6);
      }
      if (rest.points == 2) CHECK((m.points[0].position - m.points[1].position).norm() > 0.7);
      std::set<std::uint32_t> ids = features(m);
      CHECK(static_cast<int>(ids.size()) == m.count);
      int kept = 0;
      for (int trial = 0; trial < 50; ++trial) {
        Pose moved{pose.p + randomVector(r, 1e-7), pose.q * quatExp(randomVector(r, 1e-7))};
        geometry::collide(geometry::Collider(rest.top, moved), bottom, 0.01, m);
        kept += features(m) == ids;
      }
      CHECK(kept == 50);
    }
}

TEST_CASE("equal tower of boxes: ids survive tilts of 1e-4 and sliding") {
  Random r(52);
  geometry::Geometry box = make(geometry::ShapeType::Box, {0.5, 0.5, 0.5});
  std::set<std::uint32_t> ids;
  for (int trial = 0; trial < 200; ++trial) {
    Pose pose{{0.05 + r.range(-0.01, 0.01), 0.03 + r.range(-0.01, 0.01), 1 + r.range(-2e-4, 2e-4)},
              quatExp(Vec3(r.range(-1e-4, 1e-4), r.range(-1e-4, 1e-4), 0.01))};
    geometry::Manifold m;
    geometry::collide(geometry::Collider(box, pose), geometry::Collider(box, {}), 0.01, m);
    REQUIRE(m.count == 4);
    if (trial == 0) ids = features(m);
    CHECK(features(m) == ids);
  }
}

TEST_CASE("edges laid along each other touch along a line") {
  geometry::Geometry box = make(geometry::ShapeType::Box, {0.5, 0.5, 1}), rod = make(geometry::ShapeType::Capsule, {0.1, 0, 1});
  // The rod along the box's vertical edge, pushed in diagonally.
  double d = std::sqrt(0.5) * (std::sqrt(0.5) + 0.1 + 1e-4);
  geometry::Manifold m;
  geometry::collide(geometry::Collider(rod, {{d, d, 0.5}, Quat::Identity()}), geometry::Collider(box, {}), 0.01, m);
  REQUIRE(m.count == 2);
  CHECK(m.points[0].gap == Approx(1e-4).margin(1e-9));
  CHECK((m.points[0].position - m.points[1].position).norm() == Approx(1.5));
  // Two parallel capsules side by side; crossed ones meet in one point.
  geometry::collide(geometry::Collider(rod, {{0.2005, 0, 0.3}, Quat::Identity()}), geometry::Collider(rod, {}), 0.01, m);
  REQUIRE(m.count == 2);
  CHECK((m.points[0].position - m.points[1].position).norm() == Approx(1.7));
  geometry::collide(geometry::Collider(rod, {{0.2005, 0, 0.3}, quatFromRpy(1, 0, 0)}), geometry::Collider(rod, {}), 0.01, m);
  CHECK(m.count == 1);
}
