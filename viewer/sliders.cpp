// See sliders.hpp. A ball joint has three sliders, the components of its rotation vector. Motors get the gains of a robot's stiff drives:
// the bound is the axis' effort, or 0.15 x weight x size of all that moves (half the weight where it slides), reached at 0.1 rad or 0.02 m.
#include "viewer/sliders.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "viewer/names.hpp"
#include "viewer/world_view.hpp"

namespace vertebra::viewer {

namespace {

constexpr double kLeft = 12, kTop = 76, kWidth = 372, kRow = 22, kTrack = 150;  // pixels; the track begins so far from the left
constexpr Colour kPanel{0.08f, 0.10f, 0.13f, 0.72f}, kText{0.93f, 0.95f, 0.97f}, kBar{0.45f, 0.50f, 0.56f}, kKnob{0.95f, 0.70f, 0.25f},
    kKnobTarget{0.40f, 0.75f, 0.95f};

osg::Vec3d rotationVector(const double* q) {  // x, y, z, w
  osg::Vec3d axis(q[0], q[1], q[2]);
  const double s = axis.length(), sign = q[3] < 0 ? -1 : 1;
  return s < 1e-12 ? axis * (2 * sign) : axis * (sign * 2 * std::atan2(s, std::fabs(q[3])) / s);
}

void quaternion(const osg::Vec3d& r, double* q) {
  const double angle = r.length(), share = angle < 1e-12 ? 0.5 : std::sin(0.5 * angle) / angle;
  for (int k = 0; k < 3; k++) q[k] = share * r[k];
  q[3] = std::cos(0.5 * angle);
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

}  // namespace

void Sliders::toggle() {
  open_ = !open_;
  held_ = -1;
  first_ = 0;
  if (open_) read();
}

void Sliders::toggleTargets() { targets_ = !targets_; }

const std::vector<Sliders::Row>& Sliders::read() {
  rows_.clear();
  for (const vtb_joint joint :
       listed<vtb_joint>([&](vtb_joint*out, std::size_t n, std::size_t*total) { return vtb_world_get_joints(world_, out, n, total); })) {
    vtb_joint_def def{};
    def.struct_size = sizeof def;
    check(vtb_joint_get_def(world_, joint, &def));
    if (def.type == VTB_JOINT_TYPE_FIXED || def.type == VTB_JOINT_TYPE_FLOATING || def.type >= VTB_JOINT_TYPE_MOTOR) continue;
    int32_t nq = 0, nv = 0;
    check(vtb_joint_get_size(world_, joint, &nq, &nv));
    const std::string name = nameOf(world_, VTB_NAMED_JOINT, joint.bits);
    for (int32_t axis = 0; axis < nv; axis++) {
      vtb_axis_def limits{};
      limits.struct_size = sizeof limits;
      check(vtb_joint_get_axis(world_, joint, axis, &limits));
      Row row;
      row.joint = joint;
      row.axis = axis;
      row.spherical = def.type == VTB_JOINT_TYPE_SPHERICAL;
      row.slides = def.type == VTB_JOINT_TYPE_PRISMATIC || (def.type == VTB_JOINT_TYPE_CYLINDRICAL && axis == 1) ||
                   (def.type == VTB_JOINT_TYPE_PLANAR && axis < 2) || (def.type == VTB_JOINT_TYPE_WHEEL && axis == 0);
      row.name = nv > 1 ? name + (row.spherical ? std::string(" ") + "xyz"[axis] : " " + std::to_string(axis)) : name;
      const double most = row.slides ? 1 : M_PI;
      row.lower = std::isfinite(limits.lower) ? limits.lower : -most;
      row.upper = std::isfinite(limits.upper) ? limits.upper : most;
      if (row.upper > row.lower) rows_.push_back(row);
    }
  }
  return rows_;
}

double Sliders::value(const Row& row, bool target) const {
  if (target) {
    const auto wanted = wanted_.find({row.joint.bits, row.axis});
    if (wanted != wanted_.end()) return wanted->second;
    vtb_motor_def motor{};
    motor.struct_size = sizeof motor;
    if (!row.spherical && vtb_joint_get_motor(world_, row.joint, row.axis, &motor) == VTB_OK && motor.mode == VTB_MOTOR_MODE_POSITION)
      return motor.position;
  }
  double q[7];
  check(vtb_joint_get_state(world_, row.joint, q, nullptr));
  return row.spherical ? rotationVector(q)[row.axis] : q[row.axis];
}

void Sliders::set(const Row& row, bool target, double value) { target ? setTarget(row, value) : setCoordinate(row, value); }

void Sliders::setCoordinate(const Row& row, double value) {
  double q[7], v[6] = {};
  check(vtb_joint_get_state(world_, row.joint, q, nullptr));
  if (row.spherical) {
    osg::Vec3d turn = rotationVector(q);
    turn[row.axis] = value;
    quaternion(turn, q);
  } else {
    q[row.axis] = value;
  }
  check(vtb_joint_set_state(world_, row.joint, q, v));
}

std::pair<double, double> Sliders::gains(const Row& row) const {
  double mass = 0;
  osg::Vec3d lower(1e300, 1e300, 1e300), upper = -lower;
  for (const vtb_body body :
       listed<vtb_body>([&](vtb_body*out, std::size_t n, std::size_t*total) { return vtb_world_get_bodies(world_, out, n, total); })) {
    double own = 0, com[3], inertia[6], pose[7];
    if (vtb_body_get_mass(world_, body, &own, com, inertia) != VTB_OK) continue;
    check(vtb_body_get_pose(world_, body, pose));
    mass += own;
    for (int k = 0; k < 3; k++) lower[k] = std::min(lower[k], pose[k]), upper[k] = std::max(upper[k], pose[k]);
  }
  const double size = std::clamp((upper - lower).length(), 0.1, 5.0), weight = 9.81 * mass;
  vtb_axis_def limits{};
  limits.struct_size = sizeof limits;
  check(vtb_joint_get_axis(world_, row.joint, row.axis, &limits));
  const double bound = row.slides ? 0.5 * weight : 0.15 * weight * size;
  return {limits.effort > 0 ? std::min(bound, limits.effort) : bound, row.slides ? 0.02 : 0.1};
}

void Sliders::setTarget(const Row& row, double value) {
  const auto [bound, error] = gains(row);
  const double stiffness = bound / error;
  if (row.spherical) {
    osg::Vec3d turn;
    for (int axis = 0; axis < 3; axis++) {
      Row of = row;
      of.axis = axis;
      turn[axis] = axis == row.axis ? value : this->value(of, true);
      wanted_[{row.joint.bits, axis}] = turn[axis];
    }
    double q[4];
    const double still[3] = {};
    quaternion(turn, q);
    check(vtb_joint_set_orientation_motor(world_, row.joint, q, still, stiffness, 0.05 * stiffness, bound));
  } else {
    vtb_motor_def motor{};
    motor.struct_size = sizeof motor;
    check(vtb_joint_get_motor(world_, row.joint, row.axis, &motor));
    if (motor.mode != VTB_MOTOR_MODE_POSITION) {
      check(vtb_motor_def_init(&motor, sizeof motor));
      motor.mode = VTB_MOTOR_MODE_POSITION;
      motor.stiffness = stiffness;
      motor.damping = 0.05 * stiffness;
      motor.max_force = bound;
    }
    motor.position = value;
    check(vtb_joint_set_motor(world_, row.joint, row.axis, &motor));
    wanted_[{row.joint.bits, row.axis}] = value;
  }
  vtb_joint_def def{};
  def.struct_size = sizeof def;
  check(vtb_joint_get_def(world_, row.joint, &def));
  if (def.body_b.bits) check(vtb_body_wake(world_, def.body_b));
}

bool Sliders::over(double x, double y) const {
  return open_ && x >= kLeft && x <= kLeft + kWidth && y >= kTop && y <= kTop + kRow * (shown_ + 1) + 6;
}

bool Sliders::press(double x, double y) {
  if (!over(x, y)) return false;
  const int row = first_ + static_cast<int>((y - kTop) / kRow) - 1;
  if (y < kTop + kRow || row >= static_cast<int>(rows_.size())) return false;
  held_ = row;
  drag(x);
  return true;
}

void Sliders::drag(double x) {
  if (held_ < 0 || held_ >= static_cast<int>(rows_.size())) return;
  const Row& row = rows_[static_cast<std::size_t>(held_)];
  const double share = std::clamp((x - kLeft - kTrack) / (kWidth - kTrack - 70), 0.0, 1.0);
  set(row, targets_, row.lower + share * (row.upper - row.lower));
}

void Sliders::scroll(double notches) {
  first_ = std::clamp(first_ - static_cast<int>(notches) * 3, 0, std::max(0, static_cast<int>(rows_.size()) - shown_));
}

void Sliders::draw(Hud& hud, int height) {
  if (!open_) return;
  const int room = std::max(1, static_cast<int>((height - kTop - 190) / kRow) - 1);
  shown_ = std::min(room, static_cast<int>(rows_.size()));
  hud.rectangle(kLeft, kTop, kWidth, kRow * (shown_ + 1) + 6, kPanel);
  std::string title = targets_ ? "targets of motors (k: coordinates)" : "coordinates (k: targets of motors)";
  if (shown_ < static_cast<int>(rows_.size()))
    title += ", " + std::to_string(first_ + 1) + ".." + std::to_string(first_ + shown_) + " of " + std::to_string(rows_.size());
  if (rows_.empty()) title = "no joint has a coordinate";
  hud.text(kLeft + 8, kTop + 5, 13, title, kText);
  for (int i = 0; i < shown_; i++) {
    const Row& row = rows_[static_cast<std::size_t>(first_ + i)];
    const double y = kTop + kRow * (i + 1), from = kLeft + kTrack, length = kWidth - kTrack - 70, at = value(row, targets_);
    const double share = std::clamp((at - row.lower) / (row.upper - row.lower), 0.0, 1.0);
    hud.text(kLeft + 8, y + 4, 12, shortened(row.name, 20), kText);
    hud.rectangle(from, y + 10, length, 3, kBar);
    hud.rectangle(from + share * length - 4, y + 3, 8, 16, targets_ ? kKnobTarget : kKnob);
    hud.text(from + length + 10, y + 4, 12, number(at), kText);
  }
}

}  // namespace vertebra::viewer
