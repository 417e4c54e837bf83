// Surfaces of meshes: normals by crease, every triangle kept; and which meshes are closed.
#include <cmath>

#include "tests/support.hpp"
#include "viewer/closed.hpp"
#include "viewer/surface.hpp"

using namespace vertebra::viewer;

namespace {

struct Mesh {
  std::vector<double> vertices;
  std::vector<std::uint32_t> triangles;
};

// Edges of 2, about the origin; seen from outside.
Mesh cube() {
  Mesh mesh;
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) mesh.vertices.push_back(i >> k & 1 ? 1 : -1);
  const std::uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces)
    for (const std::uint32_t i : {f[0], f[1], f[2], f[0], f[2], f[3]}) mesh.triangles.push_back(i);
  return mesh;
}

// Radius 1, without its caps.
Mesh band(std::uint32_t rings, std::uint32_t sides) {
  Mesh mesh;
  for (std::uint32_t i = 0; i <= rings; i++)
    for (std::uint32_t j = 0; j < sides; j++) {
      const double polar = 0.3 + 2.5 * i / rings, angle = 2 * M_PI * j / sides;
      for (const double x : {std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle), std::cos(polar)})
        mesh.vertices.push_back(x);
    }
  for (std::uint32_t i = 0; i < rings; i++)
    for (std::uint32_t j = 0; j < sides; j++) {
      const std::uint32_t a = i * sides + j, b = i * sides + (j + 1) % sides, c = a + sides, d = b + sides;
      for (const std::uint32_t v : {a, c, d, a, d, b}) mesh.triangles.push_back(v);
    }
  return mesh;
}

const osg::Vec3Array& normalsOf(const osg::Geometry& geometry) { return static_cast<const osg::Vec3Array&>(*geometry.getNormalArray()); }
const osg::Vec3Array& pointsOf(const osg::Geometry& geometry) { return static_cast<const osg::Vec3Array&>(*geometry.getVertexArray()); }

}  // namespace

TEST_CASE("A cube's surface has a normal a face at each corner") {
  const Mesh mesh = cube();
  const auto made = surface(mesh.vertices, mesh.triangles, {1, 0, 0});
  REQUIRE(pointsOf(*made).size() == 24);
  for (std::size_t i = 0; i < 24; i++) {
    const osg::Vec3 n = normalsOf(*made)[i];
    CHECK(std::fabs(std::fabs(n.x()) + std::fabs(n.y()) + std::fabs(n.z()) - 1) < 1e-6);  // along an axis
    CHECK(n * pointsOf(*made)[i] == Approx(1));                                           // outwards
  }
}

TEST_CASE("A round surface keeps one vertex where triangles meet, with the normal of the sphere") {
  const Mesh mesh = band(20, 40);
  const auto made = surface(mesh.vertices, mesh.triangles, {1, 1, 1});
  REQUIRE(pointsOf(*made).size() == mesh.vertices.size() / 3);
  for (std::size_t i = 0; i < pointsOf(*made).size(); i++) CHECK(normalsOf(*made)[i] * pointsOf(*made)[i] > std::cos(0.1));
}

TEST_CASE("Triangles without an area stay in a surface") {
  Mesh mesh = cube();
  for (const std::uint32_t i : {0u, 0u, 1u}) mesh.triangles.push_back(i);
  const auto made = surface(mesh.vertices, mesh.triangles, {1, 1, 1});
  CHECK(made->getPrimitiveSet(0)->getNumIndices() == 39);
  for (const osg::Vec3& n : normalsOf(*made)) CHECK(n.length() == Approx(1));
}

TEST_CASE("A mesh is closed where each edge has a triangle on either side and the outside is outside") {
  const Mesh whole = cube();
  CHECK(isClosed(whole.vertices, whole.triangles));
  Mesh open = whole;
  open.triangles.resize(open.triangles.size() - 3);
  CHECK_FALSE(isClosed(open.vertices, open.triangles));
  Mesh inverted = whole;
  for (std::size_t t = 0; t < inverted.triangles.size(); t += 3) std::swap(inverted.triangles[t], inverted.triangles[t + 1]);
  CHECK_FALSE(isClosed(inverted.vertices, inverted.triangles));
  Mesh mixed = whole;
  std::swap(mixed.triangles[0], mixed.triangles[1]);
  CHECK_FALSE(isClosed(mixed.vertices, mixed.triangles));
  Mesh twice = whole;
  twice.triangles.insert(twice.triangles.end(), whole.triangles.begin(), whole.triangles.end());
  CHECK_FALSE(isClosed(twice.vertices, twice.triangles));
  CHECK_FALSE(isClosed({}, {}));
  const Mesh tube = band(4, 8);
  CHECK_FALSE(isClosed(tube.vertices, tube.triangles));
}
