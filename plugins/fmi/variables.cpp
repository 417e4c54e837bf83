// The variables of a scene. Exposed is what has a name: joints, bodies, parts of drivelines, sensors; and gravity, energies and the number
// of contacts of the world. The parts of a scene's only figure stand without its name where no other body or joint has one.
#include <set>

#include "plugins/fmi/lister.hpp"

namespace vertebra::fmi {

void Lister::run() {
  findFigures();
  add("time", "time of the simulation", "s", Causality::kIndependent, Variability::kContinuous, 0, Role::kTime, 0, 0);
  addWorld();
  const auto joints = listOf<vtb_joint>(w_, vtb_world_get_joints);
  for (std::size_t i = 0; i < joints.size(); ++i) addJoint(i, joints[i]);
  const auto bodies = listOf<vtb_body>(w_, vtb_world_get_bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) addBody(i, bodies[i]);
  const auto parts = listOf<vtb_constraint>(w_, vtb_world_get_constraints);
  for (std::size_t i = 0; i < parts.size(); ++i) addPart(i, parts[i]);
  const auto sensors = listOf<vtb_sensor>(w_, vtb_world_get_sensors);
  for (std::size_t i = 0; i < sensors.size(); ++i) addSensor(i, sensors[i]);
  refuseDoubles();
  dropFixedStarts();
}

void Lister::findFigures() {
  figures_ = listOf<vtb_figure>(w_, vtb_world_get_figures);
  for (std::size_t f = 0; f < figures_.size(); ++f) {
    int32_t links = 0, joints = 0, nq = 0, nv = 0;
    check(vtb_figure_get_size(w_, figures_[f], &links, &joints, &nq, &nv), "reading a figure");
    for (int32_t i = 0; i < links; ++i) {
      vtb_body body{};
      check(vtb_figure_get_body(w_, figures_[f], i, &body), "reading a figure");
      linkOf_[body.bits] = {f, i};
    }
    for (int32_t i = 0; i < joints; ++i) {
      vtb_joint joint{};
      if (vtb_figure_get_joint(w_, figures_[f], i, &joint) == VTB_OK && joint.bits != 0) jointOf_[joint.bits] = {f, i};
    }
    vtb_skeleton* skeleton = nullptr;
    check(vtb_figure_get_skeleton(w_, figures_[f], &skeleton), "reading a figure");
    skeletons_.emplace_back(skeleton);
    size_t controllers = 0;
    check(vtb_figure_get_controllers(w_, figures_[f], nullptr, 0, &controllers), "reading a figure");
    controlled_.push_back(controllers > 0);
    inertias_.push_back(inertiasOf(f, nv));
  }
  if (figures_.size() != 1) return;
  // Something else with a name keeps the figure's name in front.
  for (const vtb_body body : listOf<vtb_body>(w_, vtb_world_get_bodies))
    if (!linkOf_.count(body.bits) && !nameOf(w_, VTB_NAMED_BODY, body.bits).empty()) return;
  for (const vtb_joint joint : listOf<vtb_joint>(w_, vtb_world_get_joints))
    if (!jointOf_.count(joint.bits) && !nameOf(w_, VTB_NAMED_JOINT, joint.bits).empty()) return;
  prefix_ = nameOf(w_, VTB_NAMED_FIGURE, figures_[0].bits) + "/";
}

std::vector<double> Lister::inertiasOf(std::size_t f, int nv) {
  vtb_workspace* made = nullptr;
  if (nv == 0 || vtb_figure_create_workspace(w_, figures_[f], &made) != VTB_OK) return {};
  const Workspace workspace(made);
  const std::size_t n = static_cast<std::size_t>(nv);
  std::vector<double> matrix(n * n), diagonal(n);
  if (vtb_figure_mass_matrix(w_, figures_[f], made, matrix.data()) != VTB_OK) return {};
  for (std::size_t i = 0; i < n; ++i) diagonal[i] = matrix[i * n + i];
  return diagonal;
}

std::string Lister::shown(vtb_named kind, uint64_t bits) {
  std::string name = nameOf(w_, kind, bits);
  if (!prefix_.empty() && name.starts_with(prefix_)) name.erase(0, prefix_.size());
  return name.empty() ? name : structuredName(name);
}

void Lister::addWorld() {
  auto settings = sized<vtb_world_def>();
  check(vtb_world_get_settings(w_, &settings), "reading the settings");
  m_.gravity = m_.variables.size();
  for (int i = 0; i < 3; ++i)
    add(indexed("gravity", i, 3), "acceleration of free fall, world axes", "m/s2", Causality::kParameter, Variability::kTunable,
        settings.gravity[i], Role::kGravity, 0, i);
  output("kinetic_energy", "of all that moves by physics", "J", Role::kKinetic, 0, 0);
  output("potential_energy", "of gravity, springs and fields; gravity's part is zero at the origin", "J", Role::kPotential, 0, 0);
  const std::size_t contacts = output("contacts", "number of contact points", "", Role::kContacts, 0, 0);
  m_.variables[contacts].integer = true;
  m_.variables[contacts].variability = Variability::kDiscrete;
}

void Lister::addBody(std::size_t at, vtb_body body) {
  const std::string name = shown(VTB_NAMED_BODY, body.bits);
  vtb_body_kind kind{};
  check(vtb_body_get_kind(w_, body, &kind), "reading a body");
  if (name.empty() || kind == VTB_BODY_KIND_STATIC) return;
  BodyLinks links;
  links.at = at;
  const auto found = linkOf_.find(body.bits);
  if (found != linkOf_.end()) links.figure = found->second.figure;
  const std::size_t owner = m_.bodies.size();
  if (kind == VTB_BODY_KIND_DYNAMIC) {
    for (int i = 0; i < 3; ++i) {
      const std::size_t index =
          input(indexed(name + ".force", i, 3), "outer force at the centre of mass, world axes", "N", 0, Role::kForce, owner, i);
      if (i == 0) links.force = index;
    }
    for (int i = 0; i < 3; ++i) input(indexed(name + ".moment", i, 3), "outer torque, world axes", "N.m", 0, Role::kMoment, owner, i);
  }
  const auto vector = [&](const char* leaf, const char* description, const char* unit, Role role, int count) {
    for (int i = 0; i < count; ++i) output(indexed(name + leaf, i, count), description, unit, role, owner, i);
  };
  vector(".position", "origin of the link frame, world", "m", Role::kPosition, 3);
  vector(".orientation", "of the link frame, quaternion x, y, z, w", "", Role::kOrientation, 4);
  vector(".velocity", "of the link frame's origin, world axes", "m/s", Role::kVelocity, 3);
  vector(".angular_velocity", "world axes", "rad/s", Role::kAngularVelocity, 3);
  vector(".contact_force", "sum of the forces at its contact points, mean over the last inner step, world axes", "N", Role::kContactForce,
         3);
  m_.bodies.push_back(links);
}

void Lister::addPart(std::size_t at, vtb_constraint part) {
  const std::string name = shown(VTB_NAMED_CONSTRAINT, part.bits);
  auto driver = sized<vtb_driveline_input>();
  if (name.empty() || vtb_driveline_get_input(w_, part, &driver) != VTB_OK) return;
  PartLinks links;
  links.at = at;
  links.first = m_.variables.size();
  const std::size_t owner = m_.parts.size();
  const auto bounded = [&](std::size_t index, double least, double most) {
    m_.variables[index].min = least;
    m_.variables[index].max = most;
  };
  bounded(input(name + ".throttle_in", "engine: throttle, at least; the governor may add", "", driver.throttle, Role::kThrottle, owner, 0),
          0, 1);
  input(name + ".speed_in", "engine: the governor's target", "rad/s", driver.speed, Role::kSpeed, owner, 0);
  bounded(input(name + ".clutch_in", "gearbox: share of the clutch's largest torque", "", driver.clutch, Role::kClutch, owner, 0), 0, 1);
  bounded(input(name + ".lock_in", "converter, differential: share of the lock's largest torque", "", driver.lock, Role::kLock, owner, 0),
          0, 1);
  bounded(input(name + ".stroke_in", "pump, cylinder: stroke", "", driver.stroke, Role::kStroke, owner, 0), -1, 1);
  const std::size_t gear = input(name + ".gear_in", "gearbox: index of the gear", "", driver.gear, Role::kGear, owner, 0);
  m_.variables[gear].integer = true;
  m_.variables[gear].variability = Variability::kDiscrete;
  m_.variables[gear].min = 0;

  for (int i = 0; i < 4; ++i)
    output(indexed(name + ".torque", i, 4), "on the joint of one of its axes (N along one that slides)", "N.m", Role::kPartTorque, owner,
           i);
  const struct {
    const char *leaf, *description, *unit;
  } readings[] = {{".power_in", "taken in", "W"},
                  {".power_out", "given out", "W"},
                  {".throttle", "engine: the governor's share included", ""},
                  {".fuel_rate", "engine: burnt", "kg/s"},
                  {".fuel", "engine: burnt so far", "kg"},
                  {".ratio", "converter: output by input speed; gearbox: of the gear in mesh", ""},
                  {".pressure", "pump, cylinder", "Pa"}};
  for (int i = 0; i < 7; ++i) output(name + readings[i].leaf, readings[i].description, readings[i].unit, Role::kPartReading, owner, i);
  m_.parts.push_back(links);
}

void Lister::addSensor(std::size_t at, vtb_sensor sensor) {
  const std::string name = shown(VTB_NAMED_SENSOR, sensor.bits);
  auto def = sized<vtb_sensor_def>();
  check(vtb_sensor_get_def(w_, sensor, &def), "reading a sensor");
  if (name.empty()) return;
  size_t count = 0;
  check(vtb_sensor_get_values(w_, sensor, nullptr, 0, &count), "reading a sensor");
  const char *first = "", *second = "";
  switch (def.type) {
    case VTB_SENSOR_TYPE_POSE:
      first = "m", second = "";
      break;
    case VTB_SENSOR_TYPE_VELOCITY:
      first = "m/s", second = "rad/s";
      break;
    case VTB_SENSOR_TYPE_ACCELERATION:
      first = "m/s2", second = "rad/s2";
      break;
    case VTB_SENSOR_TYPE_IMU:
      first = "m/s2", second = "rad/s";
      break;
    case VTB_SENSOR_TYPE_FORCE_TORQUE:
      first = "N", second = "N.m";
      break;
    case VTB_SENSOR_TYPE_TOUCH:
      first = "N";
      break;
  }
  for (int i = 0; i < static_cast<int>(count); ++i)
    output(indexed(name + ".value", i, static_cast<int>(count)), "what the sensor read after the last inner step", i < 3 ? first : second,
           Role::kSensor, m_.sensors.size(), i);
  m_.sensors.push_back({at});
}

void Lister::refuseDoubles() const {
  std::set<std::string> seen;
  for (const Variable& v : m_.variables)
    if (!seen.insert(v.name).second)
      throw Failure("two variables of the FMU would have the name " + v.name + "; give the things of the model other names");
}

void Lister::dropFixedStarts() {
  const auto handles = listOf<vtb_joint>(w_, vtb_world_get_joints);
  std::vector<bool> drop(m_.variables.size());
  for (JointLinks& links : m_.joints) {
    if (links.startQ == kNone) continue;
    std::vector<double> q(static_cast<std::size_t>(links.nq)), v(static_cast<std::size_t>(links.nv));
    check(vtb_joint_get_state(w_, handles[links.at], q.data(), v.data()), "reading a joint");
    if (vtb_joint_set_state(w_, handles[links.at], q.data(), v.data()) == VTB_OK) continue;
    for (int i = 0; i < links.nq + links.nv; ++i) drop[links.startQ + static_cast<std::size_t>(i)] = true;
    links.startQ = links.startV = kNone;
  }
  std::vector<std::size_t> place(m_.variables.size());
  std::vector<Variable> kept;
  for (std::size_t i = 0; i < m_.variables.size(); ++i) {
    place[i] = kept.size();
    if (!drop[i]) kept.push_back(std::move(m_.variables[i]));
  }
  m_.variables = std::move(kept);
  const auto move = [&](std::size_t& index) {
    if (index != kNone) index = place[index];
  };
  move(m_.gravity);
  for (JointLinks& links : m_.joints)
    for (std::size_t* index :
         {&links.startQ, &links.startV, &links.tau, &links.targetQ, &links.targetV, &links.stiffness, &links.damping, &links.maxForce})
      move(*index);
  for (BodyLinks& links : m_.bodies) move(links.force);
  for (PartLinks& links : m_.parts) move(links.first);
}

void listVariables(Model& model, vtb_world* world) { Lister(model, world).run(); }

}  // namespace vertebra::fmi
