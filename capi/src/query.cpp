// Contacts, contact events, and questions about space: rays, cast shapes, overlaps, closest points.
#include "capi/src/conversions_results.hpp"
#include "capi/src/convert.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

vtb_status vtb_world_get_contacts(const vtb_world* world, vtb_contact* out, size_t capacity, size_t stride_bytes, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<vtb_contact> array(out, 1, capacity, stride_bytes, total, "out");
    const std::vector<Contact>& contacts = w.engine.contacts();
    for (std::size_t i = 0; i < std::min(contacts.size(), capacity); i++) {
      const Contact& c = contacts[i];
      vtb_contact row = described<vtb_contact>(ContactPairs::list, c);
      row.body_a.bits = w.bodies.handle(c.bodyA);
      row.body_b.bits = w.bodies.handle(c.bodyB);
      row.shape_a.bits = w.shapes.handle(c.shapeA);
      row.shape_b.bits = w.shapes.handle(c.shapeB);
      const Vec3 torque = w.engine.contactTorque(i);
      row.torsion = torque.dot(c.normal);
      write(Vec3(torque - row.torsion * c.normal), row.rolling);
      write(w.engine.contactSlip(c), row.slip);
      array.put(i, &row);
    }
    array.setTotal(contacts.size());
  });
}

vtb_status vtb_world_get_contact_events(const vtb_world* world, vtb_contact_event* out, size_t capacity, size_t stride_bytes,
                                        size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<vtb_contact_event> array(out, 1, capacity, stride_bytes, total, "out");
    const std::vector<ContactEvent>& events = w.engine.events();
    for (std::size_t i = 0; i < std::min(events.size(), capacity); i++) {
      const ContactEvent& e = events[i];
      vtb_contact_event row{};
      row.phase = static_cast<vtb_contact_phase>(VTB_CONTACT_PHASE_BEGIN + static_cast<int>(e.kind));
      row.shape_a.bits = w.shapes.handle(e.shapeA);
      row.shape_b.bits = w.shapes.handle(e.shapeB);
      row.time = e.time;
      write(e.impulse, row.impulse);
      array.put(i, &row);
    }
    array.setTotal(events.size());
  });
}

namespace {

vtb_ray_hit rayHit(const vtb_world& w, const RayCastResult& hit) {
  vtb_ray_hit result = described<vtb_ray_hit>(RayHitPairs::list, hit);
  result.body.bits = w.bodies.handle(hit.body);
  result.shape.bits = w.shapes.handle(hit.shape);
  return result;
}

vtb_closest closestOf(const vtb_world& w, const ClosestResult& c) {
  vtb_closest result = described<vtb_closest>(ClosestPairs::list, c);
  result.body.bits = w.bodies.handle(c.body);
  result.shape.bits = w.shapes.handle(c.shape);
  return result;
}

Vec3 rayDirection(const double* direction) {
  const Vec3 along = vector(direction, "direction");
  const double length = along.stableNorm();
  if (!(length > 0)) refuse(VTB_E_ARG, "direction has length 0");
  return along / length;
}

geometry::Shape askedWith(const vtb_shape_def* def) { return shapeFrom(readStruct(def)); }

void writeShapes(const vtb_world& w, const std::vector<int>& shapes, vtb_shape* out, std::size_t capacity, std::size_t* total) {
  for (std::size_t i = 0; i < std::min(shapes.size(), capacity); i++) out[i].bits = w.shapes.handle(shapes[i]);
  *total = shapes.size();
}

}  // namespace

vtb_status vtb_world_ray_cast(const vtb_world* world, const double* origin, const double* direction, double max_distance, uint32_t mask,
                              vtb_ray_hit* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const Vec3 from = vector(origin, "origin"), along = rayDirection(direction);
    required(out, "out");
    notNegative(max_distance, "max_distance");
    *out = rayHit(w, w.engine.rayCast(from, along, max_distance, mask));
  });
}

vtb_status vtb_world_ray_cast_all(const vtb_world* world, const double* origin, const double* direction, double max_distance, uint32_t mask,
                                  vtb_ray_hit* out, size_t capacity, size_t stride_bytes, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const Vec3 from = vector(origin, "origin"), along = rayDirection(direction);
    ArrayOut<vtb_ray_hit> array(out, 1, capacity, stride_bytes, total, "out");
    notNegative(max_distance, "max_distance");
    std::vector<RayCastResult> hits;
    w.engine.rayCastAll(from, along, max_distance, mask, hits);
    for (std::size_t i = 0; i < std::min(hits.size(), capacity); i++) {
      const vtb_ray_hit hit = rayHit(w, hits[i]);
      array.put(i, &hit);
    }
    array.setTotal(hits.size());
  });
}

vtb_status vtb_world_shape_cast(const vtb_world* world, const vtb_shape_def* def, const double* path, uint32_t mask, vtb_ray_hit* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const geometry::Shape shape = askedWith(def);
    const Vec3 along = vector(path, "path");
    required(out, "out");
    RayCastResult hit;
    check(w.engine.shapeCast(shape.geometry, shape.local, along, mask, hit));
    *out = rayHit(w, hit);
  });
}

vtb_status vtb_world_overlap(const vtb_world* world, const vtb_shape_def* def, uint32_t mask, vtb_shape* out, size_t capacity,
                             size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const geometry::Shape shape = askedWith(def);
    requiredArray(out, capacity, "out");
    required(total, "total");
    std::vector<int> shapes;
    check(w.engine.overlap(shape.geometry, shape.local, mask, shapes));
    writeShapes(w, shapes, out, capacity, total);
  });
}

vtb_status vtb_world_overlap_box(const vtb_world* world, const double* lower, const double* upper, uint32_t mask, vtb_shape* out,
                                 size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const Vec3 lo = vector(lower, "lower"), hi = vector(upper, "upper");
    if ((lo.array() > hi.array()).any()) refuse(VTB_E_ARG, "lower must not be above upper");
    requiredArray(out, capacity, "out");
    required(total, "total");
    std::vector<int> shapes;
    w.engine.overlapBox(lo, hi, mask, shapes);
    writeShapes(w, shapes, out, capacity, total);
  });
}

vtb_status vtb_world_closest(const vtb_world* world, const vtb_shape_def* def, double max_distance, uint32_t mask, vtb_closest* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const geometry::Shape shape = askedWith(def);
    notNegative(max_distance, "max_distance");
    required(out, "out");
    ClosestResult closest;
    check(w.engine.closest(shape.geometry, shape.local, max_distance, mask, closest));
    *out = closestOf(w, closest);
  });
}

vtb_status vtb_shape_get_distance(const vtb_world* world, vtb_shape a, vtb_shape b, double max_distance, vtb_closest* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const int first = shapeOf(w, a), second = shapeOf(w, b);
    if (first == second) refuse(VTB_E_ARG, "a and b are the same shape");
    notNegative(max_distance, "max_distance");
    required(out, "out");
    ClosestResult closest;
    check(w.engine.closest(first, second, max_distance, closest));
    *out = closestOf(w, closest);
  });
}
