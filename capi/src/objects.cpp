// What a world holds: lists of its things, what they were made from, their names and the caller's numbers. See objects.h.
#include "capi/src/part_names.hpp"
#include "capi/src/scene/describe.hpp"
#include "capi/src/scene/model.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

// Handles of the living things of a table for which take(id).
template <class Handle, class Take>
void list(const HandleTable& table, Handle* out, std::size_t capacity, std::size_t* total, Take&& take) {
  ArrayOut<Handle> array(out, 1, capacity, 0, total, "out");
  std::size_t count = 0;
  for (int id = 0; id < table.size(); id++) {
    if (!table.alive(id) || !take(id)) continue;
    const Handle handle{table.handle(id)};
    array.put(count++, &handle);
  }
  array.setTotal(count);
}
constexpr auto kAll = [](int) { return true; };

int kindOf(const vtb_named& kind) { return oneOf(kind, "kind"); }

int idOf(const vtb_world& world, int kind, std::uint64_t bits) {
  const int id = tableOf(world, kind).find(bits);
  if (id < 0) refuse(VTB_E_STALE, "bits name no thing of this kind that exists in this world");
  return id;
}

bool isOfScene(const vtb_world& world, int kind, std::uint64_t bits) {
  for (const auto& scene : world.scenes)
    for (const auto& thing : scene->things)
      if (thing.kind == kind && thing.bits == bits) return true;
  return false;
}

template <class Handle>
vtb_status findThing(const char* function, const vtb_world* world, vtb_named kind, const char* name, Handle* out) {
  return reading(function, world, [&](const vtb_world& w) {
    required(out, "out");
    const std::string wanted = &required(name, "name");
    std::uint64_t bits = w.names[kind].find(wanted);
    if (bits == 0) bits = vertebra::capi::findPart(w, kind, wanted);
    if (bits == 0) refuse(VTB_E_ARG, "no thing of this kind has the name '" + wanted + "'");
    if (tableOf(w, kind).find(bits) < 0) refuse(VTB_E_STALE, "'" + wanted + "' was destroyed");
    out->bits = bits;
  });
}

}  // namespace

vtb_status vtb_world_get_shapes(const vtb_world* world, vtb_shape* out, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) { list(w.shapes, out, capacity, total, kAll); });
}
vtb_status vtb_world_get_joints(const vtb_world* world, vtb_joint* out, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) { list(w.joints, out, capacity, total, kAll); });
}
vtb_status vtb_world_get_couplings(const vtb_world* world, vtb_coupling* out, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) { list(w.couplings, out, capacity, total, kAll); });
}
vtb_status vtb_world_get_constraints(const vtb_world* world, vtb_constraint* out, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) { list(w.constraints, out, capacity, total, kAll); });
}
vtb_status vtb_world_get_fields(const vtb_world* world, vtb_field* out, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) { list(w.fields, out, capacity, total, kAll); });
}
vtb_status vtb_world_get_particles(const vtb_world* world, vtb_particles* out, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) { list(w.particles, out, capacity, total, kAll); });
}
vtb_status vtb_world_get_figures(const vtb_world* world, vtb_figure* out, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) { list(w.figures, out, capacity, total, kAll); });
}
vtb_status vtb_world_get_sensors(const vtb_world* world, vtb_sensor* out, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) { list(w.sensors, out, capacity, total, kAll); });
}
vtb_status vtb_body_get_shapes(const vtb_world* world, vtb_body body, vtb_shape* out, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int owner = bodyOrWorld(w, body);
    list(w.shapes, out, capacity, total, [&](int id) { return w.engine.shapeBody(id) == owner; });
  });
}
vtb_status vtb_body_get_joints(const vtb_world* world, vtb_body body, vtb_joint* out, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int of = bodyOrWorld(w, body);
    list(w.joints, out, capacity, total, [&](int id) {
      const JointDefinition& d = w.engine.joint(id);
      return !d.rotor && (d.a == of || d.b == of);
    });
  });
}

vtb_status vtb_body_get_def(const vtb_world* world, vtb_body body, vtb_body_def* out) {
  return reading(__func__, world,
                 [&](const vtb_world& w) { writeStruct(out, vertebra::capi::scene::describeBody(w.engine, bodyOf(w, body)).def); });
}

