// See film.hpp.
#include "viewer/demo/film.hpp"

#include <cstdio>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace vertebra::viewer {
namespace {

constexpr double kShots[] = {0.06, 0.22, 0.385, 0.43, 0.46, 0.50, 0.58, 1.0};  // pictures, of the film's duration
constexpr int kWidth = 620, kHeight = 440, kColumns = 4;
constexpr Colour kWalkerColour{0.87f, 0.55f, 0.28f}, kLimpColour{0.36f, 0.47f, 0.66f}, kBallColour{0.78f, 0.16f, 0.20f};

// The number of a part that was added; -1: it could not be.
int added(int part) {
  if (part < 0) throw std::runtime_error(vtb_last_error());
  return part;
}

// Follows the walker and keeps the arm in view.
Camera following(double walkerY) {
  const double y = walkerY + 0.25 * (kArmY - walkerY);
  return {{-6.2, y - 0.7, 1.7}, {0, y, 0.78}, 25};
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

Film::Film() : strip_(kWidth, kHeight, kColumns) {
  std::string error;
  offscreen_ = Offscreen::create(kWidth, kHeight, error);
  if (!offscreen_) throw std::runtime_error(error);
}

void Film::setFigures(const Simulation& simulation) {
  walkerParts_ = added(scene_.addFigure(simulation.walker().skeleton.get()));
  armParts_ = added(scene_.addFigure(simulation.arm().skeleton.get()));
  offscreen_->setScene(scene_.root(), Scene::background());
}

bool Film::due(double time, double duration) const {
  return strip_.count() < static_cast<int>(std::size(kShots)) && time + 0.5 * kStep >= kShots[strip_.count()] * duration;
}

void Film::shoot(const Simulation& simulation, double time) {
  const Walker& walker = simulation.walker();
  place(simulation.world(), walker, walkerParts_);
  place(simulation.world(), simulation.arm(), armParts_);
  if (simulation.thrown()) placeBall(simulation);
  colour(walker);
  strip_.add(offscreen_->draw(following(walker.q[1])), caption(time),
             note(walker, simulation.thrown(), simulation.measures().hitTime >= 0));
}

void Film::write(const std::string& path) const {
  std::string error;
  if (!strip_.write(path, error)) throw std::runtime_error(error);
}

void Film::place(const vtb_world* world, const DrivenFigure& figure, int firstPart) {
  std::vector<double> poses(7 * static_cast<std::size_t>(figure.links));
  std::size_t total = 0;
  check(vtb_figure_get_poses(world, figure.figure, poses.data(), static_cast<std::size_t>(figure.links), 0, &total));
  for (int link = 0; link < figure.links; link++) scene_.setPose(firstPart + link, &poses[7 * static_cast<std::size_t>(link)]);
}

void Film::placeBall(const Simulation& simulation) {
  if (ballPart_ < 0) ballPart_ = added(scene_.addShape(simulation.world(), simulation.ballShape(), kBallColour));
  double pose[7];
  check(vtb_body_get_pose(simulation.world(), simulation.ball(), pose));
  scene_.setPose(ballPart_, pose);
}

void Film::colour(const Walker& walker) {
  vtb_joint_info info{};
  info.struct_size = sizeof info;
  for (int32_t j = 0; j < walker.joints; j++) {
    check(vtb_skeleton_get_joint(walker.skeleton.get(), j, &info));
    scene_.setColour(walkerParts_ + info.child, walker.limp(j) ? kLimpColour : kWalkerColour);
  }
  scene_.setColour(walkerParts_, walker.letGo() ? kLimpColour : kWalkerColour);  // the root
}

}  // namespace vertebra::viewer
