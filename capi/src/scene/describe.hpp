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
BodyValues describeBody(const world::World& world, int body);
ShapeValues describeShape(const world::World& world, int shape);
JointValues describeJoint(const world::World& world, int joint);
AxisDescription describeAxis(const world::World& world, int joint, int axis);
CouplingValues describeCoupling(const world::World& world, int coupling);  // without its terms
FieldValues describeField(const world::World& world, int field);
DrivelineValues describeDriveline(const world::World& world, int constraint);  // with the driver's present settings
PointsValues describePoints(const world::World& world, int constraint);        // without the points
ParticlesValues describeParticles(const world::World& world, int system);      // without what is in it
EmitterValues describeEmitter(const particles::EmitterDefinition& emitter);    // its seed to 32 bits
SensorValues describeSensor(const world::World& world, int sensor);
SinkValues describeSink(const particles::SinkDefinition& sink);

}  // namespace vertebra::capi::scene
