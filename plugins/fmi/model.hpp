// What an FMU of vertebra offers: its variables, made from the scene in its resources. The exporter's modelDescription.xml and the
// runtime's value references come from this one list, in this order: a variable's value reference is its index. SI units; angles in rad.
//
// The resources are a folder with
//   scene.xml     the model, with all it names beside it
//   fmu.txt       lines "key value": inputs torque|position|velocity, and time_step where it differs from the scene's
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "plugins/fmi/owned.hpp"

namespace vertebra::fmi {

enum class Inputs { kTorque, kPosition, kVelocity };

enum class Causality { kIndependent, kParameter, kInput, kOutput };
enum class Variability { kFixed, kTunable, kDiscrete, kContinuous };

// What a variable is bound to.
enum class Role {
  kTime,
  kGravity,
  // Of a joint.
  kStartQ,
  kStartV,
  kTau,
  kTargetQ,
  kTargetV,
  kStiffness,
  kDamping,
  kMaxForce,
  kQ,
  kV,
  kMotorForce,
  // Of a body.
  kForce,
  kMoment,
  kPosition,
  kOrientation,
  kVelocity,
  kAngularVelocity,
  kContactForce,
  // Of a part of a driveline: what a driver sets, what it reads.
  kThrottle,
  kSpeed,
  kGear,
  kClutch,
  kLock,
  kStroke,
  kPartTorque,
  kPartReading,
  kSensor,
  // Of the world.
  kKinetic,
  kPotential,
  kContacts
};

struct Variable {
  std::string name, description;
  const char* unit = "";  // one of units.hpp; empty for a pure number
  Causality causality = Causality::kOutput;
  Variability variability = Variability::kContinuous;
  bool integer = false;
  double start = 0;
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
  Role role = Role::kTime;
  std::size_t owner = 0;  // index of the joint, body, part or sensor in Model's lists
  int component = 0;      // axis or coordinate
  bool settable() const { return causality == Causality::kParameter || causality == Causality::kInput; }
};

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// A joint's variables: index of the first of each kind, or kNone. at: index in vtb_world_get_joints.
struct JointLinks {
  std::size_t at = 0;
  vtb_joint_type type = VTB_JOINT_TYPE_FIXED;
  int nq = 0, nv = 0;
  std::size_t figure = kNone;  // index in vtb_world_get_figures
  std::size_t startQ = kNone, startV = kNone, tau = kNone, targetQ = kNone, targetV = kNone, stiffness = kNone, damping = kNone,
              maxForce = kNone;
  // Joints that follow it: q = multiplier q + offset.
  struct Follower {
    std::size_t at;
    double multiplier, offset;
  };
  std::vector<Follower> followers;
};
struct BodyLinks {
  std::size_t at = 0;  // index in vtb_world_get_bodies
  std::size_t figure = kNone;
  std::size_t force = kNone;  // three forces, then three moments; kNone for a body that physics does not move
};
struct PartLinks {
  std::size_t at = 0;     // index in vtb_world_get_constraints
  std::size_t first = 0;  // throttle, speed, clutch, lock, stroke, gear
};
struct SensorLinks {
  std::size_t at = 0;  // index in vtb_world_get_sensors
};

class Model {
 public:
  explicit Model(const std::string& resources);  // Failure where the folder does not hold a model

  World makeWorld() const;
  const std::string& folder() const { return folder_; }
  const std::string& token() const { return token_; }  // of the resources' content and the list of variables
  double timeStep() const { return settings_.time_step; }
  Inputs inputs() const { return inputs_; }

  std::vector<Variable> variables;
  std::size_t gravity = 0;  // index of its first variable
  std::vector<JointLinks> joints;
  std::vector<BodyLinks> bodies;
  std::vector<PartLinks> parts;
  std::vector<SensorLinks> sensors;

 private:
  void readFolder();
  void makeToken();

  std::string folder_, token_;
  Scene scene_;
  vtb_world_def settings_{};
  Inputs inputs_ = Inputs::kTorque;
};

// Fills the lists of a model from a world made from its scene, which it may change.
void listVariables(Model& model, vtb_world* world);

// A name by the "structured" naming convention of FMI: parts are set off by '/', those that are no identifiers are quoted.
std::string structuredName(const std::string& name);

}  // namespace vertebra::fmi
