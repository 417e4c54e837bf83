// World: force fields. Their part in a step: forces/fields.cpp.
#include <algorithm>

#include "engine/forces/fields.hpp"
#include "engine/state/stepper_traits.hpp"
#include "engine/state/world_data.hpp"
#include "engine/trees/topology.hpp"
#include "engine/world/world.hpp"

namespace vertebra::world {
namespace {

Failure checkField(const WorldData& w, const FieldDefinition& d) {
  if (d.type == FieldType::LennardJones && !(d.length > 0)) return {Failure::Argument, "Lennard-Jones needs a length above 0"};
  if (d.implicit && d.type != FieldType::User) return {Failure::Argument, "implicit fields are those of the user"};
  if (d.implicit && !traitsOf(w.settings.stepper).implicitFields)
    return {Failure::Unsupported, "the stepper ode takes all fields where its integrator asks for them: none can be implicit there"};
  if (d.type == FieldType::User && !d.evaluate) return {Failure::Argument, "a user's field needs its callback"};
  for (int body : d.bodies)
    if (w.bodies[body].kind != BodyKind::Dynamic) return {Failure::Argument, "a field acts on bodies that move by physics"};
  return {};
}

// After an edit: the fields' forces of the last step are no estimate for the next.
void forget(WorldData& w) {
  for (BodySlot& b : w.bodies)
    if (b.applied) b.applied.make().fieldKnown = false;
}

}  // namespace

Failure World::createField(const FieldDefinition& d, int& id) {
  WorldData& w = *data_;
  if (Failure f = checkField(w, d)) return f;
  if (d.implicit) trees::widenRoots(w);
  wakeAll();
  forget(w);
  std::size_t at = 0;
  while (at < w.fields.size() && w.fields[at].alive) at++;
  if (at == w.fields.size()) w.fields.emplace_back();
  w.fields[at].def = d;
  w.fields[at].alive = true;
  id = static_cast<int>(at);
  return {};
}
Failure World::setField(int field, const FieldDefinition& d) {
  if (Failure f = checkField(*data_, d)) return f;
  FieldDefinition copy = d;  // memory may run out here, and in the next line
  if (d.implicit) trees::widenRoots(*data_);
  data_->fields[field].def = std::move(copy);
  wakeAll();
  forget(*data_);
  return {};
}
const FieldDefinition& World::field(int field) const { return data_->fields[field].def; }
void World::destroyField(int field) {
  WorldData& w = *data_;
  wakeAll();
  w.fields[field] = FieldSlot();
  forget(w);
  for (const FieldSlot& f : w.fields)
    if (f.alive) return;
  for (BodySlot& b : w.bodies) {
    if (!b.applied) continue;
    AppliedForces& f = b.applied.make();
    for (Vec3* x : {&f.fieldForce, &f.fieldTorque, &f.potentialForce, &f.potentialTorque}) x->setZero();
  }
}
bool World::fieldAlive(int field) const {
  return field >= 0 && field < static_cast<int>(data_->fields.size()) && data_->fields[field].alive;
}

}  // namespace vertebra::world
