// The variables of joints and their drives.
//
// Gains of drives, where the scene gives none: stiffness = omega^2 I and damping = 2 omega I with omega = 50 rad/s, I the inertia on the
// axis: the diagonal of the figure's mass matrix, else that of the joint's second body about (or along) the axis.
#include <algorithm>
#include <array>
#include <cmath>

#include "plugins/fmi/lister.hpp"

namespace vertebra::fmi {

namespace {

constexpr double kOmega = 50;      // rad/s: natural frequency of a drive without gains of its own
constexpr double kNoBound = 1e12;  // N m or N: importers do not all read INF

// Does the axis of a velocity turn?
bool turns(vtb_joint_type type, int axis) {
  switch (type) {
    case VTB_JOINT_TYPE_REVOLUTE:
    case VTB_JOINT_TYPE_CONTINUOUS:
    case VTB_JOINT_TYPE_UNIVERSAL:
    case VTB_JOINT_TYPE_SPHERICAL:
    case VTB_JOINT_TYPE_SCREW:
    case VTB_JOINT_TYPE_AXIS_ANGULAR:
    case VTB_JOINT_TYPE_ROTOR:
      return true;
    case VTB_JOINT_TYPE_PLANAR:
      return axis == 2;
    case VTB_JOINT_TYPE_CYLINDRICAL:
      return axis == 0;
    case VTB_JOINT_TYPE_WHEEL:
      return axis > 0;
    case VTB_JOINT_TYPE_FLOATING:
    case VTB_JOINT_TYPE_MOTOR:
      return axis > 2;
    default:
      return false;
  }
}

// Is the drive of each of its axes by one coordinate? Motor joints have targets of their own, free joints none.
bool drivable(vtb_joint_type type) {
  return type != VTB_JOINT_TYPE_FIXED && type != VTB_JOINT_TYPE_FLOATING && type != VTB_JOINT_TYPE_MOTOR &&
         type != VTB_JOINT_TYPE_SPHERICAL;
}

}  // namespace

int Lister::offsetInFigure(const Owner& owner) {
  int32_t links = 0, joints = 0, nq = 0, nv = 0;
  check(vtb_figure_get_size(w_, figures_[owner.figure], &links, &joints, &nq, &nv), "reading a figure");
  int offset = 0, sum = 0;
  for (int32_t i = 0; i < joints; ++i) {
    auto info = sized<vtb_joint_info>();
    check(vtb_skeleton_get_joint(skeletons_[owner.figure].get(), i, &info), "reading a joint");
    if (info.mimic >= 0 || info.loop) continue;
    if (i < owner.index) offset += info.axes;
    sum += info.axes;
  }
  return sum == nv || sum + 6 == nv ? offset + (nv - sum) : -1;
}

double Lister::inertiaAbout(vtb_joint joint, const vtb_joint_def& def, vtb_joint_type type, int axis) {
  auto limits = sized<vtb_axis_def>();
  const double armature = vtb_joint_get_axis(w_, joint, axis, &limits) == VTB_OK ? limits.armature : 0;
  std::array<double, 18> axes{};
  size_t total = 0;
  double frame[7], pose[7], mass = 0, com[3], inertia[6];
  if (def.body_b.bits == 0 || vtb_joint_get_world_axes(w_, joint, axes.data(), 6, &total) != VTB_OK || axis >= static_cast<int>(total) ||
      vtb_joint_get_world_frames(w_, joint, nullptr, frame) != VTB_OK || vtb_body_get_pose(w_, def.body_b, pose) != VTB_OK ||
      vtb_body_get_mass(w_, def.body_b, &mass, com, inertia) != VTB_OK)
    return armature;
  if (!turns(type, axis)) return armature + mass;
  // The largest moment stands for that about the axis; the distance of the link frame's origin and the centre in it for the lever.
  double lever = 0;
  for (int i = 0; i < 3; ++i) lever += (pose[i] - frame[i]) * (pose[i] - frame[i]) + com[i] * com[i];
  return armature + mass * lever + std::max({inertia[0], inertia[3], inertia[5]});
}

void Lister::addJoint(std::size_t at, vtb_joint joint) {
  const std::string name = shown(VTB_NAMED_JOINT, joint.bits);
  auto def = sized<vtb_joint_def>();
  check(vtb_joint_get_def(w_, joint, &def), "reading a joint");
  int32_t nq = 0, nv = 0;
  if (name.empty() || vtb_joint_get_size(w_, joint, &nq, &nv) != VTB_OK || nv == 0) return;
  std::vector<double> q(static_cast<std::size_t>(nq)), v(static_cast<std::size_t>(nv));
  if (vtb_joint_get_state(w_, joint, q.data(), v.data()) != VTB_OK) return;

  JointLinks links;
  links.at = at;
  links.type = def.type;
  links.nq = nq;
  links.nv = nv;
  const auto found = jointOf_.find(joint.bits);
  const std::size_t owner = m_.joints.size();
  bool follows = false, driven = false;
  std::vector<double> inertias;
  if (found != jointOf_.end()) {
    links.figure = found->second.figure;
    const vtb_skeleton* skeleton = skeletons_[links.figure].get();
    auto info = sized<vtb_joint_info>();
    check(vtb_skeleton_get_joint(skeleton, found->second.index, &info), "reading a joint");
    follows = info.mimic >= 0;
    driven = controlled_[links.figure];
    links.followers = followersOf(links.figure, found->second.index);
    const int offset = offsetInFigure(found->second);
    const auto& all = inertias_[links.figure];
    for (int i = 0; i < nv; ++i)
      inertias.push_back(!follows && offset >= 0 && static_cast<std::size_t>(offset + i) < all.size()
                             ? all[static_cast<std::size_t>(offset + i)]
                             : inertiaAbout(joint, def, def.type, i));
  } else {
    for (int i = 0; i < nv; ++i) inertias.push_back(inertiaAbout(joint, def, def.type, i));
  }

  if (!follows) addStarts(links, name, q, v, owner);
  if (!follows && !driven) addDrives(links, joint, name, q, inertias, owner);
  for (int i = 0; i < nq; ++i) output(indexed(name + ".q", i, nq), "coordinate", unitOfQ(links, i), Role::kQ, owner, i);
  for (int i = 0; i < nv; ++i) output(indexed(name + ".v", i, nv), "velocity", turns(def.type, i) ? "rad/s" : "m/s", Role::kV, owner, i);
  for (int i = 0; i < nv; ++i)
    output(indexed(name + ".motor_force", i, nv), "what its drive gave in the last inner step", turns(def.type, i) ? "N.m" : "N",
           Role::kMotorForce, owner, i);
  m_.joints.push_back(std::move(links));
}

const char* Lister::unitOfQ(const JointLinks& links, int i) {
  if (links.nq == links.nv) return turns(links.type, i) ? "rad" : "m";
  return links.nq == 7 && i < 3 ? "m" : "";
}

std::vector<JointLinks::Follower> Lister::followersOf(std::size_t figure, int leader) {
  std::vector<JointLinks::Follower> followers;
  const auto joints = listOf<vtb_joint>(w_, vtb_world_get_joints);
  for (std::size_t at = 0; at < joints.size(); ++at) {
    const auto found = jointOf_.find(joints[at].bits);
    if (found == jointOf_.end() || found->second.figure != figure) continue;
    auto info = sized<vtb_joint_info>();
    check(vtb_skeleton_get_joint(skeletons_[figure].get(), found->second.index, &info), "reading a joint");
    if (info.mimic == leader) followers.push_back({at, info.mimic_multiplier, info.mimic_offset});
  }
  return followers;
}

void Lister::addStarts(JointLinks& links, const std::string& name, const std::vector<double>& q, const std::vector<double>& v,
                       std::size_t owner) {
  if (links.type >= VTB_JOINT_TYPE_MOTOR || links.type == VTB_JOINT_TYPE_FLOATING) return;
  for (int i = 0; i < links.nq; ++i) {
    const std::size_t index = add(indexed(name + ".q_start", i, links.nq), "coordinate at the start", unitOfQ(links, i),
                                  Causality::kParameter, Variability::kFixed, q[static_cast<std::size_t>(i)], Role::kStartQ, owner, i);
    if (i == 0) links.startQ = index;
  }
  for (int i = 0; i < links.nv; ++i) {
    const std::size_t index = add(indexed(name + ".v_start", i, links.nv), "velocity at the start", turns(links.type, i) ? "rad/s" : "m/s",
                                  Causality::kParameter, Variability::kFixed, v[static_cast<std::size_t>(i)], Role::kStartV, owner, i);
    if (i == 0) links.startV = index;
  }
}

void Lister::addDrives(JointLinks& links, vtb_joint joint, const std::string& name, const std::vector<double>& q,
                       const std::vector<double>& inertias, std::size_t owner) {
  const bool ball = links.type == VTB_JOINT_TYPE_SPHERICAL;
  if (!ball && !drivable(links.type)) return;
  if (m_.inputs() == Inputs::kTorque) {
    for (int i = 0; i < links.nv; ++i) {
      const bool turning = turns(links.type, i);
      const std::size_t index =
          input(indexed(name + ".tau", i, links.nv),
                turning ? "torque on the axis, besides what its drive gives" : "force on the axis, besides what its drive gives",
                turning ? "N.m" : "N", 0, Role::kTau, owner, i);
      if (i == 0) links.tau = index;
    }
    return;
  }
  const bool position = m_.inputs() == Inputs::kPosition;
  if (ball && !position) return;  // its drive has an orientation as target
  if (position)
    for (int i = 0; i < links.nq; ++i) {
      const std::size_t index =
          input(indexed(name + ".q_target", i, links.nq), ball ? "orientation wanted, a quaternion x, y, z, w" : "coordinate wanted",
                unitOfQ(links, i), q[static_cast<std::size_t>(i)], Role::kTargetQ, owner, i);
      if (i == 0) links.targetQ = index;
    }
  const int gains = ball ? 1 : links.nv;
  std::vector<vtb_motor_def> motors;
  for (int i = 0; i < links.nv; ++i) {
    auto motor = sized<vtb_motor_def>();
    check(vtb_joint_get_motor(w_, joint, i, &motor), "reading a motor");
    motors.push_back(motor);
  }
  for (int i = 0; i < links.nv; ++i) {
    const std::size_t index =
        input(indexed(name + ".v_target", i, links.nv), "velocity wanted", turns(links.type, i) ? "rad/s" : "m/s",
              motors[static_cast<std::size_t>(i)].mode == VTB_MOTOR_MODE_OFF ? 0 : motors[static_cast<std::size_t>(i)].velocity,
              Role::kTargetV, owner, i);
    if (i == 0) links.targetV = index;
  }
  const vtb_motor_mode mode = position ? VTB_MOTOR_MODE_POSITION : VTB_MOTOR_MODE_VELOCITY;
  for (int i = 0; i < gains; ++i) {
    const vtb_motor_def& motor = motors[static_cast<std::size_t>(i)];
    const bool own = motor.mode == mode, turning = turns(links.type, i);
    const double inertia = inertias[static_cast<std::size_t>(i)];
    if (own && position && !ball) m_.variables[links.targetQ + static_cast<std::size_t>(i)].start = motor.position;
    if (position) {
      const std::size_t index =
          gain(indexed(name + ".stiffness", i, gains), "of the drive towards the coordinate wanted", turning ? "N.m/rad" : "N/m",
               own ? motor.stiffness : kOmega * kOmega * inertia, Role::kStiffness, owner, i);
      if (i == 0) links.stiffness = index;
    }
  }
  for (int i = 0; i < gains; ++i) {
    const vtb_motor_def& motor = motors[static_cast<std::size_t>(i)];
    const bool own = motor.mode == mode && std::isfinite(motor.damping), turning = turns(links.type, i);
    const std::size_t index =
        gain(indexed(name + ".damping", i, gains), "of the drive towards the velocity wanted", turning ? "N.m.s/rad" : "N.s/m",
             own ? motor.damping : 2 * kOmega * inertias[static_cast<std::size_t>(i)], Role::kDamping, owner, i);
    if (i == 0) links.damping = index;
  }
  for (int i = 0; i < gains; ++i) {
    const vtb_motor_def& motor = motors[static_cast<std::size_t>(i)];
    auto axis = sized<vtb_axis_def>();
    check(vtb_joint_get_axis(w_, joint, i, &axis), "reading an axis");
    const double bound = std::min(motor.max_force, axis.effort);
    const std::size_t index = gain(indexed(name + ".max_force", i, gains), "largest that the drive gives; the axis' effort bounds as well",
                                   turns(links.type, i) ? "N.m" : "N", std::isfinite(bound) ? bound : kNoBound, Role::kMaxForce, owner, i);
    if (i == 0) links.maxForce = index;
  }
}

}  // namespace vertebra::fmi
