// Joints with their axes and drives, and couplings; see builder.hpp.
#include "capi/src/scene/builder.hpp"
#include "capi/src/scene/table.hpp"
#include "loaders/scene/values.hpp"

namespace vertebra::capi::scene {

void SceneBuilder::joint(const Element& e) {
  JointValues values = e.as<JointValues>();
  vtb_joint_def& def = values.def;
  const bool a = find(VTB_NAMED_BODY, values.a, e, def.body_a.bits), b = find(VTB_NAMED_BODY, values.b, e, def.body_b.bits);
  if (!a || !b) return;
  jointFrames(e, values);
  joinToFigure(e, values);
  def.curve.points = values.points.data();
  def.curve.point_count = static_cast<uint32_t>(values.points.size() / 3);
  vtb_joint made;
  call(vtb_joint_create(&world_, &def, &made));
  made_.push_back({&e, VTB_NAMED_JOINT, made.bits});
  named(VTB_NAMED_JOINT, values.name, made.bits);
  joints_.emplace_back(&e, made);
  for (const Element& child : e.children) attempt(child, [&] { child.rule == &kAxis ? axis(child, made) : drive(child, made); });
}

// Each frame is given in its body; or by the frame in the scene; or it is where the other one is, or (of points) its body's own.
void SceneBuilder::jointFrames(const Element& e, JointValues& values) {
  vtb_joint_def& def = values.def;
  const auto poseOf = [&](vtb_body body) {
    double pose[7] = {0, 0, 0, 0, 0, 0, 1};
    if (body.bits) call(vtb_body_get_pose(&world_, body, pose));
    return capi::pose(pose, "pose");
  };
  const bool inScene = e.has("position") || e.has("orientation");
  const bool inA = e.has("position_a") || e.has("orientation_a"), inB = e.has("position_b") || e.has("orientation_b");
  if (inScene && inA && inB)
    refuse(VTB_E_ARG, "its frame is given in the scene and in both bodies; to mend: leave position and orientation out");
  Pose a = capi::pose(def.frame_a, "frame_a"), b = capi::pose(def.frame_b, "frame_b");
  if (def.body_a.bits == 0) a = placementOf(e) * a;
  if (def.body_b.bits == 0) b = placementOf(e) * b;
  if (def.type == VTB_JOINT_TYPE_ROTOR) return;
  const Pose bodyA = poseOf(def.body_a), bodyB = poseOf(def.body_b);
  const Pose scene = placed(e, values.pose);
  const bool ofPoints = def.type >= VTB_JOINT_TYPE_DISTANCE && def.type <= VTB_JOINT_TYPE_POINT_ON_CURVE;  // the frames need not coincide
  const bool meets = !ofPoints && (inA || inB);
  if (!inA && (inScene || meets)) a = bodyA.inverse() * (inScene ? scene : bodyB * b);
  if (!inB && (inScene || meets)) b = bodyB.inverse() * (inScene ? scene : bodyA * a);
  write(Pose{a.p, unit(a.q)}, def.frame_a);
  write(Pose{b.p, unit(b.q)}, def.frame_b);
}

// A body that says nothing of its place, and is joined to a link of a figure, begins there and moves with it. In a tree the joint itself
// would place it.
void SceneBuilder::joinToFigure(const Element& e, const JointValues& values) {
  const vtb_joint_def& def = values.def;
  const bool frames = (e.has("position_a") || e.has("orientation_a")) && (e.has("position_b") || e.has("orientation_b"));
  if (!frames || def.type >= VTB_JOINT_TYPE_DISTANCE || values.a.find('/') == std::string::npos) return;
  for (const Element& body : model_.root.children) {
    if (body.rule != &kBody || body.as<BodyValues>().name != values.b) continue;
    for (const char* said : {"position", "orientation", "velocity", "angular_velocity"})
      if (body.has(said)) return;
    double pose[7], twist[6];
    call(vtb_body_get_pose(&world_, def.body_a, pose));
    call(vtb_body_get_twist(&world_, def.body_a, twist));
    const Pose link = capi::pose(pose, "pose"), place = link * capi::pose(def.frame_a, "a") * capi::pose(def.frame_b, "b").inverse();
    const Vec3 omega(twist[3], twist[4], twist[5]);
    write(Vec3(Vec3(twist[0], twist[1], twist[2]) + omega.cross(place.p - link.p)), twist);
    write(place, pose);
    call(vtb_body_set_pose(&world_, def.body_b, pose, nullptr));
    call(vtb_body_set_twist(&world_, def.body_b, twist, nullptr));
  }
}

void SceneBuilder::axis(const Element& e, vtb_joint joint) {
  AxisValues present;
  const AxisValues& wanted = e.as<AxisValues>();
  call(vtb_joint_get_axis(&world_, joint, wanted.index, &present.def));
  for (const auto& attribute : kAxis.attributes)
    if (e.has(attribute.name)) copyValue(attribute, &wanted, &present);
  call(vtb_joint_set_axis(&world_, joint, wanted.index, &present.def));
}

void SceneBuilder::drive(const Element& e, vtb_joint joint) {
  if (e.rule == &kMotor || e.rule == &kFigureMotor) {
    const MotorValues& motor = e.as<MotorValues>();
    call(vtb_joint_set_motor(&world_, joint, motor.axis, &motor.def));
  } else if (e.rule == &kTarget) {
    const TargetValues& target = e.as<TargetValues>();
    double twist[6];
    std::copy_n(target.velocity, 3, twist);
    std::copy_n(target.angularVelocity, 3, twist + 3);
    call(vtb_joint_set_target(&world_, joint, target.pose, twist));
  } else {
    const OrientationMotorValues& motor = e.as<OrientationMotorValues>();
    call(
        vtb_joint_set_orientation_motor(&world_, joint, motor.orientation, motor.velocity, motor.stiffness, motor.damping, motor.maxForce));
  }
}

// Bodies that keep poses of their own begin where trees would have them, not with open joints.
void SceneBuilder::placeByJoints() {
  std::vector<int> ids;
  for (const auto& made : joints_) ids.push_back(jointOf(world_, made.second));
  attempt(model_.root, [&] { check(world_.engine.placeByJoints(ids)); });
}

void SceneBuilder::jointState(const Element& e) {
  const JointValues& values = e.as<JointValues>();
  if (values.q.empty() && values.v.empty()) return;
  vtb_joint joint{0};
  for (const auto& made : joints_)
    if (made.first == &e) joint = made.second;
  const JointDefinition& d = world_.engine.joint(jointOf(world_, joint));
  const auto checkCount = [&](const std::vector<double>& numbers, int count, const char* name) {
    if (!numbers.empty() && numbers.size() != static_cast<std::size_t>(count))
      refuse(VTB_E_ARG,
             std::string(name) + " has " + std::to_string(numbers.size()) + " numbers, this type of joint has " + std::to_string(count));
  };
  checkCount(values.q, dynamics::jointNq(d.type), "q");
  checkCount(values.v, dynamics::jointNv(d.type), "v");
  call(vtb_joint_set_state(&world_, joint, values.q.empty() ? nullptr : values.q.data(), values.v.empty() ? nullptr : values.v.data()));
}

bool SceneBuilder::terms(const Element& e, std::vector<vtb_coupling_term>& out) {
  bool all = true;
  for (const Element& child : e.children) {
    TermValues term = child.as<TermValues>();
    all = find(VTB_NAMED_JOINT, term.joint, child, term.term.joint.bits) && all;
    out.push_back(term.term);
  }
  return all;
}

void SceneBuilder::coupling(const Element& e) {
  CouplingValues values = e.as<CouplingValues>();
  vtb_coupling_def& def = values.def;
  const bool a = find(VTB_NAMED_JOINT, values.a, e, def.joint_a.bits), b = find(VTB_NAMED_JOINT, values.b, e, def.joint_b.bits);
  std::vector<vtb_coupling_term> terms;
  const bool all = this->terms(e, terms);
  if (!a || !b || !all) return;
  if (terms.empty() && (values.a.empty() || values.b.empty())) refuse(VTB_E_ARG, "it needs a and b, or terms");
  def.terms = terms.data();
  def.term_count = static_cast<uint32_t>(terms.size());
  vtb_coupling made;
  call(vtb_coupling_create(&world_, &def, &made));
  made_.push_back({&e, VTB_NAMED_COUPLING, made.bits});
  named(VTB_NAMED_COUPLING, values.name, made.bits);
}

}  // namespace vertebra::capi::scene
