// See cannon.hpp. The figure: eleven capsules and boxes with the proportions and masses of a person's parts, ball joints with limits and a
// little friction, arms out.
#include "viewer/cannon.hpp"

#include <algorithm>
#include <cmath>

#include "viewer/world_view.hpp"

namespace vertebra::viewer {

namespace {

constexpr int kMostBodies = 66;        // of all shots at once
constexpr double kRadius = 0.065;      // of a ball, by the size of what is shot at
constexpr double kDensity = 700;       // kg/m^3
constexpr double kFroude = 7.6;        // 1/sqrt(m) s: speed by the square root of the size: 10 m/s at a person
constexpr double kFigureHeight = 0.5;  // by the size of what is shot at

// Lengths by the figure's height, masses by its mass (Winter's table, rounded).
struct PartOfFigure {
  const char* name;
  int parent;
  double joint[3];  // in the parent
  double along[3];  // from its joint to its end: the middle of its shape is half way
  double radius, mass;
  double swing, twist;  // rad, of its joint
};
constexpr PartOfFigure kParts[] = {
    {"pelvis", -1, {0, 0, 0}, {0, 0, 0.10}, 0.085, 0.20, 0, 0},
    {"chest", 0, {0, 0, 0.11}, {0, 0, 0.17}, 0.095, 0.30, 0.5, 0.4},
    {"head", 1, {0, 0, 0.22}, {0, 0, 0.10}, 0.060, 0.08, 0.6, 0.7},
    {"left upper arm", 1, {0, 0.12, 0.17}, {0, 0.15, 0}, 0.028, 0.03, 1.4, 0.8},
    {"left forearm", 3, {0, 0.17, 0}, {0, 0.17, 0}, 0.022, 0.03, 1.2, 0.8},
    {"right upper arm", 1, {0, -0.12, 0.17}, {0, -0.15, 0}, 0.028, 0.03, 1.4, 0.8},
    {"right forearm", 5, {0, -0.17, 0}, {0, -0.17, 0}, 0.022, 0.03, 1.2, 0.8},
    {"left thigh", 0, {0, 0.06, -0.02}, {0, 0.02, -0.22}, 0.045, 0.10, 1.0, 0.3},
    {"left shank", 7, {0, 0.02, -0.24}, {0, 0, -0.22}, 0.032, 0.065, 1.0, 0.2},
    {"right thigh", 0, {0, -0.06, -0.02}, {0, -0.02, -0.22}, 0.045, 0.10, 1.0, 0.3},
    {"right shank", 9, {0, -0.02, -0.24}, {0, 0, -0.22}, 0.032, 0.065, 1.0, 0.2},
};
constexpr int kPartCount = static_cast<int>(std::size(kParts));

struct Builder {
  vtb_skeleton_builder* builder = nullptr;
  Builder() { check(vtb_skeleton_builder_create("shot", &builder)); }
  ~Builder() { vtb_skeleton_builder_destroy(builder); }
};

// A capsule along a part, with its inertia (of the cylinder of its whole length).
void addPart(vtb_skeleton_builder* builder, const PartOfFigure& part, double height, double mass) {
  const osg::Vec3d along(part.along[0], part.along[1], part.along[2]);
  const double length = along.length() * height, r = part.radius * height;
  vtb_link_def link;
  check(vtb_link_def_init(&link, sizeof link));
  link.name = part.name;
  link.mass = part.mass * mass;
  for (int k = 0; k < 3; k++) link.com[k] = 0.5 * part.along[k] * height;
  const double around = 0.5 * link.mass * r * r, across = link.mass * (r * r / 4 + (length + r) * (length + r) / 12);
  const bool lies = std::fabs(part.along[1]) > std::fabs(part.along[2]);
  link.inertia[0] = across;
  link.inertia[3] = lies ? around : across;
  link.inertia[5] = lies ? across : around;
  int32_t index = 0;
  check(vtb_skeleton_builder_add_link(builder, &link, &index));
  vtb_shape_def shape;
  check(vtb_shape_def_init(&shape, sizeof shape));
  shape.type = VTB_SHAPE_TYPE_CAPSULE;
  shape.size[0] = r;
  shape.size[2] = std::max(0.0, 0.5 * length - 0.4 * r);
  osg::Quat turn;
  turn.makeRotate(osg::Vec3d(0, 0, 1), along);
  for (int k = 0; k < 3; k++) shape.pose[k] = link.com[k];
  for (int k = 0; k < 4; k++) shape.pose[3 + k] = turn[static_cast<unsigned>(k)];
  const float colour[4] = {0.80f, 0.36f, 0.30f, 1};
  std::copy_n(colour, 4, shape.rgba);
  check(vtb_skeleton_builder_add_shape(builder, index, &shape));
  if (part.parent < 0) return;
  vtb_skeleton_joint_def joint;
  check(vtb_skeleton_joint_def_init(&joint, sizeof joint));
  joint.type = VTB_JOINT_TYPE_SPHERICAL;
  joint.name = part.name;
  joint.parent = part.parent;
  joint.child = index;
  for (int k = 0; k < 3; k++) joint.parent_frame[k] = part.joint[k] * height;
  joint.axis[0] = 0, joint.axis[lies ? 1 : 2] = 1;
  joint.limits = {part.swing, -part.twist, part.twist};
  int32_t made = 0;
  check(vtb_skeleton_builder_add_joint(builder, &joint, &made));
  for (int32_t axis = 0; axis < 3; axis++) {
    vtb_axis_def losses;
    check(vtb_axis_def_init(&losses, sizeof losses));
    losses.damping = 0.02 * part.mass * mass * height * height;
    check(vtb_skeleton_builder_set_axis(builder, made, axis, &losses));
  }
}

vtb_skeleton* madeFigure(double height) {
  const Builder made;
  const double mass = 21 * std::pow(height, 3) * 0.7;  // kg: a person of 1.7 m has 72
  for (const PartOfFigure& part : kParts) addPart(made.builder, part, height, mass);
  vtb_skeleton* skeleton = nullptr;
  check(vtb_skeleton_builder_finish(made.builder, 0, &skeleton));
  return skeleton;
}

void setSpeed(vtb_world* world, vtb_body body, const osg::Vec3d& speed) {
  const double twist[6] = {speed.x(), speed.y(), speed.z(), 0, 0, 0};
  check(vtb_body_set_twist(world, body, twist, nullptr));
}

}  // namespace

Cannon::Cannon(vtb_world* world) : world_(world) {
  const double pose[7] = {0, 0, 0, 0, 0, 0, 1};
  std::vector<Shot> reserved;
  vtb_joint_def motor;
  check(vtb_joint_def_init(&motor, sizeof motor));
  motor.type = VTB_JOINT_TYPE_MOTOR;
  vtb_joint joint{};
  for (int i = 0; i + kPartCount <= kMostBodies; i += kPartCount) {
    reserved.push_back({{}, fireFigure(pose, 1), kPartCount});
    if (i > 0) continue;
    check(vtb_figure_get_body(world_, reserved[0].figure, 0, &motor.body_b));
    check(vtb_joint_create(world_, &motor, &joint));
  }
  for (const Shot& shot : reserved) destroy(shot);
}

Cannon::~Cannon() {
  for (const Shot& shot : shots_) shot.figure.bits ? vtb_figure_destroy(world_, shot.figure) : vtb_body_destroy(world_, shot.body);
  vtb_skeleton_release(figure_);
}

int Cannon::bodies() const {
  int count = 0;
  for (const Shot& shot : shots_) count += shot.bodies;
  return count;
}

bool Cannon::fire(Ammunition what, const osg::Vec3d& from, const osg::Vec3d& direction, double size) {
  Shot shot;
  shot.bodies = what == Ammunition::kFigure ? kPartCount : 1;
  if (bodies() + shot.bodies > kMostBodies) return false;
  const double pose[7] = {from[0], from[1], from[2], 0, 0, 0, 1};
  const osg::Vec3d speed = direction * (kFroude * std::sqrt(size));
  if (what == Ammunition::kFigure) {
    shot.figure = fireFigure(pose, size);
    for (int32_t link = 0; link < 1; link++) {  // the root; the links move with it
      check(vtb_figure_get_body(world_, shot.figure, link, &shot.body));
      setSpeed(world_, shot.body, speed);
    }
  } else {
    shot.body = fireBody(what, pose, size);
    setSpeed(world_, shot.body, speed);
  }
  shots_.push_back(shot);
  return true;
}

vtb_body Cannon::fireBody(Ammunition what, const double pose[7], double size) {
  vtb_body body{};
  const double r = kRadius * size, edges[3] = {r, 0.8 * r, 0.6 * r};
  if (what == Ammunition::kBall)
    check(vtb_make_sphere(world_, pose, r, kDensity * 4 / 3 * M_PI * r * r * r, &body));
  else
    check(vtb_make_box(world_, pose, edges, kDensity * 8 * edges[0] * edges[1] * edges[2], &body));
  return body;
}

vtb_figure Cannon::fireFigure(const double pose[7], double size) {
  if (!figure_ || figureSize_ != size) {
    vtb_skeleton* made = madeFigure(kFigureHeight * size);
    vtb_skeleton_release(figure_);
    figure_ = made;
    figureSize_ = size;
  }
  vtb_figure_def def;
  check(vtb_figure_def_init(&def, sizeof def));
  def.skeleton = figure_;
  def.base = VTB_BASE_FLOATING;
  std::copy_n(pose, 7, def.pose);
  vtb_figure figure{};
  check(vtb_figure_create(world_, &def, &figure));
  return figure;
}

void Cannon::destroy(const Shot& shot) {
  check(shot.figure.bits ? vtb_figure_destroy(world_, shot.figure) : vtb_body_destroy(world_, shot.body));
}

void Cannon::keep(std::size_t count) {
  while (shots_.size() > count) {
    destroy(shots_.back());
    shots_.pop_back();
  }
}

bool Cannon::owns(vtb_body body) const {
  for (const Shot& shot : shots_) {
    if (shot.body.bits == body.bits) return true;
    for (int32_t link = 0; shot.figure.bits && link < shot.bodies; link++) {
      vtb_body part{};
      if (vtb_figure_get_body(world_, shot.figure, link, &part) == VTB_OK && part.bits == body.bits) return true;
    }
  }
  return false;
}

}  // namespace vertebra::viewer
