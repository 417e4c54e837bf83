// The functions of vertebra_view.h for views and strips: arguments checked, exceptions turned into statuses with a text.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>

#include "viewer/film_strip.hpp"
#include "viewer/guard.hpp"
#include "viewer/offscreen.hpp"
#include "viewer/view.hpp"

using namespace vertebra::viewer;

namespace {

constexpr std::uint32_t kAllShown = VTB_VIEW_GROUND | VTB_VIEW_SHADOWS | VTB_VIEW_COLLISION | VTB_VIEW_CONTACTS | VTB_VIEW_AXES |
                                    VTB_VIEW_COM | VTB_VIEW_SKELETON | VTB_VIEW_FORCES | VTB_VIEW_LIMITS | VTB_VIEW_INERTIA |
                                    VTB_VIEW_PATHS | VTB_VIEW_SKIN;
constexpr int kLargest = 8192;                           // pixels
constexpr int kFineShadow = 2048, kCoarseShadow = 1024;  // edge of the shadow's picture, pixels: coarse where edges are too, for speed
constexpr double kNear = 0.01, kFar = 100;               // planes of the picture, in distances from eye to target

osg::Vec3d vec(const double* x) { return {x[0], x[1], x[2]}; }

}  // namespace

namespace vertebra::viewer {

std::string& lastError() {
  thread_local std::string text;
  return text;
}

void checkSize(int width, int height) {
  if (width < 1 || width > kLargest || height < 1 || height > kLargest)
    throw Refused(VTB_E_ARG, "a picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels; each from 1 to " +
                                 std::to_string(kLargest));
}

void checkShown(std::uint32_t shown) {
  if (shown & ~kAllShown) throw Refused(VTB_E_ARG, "shown has bits that are no VTB_VIEW_*");
}

void checkFov(double fov) {
  if (!(fov > 0.001 && fov < 3.1)) throw Refused(VTB_E_ARG, "fov is " + std::to_string(fov) + "; from 0.001 to 3.1 rad");
}

void checkCamera(const vtb_camera& camera) {
  finite(camera.position, 3, "position");
  finite(camera.target, 3, "target");
  finite(camera.up, 3, "up");
  checkFov(camera.fov);
  const osg::Vec3d away = vec(camera.position) - vec(camera.target), up = vec(camera.up);
  if (away.length() < 1e-9) throw Refused(VTB_E_ARG, "position and target are the same point");
  if ((away ^ up).length() < 1e-6 * away.length() * up.length() || up.length() == 0)
    throw Refused(VTB_E_ARG, "up is 0 or along the line of sight");
}

}  // namespace vertebra::viewer

namespace {

// RGB with rows from the top; OpenSceneGraph counts rows from the bottom.
osg::ref_ptr<osg::Image> imageOf(const std::uint8_t* pixels, int width, int height) {
  osg::ref_ptr<osg::Image> image = new osg::Image;
  image->allocateImage(width, height, 1, GL_RGB, GL_UNSIGNED_BYTE, 1);
  const std::size_t row = 3 * static_cast<std::size_t>(width);
  for (int y = 0; y < height; y++) std::memcpy(image->data(0, height - 1 - y), pixels + row * static_cast<std::size_t>(y), row);
  return image;
}

}  // namespace

vtb_view::vtb_view(const vtb_view_def& given) : def(given), scene((given.shown & VTB_VIEW_SHADOWS) != 0), world(scene) {
  const double position[3] = {4, -6, 2.5}, target[3] = {0, 0, 0.8}, up[3] = {0, 0, 1};
  std::copy_n(position, 3, camera.position);
  std::copy_n(target, 3, camera.target);
  std::copy_n(up, 3, camera.up);
  camera.fov = 0.6;
}

osg::Matrixd vtb_view::projection() const {
  const double distance = (vec(camera.position) - vec(camera.target)).length();
  return osg::Matrixd::perspective(camera.fov * 180 / M_PI, aspect(), kNear * distance, kFar * distance);
}

osg::Matrixd vtb_view::viewMatrix() const { return osg::Matrixd::lookAt(vec(camera.position), vec(camera.target), vec(camera.up)); }

void vtb_view::setStage(std::unique_ptr<Stage> given, osg::Node* all) {
  stage = std::move(given);
  scene.setShadowSize(stage->samples() > 0 ? kFineShadow : kCoarseShadow);
  stage->setScene(all, Scene::background());
}

