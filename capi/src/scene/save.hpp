// A world as a scene file: the document it was made from with what has become of it; or, of a world made by calls, a new one.
#pragma once
#include "capi/src/scene/model.hpp"
#include "capi/src/world_object.hpp"

namespace vertebra::capi::scene {

// `folder`: of the file it is written to, which paths in it then are relative to; null leaves them as they are.
std::string sceneText(const vtb_world& world, const std::string* folder);

}  // namespace vertebra::capi::scene
