// Makes the things of a scene in a world, by the functions of vertebra.h.
#pragma once
#include "capi/src/scene/model.hpp"
#include "capi/src/world_object.hpp"
#include "loaders/scene/report.hpp"

namespace vertebra::capi::scene {

using vertebra::scene::Report;

// Loads what the elements name, into the model, and builds a world of its own to see that all can be made. Errors go to the report.
void tryScene(SceneModel& model, Report& report);

// Refuses what cannot be made under the world's settings, by a world of its own: what is made and destroyed again leaves gaps in the
// numbering, which the hash tells. Loading has built the scene under its own settings; where the world has the same, nothing is done.
void rehearse(const SceneModel& model, const vtb_world& world);

// All things of the scene into the world, names with the prefix, at a pose; the world takes note of them. Throws a Refusal and leaves the
// world as it was.
void addScene(const std::shared_ptr<const SceneModel>& model, vtb_world& world, const std::string& prefix, const Pose& placement);

}  // namespace vertebra::capi::scene
