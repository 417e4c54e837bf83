// The variables of a scene. Exposed is what has a name: joints, bodies, parts of drivelines, sensors; and gravity, energies and the number
// of contacts of the world. The parts of a scene's only figure stand without its name where no other body or joint has one.
//
// Gains of drives, where the scene gives none: stiffness = omega^2 I and damping = 2 omega I with omega = 50 rad/s, I the inertia on the
// axis: the diagonal of the figure's mass matrix, else that of the joint's second body about (or along) the axis.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "plugins/fmi/model.hpp"

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

struct Owner {
  std::size_t figure = kNone;
  int index = 0;  // in the skeleton
};

class Lister {
 public:
  Lister(Model& model, vtb_world* world) : m_(model), w_(world) {}

  void run() {
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

 private:
  std::size_t add(const std::string& name, const std::string& description, const char* unit, Causality causality, Variability variability,
                  double start, Role role, std::size_t owner, int component) {
    Variable v;
    v.name = name;
    v.description = description;
    v.unit = unit;
    v.causality = causality;
    v.variability = variability;
    v.start = start;
    v.role = role;
    v.owner = owner;
    v.component = component;
    m_.variables.push_back(std::move(v));
    return m_.variables.size() - 1;
  }
  std::size_t output(const std::string& name, const std::string& description, const char* unit, Role role, std::size_t owner,
                     int component) {
    return add(name, description, unit, Causality::kOutput, Variability::kContinuous, 0, role, owner, component);
  }
  std::size_t input(const std::string& name, const std::string& description, const char* unit, double start, Role role, std::size_t owner,
                    int component) {
    return add(name, description, unit, Causality::kInput, Variability::kContinuous, start, role, owner, component);
  }
  std::size_t gain(const std::string& name, const std::string& description, const char* unit, double start, Role role, std::size_t owner,
                   int component) {
    const std::size_t index = add(name, description, unit, Causality::kParameter, Variability::kTunable, start, role, owner, component);
    m_.variables[index].min = 0;
    return index;
  }
  static std::string indexed(const std::string& name, int index, int count) {
    return count == 1 ? name : name + "[" + std::to_string(index) + "]";
  }

  void findFigures() {
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

  // The diagonal of the mass matrix, empty where there is none.
  std::vector<double> inertiasOf(std::size_t f, int nv) {
    vtb_workspace* made = nullptr;
    if (nv == 0 || vtb_figure_create_workspace(w_, figures_[f], &made) != VTB_OK) return {};
    const Workspace workspace(made);
    const std::size_t n = static_cast<std::size_t>(nv);
    std::vector<double> matrix(n * n), diagonal(n);
    if (vtb_figure_mass_matrix(w_, figures_[f], made, matrix.data()) != VTB_OK) return {};
    for (std::size_t i = 0; i < n; ++i) diagonal[i] = matrix[i * n + i];
    return diagonal;
  }

  // Where the joint's velocities begin in its figure's, or -1: those of the base come first, mimics and joints that close cycles have none.
  int offsetInFigure(const Owner& owner) {
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

  std::string shown(vtb_named kind, uint64_t bits) {
    std::string name = nameOf(w_, kind, bits);
    if (!prefix_.empty() && name.starts_with(prefix_)) name.erase(0, prefix_.size());
    return name.empty() ? name : structuredName(name);
  }

  void addWorld() {
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

  // Inertia on an axis of a joint outside of figures: of body_b about the axis, or along it.
  double inertiaAbout(vtb_joint joint, const vtb_joint_def& def, vtb_joint_type type, int axis) {
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

  void addJoint(std::size_t at, vtb_joint joint) {
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

  static const char* unitOfQ(const JointLinks& links, int i) {
    if (links.nq == links.nv) return turns(links.type, i) ? "rad" : "m";
    return links.nq == 7 && i < 3 ? "m" : "";
  }

  std::vector<JointLinks::Follower> followersOf(std::size_t figure, int leader) {
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

  void addStarts(JointLinks& links, const std::string& name, const std::vector<double>& q, const std::vector<double>& v,
                 std::size_t owner) {
    if (links.type >= VTB_JOINT_TYPE_MOTOR || links.type == VTB_JOINT_TYPE_FLOATING) return;
    for (int i = 0; i < links.nq; ++i) {
      const std::size_t index = add(indexed(name + ".q_start", i, links.nq), "coordinate at the start", unitOfQ(links, i),
                                    Causality::kParameter, Variability::kFixed, q[static_cast<std::size_t>(i)], Role::kStartQ, owner, i);
      if (i == 0) links.startQ = index;
    }
    for (int i = 0; i < links.nv; ++i) {
      const std::size_t index =
          add(indexed(name + ".v_start", i, links.nv), "velocity at the start", turns(links.type, i) ? "rad/s" : "m/s",
              Causality::kParameter, Variability::kFixed, v[static_cast<std::size_t>(i)], Role::kStartV, owner, i);
      if (i == 0) links.startV = index;
    }
  }

  void addDrives(JointLinks& links, vtb_joint joint, const std::string& name, const std::vector<double>& q,
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
      const std::size_t index =
          gain(indexed(name + ".max_force", i, gains), "largest that the drive gives; the axis' effort bounds as well",
               turns(links.type, i) ? "N.m" : "N", std::isfinite(bound) ? bound : kNoBound, Role::kMaxForce, owner, i);
      if (i == 0) links.maxForce = index;
    }
  }

  void addBody(std::size_t at, vtb_body body) {
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

  void addPart(std::size_t at, vtb_constraint part) {
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
    bounded(
        input(name + ".throttle_in", "engine: throttle, at least; the governor may add", "", driver.throttle, Role::kThrottle, owner, 0), 0,
        1);
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

  void addSensor(std::size_t at, vtb_sensor sensor) {
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

  void refuseDoubles() const {
    std::set<std::string> seen;
    for (const Variable& v : m_.variables)
      if (!seen.insert(v.name).second)
        throw Failure("two variables of the FMU would have the name " + v.name + "; give the things of the model other names");
  }

  // A joint whose state cannot be set (it closes a cycle) keeps that of the scene: its starts are told, but no parameters.
  void dropFixedStarts() {
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

  Model& m_;
  vtb_world* w_;
  std::string prefix_;
  std::vector<vtb_figure> figures_;
  std::vector<Skeleton> skeletons_;
  std::vector<bool> controlled_;
  std::vector<std::vector<double>> inertias_;  // by figure, on each of its velocities
  std::map<uint64_t, Owner> linkOf_, jointOf_;
};

}  // namespace

void listVariables(Model& model, vtb_world* world) { Lister(model, world).run(); }

}  // namespace vertebra::fmi
