// Between the structs of vertebra.h and the engine's descriptions; everything checked on the way in.
#pragma once
#include "capi/src/check.hpp"
#include "engine/figure/skeleton.hpp"

namespace vertebra::capi {

vtb_axis_def axisDefaults();
AxisParameters axisParameters(const vtb_axis_def& def);
vtb_axis_def axisDef(const AxisParameters& axis);

vtb_shape_def shapeDefaults();
vtb_surface_def surfaceDef(const Surface& surface);
Surface checkedSurface(const vtb_surface_def& def);
Shape shapeFrom(const vtb_shape_def& def);                                 // `parent` is left to the caller, who knows the groups
TriangleMesh placedTriangles(const Geometry& geometry, const Pose& pose);  // for display, in the frame the pose maps to
// Writes as many vertices and triangles as there is room for; arrays may be NULL where the capacity is 0.
void writeTriangles(const TriangleMesh& mesh, double* vertices, std::size_t vertexCapacity, uint32_t* triangles,
                    std::size_t triangleCapacity);

// Swing and twist of a spherical joint: swing in [0, inf], twist limits ordered.
void checkSwingTwist(double swing, double twistLower, double twistUpper);
// Axes of a joint as given: unit, and for universal joints not parallel.
void checkAxes(JointType type, const Vec3& axis, const Vec3& axis2);
// Mass in [0, inf) and inertia positive semidefinite: what a rigid body can have.
double checkedMass(double mass);
Mat3 checkedInertia(const double* values);

inline constexpr double kIdentity[7] = {0, 0, 0, 0, 0, 0, 1};

}  // namespace vertebra::capi
