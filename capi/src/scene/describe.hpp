// Things of a world as the values of elements, for writing them.
#pragma once
#include "capi/src/scene/values.hpp"
#include "capi/src/world_object.hpp"

namespace vertebra::capi::scene {

struct AxisDescription {
  AxisValues axis;
  MotorValues motor;
};

// Poses and velocities are those of now. References to other things are left to the caller, who gives the names.
BodyValues describeBody(const World& world, int body);
ShapeValues describeShape(const World& world, int shape);
JointValues describeJoint(const World& world, int joint);
AxisDescription describeAxis(const World& world, int joint, int axis);
CouplingValues describeCoupling(const World& world, int coupling);  // without its terms
FieldValues describeField(const World& world, int field);

}  // namespace vertebra::capi::scene
