// Contacts, contact events and ray casts.
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

vtb_status vtb_world_get_contacts(const vtb_world* world, vtb_contact* out, size_t capacity, size_t stride_bytes, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<vtb_contact> array(out, 1, capacity, stride_bytes, total, "out");
    const std::vector<Contact>& contacts = w.engine.contacts();
    for (std::size_t i = 0; i < std::min(contacts.size(), capacity); i++) {
      const Contact& c = contacts[i];
      vtb_contact row{};
      row.body_a.bits = w.bodies.handle(c.bodyA);
      row.body_b.bits = w.bodies.handle(c.bodyB);
      row.shape_a.bits = w.shapes.handle(c.shapeA);
      row.shape_b.bits = w.shapes.handle(c.shapeB);
      write(c.position, row.position);
      write(c.normal, row.normal);
      row.gap = c.gap;
      write(c.force, row.force);
      row.feature = c.feature;
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
      row.kind = e.begin ? VTB_CONTACT_BEGIN : VTB_CONTACT_END;
      row.shape_a.bits = w.shapes.handle(e.shapeA);
      row.shape_b.bits = w.shapes.handle(e.shapeB);
      array.put(i, &row);
    }
    array.setTotal(events.size());
  });
}

vtb_status vtb_world_ray_cast(const vtb_world* world, const double* origin, const double* direction, double max_distance, uint32_t mask,
                              vtb_ray_hit* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const Vec3 from = vector(origin, "origin"), along = vector(direction, "direction");
    required(out, "out");
    notNegative(max_distance, "max_distance");
    const double length = along.stableNorm();
    if (!(length > 0)) refuse(VTB_E_ARG, "direction has no length");
    const RayCastResult hit = w.engine.rayCast(from, along / length, max_distance, mask);
    vtb_ray_hit result{};
    result.body.bits = w.bodies.handle(hit.body);
    result.shape.bits = w.shapes.handle(hit.shape);
    result.distance = hit.distance;
    write(hit.position, result.position);
    write(hit.normal, result.normal);
    *out = result;
  });
}
