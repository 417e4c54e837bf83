// Force fields: the bodies on which they act, and the gradients of implicit ones. World axes.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::inline state {

struct FieldBody {  // state of a body that moves by physics, as fields read it
  int body;
  Vec3 p, v, w;  // centre of mass, its velocity, angular velocity; world axes
  double mass;
  Vec3 force, torque;
  Vec3 potentialForce = Vec3::Zero(), potentialTorque = Vec3::Zero();  // the part of fields with a potential
  int gradient = -1;                                                   // into WorldData::fieldGradients
};

struct FieldGradient {  // of the implicit fields on one body, see trees/implicit_fields.cpp
  int body;
  bool acts;                // implicitly in this step
  Mat6 stiffness, damping;  // the resisting parts; angular part first, about the centre of mass, world axes
  Pose start;               // inertial frame, when it was evaluated
};

struct FieldState {  // all of it is scratch of the present step
  std::vector<FieldBody> fieldBodies;
  std::vector<FieldGradient> fieldGradients;
  std::vector<std::pair<std::int64_t, int>> fieldCells;
  int badField = -1;  // a field whose force is not finite
};

}  // namespace vertebra::inline state
