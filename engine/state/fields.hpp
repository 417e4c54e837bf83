// Force fields: what they see of bodies, and the gradients of implicit ones. World axes.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra {

struct FieldBody {  // what fields see of a body that moves by physics
  int body;
  Vec3 p, v, w;  // centre of mass, its velocity, angular velocity; world axes
  double mass;
  Vec3 force, torque;
  int gradient = -1;  // into WorldData::fieldGradients
};

struct FieldGradient {  // of the implicit fields on one body, see implicit_fields.cpp
  int body;
  bool acts;                // implicitly in this step
  Mat6 stiffness, damping;  // what resists; angular part first, about the centre of mass, world axes
  Pose start;               // inertial frame, when it was evaluated
};

struct FieldState {  // all of it scratch of the present step
  std::vector<FieldBody> fieldBodies;
  std::vector<FieldGradient> fieldGradients;
  std::vector<std::pair<std::int64_t, int>> fieldCells;
  int badField = -1;  // one that gave a force that is not a number
};

}  // namespace vertebra
