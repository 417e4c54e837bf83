// The viewer through its header: a box covers the pixels of its projection, the camera finds it, wrong arguments are refused, a strip is
// written.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include <vertebra_view.h>

#include "tests/support.hpp"

namespace {

constexpr int kSize = 300;
constexpr double kFov = 0.6;

vtb_view* opened(std::uint32_t shown) {
  vtb_view_def def;
  REQUIRE(vtb_view_def_init(&def, sizeof def) == VTB_OK);
  def.width = def.height = kSize;
  def.shown = shown;
  vtb_view* view = nullptr;
  const vtb_status status = vtb_view_create(&def, &view);
  INFO(vtb_view_last_error());
  REQUIRE(status == VTB_OK);
  return view;
}

vtb_world* withBox(double half, double height) {
  vtb_world_def settings;
  vtb_body_def body;
  vtb_shape_def shape;
  vtb_world* world = nullptr;
  vtb_body made{};
  vtb_shape box{};
  REQUIRE(vtb_world_def_init(&settings, sizeof settings) == VTB_OK);
  REQUIRE(vtb_world_create(&settings, &world) == VTB_OK);
  REQUIRE(vtb_body_def_init(&body, sizeof body) == VTB_OK);
  body.pose[2] = height;
  REQUIRE(vtb_body_create(world, &body, &made) == VTB_OK);
  REQUIRE(vtb_shape_def_init(&shape, sizeof shape) == VTB_OK);
  shape.type = VTB_SHAPE_TYPE_BOX;
  const float red[4] = {0.9f, 0.02f, 0.02f, 1};
  for (int k = 0; k < 3; k++) shape.size[k] = half;
  for (int k = 0; k < 4; k++) shape.rgba[k] = red[k];
  REQUIRE(vtb_shape_create(world, made, &shape, &box) == VTB_OK);
  return world;
}

vtb_camera lookingAlongY(double distance, double height) {
  vtb_camera camera{};
  camera.struct_size = sizeof camera;
  camera.position[1] = -distance;
  camera.position[2] = camera.target[2] = height;
  camera.up[2] = 1;
  camera.fov = kFov;
  return camera;
}

int redPixels(const std::vector<std::uint8_t>& pixels) {
  int count = 0;
  for (std::size_t i = 0; i < pixels.size(); i += 3) count += pixels[i] > 2 * pixels[i + 1] && pixels[i] > 2 * pixels[i + 2];
  return count;
}

}  // namespace

TEST_CASE("a box covers the pixels of its projection") {
  vtb_view* view = opened(VTB_VIEW_GROUND | VTB_VIEW_SHADOWS);
  vtb_world* world = withBox(0.4, 1);
  REQUIRE(vtb_view_push(view, world) == VTB_OK);
  const vtb_camera camera = lookingAlongY(5, 1);
  REQUIRE(vtb_view_set_camera(view, &camera) == VTB_OK);
  std::vector<std::uint8_t> pixels(3 * kSize * kSize);
  REQUIRE(vtb_view_draw(view, pixels.data(), pixels.size()) == VTB_OK);
  const double edge = 0.8 / (2 * (5 - 0.4) * std::tan(kFov / 2)) * kSize;  // of the near face, which hides the rest
  CHECK(redPixels(pixels) == Approx(edge * edge).epsilon(0.02));
  double distance = 0;
  const double back[3] = {0, -1, 0}, target[3] = {0, 0, 1};
  REQUIRE(vtb_view_get_distance(view, target, back, kFov, &distance) == VTB_OK);
  CHECK(distance == Approx(0.4 + 0.4 / std::tan(kFov / 2)).epsilon(1e-12));
  CHECK(vtb_view_draw(view, pixels.data(), pixels.size() - 1) == VTB_E_ARG);
  CHECK(vtb_view_push(view, nullptr) == VTB_E_ARG);
  CHECK(vtb_view_set_shown(view, 1u << 20) == VTB_E_ARG);
  CHECK(vtb_view_write_png("/no/such/folder/a.png", pixels.data(), kSize, kSize) == VTB_E_IO);
  vtb_strip* strip = nullptr;
  REQUIRE(vtb_strip_create(kSize, kSize, 2, &strip) == VTB_OK);
  for (int i = 0; i < 3; i++) REQUIRE(vtb_strip_add(strip, pixels.data(), "1.00 s", "") == VTB_OK);
  int32_t pictures = 0, width = 0, height = 0;
  REQUIRE(vtb_strip_get_size(strip, &pictures, &width, &height) == VTB_OK);
  CHECK(pictures == 3);
  CHECK(width == 8 + 2 * (kSize + 8));
  CHECK(height == 8 + 2 * (kSize + 8));
  CHECK(vtb_strip_write(strip, "/no/such/folder/strip.png") == VTB_E_IO);
  vtb_strip_destroy(strip);
  vtb_view_destroy(view);
  vtb_world_destroy(world);
}
