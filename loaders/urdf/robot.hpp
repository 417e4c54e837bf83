// The content of a URDF file as written, with names not yet resolved into indices except where the reader checks them: the form between the
// XML and the Skeleton. Lines are 1-based; angles rad, lengths m.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "engine/figure/skeleton.hpp"

namespace vertebra {

struct UrdfOrigin {
  Vec3 xyz = Vec3::Zero(), rpy = Vec3::Zero();
  Pose pose() const;
};

struct UrdfGeometry {
  enum class Kind { Box, Cylinder, Sphere, Capsule, Mesh };
  Kind kind = Kind::Box;
  Vec3 size = Vec3::Zero();  // box: full edges
  double radius = 0, length = 0;
  std::string filename;
  Vec3 scale = Vec3::Ones();
};

struct UrdfShape {  // a <visual> or <collision>
  int line = 0;
  std::string element, name;
  UrdfOrigin origin;
  UrdfGeometry geometry;
  std::string material;
  int materialLine = 0;
  bool hasColour = false;
  float rgba[4] = {0.7f, 0.7f, 0.7f, 1.0f};
};

struct UrdfMaterial {
  int line = 0;
  bool global = false;  // defined at the top level, hence visible everywhere
  bool hasColour = false;
  float rgba[4] = {0.7f, 0.7f, 0.7f, 1.0f};
};

struct UrdfInertial {
  bool given = false;
  int line = 0;
  UrdfOrigin origin;
  double mass = 0;
  double ixx = 0, ixy = 0, ixz = 0, iyy = 0, iyz = 0, izz = 0;
};

struct UrdfLink {
  std::string name;
  int line = 0;
  bool invented = false;  // added by a repair
  UrdfInertial inertial;
  std::vector<UrdfShape> visuals, collisions;
  geometry::Surface surface;
};

struct UrdfJoint {
  std::string name;
  int line = 0;
  dynamics::JointType type = dynamics::JointType::Fixed;
  int parent = -1, child = -1;  // links
  std::string parentName, childName;
  int parentLine = 0, childLine = 0;
  UrdfOrigin origin;
  Vec3 axis = Vec3::UnitX();  // unit
  double lower = -kInf, upper = kInf, velocity = kInf, effort = kInf;
  double damping = 0, friction = 0;
  std::string mimicName;  // empty = none
  int mimicLine = 0;
  figure::Mimic mimic;
  Pose held;  // after the origin: pose of a joint that follows a fixed one
  bool loop = false;
  bool dropped = false;  // refers to nothing usable; lenient mode leaves it out
  bool hasSafety = false;
  double safetyLower = 0, safetyUpper = 0, safetyKPosition = 0, safetyKVelocity = 0;
};

struct UrdfRobot {
  std::string name;
  int line = 0;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::map<std::string, UrdfMaterial> materials;
  int root = 0;
};

inline std::string quoted(const char* kind, const std::string& name) { return std::string(kind) + " '" + name + "'"; }

}  // namespace vertebra
