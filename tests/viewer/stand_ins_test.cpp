// What a view shows where a world gives little to see: boxes in place of bodies without shapes, and the ground below height fields.
#include <cmath>
#include <string>
#include <vector>

#include <vertebra_view.h>

#include "tests/support.hpp"

namespace {

struct Shown {
  vtb_world* world = nullptr;
  vtb_view* view = nullptr;

  Shown() {
    REQUIRE(vtb_world_create(nullptr, &world) == VTB_OK);
    vtb_view_def def;
    REQUIRE(vtb_view_def_init(&def, sizeof def) == VTB_OK);
    def.width = def.height = 16;
    REQUIRE(vtb_view_create(&def, &view) == VTB_OK);
  }
  ~Shown() {
    vtb_view_destroy(view);
    vtb_world_destroy(world);
  }

  // The parts of moving bodies.
  std::vector<vtb_view_part> parts() const {
    REQUIRE(vtb_view_push(view, world) == VTB_OK);
    size_t total = 0;
    REQUIRE(vtb_view_get_parts(view, nullptr, 0, &total) == VTB_OK);
    std::vector<vtb_view_part> all(total);
    if (total == 0) return all;
    all[0].struct_size = sizeof(vtb_view_part);
    REQUIRE(vtb_view_get_parts(view, all.data(), total, &total) == VTB_OK);
    std::erase_if(all, [](const vtb_view_part& part) { return part.body.bits == 0; });
    return all;
  }

  vtb_body add(double mass, const double (&inertia)[6]) const {
    vtb_body_def def;
    REQUIRE(vtb_body_def_init(&def, sizeof def) == VTB_OK);
    def.mass = mass;
    std::copy_n(inertia, 6, def.inertia);
    def.com[2] = 0.5;
    vtb_body body{};
    REQUIRE(vtb_body_create(world, &def, &body) == VTB_OK);
    return body;
  }
};

struct Extent {
  double lower[3] = {1e9, 1e9, 1e9}, upper[3] = {-1e9, -1e9, -1e9}, area = 0;  // m, m^2 outwards
};

Extent extentOf(vtb_view* view, const vtb_view_part& part) {
  std::vector<float> v(3 * part.vertices), n(3 * part.vertices);
  std::vector<std::uint32_t> t(3 * part.triangles);
  REQUIRE(vtb_view_get_part_mesh(view, part.part, v.data(), n.data(), t.data()) == VTB_OK);
  Extent extent;
  for (std::size_t i = 0; i < v.size(); i++) {
    extent.lower[i % 3] = std::min(extent.lower[i % 3], double{v[i]});
    extent.upper[i % 3] = std::max(extent.upper[i % 3], double{v[i]});
  }
  for (std::size_t i = 0; i < t.size(); i += 3)
    for (std::size_t k = 0; k < 3; k++) {  // normals stand on the triangles
      const std::size_t y = (k + 1) % 3, z = (k + 2) % 3;
      const auto way = [&](std::size_t corner, std::size_t axis) {
        return double{v[3 * t[i + corner] + axis]} - double{v[3 * t[i] + axis]};
      };
      extent.area += 0.5 * (way(1, y) * way(2, z) - way(1, z) * way(2, y)) * double{n[3 * t[i] + k]};
    }
  return extent;
}

}  // namespace

TEST_CASE("a body without a shape shows as the box with its mass and inertia, until it gets one") {
  const Shown shown;
  const double a = 0.4, b = 0.2, c = 0.1, m = 2;
  const vtb_body body = shown.add(m, {m / 3 * (b * b + c * c), 0, 0, m / 3 * (a * a + c * c), 0, m / 3 * (a * a + b * b)});
  auto parts = shown.parts();
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].body.bits == body.bits);
  CHECK(parts[0].shown == 1);
  const Extent box = extentOf(shown.view, parts[0]);
  const double half[3] = {a, b, c};
  for (int k = 0; k < 3; k++) {
    const double centre = k == 2 ? 0.5 : 0;
    CHECK(box.lower[k] == Approx(centre - half[k]).margin(1e-6));
    CHECK(box.upper[k] == Approx(centre + half[k]).margin(1e-6));
  }
  CHECK(box.area == Approx(8 * (a * b + b * c + c * a)).epsilon(1e-6));
  vtb_shape_def def;
  REQUIRE(vtb_shape_def_init(&def, sizeof def) == VTB_OK);
  def.type = VTB_SHAPE_TYPE_SPHERE;
  def.size[0] = 0.3;
  vtb_shape ball{};
  REQUIRE(vtb_shape_create(shown.world, body, &def, &ball) == VTB_OK);
  parts = shown.parts();
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].triangles > 12);
  REQUIRE(vtb_shape_destroy(shown.world, ball) == VTB_OK);
  CHECK(shown.parts().size() == 1);
  REQUIRE(vtb_body_destroy(shown.world, body) == VTB_OK);
  CHECK(shown.parts().empty());
}

