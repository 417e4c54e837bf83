// Convex hulls: the defining properties by brute force, merged faces, half-spaces, rejected input.
#include "engine/geometry/convex_hull.hpp"

#include <set>

#include "engine/geometry/bounds.hpp"
#include "engine/geometry/gjk.hpp"
#include "tests/engine/geometry/samples.hpp"

using namespace test;

namespace {

void checkHull(const geometry::ConvexHull& h, const std::vector<Vec3>& points, double size) {
  CHECK(static_cast<int>(h.vertices.size()) - static_cast<int>(h.edges.size()) + static_cast<int>(h.faces.size()) == 2);
  Vec3 centre = Vec3::Zero();
  for (const Vec3& v : h.vertices) centre += v / static_cast<double>(h.vertices.size());
  size_t corners = 0;
  for (size_t f = 0; f < h.faces.size(); ++f) {
    CHECK(h.normals[f].norm() == Approx(1));
    for (const Vec3& p : points) REQUIRE(h.normals[f].dot(p) <= h.offsets[f] + 1e-6 * size);
    REQUIRE(h.normals[f].dot(centre) < h.offsets[f]);
    const auto& loop = h.faces[f];
    corners += loop.size();
    for (size_t k = 0; k < loop.size(); ++k) {
      Vec3 a = h.vertices[loop[k]], b = h.vertices[loop[(k + 1) % loop.size()]], c = h.vertices[loop[(k + 2) % loop.size()]];
      CHECK(std::abs(h.normals[f].dot(a) - h.offsets[f]) < 1e-6 * size);
      CHECK((b - a).cross(c - b).dot(h.normals[f]) > -1e-9 * size * size);  // counter-clockwise and convex
    }
  }
  CHECK(corners == 2 * h.edges.size());
  for (const auto& [a, b] : h.edges) {
    const auto& n = h.neighbours[a];
    CHECK(std::find(n.begin(), n.end(), b) != n.end());
  }
  size_t degree = 0;
  for (const auto& n : h.neighbours) degree += n.size();
  CHECK(degree == 2 * h.edges.size());
  for (const Vec3& v : h.vertices) {  // input points, unchanged
    bool found = false;
    for (const Vec3& p : points) found = found || p == v;
    CHECK(found);
  }
}

std::vector<Vec3> cube(double h) {
  std::vector<Vec3> p;
  for (int k = 0; k < 8; ++k) p.push_back({k & 1 ? h : -h, k & 2 ? h : -h, k & 4 ? h : -h});
  return p;
}

}  // namespace

TEST_CASE("hulls of random points at any scale and place") {
  Random r(11);
  for (int i = 0; i < 60; ++i) {
    double size = std::pow(10.0, r.range(-4, 4));
    Vec3 place = randomVector(r, 10 * size);
    std::vector<Vec3> points;
    int n = 4 + r.below(300);
    for (int k = 0; k < n; ++k) points.push_back(place + (i % 2 ? Vec3(size * randomUnit(r)) : randomVector(r, size)));
    geometry::ConvexHull h;
    REQUIRE(geometry::makeConvexHull(points, h) == "");
    checkHull(h, points, size);
  }
}

TEST_CASE("coplanar triangles merge: a cube with points all over its faces has six squares") {
  std::vector<Vec3> points = cube(1);
  Random r(12);
  for (int k = 0; k < 200; ++k) {
    Vec3 p = randomVector(r, 1);
    p[k % 3] = k % 2 ? 1 : -1;
    points.push_back(p);
  }
  for (int noise = 0; noise < 2; ++noise) {
    geometry::ConvexHull h;
    REQUIRE(geometry::makeConvexHull(points, h) == "");
    CHECK(h.faces.size() == 6);
    CHECK(h.vertices.size() == 8);
    CHECK(h.edges.size() == 12);
    checkHull(h, points, 1);
    Pose pose{{3, 4, 5}, randomRotation(r)};
    for (Vec3& p : points) p = (pose * p).cast<float>().cast<double>();  // rotated and rounded as STL files are
  }
}

TEST_CASE("a finely divided cylinder keeps two large caps") {
  std::vector<Vec3> points;
  for (int k = 0; k < 64; ++k)
    for (double z : {-0.5, 0.5}) points.push_back({std::cos(2 * kPi * k / 64), std::sin(2 * kPi * k / 64), z});
  geometry::ConvexHull h;
  REQUIRE(geometry::makeConvexHull(points, h) == "");
  CHECK(h.faces.size() == 66);
  checkHull(h, points, 1);
}

TEST_CASE("half-spaces: cube, redundant planes, random polytopes") {
  std::vector<geometry::HalfSpace> planes;
  for (int k = 0; k < 3; ++k)
    for (double s : {-1.0, 1.0}) planes.push_back({s * 3 * Vec3::Unit(k), 3 * (2 + s * (k + 1))});  // not unit, not about the origin
  planes.push_back({Vec3(1, 1, 1), 100});
  geometry::ConvexHull h;
  REQUIRE(geometry::makeConvexHull(planes, h) == "");
  CHECK(h.faces.size() == 6);
  for (const Vec3& v : h.vertices)
    for (int k = 0; k < 3; ++k) CHECK(std::min(std::abs(v[k] - (3 + k)), std::abs(v[k] + (1 - k))) < 1e-9);

  Random r(13);
  for (int i = 0; i < 40; ++i) {
    Vec3 place = randomVector(r, 5);
    planes.clear();
    int n = 8 + r.below(40);
    for (int k = 0; k < n; ++k) {
      Vec3 normal = randomUnit(r);
      planes.push_back({normal, normal.dot(place) + r.range(0.5, 1.5)});
    }
    geometry::ConvexHull polytope;
    std::string error = geometry::makeConvexHull(planes, polytope);
    if (!error.empty()) {
      CHECK_THAT(error, Catch::Contains("bounded"));
      continue;
    }
    for (const Vec3& v : polytope.vertices) {
      int touching = 0;
      for (const geometry::HalfSpace& p : planes) {
        REQUIRE(p.normal.dot(v) <= p.offset + 1e-6);
        touching += p.normal.dot(v) > p.offset - 1e-6;
      }
      CHECK(touching >= 3);
    }
  }
}

