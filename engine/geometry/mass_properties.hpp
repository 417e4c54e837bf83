// Mass, centre of mass and inertia of solids: closed forms, or signed tetrahedra for hulls and closed meshes. SI units. `inertia` is about
// the centre of mass, in the axes of the frame in which `com` is given. Polyhedra after F. Tonon, "Explicit exact formulas for the 3-D
// tetrahedron inertia tensor in terms of its vertex coordinates" (2004).
#pragma once
#include <string>

#include "engine/geometry/shape.hpp"

namespace vertebra::geometry {

struct MassProperties {
  double mass = 0;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

// Of the solid in its own frame. Returns an empty string, or why it has none: planes and compounds, non-positive sizes or density, a mesh
// that is not closed (every edge must be shared by two triangles in opposite directions) or is turned inside out.
std::string massProperties(const Geometry& geometry, double density, MassProperties& out);

MassProperties transform(const Pose& pose, const MassProperties& m);   // from the child frame of the pose to its parent frame
MassProperties add(const MassProperties& a, const MassProperties& b);  // same frame; parallel-axis theorem
MassProperties scaleToMass(const MassProperties& m, double mass);      // same distribution of mass, another total mass

}  // namespace vertebra::geometry