vtb_status vtb_shape_get_def(const vtb_world* world, vtb_shape shape, vtb_shape_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = shapeOf(w, shape);
    const vertebra::capi::scene::ShapeValues values = vertebra::capi::scene::describeShape(w.engine, id);
    vtb_shape_def def = values.def;
    def.parent.bits = w.shapes.handle(w.engine.shape(id).parent);
    def.geometry.point_count = static_cast<uint32_t>(values.points.size() / 3);
    def.geometry.triangle_count = static_cast<uint32_t>(values.triangles.size() / 3);
    writeStruct(out, def);
  });
}

vtb_status vtb_shape_get_filter(const vtb_world* world, vtb_shape shape, uint32_t* category, uint32_t* mask) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const geometry::Shape& s = w.engine.shape(shapeOf(w, shape));
    if (category) *category = s.category;
    if (mask) *mask = s.mask;
  });
}

vtb_status vtb_joint_get_def(const vtb_world* world, vtb_joint joint, vtb_joint_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = jointOf(w, joint);
    const JointDefinition& d = w.engine.joint(id);
    const vertebra::capi::scene::JointValues values = vertebra::capi::scene::describeJoint(w.engine, id);
    vtb_joint_def def = values.def;
    if (!d.rotor) {
      def.body_a.bits = w.bodies.handle(d.a);
      def.body_b.bits = w.bodies.handle(d.b);
    }
    def.curve.point_count = static_cast<uint32_t>(values.points.size() / 3);
    writeStruct(out, def);
  });
}

vtb_status vtb_joint_get_size(const vtb_world* world, vtb_joint joint, int32_t* nq, int32_t* nv) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = jointOf(w, joint);
    const JointDefinition& d = w.engine.joint(id);
    const int axes = w.engine.jointAxes(id);
    if (nq) *nq = d.constraint == ConstraintType::Joint ? dynamics::jointNq(d.type) : d.constraint == ConstraintType::Motor ? 7 : axes;
    if (nv) *nv = axes;
  });
}

vtb_status vtb_joint_get_world_frames(const vtb_world* world, vtb_joint joint, double frame_a[7], double frame_b[7]) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const JointDefinition& d = w.engine.joint(jointOf(w, joint));
    if (d.rotor) refuse(VTB_E_ARG, "a rotor has no position in the world");
    if (frame_a) write(d.a < 0 ? d.frameA : w.engine.bodyPose(d.a) * d.frameA, frame_a);
    if (frame_b) write(d.b < 0 ? d.frameB : w.engine.bodyPose(d.b) * d.frameB, frame_b);
  });
}

vtb_status vtb_joint_get_world_axes(const vtb_world* world, vtb_joint joint, double* axes, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<double> out(axes, 3, capacity, 0, total, "axes");
    const int id = jointOf(w, joint), count = w.engine.jointAxes(id);
    if (w.engine.joint(id).rotor) refuse(VTB_E_ARG, "a rotor has no position in the world");
    Vec3 directions[6];
    w.engine.jointDirections(id, directions);
    for (int k = 0; k < count; k++) out.put(static_cast<std::size_t>(k), directions[k].data());
    out.setTotal(static_cast<std::size_t>(count));
  });
}

vtb_status vtb_coupling_get_def(const vtb_world* world, vtb_coupling coupling, vtb_coupling_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = couplingOf(w, coupling);
    vtb_coupling_def def = vertebra::capi::scene::describeCoupling(w.engine, id).def;
    def.term_count = static_cast<uint32_t>(w.engine.coupling(id).terms.size());
    writeStruct(out, def);
  });
}

vtb_status vtb_coupling_get_terms(const vtb_world* world, vtb_coupling coupling, vtb_coupling_term* out, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<vtb_coupling_term> array(out, 1, capacity, 0, total, "out");
    const std::vector<CouplingTerm>& terms = w.engine.coupling(couplingOf(w, coupling)).terms;
    for (std::size_t i = 0; i < terms.size(); i++) {
      vtb_coupling_term term{};
      term.joint.bits = w.joints.handle(terms[i].joint);
      term.axis = terms[i].axis;
      term.coefficient = terms[i].coefficient;
      array.put(i, &term);
    }
    array.setTotal(terms.size());
  });
}

vtb_status vtb_field_get_def(const vtb_world* world, vtb_field field, vtb_field_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = fieldOf(w, field);
    const FieldDefinition& d = w.engine.field(id);
    vtb_field_def def = vertebra::capi::scene::describeField(w.engine, id).def;
    def.body_count = static_cast<uint32_t>(d.bodies.size());
    def.radial.source.bits = w.bodies.handle(d.source);
    def.particles.bits = w.particles.handle(d.particles);
    writeStruct(out, def);
  });
}

