// See film.hpp.
#include "viewer/demo/film.hpp"

#include <cstdio>
#include <iterator>
#include <stdexcept>

namespace vertebra::viewer {
namespace {

constexpr double kShots[] = {0.06, 0.22, 0.385, 0.43, 0.46, 0.50, 0.58, 1.0};  // pictures, of the film's duration
constexpr int kWidth = 620, kHeight = 440, kColumns = 4;
constexpr float kWalkerColour[4] = {0.87f, 0.55f, 0.28f, 1}, kLimpColour[4] = {0.36f, 0.47f, 0.66f, 1},
                kBallColour[4] = {0.78f, 0.16f, 0.20f, 1};

void drawn(vtb_status status) {
  if (status != VTB_OK) throw std::runtime_error(vtb_view_last_error());
}

// Follows the walker and keeps the arm in view.
vtb_camera following(double walkerY) {
  const double y = walkerY + 0.25 * (kArmY - walkerY);
  vtb_camera camera{};
  camera.struct_size = sizeof camera;
  camera.position[0] = -6.2, camera.position[1] = y - 0.7, camera.position[2] = 1.7;
  camera.target[1] = y, camera.target[2] = 0.78;
  camera.up[2] = 1;
  camera.fov = 0.4363;
  return camera;
}

std::string caption(double time) {
  char text[32];
  std::snprintf(text, sizeof text, "%d.%02d s", static_cast<int>(time), static_cast<int>(100 * time) % 100);
  return text;
}

std::string note(const Walker& walker, bool thrown, bool arrived) {
  if (walker.letGo()) return "all drives limp";
  if (const int limp = walker.limpCount()) return std::to_string(limp) + (limp == 1 ? " joint limp" : " joints limp");
  if (arrived) return "all drives on";
  return thrown ? "a ball is thrown" : "walking";
}

}  // namespace

Film::Film() : pixels_(std::size_t{3} * kWidth * kHeight) {
  vtb_view_def def;
  drawn(vtb_view_def_init(&def, sizeof def));
  def.width = kWidth;
  def.height = kHeight;
  vtb_view* view = nullptr;
  drawn(vtb_view_create(&def, &view));
  view_.reset(view);
  vtb_strip* strip = nullptr;
  drawn(vtb_strip_create(kWidth, kHeight, kColumns, &strip));
  strip_.reset(strip);
}

bool Film::due(double time, double duration) const {
  return shots_ < static_cast<int>(std::size(kShots)) && time + 0.5 * kStep >= kShots[shots_] * duration;
}

void Film::shoot(const Simulation& simulation, double time) {
  const Walker& walker = simulation.walker();
  drawn(vtb_view_push(view_.get(), simulation.world()));
  colour(simulation);
  const vtb_camera camera = following(walker.q[1]);
  drawn(vtb_view_set_camera(view_.get(), &camera));
  drawn(vtb_view_draw(view_.get(), pixels_.data(), pixels_.size()));
  drawn(vtb_strip_add(strip_.get(), pixels_.data(), caption(time).c_str(),
                      note(walker, simulation.thrown(), simulation.measures().hitTime >= 0).c_str()));
  shots_++;
}

void Film::write(const std::string& path) const { drawn(vtb_strip_write(strip_.get(), path.c_str())); }

std::string Film::size() const {
  int32_t width = 0, height = 0;
  drawn(vtb_strip_get_size(strip_.get(), nullptr, &width, &height));
  return std::to_string(shots_) + " pictures, " + std::to_string(width) + " x " + std::to_string(height);
}

void Film::colour(const Simulation& simulation) {
  const Walker& walker = simulation.walker();
  vtb_joint_info info{};
  info.struct_size = sizeof info;
  const auto paint = [&](int32_t link, bool limp) {
    vtb_body body;
    check(vtb_figure_get_body(simulation.world(), walker.figure, link, &body));
    drawn(vtb_view_set_body_colour(view_.get(), body, limp ? kLimpColour : kWalkerColour));
  };
  for (int32_t j = 0; j < walker.joints; j++) {
    check(vtb_skeleton_get_joint(walker.skeleton.get(), j, &info));
    paint(info.child, walker.limp(j));
  }
  paint(0, walker.letGo());  // the root
  if (simulation.thrown()) drawn(vtb_view_set_body_colour(view_.get(), simulation.ball(), kBallColour));
}

}  // namespace vertebra::viewer
