// URDF: a robot description file becomes a Skeleton. Strict mode refuses what the format forbids; lenient mode repairs it and
// says how. Every finding carries a stable code, file, line and element.
// SI units, radians; link frames are where the file puts them, so JointDescription::inChild is the identity.
// Source of the format: wiki.ros.org/urdf/XML. Extensions understood: <capsule>, type="spherical", <contact> of Bullet.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "engine/figure/skeleton.hpp"
#include "loaders/diagnostics.hpp"

namespace vertebra {

struct UrdfOptions {
  enum class MissingInertia {
    Zero,          // no mass; a link on a fixed joint is carried by its neighbours, a moving one is reported
    FromGeometry,  // from collision (else visual) shapes at 1000 kg/m3
    Error
  };
  enum class InvalidInertia {
    Repair,   // impossible ones (negative mass, not positive semidefinite) to the nearest valid; others kept, with a warning
    Nearest,  // also those that break the triangle inequality
    Keep,     // as the file says, with a warning; negative mass and inertia are an error
    Error
  };

  enum class UpAxis {
    Auto,    // as the centres of mass have it: the way in which the meshes lie nearer to them; if that says little, Ignore
    Ignore,  // meshes as they stand, which is what rviz and Gazebo do
    Turn     // so that the axis a DAE calls up points along the link's z, as its format means it
  };

  bool strict = false;
  MissingInertia missingInertia = MissingInertia::Zero;
  InvalidInertia invalidInertia = InvalidInertia::Repair;                      // strict mode: Error
  std::vector<std::string> meshRoots;                                          // folders that hold packages, or the meshes themselves
  std::function<bool(const std::string& uri, std::string& path)> resolveMesh;  // asked first; false = try the rest
  bool loadMeshes = true;                                                      // false: mesh shapes and visuals are left out, and said
  UpAxis upAxis = UpAxis::Auto;                                                // of DAE meshes that say X_UP or Y_UP
  bool convexHulls = true;       // collision meshes become convex hulls; false: triangle meshes
  bool separateOverlaps = true;  // links inside each other with all joints at zero never collide; each pair is told
  bool deriveCollision = false;  // links without collision shape get one from their visuals, else from their bones
};

inline constexpr double kUrdfDensity = 1000;  // kg/m3, for MissingInertia::FromGeometry

// False: the file could not be used; the reasons are in diagnostics and out is untouched.
bool loadUrdfFile(const std::string& path, const UrdfOptions& options, Skeleton& out, Diagnostics& diagnostics);
// pathForMessages names the text in diagnostics and anchors relative mesh paths; it need not exist.
bool loadUrdfText(const std::string& text, const std::string& pathForMessages, const UrdfOptions& options, Skeleton& out,
                  Diagnostics& diagnostics);

// The skeleton as URDF text; what the format has no words for (springs, armature, hulls in memory, ...) is told in diagnostics,
// each kind once. False, with errors: it has universal joints, joints to the world, or joint frames away from their child link's.
bool writeUrdf(const Skeleton& skeleton, std::string& out, Diagnostics& diagnostics);

}  // namespace vertebra