TEST_CASE("inputs without a hull are refused in words and leave the output alone") {
  geometry::ConvexHull h;
  h.vertices.push_back(Vec3::Zero());
  CHECK_THAT(geometry::makeConvexHull(std::vector<Vec3>{}, h), Catch::Contains("at least 4"));
  CHECK_FALSE(geometry::makeConvexHull(std::vector<Vec3>(10, Vec3(1, 2, 3)), h).empty());
  std::vector<Vec3> line, plane;
  for (int k = 0; k < 20; ++k) {
    line.push_back({k * 0.1, 2.0 * k, -k * 1.0});
    plane.push_back({k * 0.37 - (k % 4), std::sin(k), 0.5 * std::sin(k) + 3});
  }
  CHECK_THAT(geometry::makeConvexHull(line, h), Catch::Contains("plane or line"));
  CHECK_THAT(geometry::makeConvexHull(plane, h), Catch::Contains("plane or line"));
  std::vector<Vec3> bad = cube(1);
  bad[3].y() = std::nan("");
  CHECK_THAT(geometry::makeConvexHull(bad, h), Catch::Contains("point 3"));
  bad[3].y() = kInf;
  CHECK_THAT(geometry::makeConvexHull(bad, h), Catch::Contains("not finite"));

  std::vector<geometry::HalfSpace> tube;  // open along z
  for (int k = 0; k < 4; ++k) tube.push_back({Vec3(k == 0 ? 1 : k == 1 ? -1 : 0, k == 2 ? 1 : k == 3 ? -1 : 0, 0), 1});
  CHECK_THAT(geometry::makeConvexHull(tube, h), Catch::Contains("bounded"));
  tube.push_back({Vec3(0, 0, 1), 1});
  CHECK_THAT(geometry::makeConvexHull(tube, h), Catch::Contains("bounded"));
  tube.push_back({Vec3(0, 0, -1), -2});  // z <= 1 and z >= 2
  CHECK_THAT(geometry::makeConvexHull(tube, h), Catch::Contains("interior"));
  tube.back().normal.setZero();
  CHECK_THAT(geometry::makeConvexHull(tube, h), Catch::Contains("half-space 5"));
  CHECK(h.vertices.size() == 1);
}

TEST_CASE("the farthest vertex is found from any start, bounds are those of all vertices, and what is told far apart is at least so far") {
  Random r(17);
  const auto random = [&] {
    std::vector<Vec3> points;
    const int n = 5 + r.below(200), kind = r.below(3);
    const Vec3 size(1, r.range(0.05, 1), r.range(0.05, 1));
    for (int k = 0; k < n; ++k) {
      Vec3 x = kind ? randomUnit(r) : randomVector(r, 1);
      if (kind == 2) x = (4 * x).array().round() / 4;  // faces with many corners
      points.push_back(size.cwiseProduct(x));
    }
    auto hull = std::make_shared<geometry::ConvexHull>();
    REQUIRE(geometry::makeConvexHull(points, *hull).empty());
    return hull;
  };
  for (int i = 0; i < 300; ++i) {
    const auto hull = random(), other = random();
    const Vec3 d = randomVector(r, 3);
    double most = -kInf;
    for (const Vec3& v : hull->vertices) most = std::max(most, v.dot(d));
    for (int start : {-1, r.below(static_cast<int>(hull->vertices.size()))})
      CHECK(hull->vertices[static_cast<size_t>(geometry::supportVertex(*hull, d, start))].dot(d) == Approx(most).margin(1e-12));

    geometry::Geometry g;
    g.type = geometry::ShapeType::Convex;
    g.hull = hull;
    const Pose pose{randomVector(r, 2), Quat(Eigen::AngleAxisd(r.range(0, 3), randomUnit(r)))};
    const geometry::Aabb box = geometry::bounds(g, pose, 0.01);
    Vec3 lo = Vec3::Constant(kInf), hi = Vec3::Constant(-kInf);
    for (const Vec3& v : hull->vertices) lo = lo.cwiseMin(pose * v), hi = hi.cwiseMax(pose * v);
    CHECK((box.lo - lo + Vec3::Constant(0.01)).norm() < 1e-12);
    CHECK((box.hi - hi - Vec3::Constant(0.01)).norm() < 1e-12);

    geometry::ConvexCore a, b;
    a.kind = b.kind = geometry::ConvexCore::Kind::Hull;
    a.hull = hull.get();
    b.hull = other.get();
    b.p = 3 * randomUnit(r);
    geometry::Separation whole, far;
    geometry::gjkDistance(a, b, kInf, whole);
    if (whole.kind != geometry::Separation::Kind::Apart) continue;
    geometry::gjkDistance(a, b, r.range(0, whole.distance), far);
    CHECK(far.kind == geometry::Separation::Kind::Far);
    CHECK(far.distance > 0);
    CHECK(far.distance <= whole.distance * (1 + 1e-9));
  }
}