vtb_status vtb_world_set_name(vtb_world* world, vtb_named kind, uint64_t bits, const char* name) {
  return changing(__func__, world, [&](vtb_world& w) {
    const HandleTable& table = tableOf(w, kindOf(kind));
    const int id = idOf(w, kind, bits);
    if (kind != VTB_NAMED_FIGURE && table.owner(id) >= 0)
      refuse(VTB_E_ARG, "parts of a figure have the names of its links and joints, which no call changes");
    if (isOfScene(w, kind, bits)) refuse(VTB_E_ARG, "things of a scene have their names from its file, which no call changes");
    NameTable& names = w.names[kind];
    const std::string wanted = name ? name : "";
    if (wanted.find_first_of(" \t\r\n") != std::string::npos) refuse(VTB_E_ARG, "name has blanks, which scene files cannot hold");
    const std::uint64_t holder = names.find(wanted);
    if (holder != 0 && holder != bits) {
      if (table.find(holder) >= 0) refuse(VTB_E_ARG, "another thing of this kind has the name '" + wanted + "'");
      names.remove(holder);  // of something destroyed
    }
    names.remove(bits);
    if (!wanted.empty()) names.add(wanted, bits);
  });
}

vtb_status vtb_world_get_name_of(const vtb_world* world, vtb_named kind, uint64_t bits, char* buffer, size_t size, size_t* needed) {
  return reading(__func__, world, [&](const vtb_world& w) {
    idOf(w, kindOf(kind), bits);
    const std::string* name = w.names[kind].nameOf(bits);
    writeText(name ? *name : vertebra::capi::partName(w, kind, bits), buffer, size, needed);
  });
}

vtb_status vtb_world_set_user_value(vtb_world* world, vtb_named kind, uint64_t bits, uint64_t value) {
  return changing(__func__, world, [&](vtb_world& w) {
    const std::size_t id = static_cast<std::size_t>(idOf(w, kindOf(kind), bits));
    auto& values = w.userValues[kind];
    if (values.size() <= id) values.resize(id + 1);
    values[id] = {bits, value};
  });
}

vtb_status vtb_world_get_user_value(const vtb_world* world, vtb_named kind, uint64_t bits, uint64_t* value) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const std::size_t id = static_cast<std::size_t>(idOf(w, kindOf(kind), bits));
    const auto& values = w.userValues[kind];
    required(value, "value") = id < values.size() && values[id].first == bits ? values[id].second : 0;
  });
}

vtb_status vtb_world_find_body(const vtb_world* world, const char* name, vtb_body* out) {
  return findThing(__func__, world, VTB_NAMED_BODY, name, out);
}
vtb_status vtb_world_find_shape(const vtb_world* world, const char* name, vtb_shape* out) {
  return findThing(__func__, world, VTB_NAMED_SHAPE, name, out);
}
vtb_status vtb_world_find_joint(const vtb_world* world, const char* name, vtb_joint* out) {
  return findThing(__func__, world, VTB_NAMED_JOINT, name, out);
}
vtb_status vtb_world_find_coupling(const vtb_world* world, const char* name, vtb_coupling* out) {
  return findThing(__func__, world, VTB_NAMED_COUPLING, name, out);
}
vtb_status vtb_world_find_constraint(const vtb_world* world, const char* name, vtb_constraint* out) {
  return findThing(__func__, world, VTB_NAMED_CONSTRAINT, name, out);
}
vtb_status vtb_world_find_field(const vtb_world* world, const char* name, vtb_field* out) {
  return findThing(__func__, world, VTB_NAMED_FIELD, name, out);
}
vtb_status vtb_world_find_particles(const vtb_world* world, const char* name, vtb_particles* out) {
  return findThing(__func__, world, VTB_NAMED_PARTICLES, name, out);
}
vtb_status vtb_world_find_figure(const vtb_world* world, const char* name, vtb_figure* out) {
  return findThing(__func__, world, VTB_NAMED_FIGURE, name, out);
}
vtb_status vtb_world_find_sensor(const vtb_world* world, const char* name, vtb_sensor* out) {
  return findThing(__func__, world, VTB_NAMED_SENSOR, name, out);
}
