// URDF: reads a robot description file into a Skeleton. Strict mode rejects what the format forbids; lenient mode repairs it and reports
// the repair. Every finding has a stable code, file, line and element. SI units, radians; link frames are where the file puts them, so
// JointDescription::inChild is the identity. Source of the format: wiki.ros.org/urdf/XML. Supported extensions: <capsule>,
// type="spherical", <contact> of Bullet.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "engine/figure/skeleton.hpp"
#include "loaders/diagnostics.hpp"

namespace vertebra {

struct UrdfOptions {
  enum class MissingInertia {
    // No mass: the neighbours of a link on a fixed joint carry it. Links of a part that moves without any mass get it from their shapes at
    // 1000 kg/m3, or from their bones; strict mode: an error.
    Zero,
    FromGeometry,  // from collision (else visual) shapes at 1000 kg/m3
    Error
  };
  enum class InvalidInertia {
    Repair,   // impossible ones (negative mass, not positive semidefinite) become the nearest valid; others are kept, with a warning
    Nearest,  // also those that violate the triangle inequality
    Keep,     // as the file says, with a warning; negative mass and inertia are an error
    Error
  };

  enum class UpAxis {
    Auto,    // by the centres of mass: the orientation in which the meshes lie nearer to them; if the difference is small, Ignore
    Ignore,  // meshes unchanged, as rviz and Gazebo show them
    Turn     // rotated so that the axis a DAE calls up points along the link's z, as the format means it
  };

  bool strict = false;
  MissingInertia missingInertia = MissingInertia::Zero;
  InvalidInertia invalidInertia = InvalidInertia::Repair;                      // strict mode: Error
  std::vector<std::string> meshRoots;                                          // folders that hold packages, or the meshes themselves
  std::function<bool(const std::string& uri, std::string& path)> resolveMesh;  // asked first; false = try the rest
  bool loadMeshes = true;        // false: mesh shapes and visuals are left out, which is reported
  UpAxis upAxis = UpAxis::Auto;  // of DAE meshes that say X_UP or Y_UP
  bool convexHulls = true;       // collision meshes become convex hulls; false: triangle meshes
  bool separateOverlaps = true;  // links that overlap with all joints at zero never collide; each pair is reported
  bool deriveCollision = false;  // links without collision shape get one from their visuals, otherwise from their bones
};

inline constexpr double kUrdfDensity = 1000;  // kg/m3, for MissingInertia::FromGeometry

// False: the file is unusable; the reasons are in diagnostics, and out is unchanged.
bool loadUrdfFile(const std::string& path, const UrdfOptions& options, figure::Skeleton& out, Diagnostics& diagnostics);
// pathForMessages is the file name in diagnostics, and relative mesh paths start at it; it need not exist.
bool loadUrdfText(const std::string& text, const std::string& pathForMessages, const UrdfOptions& options, figure::Skeleton& out,
                  Diagnostics& diagnostics);

// The skeleton as URDF text; diagnostics report what the format cannot express (springs, armature, hulls in memory, ...), each kind once.
// False, with errors: it has universal joints, joints to the world, or joint frames away from their child link's.
bool writeUrdf(const figure::Skeleton& skeleton, std::string& out, Diagnostics& diagnostics);

}  // namespace vertebra
