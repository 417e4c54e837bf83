// Bodies, their shapes and masses; see builder.hpp.
#include "capi/src/scene/builder.hpp"
#include "capi/src/scene/shapes.hpp"
#include "capi/src/scene/table.hpp"
#include "loaders/scene/spelling.hpp"
#include "loaders/scene/values.hpp"

namespace vertebra::capi::scene {

void SceneBuilder::body(const Element& e) {
  const BodyValues& values = e.as<BodyValues>();
  vtb_body_def def = values.def;
  const Pose pose = placed(e, def.pose);
  write(pose, def.pose);
  std::fill_n(def.twist, 6, 0.0);  // when the mass is known
  if (def.kind == VTB_BODY_KIND_DYNAMIC && !e.has("inertia")) {
    if (e.has("com"))
      error("scene.body.inertia-missing", e, "com counts with inertia only; to mend: give mass, com and inertia, or no com");
    if (e.has("mass") && def.mass == 0) std::fill_n(def.inertia, 6, 0.0);
  }
  if (e.has("inertia") && !e.has("mass")) error("scene.body.mass-missing", e, "it gives inertia but no mass; to mend: add mass=\"...\"");
  vtb_body made;
  call(vtb_body_create(&world_, &def, &made));
  made_.push_back({&e, VTB_NAMED_BODY, made.bits});
  named(VTB_NAMED_BODY, values.name, made.bits);
  for (const Element& child : e.children) shape(child, made, Pose(), vtb_shape{0});
  if (def.kind == VTB_BODY_KIND_DYNAMIC && !e.has("inertia") && !(e.has("mass") && def.mass == 0)) giveMass(e, made);
  if (e.has("velocity") || e.has("angular_velocity")) {
    const Quat turn = placementOf(e).q;
    double twist[6];
    write(Vec3(turn * Vec3(values.def.twist[0], values.def.twist[1], values.def.twist[2])), twist);
    write(Vec3(turn * Vec3(values.def.twist[3], values.def.twist[4], values.def.twist[5])), twist + 3);
    call(vtb_body_set_twist(&world_, made, twist, nullptr));
  }
}

void SceneBuilder::giveMass(const Element& e, vtb_body body) {
  const BodyValues& values = e.as<BodyValues>();
  if (e.children.empty()) {
    error("scene.body.inertia-missing", e, "it has neither inertia nor shapes to take it from; to mend: add mass and inertia, or a shape");
    return;
  }
  const bool scaled = e.has("mass");
  const vtb_status status = vtb_body_set_mass_from_shapes(&world_, body, scaled ? 0 : values.density, scaled ? values.def.mass : 0);
  if (status != VTB_OK && report_ && report_->failed()) return;  // a shape that failed has told
  call(status);
}

void SceneBuilder::shape(const Element& e, vtb_body body, const Pose& placement, vtb_shape parent) {
  attempt(e, [&] {
    geometry::Shape made = shapeOf(e);
    made.local = placement * made.local;
    const int owner = bodyOrWorld(world_, body), category = parent.bits == 0 ? -1 : capi::shapeOf(world_, parent);
    int id = -1;
    check(world_.engine.createShape(owner, made, category, id));
    world_.shapes.adopt(id);
    const vtb_shape handle{world_.shapes.handle(id)};
    made_.push_back({&e, VTB_NAMED_SHAPE, handle.bits});
    named(VTB_NAMED_SHAPE, e.as<ShapeValues>().name, handle.bits);
    for (const Element& child : e.children) shape(child, body, Pose(), handle);
  });
}

const geometry::Shape& SceneBuilder::shapeOf(const Element& e) {
  const auto known = model_.shapes.find(e.values.get());
  if (known != model_.shapes.end()) return known->second;
  return loading_->shapes.emplace(e.values.get(), makeShape(e)).first->second;
}

geometry::Shape SceneBuilder::makeShape(const Element& e) {
  ShapeValues values = e.as<ShapeValues>();
  if (!values.material.empty()) {
    const auto material = materials_.find(values.material);
    if (material == materials_.end()) {
      std::vector<std::string> known;
      for (const auto& m : materials_) known.push_back(m.first);
      error("scene.reference.unknown", e,
            "there is no material '" + values.material + "'" + vertebra::scene::suggestion(values.material, known));
    } else {
      for (const auto& attribute : kMaterial.attributes)
        if (material->second->has(attribute.name) && attribute.value != vertebra::scene::Value::Name && !e.has(attribute.name))
          copyValue(attribute, &material->second->as<ShapeValues>(), &values);
    }
  }
  return shapeFromValues(std::move(values), meshes_);
}

}  // namespace vertebra::capi::scene
