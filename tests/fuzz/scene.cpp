// Any bytes as a scene, through the C ABI: no crash, and a loaded scene can be put into a world, stepped and saved.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vertebra/vertebra.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vtb_diagnostics* list = nullptr;
  vtb_scene* scene = nullptr;
  const vtb_status status = vtb_scene_parse(reinterpret_cast<const char*>(data), size, "no-such-folder/fuzz.xml", &list, &scene);
  size_t findings = 0;
  vtb_diagnostics_count(list, &findings);
  if (status != VTB_OK && (status != VTB_E_PARSE || findings == 0)) std::abort();
  vtb_diagnostics_release(list);
  if (status == VTB_OK) {
    vtb_world* world = nullptr;
    if (vtb_scene_create_world(scene, nullptr, &world) != VTB_OK) std::abort();
    vtb_world_step(world, 1);
    size_t needed = 0;
    if (vtb_world_write_scene(world, nullptr, 0, &needed) != VTB_OK) std::abort();
    vtb_world_destroy(world);
  }
  vtb_scene_release(scene);
  return 0;
}