TEST_CASE("points and rods are wide enough to be seen") {
  const Shown shown;
  shown.add(1, {0, 0, 0, 0, 0, 0});
  const vtb_body rod = shown.add(1, {0, 0, 0, 1.0 / 3, 0, 1.0 / 3});  // 2 m along x
  const double far[7] = {0, 10, 0, 0, 0, 0, 1};
  REQUIRE(vtb_body_set_pose(shown.world, rod, far, nullptr) == VTB_OK);
  const auto parts = shown.parts();
  REQUIRE(parts.size() == 2);
  for (const vtb_view_part& part : parts) {
    const Extent box = extentOf(shown.view, part);
    for (int k = 0; k < 3; k++) CHECK(box.upper[k] - box.lower[k] == Approx(part.body.bits == rod.bits && k == 0 ? 2 : 0.16).epsilon(1e-5));
    CHECK(box.area > 0);
  }
}

TEST_CASE("links show as boxes where a figure has neither shapes nor visuals") {
  const auto linksShown = [](const std::string& visual) {
    const std::string inertial = "<inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial>";
    const std::string text =
        "<robot name='r'><link name='a'>" + inertial + visual + "</link><link name='b'>" + inertial +
        "</link><joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint></robot>";
    const Shown shown;
    vtb_figure_def def;
    REQUIRE(vtb_figure_def_init(&def, sizeof def) == VTB_OK);
    REQUIRE(vtb_skeleton_parse_urdf(text.data(), text.size(), "text", nullptr, nullptr, &def.skeleton) == VTB_OK);
    def.base = VTB_BASE_FLOATING;
    vtb_figure figure{};
    REQUIRE(vtb_figure_create(shown.world, &def, &figure) == VTB_OK);
    const std::size_t count = shown.parts().size();
    vtb_skeleton_release(const_cast<vtb_skeleton*>(def.skeleton));
    return count;
  };
  CHECK(linksShown("") == 2);
  CHECK(linksShown("<visual><geometry><sphere radius='0.1'/></geometry></visual>") == 1);
}

TEST_CASE("the ground lies below height fields of a world without a level plane") {
  const Shown shown;
  const double heights[9] = {0, -0.4, 0.2, 0.1, 0, 0.3, -0.1, 0.2, 0};
  vtb_shape_def def;
  REQUIRE(vtb_shape_def_init(&def, sizeof def) == VTB_OK);
  def.type = VTB_SHAPE_TYPE_HEIGHTFIELD;
  def.size[0] = def.size[1] = 1;
  def.geometry.heights = heights;
  def.geometry.height_rows = def.geometry.height_columns = 3;
  vtb_shape field{}, plane{};
  REQUIRE(vtb_shape_create(shown.world, {}, &def, &field) == VTB_OK);
  shown.parts();
  int32_t seen = 0;
  double height = 9;
  REQUIRE(vtb_view_get_ground(shown.view, &seen, &height) == VTB_OK);
  CHECK(height <= -0.4 + 1e-12);
  REQUIRE(vtb_shape_def_init(&def, sizeof def) == VTB_OK);
  def.type = VTB_SHAPE_TYPE_PLANE;
  REQUIRE(vtb_shape_create(shown.world, {}, &def, &plane) == VTB_OK);
  shown.parts();
  REQUIRE(vtb_view_get_ground(shown.view, &seen, &height) == VTB_OK);
  CHECK(height == 0);
}