void vtb_view::setCamera(const vtb_camera& given) {
  camera = given;
  camera.name = nullptr;
  scene.setEye(vec(camera.position), vec(camera.target), vec(camera.up));
}

void vtb_view::draw() {
  scene.setEye(vec(camera.position), vec(camera.target), vec(camera.up));
  stage->draw(projection(), viewMatrix());
}

struct vtb_strip {
  FilmStrip strip;
  int width, height;
};

vtb_status vtb_view_def_init(vtb_view_def* def, uint32_t struct_size) {
  return guarded(__func__, [&] {
    required(def, "def");
    if (struct_size != sizeof *def) throw Refused(VTB_E_ARG, "struct_size is not the size of vtb_view_def in this library");
    *def = {struct_size, 1280, 720, VTB_VIEW_GROUND | VTB_VIEW_SHADOWS};
  });
}

vtb_status vtb_view_create(const vtb_view_def* def, vtb_view** out) {
  return guarded(__func__, [&] {
    if (required(def, "def").struct_size != sizeof *def)
      throw Refused(VTB_E_ARG, "struct_size is not the size of vtb_view_def; call vtb_view_def_init first");
    required(out, "out");
    checkSize(def->width, def->height);
    checkShown(def->shown);
    auto view = std::make_unique<vtb_view>(*def);
    std::string error;
    std::unique_ptr<Stage> stage = Offscreen::create(def->width, def->height, kSamples, error);
    if (!stage) throw Refused(VTB_E_UNSUPPORTED, error);
    view->setStage(std::move(stage), view->scene.root());
    *out = view.release();
  });
}

vtb_status vtb_view_destroy(vtb_view* view) {
  return guarded(__func__, [&] { delete view; });
}

const char* vtb_view_last_error(void) { return lastError().c_str(); }

vtb_status vtb_view_push(vtb_view* view, const vtb_world* world) {
  return guarded(__func__, [&] { required(view, "view").world.push(&required(world, "world"), view->def.shown); });
}

vtb_status vtb_view_set_body_colour(vtb_view* view, vtb_body body, const float rgba[4]) {
  return guarded(__func__, [&] {
    required(view, "view");
    Colour colour{};
    if (rgba) {
      for (int i = 0; i < 4; i++)
        if (!(rgba[i] >= 0 && rgba[i] <= 1)) throw Refused(VTB_E_ARG, "rgba[" + std::to_string(i) + "] is not from 0 to 1");
      colour = {rgba[0], rgba[1], rgba[2], rgba[3]};
    }
    if (!view->world.setColour(body, rgba ? &colour : nullptr))
      throw Refused(VTB_E_STALE, "the world that was last pushed has no such body");
  });
}

vtb_status vtb_view_set_shown(vtb_view* view, uint32_t shown) {
  return guarded(__func__, [&] {
    required(view, "view");
    checkShown(shown);
    view->def.shown = shown;
  });
}

vtb_status vtb_view_get_box(const vtb_view* view, double lower[3], double upper[3]) {
  return guarded(__func__, [&] {
    required(view, "view");
    required(lower, "lower");
    required(upper, "upper");
    Box box;
    for (const osg::Vec3d& corner : view->world.corners()) box.add(corner);
    if (!box.valid()) throw Refused(VTB_E_ARG, "nothing with an extent was pushed");
    for (int k = 0; k < 3; k++) lower[k] = box.lower[k], upper[k] = box.upper[k];
  });
}

vtb_status vtb_view_get_distance(const vtb_view* view, const double target[3], const double direction[3], double fov, double* distance) {
  return guarded(__func__, [&] {
    required(view, "view");
    finite(target, 3, "target");
    finite(direction, 3, "direction");
    required(distance, "distance");
    checkFov(fov);
    osg::Vec3d back = vec(direction);
    if (back.normalize() == 0) throw Refused(VTB_E_ARG, "direction is 0");
    osg::Vec3d across = osg::Vec3d(view->camera.up[0], view->camera.up[1], view->camera.up[2]) ^ back;
    if (across.length() < 1e-6) across = osg::Vec3d(0, 1, 0) ^ back;
    across.normalize();
    const osg::Vec3d up = back ^ across;
    const double tall = std::tan(0.5 * fov), wide = tall * view->aspect();
    double least = 0;
    for (const osg::Vec3d& corner : view->world.corners()) {
      const osg::Vec3d p = corner - vec(target);
      least = std::max(least, p * back + std::max(std::fabs(p * across) / wide, std::fabs(p * up) / tall));
    }
    *distance = least;
  });
}

