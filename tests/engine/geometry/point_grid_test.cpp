// The grid over points against the sum over all pairs.
#include "engine/geometry/point_grid.hpp"

#include <set>

#include "tests/support.hpp"

using namespace vertebra;

TEST_CASE("a grid visits all near pairs once, and all points in a box", "[geometry][grid]") {
  std::uint64_t state = 7;
  auto random = [&](double most) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return most * (2 * static_cast<double>(state >> 11) * 0x1p-53 - 1);
  };
  geometry::PointGrid grid;
  for (int n : {0, 1, 2, 40, 700})
    for (double spread : {0.1, 1.0, 40.0, 1e9}) {
      std::vector<Vec3> points;
      for (int i = 0; i < n; i++) {
        const double x = random(spread), y = random(spread), z = random(spread);
        points.push_back({x, y, i % 3 ? z : 0.3 * z});
      }
      grid.build(points, 0.5);
      std::set<std::pair<int, int>> told;
      grid.eachPair([&](int i, int k) {
        CHECK(i != k);
        CHECK(told.insert(std::minmax(i, k)).second);
      });
      for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
          if ((points[i] - points[k]).norm() < 0.5) CHECK(told.count({i, k}) == 1);
      for (double half : {0.2, 3.0, 1e6}) {
        const Vec3 lo(-half, -0.5 * half, -half), hi(half, half, 0.7 * half);
        std::set<int> in;
        grid.eachIn(lo, hi, [&](int i) { CHECK(in.insert(i).second); });
        for (int i = 0; i < n; i++)
          if ((points[i].array() >= lo.array()).all() && (points[i].array() <= hi.array()).all()) CHECK(in.count(i) == 1);
      }
    }
}
