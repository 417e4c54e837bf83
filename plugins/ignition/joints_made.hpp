// Joints of models made in the engine, and their axes: limits, springs, motors. A joint's frame stands at the same place in both links when
// its coordinates are zero, which they are where it is made. rad, m, N m, N.
#pragma once

#include "plugins/ignition/records.hpp"

namespace ignition::physics::vertebra {

// An axis without limits, spring and losses.
JointAxis freeAxis();
// Number of axes of the types that models have.
std::size_t axesOf(vtb_joint_type type);
// Says that a joint's frame stands at a pose in its child now; fills in inParent.
void placeJoint(Joint& joint, const Frame& inChild);

// The engine's joint for a record that says model, ends, type, frames and axes, and the record in its model. False: told, nothing made.
bool addJoint(const std::shared_ptr<Joint>& joint);
// Makes it anew after a frame or an axis changed: its coordinates stay, and what it carries goes along.
bool remakeJoint(Joint& joint);
// Limits, spring and losses of one axis to the engine.
bool applyAxis(const Joint& joint, std::size_t axis);
// Takes the joint out of the world and of its model; its links stay where they are.
void removeJoint(const std::shared_ptr<Joint>& joint);

// Coordinates as ignition-physics counts them: of a spherical joint a rotation vector, child in parent.
std::vector<double> positionsOf(const Joint& joint);
bool setPositions(Joint& joint, const std::vector<double>& positions);
std::vector<double> velocitiesOf(const Joint& joint);
// Of the last step, from the accelerations of its links.
std::vector<double> accelerationsOf(const Joint& joint);

// What hosts ask of axes, to the engine's motors, before a step. A force acts in one step, a velocity that is not asked for again is 0.
void drive(World& world);
void command(const std::shared_ptr<Joint>& joint, std::size_t axis, vtb_motor_mode mode, double value);

}  // namespace ignition::physics::vertebra
