// A joint outside trees, at the present poses of its two bodies: one that closes a cycle, connects figures or is soft, or a constraint that
// always stays between two bodies (motor joint, powered axis, distance, point on a line, plane or curve). Directions are wrenches (torque;
// force at `point`, world axes) on body b, the opposite on a; the rate of one is its product with the relative twist at the point. Held
// directions have an error; free axes have coordinates, and with them limits, springs and motors.
#pragma once
#include <vector>

#include "engine/state/slots.hpp"
#include "engine/state/trees.hpp"

namespace vertebra::constraints {

struct PairConstraint {
  Vec3 point = Vec3::Zero();
  int rows = 0, axes = 0;
  Vec6 row[6];
  double error[6];               // m or rad
  double apart = 0, turned = 0;  // size of the whole error: m, rad
  Vec6 axis[6];                  // wrenches that select the axes' rates,
  Vec6 motion[6];                // and the motion of their rates: twists about `point`
  double fromRest[6], fromTarget[6], targetRate[6];
  int limited = 0;  // the first `limited` axes have coordinates q[k] with limits
};

// q (7 numbers) holds earlier coordinates, for whole turns and positions along a curve, and receives the present ones.
void viewPair(const std::vector<BodySlot>& bodies, const TreeState& topology, const JointSlot& j, double* q, PairConstraint& c);
// The total wrench on body b, with the forces of its free axes, about `point`; of the last step.
void pairForce(const std::vector<BodySlot>& bodies, const TreeState& topology, const JointSlot& j, Vec3& force, Vec3& torque);
double axisCoordinate(const std::vector<BodySlot>& bodies, const TreeState& topology, const JointSlot& j,
                      double near);  // of a powered axis
// Of a held direction: linear where it holds by a force.
const Softness& softnessOf(const JointSlot& j, const Vec6& direction);

}  // namespace vertebra::constraints
