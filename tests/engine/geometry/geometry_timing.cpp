// Measured times of the narrow and broad phase, hidden; run with: test_engine_geometry "[.timing]" -s. The figures in comments of the
// sources come from here.
#include <ctime>
#include <iostream>

#include "engine/geometry/broad_phase.hpp"
#include "engine/geometry/collision.hpp"
#include "engine/geometry/mesh_bvh.hpp"
#include "engine/geometry/tessellate.hpp"
#include "tests/engine/geometry/samples.hpp"

using namespace test;

namespace {

template <class F>
double microseconds(int repeats, F&& f) {
  double best = kInf;
  for (int k = 0; k < 5; ++k) {
    std::clock_t start = std::clock();  // processor time: the machine may be shared
    for (int i = 0; i < repeats; ++i) f(i);
    best = std::min(best, 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / repeats);
  }
  return best;
}

}  // namespace

TEST_CASE("time per pair", "[.timing]") {
  const geometry::ShapeType types[] = {geometry::ShapeType::Sphere,   geometry::ShapeType::Capsule, geometry::ShapeType::Box,
                                       geometry::ShapeType::Cylinder, geometry::ShapeType::Convex,  geometry::ShapeType::Plane,
                                       geometry::ShapeType::Mesh};
  const char* names[] = {"sphere", "capsule", "box", "cylinder", "convex", "plane", "mesh"};
  for (int a = 0; a < 5; ++a)
    for (int b = a; b < 7; ++b) {
      for (bool touching : {false, true}) {
        Random r(71);
        std::vector<geometry::Geometry> g;
        std::vector<std::shared_ptr<const geometry::MeshBvh>> trees;
        std::vector<geometry::Collider> colliders;
        g.reserve(256);
        while (colliders.size() < 256) {
          g.push_back(randomGeometry(r, types[a]));
          geometry::Geometry& first = g.back();
          g.push_back(types[b] == geometry::ShapeType::Plane || types[b] == geometry::ShapeType::Mesh
                          ? geometry::Geometry{types[b], {}, {}, {}, {}, {}}
                          : randomGeometry(r, types[b]));
          geometry::Geometry& second = g.back();
          std::shared_ptr<const geometry::MeshBvh> tree;
          if (types[b] == geometry::ShapeType::Mesh) {
            second.mesh = boxMesh({2, 2, 0.01});
            tree = geometry::makeMeshBvh(*second.mesh);
          }
          Pose pa{{0, 0, 0}, randomRotation(r)}, pb;
          double reach = width(first, pa, Vec3::UnitZ());
          if (types[b] == geometry::ShapeType::Plane || types[b] == geometry::ShapeType::Mesh) {
            pa.p.z() = width(first, pa, -Vec3::UnitZ()) + (touching ? -0.002 : 0.005);
          } else {  // gap or depth about right along one direction
            pb.q = randomRotation(r);
            pb.p.z() = reach + width(second, pb, -Vec3::UnitZ());
            double distance = signedDistance(first, pa, second, pb, r);
            for (int k = 0; k < 20; ++k) {
              pb.p.z() -= distance - (touching ? -0.002 : 0.005);
              distance = signedDistance(first, pa, second, pb, r);
              if (std::abs(distance - (touching ? -0.002 : 0.005)) < 1e-3) break;
            }
          }
          trees.push_back(tree);
          colliders.emplace_back(first, pa);
          colliders.emplace_back(second, pb, tree.get());
        }
        geometry::Manifold m;
        int points = 0;
        double us = microseconds(20000, [&](int i) {
          int k = 2 * (i % 128);
          geometry::collide(colliders[k], colliders[k + 1], 0.01, m);
          points += m.count;
        });
        std::cout << names[a] << '-' << names[b] << (touching ? " touching " : " apart ") << us << " us, " << points / 100000.0
                  << " points\n";
      }
    }
}

TEST_CASE("time of resting pairs", "[.timing]") {
  geometry::Geometry slab{geometry::ShapeType::Box, {2, 2, 0.2}, {}, {}, {}, {}},
      box{geometry::ShapeType::Box, {0.5, 0.4, 0.3}, {}, {}, {}, {}}, can{geometry::ShapeType::Cylinder, {0.3, 0, 0.3}, {}, {}, {}, {}};
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k) corners.push_back({k & 1 ? .5 : -.5, k & 2 ? .4 : -.4, k & 4 ? .3 : -.3});
  geometry::Geometry hull = convex(corners);
  auto time = [](const char* name, const geometry::Geometry& top, const geometry::Geometry& bottom, double height) {
    for (double gap : {-1e-3, 1e-3}) {
      geometry::Collider a(top, {{0.1, 0.05, height + gap}, quatFromRpy(1e-5, 2e-5, 0.3)}), b(bottom, {});
      geometry::Manifold m;
      double us = microseconds(20000, [&](int) { geometry::collide(a, b, 0.01, m); });
      std::cout << name << (gap < 0 ? " penetrating " : " apart ") << us << " us, " << m.count << " points\n";
    }
  };
  time("box on box", box, slab, 0.5);
  time("equal boxes", box, box, 0.6);
  time("can on box", can, slab, 0.5);
  time("hull on box", hull, slab, 0.5);
  time("hull on hull", hull, hull, 0.6);
  time("can on can", can, can, 0.6);
}

TEST_CASE("time of the broad phase", "[.timing]") {
  for (int n : {1000, 10000}) {
    Random r(72);
    int side = static_cast<int>(std::lround(std::cbrt(n)));
    std::vector<geometry::Aabb> boxes;
    geometry::Geometry box;
    box.type = geometry::ShapeType::Box;
    box.size = {0.5, 0.5, 0.5};
    for (int i = 0; i < n; ++i) {
      const int row = i / side, layer = row / side;
      Vec3 c(i % side, row % side, layer);
      boxes.push_back(geometry::bounds(box, {1.02 * c + randomVector(r, 0.05), quatExp(randomVector(r, 0.3))}, 0.01));
    }
    boxes.push_back({Vec3::Constant(-kInf), {kInf, kInf, 0.3}});
    const std::vector<std::uint8_t> passive(boxes.size(), 0);
    geometry::BroadPhase broad;
    double us = microseconds(200000 / n, [&](int) { broad.search(boxes.data(), passive.data(), static_cast<int>(boxes.size())); });
    std::cout << "broad phase, pile of " << n << ": " << us << " us, " << broad.pairs().size() << " pairs\n";
  }
}
