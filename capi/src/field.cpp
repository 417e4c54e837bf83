// Force fields.
#include "capi/src/conversions_forces.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

bool callField(void* context, int field, int body, double* force, double* torque) {
  const UserField& f = *static_cast<UserField*>(context);
  vtb_world& world = *f.world;
  const CallbackScope scope(world);
  if (!f.law.evaluate(f.law.user, &world, {world.fields.handle(field)}, {world.bodies.handle(body)}, force, torque)) return false;
  for (int k = 0; k < 3; k++)
    if (!std::isfinite(force[k]) || !std::isfinite(torque[k])) return false;
  return true;
}

bool callGradient(void* context, int field, int body, double* byPose, double* byTwist) {
  const UserField& f = *static_cast<UserField*>(context);
  vtb_world& world = *f.world;
  const CallbackScope scope(world);
  if (!f.law.gradient(f.law.user, &world, {world.fields.handle(field)}, {world.bodies.handle(body)}, byPose, byTwist)) return false;
  for (int k = 0; k < 36; k++)
    if (!std::isfinite(byPose[k]) || !std::isfinite(byTwist[k])) return false;
  return true;
}

double callPotential(void* context, int field, int body) {
  const UserField& f = *static_cast<UserField*>(context);
  vtb_world& world = *f.world;
  const CallbackScope scope(world);
  return f.law.potential(f.law.user, &world, {world.fields.handle(field)}, {world.bodies.handle(body)});
}

// The callback's object is made here and handed to the world once the engine has taken the field.
FieldDefinition fieldFrom(vtb_world& w, const vtb_field_def& def, std::unique_ptr<UserField>& callback) {
  FieldDefinition d;
  readPairs(FieldPairs::list, def, d);
  for (uint32_t i = 0; i < def.body_count; i++) d.bodies.push_back(bodyOf(w, def.bodies[i], "bodies"));
  if (d.type == FieldType::Radial) d.source = bodyOrWorld(w, def.radial.source, "radial.source");
  if (def.particles.bits) d.particles = particlesOf(w, def.particles);
  if (d.particles >= 0 && (d.type == FieldType::User || d.type == FieldType::Pairwise || d.type == FieldType::Magnus))
    refuse(VTB_E_UNSUPPORTED, "fields on particles are radial, drag, Lennard-Jones or attractor");
  if (d.type == FieldType::User) {
    if (!def.user.evaluate) refuse(VTB_E_ARG, "user.evaluate is NULL");
    callback = std::make_unique<UserField>(UserField{&w, def.user});
    d.evaluate = callField;
    if (def.user.gradient) d.gradient = callGradient;
    if (def.user.potential) d.potential = callPotential;
    d.user = callback.get();
  }
  if (def.user.gradient && !d.implicit)
    refuse(VTB_E_ARG, "user.gradient is given, but implicit is 0; set implicit = 1, or give no gradient");
  return d;
}

void keep(vtb_world& w, int id, std::unique_ptr<UserField> callback) {
  if (id >= static_cast<int>(w.userFields.size())) w.userFields.resize(static_cast<std::size_t>(id) + 1);
  w.userFields[id] = std::move(callback);
}

}  // namespace

vtb_status vtb_field_def_init(vtb_field_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_field_create(vtb_world* world, const vtb_field_def* given, vtb_field* out) {
  return changing(__func__, world, [&](vtb_world& w) {
    const vtb_field_def def = readStruct(given);
    required(out, "out");
    std::unique_ptr<UserField> callback;
    const FieldDefinition d = fieldFrom(w, def, callback);
    int id = -1;
    check(w.engine.createField(d, id));
    keep(w, id, std::move(callback));
    w.fields.adopt(id);
    out->bits = w.fields.handle(id);
  });
}

vtb_status vtb_field_set(vtb_world* world, vtb_field field, const vtb_field_def* given) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = fieldOf(w, field);
    std::unique_ptr<UserField> callback;
    check(w.engine.setField(id, fieldFrom(w, readStruct(given), callback)));
    keep(w, id, std::move(callback));
  });
}

vtb_status vtb_field_destroy(vtb_world* world, vtb_field field) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = fieldOf(w, field);
    w.engine.destroyField(id);
    w.fields.drop(id);
  });
}
