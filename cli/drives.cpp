// Motors that follow a clip; see drives.hpp.
#include "cli/drives.hpp"

namespace vertebra::cli {

namespace {

constexpr double kGravity = 9.81;

// Does this axis of a joint slide (m, N) rather than turn (rad, N m)?
bool slides(int type, int axis) {
  switch (type) {
    case VTB_JOINT_TYPE_PRISMATIC:
      return true;
    case VTB_JOINT_TYPE_PLANAR:
      return axis < 2;
    case VTB_JOINT_TYPE_CYLINDRICAL:
      return axis == 1;
    case VTB_JOINT_TYPE_WHEEL:
      return axis == 0;
    case VTB_JOINT_TYPE_FLOATING:
      return axis < 3;
    default:
      return false;
  }
}

}  // namespace

Drives::Drives(vtb_world* world, vtb_figure figure, const Model& model, Coordinates& coordinates, bool floating, const vtb_motion* motion,
               double size, double lift)
    : world_(world), figure_(figure), workspace_(coordinates.workspace.get()), motion_(motion), floating_(floating), lift_(lift) {
  q_.resize(coordinates.q.size());
  v_.resize(coordinates.v.size());
  int32_t found = 0;
  check(vtb_workspace_from_motion(workspace_, motion_, 0, at(q_), at(v_), &found), "sampling the motion");
  if (found == 0) throw Failure("no joint of the motion has the same name as a joint of the figure");
  const double weight = infoOf(model.skeleton.get()).mass * kGravity;
  powerJoints(model, weight, size);
  if (floating_) powerRoot(model, weight, size);
}

void Drives::powerJoints(const Model& model, double weight, double size) {
  std::vector<double> stiffness(v_.size()), damping(v_.size()), bound(v_.size());
  const int joints = infoOf(model.skeleton.get()).joints;
  for (int i = 0; i < joints; ++i) {
    const vtb_joint_info joint = jointOf(model.skeleton.get(), i);
    int32_t qIndex = 0, first = 0;
    check(vtb_workspace_get_joint(workspace_, i, &qIndex, &first), "finding a joint's coordinates");
    for (int axis = 0; first >= 0 && axis < joint.axes; ++axis) {
      const std::size_t at = static_cast<std::size_t>(first) + static_cast<std::size_t>(axis);
      const bool linear = slides(joint.type, axis);
      bound[at] = linear ? weight / 2 : 0.15 * weight * size;
      stiffness[at] = bound[at] / (linear ? 0.02 : 0.1);
      damping[at] = 0.02 * stiffness[at];
    }
  }
  check(vtb_figure_set_motors(world_, figure_, at(q_), at(v_), at(stiffness), at(damping), at(bound)), "setting motors");
}

void Drives::powerRoot(const Model& model, double weight, double size) {
  auto def = defaults(vtb_joint_def_init);
  def.type = VTB_JOINT_TYPE_MOTOR;
  def.bodies_collide = 1;
  check(vtb_figure_get_body(world_, figure_, infoOf(model.skeleton.get()).root, &def.body_b), "finding the root");
  check(vtb_joint_create(world_, &def, &root_), "making the root's drive");
  for (int axis = 0; axis < 6; ++axis) {
    auto motor = defaults(vtb_motor_def_init);
    motor.mode = VTB_MOTOR_MODE_POSITION;
    motor.max_force = axis < 2 ? 0.2 * weight : axis == 2 ? 0.41 * weight : 0.1 * weight * size;
    motor.stiffness = motor.max_force / (axis < 3 ? 0.05 : 0.2);
    motor.damping = 0.05 * motor.stiffness;
    check(vtb_joint_set_motor(world_, root_, axis, &motor), "setting the root's drive");
  }
}

void Drives::aim(double time) {
  check(vtb_workspace_from_motion(workspace_, motion_, time, at(q_), at(v_), nullptr), "sampling the motion");
  check(vtb_figure_set_motors(world_, figure_, at(q_), at(v_), nullptr, nullptr, nullptr), "aiming the motors");
  if (!floating_) return;
  q_[2] += lift_;
  check(vtb_joint_set_target(world_, root_, at(q_), at(v_)), "aiming the root's drive");
}

}  // namespace vertebra::cli
