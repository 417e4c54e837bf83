// The farthest of many points along a direction, against all of them one by one.
#include "engine/geometry/point_tree.hpp"

#include <catch2/catch.hpp>

#include "tests/engine/geometry/samples.hpp"

using namespace vertebra;
using namespace vertebra::geometry;

TEST_CASE("a tree of points finds the farthest one, of equal ones the first", "[geometry][points]") {
  test::Random random(11);
  for (const int count : {1, 16, 17, 1000, 5000}) {
    std::vector<Vec3> points;
    std::vector<double> radii;
    for (int i = 0; i < count; i++) {
      points.push_back(i % 7 == 6 ? points[static_cast<std::size_t>(i / 2)]
                                  : Vec3(random.range(-1, 1), random.range(-2, 2), 0.5 * (i % 5)));
      radii.push_back(i % 7 == 6 ? radii[static_cast<std::size_t>(i / 2)] : random.range(0, 0.3));
    }
    const PointTree bare(points), balls(points, radii);
    for (int k = 0; k < 200; k++) {
      const Vec3 d =
          k < 6 ? Vec3(k % 2 ? -1.0 : 1.0, 0, 0) : Vec3(random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)).normalized();
      int best[2] = {0, 0};
      for (int i = 0; i < count; i++)
        for (int ball = 0; ball < 2; ball++) {
          const auto along = [&](int at) {
            return d.dot(points[static_cast<std::size_t>(at)]) + (ball ? radii[static_cast<std::size_t>(at)] : 0);
          };
          if (along(i) > along(best[ball])) best[ball] = i;
        }
      REQUIRE(bare.support(d) == best[0]);
      REQUIRE(balls.support(d) == best[1]);
    }
  }
}
