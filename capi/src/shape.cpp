// Shapes of bodies and of the world itself.
#include "capi/src/conversions.hpp"
#include "capi/src/convert.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

vtb_status vtb_shape_def_init(vtb_shape_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_shape_create(vtb_world* world, vtb_body body, const vtb_shape_def* given, vtb_shape* out) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int owner = bodyOrWorld(w, body);
    const vtb_shape_def def = readStruct(given);
    required(out, "out");
    const int parent = def.parent.bits == 0 ? -1 : shapeOf(w, def.parent);
    if (parent >= 0 && (w.engine.shape(parent).geometry.type != geometry::ShapeType::Compound || w.engine.shapeBody(parent) != owner))
      refuse(VTB_E_ARG, "parent must be a compound of the same body");
    int id = -1;
    check(w.engine.createShape(owner, shapeFrom(def), parent, id));
    w.shapes.adopt(id);
    out->bits = w.shapes.handle(id);
  });
}

vtb_status vtb_shape_destroy(vtb_world* world, vtb_shape shape) {
  return changing(__func__, world, [&](vtb_world& w) {
    w.engine.destroyShape(shapeOf(w, shape));
    dropDestroyed(w);
  });
}

vtb_status vtb_shape_get_body(const vtb_world* world, vtb_shape shape, vtb_body* body) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = shapeOf(w, shape);
    required(body, "body").bits = w.bodies.handle(w.engine.shapeBody(id));
  });
}

vtb_status vtb_shape_get_pose(const vtb_world* world, vtb_shape shape, double* pose) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = shapeOf(w, shape);
    write(w.engine.shape(id).local, &required(pose, "pose"));
  });
}

vtb_status vtb_shape_set_pose(vtb_world* world, vtb_shape shape, const double* pose) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = shapeOf(w, shape);
    check(w.engine.setShapePose(id, capi::pose(pose, "pose")));
  });
}

vtb_status vtb_shape_get_colour(const vtb_world* world, vtb_shape shape, float* rgba) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = shapeOf(w, shape);
    std::copy_n(w.engine.shape(id).rgba, 4, &required(rgba, "rgba"));
  });
}

vtb_status vtb_shape_get_surface(const vtb_world* world, vtb_shape shape, vtb_surface* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = shapeOf(w, shape);
    writePairs(SurfacePairs::list, w.engine.shape(id).surface, required(out, "out"));
  });
}

vtb_status vtb_shape_set_surface(vtb_world* world, vtb_shape shape, const vtb_surface* given) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int id = shapeOf(w, shape);
    checkFields(required(given, "surface"));
    geometry::Surface surface;
    readPairs(SurfacePairs::list, *given, surface);
    w.engine.setShapeSurface(id, surface);
  });
}

vtb_status vtb_shape_set_filter(vtb_world* world, vtb_shape shape, uint32_t category, uint32_t mask) {
  return changing(__func__, world, [&](vtb_world& w) { w.engine.setShapeFilter(shapeOf(w, shape), category, mask); });
}

vtb_status vtb_shape_get_mesh(const vtb_world* world, vtb_shape shape, double* vertices, size_t vertex_capacity, size_t* vertex_total,
                              uint32_t* triangles, size_t triangle_capacity, size_t* triangle_total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int id = shapeOf(w, shape);
    required(vertex_total, "vertex_total");
    required(triangle_total, "triangle_total");
    const geometry::TriangleMesh mesh = placedTriangles(w.engine.shape(id).geometry, w.engine.shapeInBody(id));
    writeTriangles(mesh, vertices, vertex_capacity, triangles, triangle_capacity);
    *vertex_total = mesh.vertices.size();
    *triangle_total = mesh.triangles.size();
  });
}

vtb_status vtb_world_set_pair_collides(vtb_world* world, vtb_body a, vtb_body b, int32_t collides) {
  return changing(__func__, world, [&](vtb_world& w) {
    const int first = bodyOrWorld(w, a, "a"), second = bodyOrWorld(w, b, "b");
    if (first == second) refuse(VTB_E_ARG, "a and b are the same body");
    w.engine.setPairCollides(first, second, boolean(collides, "collides"));
  });
}

vtb_status vtb_world_get_ignored_pairs(const vtb_world* world, vtb_body* a, vtb_body* b, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<vtb_body> first(a, 1, capacity, 0, total, "a"), second(b, 1, capacity, 0, total, "b");
    const auto handle = [&](int body) { return vtb_body{body < 0 ? 0 : w.bodies.handle(body)}; };
    const auto& pairs = w.engine.ignoredPairs();
    for (std::size_t i = 0; i < std::min(pairs.size(), capacity); i++) {
      const vtb_body one = handle(pairs[i].first), other = handle(pairs[i].second);
      first.put(i, &one);
      second.put(i, &other);
    }
    first.setTotal(pairs.size());
  });
}