vtb_status vtb_view_project(const vtb_view* view, const double point[3], double pixel[2], double* depth) {
  return guarded(__func__, [&] {
    required(view, "view");
    finite(point, 3, "point");
    required(pixel, "pixel");
    required(depth, "depth");
    const osg::Vec3d eye = vec(point) * view->viewMatrix(), clip = eye * view->projection();
    pixel[0] = 0.5 * (clip.x() + 1) * view->def.width;
    pixel[1] = 0.5 * (1 - clip.y()) * view->def.height;
    *depth = -eye.z();
  });
}

vtb_status vtb_view_set_camera(vtb_view* view, const vtb_camera* camera) {
  return guarded(__func__, [&] {
    required(view, "view");
    required(camera, "camera");
    checkCamera(*camera);
    view->setCamera(*camera);
  });
}

vtb_status vtb_view_draw(vtb_view* view, uint8_t* pixels, size_t size) {
  return guarded(__func__, [&] {
    required(view, "view");
    required(pixels, "pixels");
    const std::size_t row = 3 * static_cast<std::size_t>(view->def.width), rows = static_cast<std::size_t>(view->def.height);
    if (size < row * rows) throw Refused(VTB_E_ARG, "size is " + std::to_string(size) + "; " + std::to_string(row * rows) + " are needed");
    view->draw();
    const osg::ref_ptr<osg::Image> image = view->stage->image();
    for (std::size_t y = 0; y < rows; y++) std::memcpy(pixels + row * y, image->data(0, static_cast<unsigned>(rows - 1 - y)), row);
  });
}

vtb_status vtb_view_write_png(const char* path, const uint8_t* pixels, int32_t width, int32_t height) {
  return guarded(__func__, [&] {
    required(path, "path");
    required(pixels, "pixels");
    checkSize(width, height);
    std::string error;
    if (!writePng(*imageOf(pixels, width, height), path, error)) throw Refused(VTB_E_IO, error);
  });
}

vtb_status vtb_strip_create(int32_t width, int32_t height, int32_t columns, vtb_strip** out) {
  return guarded(__func__, [&] {
    required(out, "out");
    checkSize(width, height);
    if (columns < 1) throw Refused(VTB_E_ARG, "columns is " + std::to_string(columns) + "; at least 1");
    *out = new vtb_strip{FilmStrip(width, height, columns), width, height};
  });
}

vtb_status vtb_strip_destroy(vtb_strip* strip) {
  return guarded(__func__, [&] { delete strip; });
}

vtb_status vtb_strip_add(vtb_strip* strip, const uint8_t* pixels, const char* caption, const char* note) {
  return guarded(__func__, [&] {
    required(strip, "strip");
    strip->strip.add(imageOf(&required(pixels, "pixels"), strip->width, strip->height), &required(caption, "caption"),
                     &required(note, "note"));
  });
}

vtb_status vtb_strip_get_size(const vtb_strip* strip, int32_t* pictures, int32_t* width, int32_t* height) {
  return guarded(__func__, [&] {
    required(strip, "strip");
    if (pictures) *pictures = strip->strip.count();
    if (width) *width = strip->strip.width();
    if (height) *height = strip->strip.height();
  });
}

vtb_status vtb_strip_write(const vtb_strip* strip, const char* path) {
  return guarded(__func__, [&] {
    required(strip, "strip");
    required(path, "path");
    if (strip->strip.count() == 0) throw Refused(VTB_E_ARG, "the strip has no picture");
    std::string error;
    if (strip->strip.width() > 2 * kLargest || strip->strip.height() > 2 * kLargest)
      throw Refused(VTB_E_ARG, "a strip of " + std::to_string(strip->strip.width()) + " x " + std::to_string(strip->strip.height()) +
                                   " pixels; each at most " + std::to_string(2 * kLargest) + ": take smaller or fewer pictures");
    if (!strip->strip.write(path, error)) throw Refused(VTB_E_IO, error);
  });
}
