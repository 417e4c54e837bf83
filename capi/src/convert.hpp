// From structs of vertebra.h to what the engine builds from, where lists of pairs (conversions.hpp) do not suffice; and checks that relate
// several fields.
#pragma once
#include "capi/src/check.hpp"
#include "engine/figure/skeleton.hpp"

namespace vertebra::capi {

dynamics::AxisParameters axisParameters(const vtb_axis_def& def);

geometry::Shape shapeFrom(const vtb_shape_def& def);  // `parent` is left to the caller, who knows the groups
geometry::TriangleMesh placedTriangles(const geometry::Geometry& geometry, const Pose& pose);  // for display, in the frame the pose maps to
// Writes as many vertices and triangles as there is room for; arrays may be NULL where the capacity is 0.
void writeTriangles(const geometry::TriangleMesh& mesh, double* vertices, std::size_t vertexCapacity, uint32_t* triangles,
                    std::size_t triangleCapacity);

// Swing and twist of a spherical joint: swing in [0, inf], twist limits ordered.
void checkSwingTwist(double swing, double twistLower, double twistUpper);
// Axes of a joint as given: unit, and for joints with two axes not parallel.
void checkAxes(dynamics::JointType type, const Vec3& axis, const Vec3& axis2);
// Mass in [0, inf) and inertia positive semidefinite: what a rigid body can have.
double checkedMass(double mass);
void checkInertia(const Mat3& inertia);
void checkCentre(const Vec3& com);  // of mass: near enough for poses that are numbers

}  // namespace vertebra::capi
