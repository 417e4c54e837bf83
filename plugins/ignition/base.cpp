// Base of all feature classes: worlds made, and records let go at the end.
#include "plugins/ignition/base.hpp"

namespace ignition::physics::vertebra {

namespace {

// Records hold each other up and down; what is held down is let go here.
void cut(Model& model) {
  for (const auto& nested : model.models) cut(*nested);
  for (const auto& link : model.links) link->shapes.clear(), link->group.reset();
  model.group.reset();
  model.models.clear(), model.joints.clear(), model.links.clear();
}

}  // namespace

Base::~Base() {
  for (const auto& world : worlds_) {
    for (const auto& model : world->models) cut(*model);
    world->models.clear(), world->commanded.clear();
  }
}

std::shared_ptr<World> Base::makeWorld(const std::string& name) {
  vtb_world_def def;
  vtb_world_def_init(&def, sizeof def);
  def.time_step = 1e-3;  // until a step says another one
  // A host of ignition-physics moves and pushes links at any time and does not know of sleep.
  def.flags = VTB_WORLD_FLAG_NO_SLEEP;
  vtb_world* world = nullptr;
  if (!done(vtb_world_create(&def, &world), "world '" + name + "'")) return nullptr;
  auto record = make<World>(name);
  record->world = world;
  record->timeStep = def.time_step;
  record->solver = "pgs";
  worlds_.push_back(record);
  return record;
}

}  // namespace ignition::physics::vertebra
