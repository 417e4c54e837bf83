// A C++ client that includes only vertebra_amalgamated.h: a hinge holds a body while it swings.
#include <cstdint>

extern "C" {
#include "vertebra_amalgamated.h"
}

int main() {
  vtb_world* world = nullptr;
  vtb_world_def settings;
  vtb_body body;
  vtb_body_def bodyDef;
  vtb_joint joint;
  vtb_joint_def jointDef;
  double q = 0, v = 0;
  if (vtb_world_def_init(&settings, sizeof settings) || settings.solver.type != VTB_SOLVER_PGS || settings.gravity[2] != -9.81) return 1;
  settings.stepper = VTB_STEPPER_VARIATIONAL;
  if (vtb_world_create(&settings, &world) || vtb_body_def_init(&bodyDef, sizeof bodyDef)) return 2;
  bodyDef.com[0] = 1;
  if (vtb_body_create(world, &bodyDef, &body) || vtb_joint_def_init(&jointDef, sizeof jointDef)) return 3;
  jointDef.body_b = body;
  jointDef.axis[0] = 0;
  jointDef.axis[1] = 1;
  jointDef.as_they_stand = 1;
  if (vtb_joint_create(world, &jointDef, &joint) || vtb_world_step(world, 24) || vtb_joint_get_state(world, joint, &q, &v)) return 4;
  if (!(q > 0.04 && q < 0.06 && v > 0.9 && v < 1)) return 5;  // g / (1 + 0.01) * t
  return vtb_world_destroy(world) == VTB_OK ? 0 : 6;
}
