// Saving and restoring the whole changing state of a world.
#include "capi/src/controllers.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

vtb_status vtb_world_save(const vtb_world* world, void* buffer, size_t size, size_t* needed) {
  return reading(__func__, world, [&](const vtb_world& w) {
    required(needed, "needed");
    std::vector<std::uint8_t> state;
    w.engine.save(state);
    saveControllers(w, state);
    if (size > 0) {
      if (!buffer) refuse(VTB_E_ARG, "buffer is NULL");
      if (size < state.size())
        refuse(VTB_E_ARG, "the buffer has " + std::to_string(size) + " bytes, the state " + std::to_string(state.size()) +
                              "; ask for them with size 0");
      std::memcpy(buffer, state.data(), state.size());
    }
    *needed = state.size();
  });
}

vtb_status vtb_world_restore(vtb_world* world, const void* buffer, size_t size) {
  return changing(__func__, world, [&](vtb_world& w) {
    if (!buffer) refuse(VTB_E_ARG, "buffer is NULL");
    restoreWithControllers(w, static_cast<const std::uint8_t*>(buffer), size);
  });
}
