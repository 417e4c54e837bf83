// Skeleton: the description of a figure, without a world: links and joints as a file or a program gives them. Frames: a link frame is where
// the file puts it; inertia is about the centre of mass in link axes; a joint has a frame in its parent link and one in its child link,
// which coincide at q = 0. SI units, radians.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "engine/dynamics/joint_type.hpp"
#include "engine/geometry/shape.hpp"
#include "engine/math/types.hpp"

namespace vertebra::figure {

struct Mimic {
  int master = -1;  // index of a joint, -1 = none; both joints have one axis
  double multiplier = 1, offset = 0;
};

struct JointDescription : dynamics::JointShape {
  std::string name;
  int parent = -1, child = -1;                   // links; parent -1 = the world
  Pose inParent, inChild;                        // joint frames in link frames; URDF: inChild = identity
  std::array<dynamics::AxisParameters, 6> axes;  // first nv used; spherical: about x, y, z of the child's joint frame
  double swing = kInf;                           // spherical: largest angle between the twist axes
  double twistLower = -kInf, twistUpper = kInf;  // spherical
  Mimic mimic;
  bool loop = false;       // closes a cycle: an auxiliary constraint, has no coordinates
  bool hasSafety = false;  // URDF <safety_controller>, kept for the user
  double safetyLower = 0, safetyUpper = 0, safetyKPosition = 0, safetyKVelocity = 0;
};

struct LinkDescription {
  std::string name;
  double mass = 0;
  Vec3 com = Vec3::Zero();      // link frame
  Mat3 inertia = Mat3::Zero();  // about the centre of mass, link axes
  std::vector<geometry::Shape> shapes;
  std::vector<geometry::Visual> visuals;
};

struct Site {  // a named frame on a link: where a bone ends, a marker sits, a hand grips
  std::string name;
  int link = -1;
  Pose pose;  // link frame
};

struct Skeleton {
  std::string name;
  std::vector<LinkDescription> links;             // file order
  std::vector<JointDescription> joints;           // file order
  int root = 0;                                   // link
  bool floatingByDefault = true;                  // false when the root is meant to be fixed (URDF link "world")
  std::vector<std::pair<int, int>> uncollidable;  // pairs of links that do not collide, including neighbours by joint
  std::vector<Site> sites;
  std::vector<std::pair<std::string, int>> roles;  // what a link is, such as left_foot (retarget/role_map.hpp has the usual ones)

  int findLink(const std::string& name) const;   // -1 if absent
  int findJoint(const std::string& name) const;  // -1 if absent
  int findSite(const std::string& name) const;   // -1 if absent
};

// Checks a skeleton made by a program: one tree from the root (loop joints apart), indices in range, finite numbers, mass >= 0, unit axes,
// mimic without cycles. Returns an empty string or what is wrong, with the element's name.
std::string checkSkeleton(const Skeleton& s);

// Pairs of links with shapes that have no freedom between them, or that one joint parts: what never collides unless a figure is made so
// that it does. Ascending.
std::vector<std::pair<int, int>> neighbourPairs(const Skeleton& s);

}  // namespace vertebra::figure
