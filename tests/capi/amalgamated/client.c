/* A C99 client that includes vertebra_amalgamated.h and nothing else: a ball falls for a tenth of a second. */
#include "vertebra_amalgamated.h"

int main(void) {
  vtb_world* world;
  vtb_body body;
  vtb_body_def def;
  double pose[7];
  if (vtb_abi() != VTB_ABI || vtb_world_create(0, &world) || vtb_body_def_init(&def, sizeof def)) return 1;
  def.kind = VTB_BODY_KIND_DYNAMIC;
  def.pose[2] = 1;
  if (vtb_body_create(world, &def, &body) || vtb_world_step(world, 24) || vtb_body_get_pose(world, body, pose)) return 2;
  if (!(pose[2] > 0.95 && pose[2] < 0.952)) return 3;
  return vtb_world_destroy(world) == VTB_OK ? 0 : 4;
}
