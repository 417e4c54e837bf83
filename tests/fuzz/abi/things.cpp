// Bodies, shapes and joints.
#include "tests/fuzz/abi/abi.hpp"

namespace fuzz {

void Fuzz::shapeDef(vtb_shape_def& d, std::vector<double>& p, std::vector<uint32_t>& t) {
  set(d.type, index(9));
  for (double& s : d.size) s = chance(0.02) ? number() : 0.02 + positive(0.8);
  pose(d.pose);
  for (int i = 0; i < 3; i++) d.pose[i] *= 0.2;
  if (chance(0.3)) {
    d.surface.friction = positive(1.5);
    d.surface.restitution = positive(1);
    d.surface.static_friction = positive(2);
    d.surface.rolling_friction = positive(0.1);
    d.surface.torsional_friction = positive(0.1);
    set(d.surface.friction_combine, index(6));
    set(d.surface.restitution_combine, index(6));
    d.surface.hertz = index(2);
    d.surface.stabilised = index(2);
  }
  if (chance(0.1)) {
    d.surface.contact_stiffness = positive(1e5);
    d.surface.contact_damping = positive(1e3);
  }
  if (chance(0.1)) {
    d.category = static_cast<uint32_t>(bits64());
    d.mask = static_cast<uint32_t>(bits64());
  }
  if (d.type == VTB_SHAPE_TYPE_CONVEX || d.type == VTB_SHAPE_TYPE_MESH) {
    if (d.type == VTB_SHAPE_TYPE_MESH && chance(0.6)) {
      for (int i = 0; i < 8; i++) {
        p.push_back((i & 1 ? 1 : -1) * d.size[0]);
        p.push_back((i & 2 ? 1 : -1) * d.size[1]);
        p.push_back((i & 4 ? 1 : -1) * d.size[2]);
      }
      t = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    } else {
      size_t n = below(16);
      for (size_t i = 0; i < n * 3; i++) p.push_back(chance(0.1) ? 0 : number(0.5));
      if (chance(0.1))
        for (size_t i = 2; i < p.size(); i += 3) p[i] = 0;
      if (chance(0.05))
        for (size_t i = 3; i < p.size(); i++) p[i] = p[i % 3];
      for (size_t i = 0; n && i < below(60); i += 3)
        for (int k = 0; k < 3; k++) t.push_back(static_cast<uint32_t>(index(static_cast<int>(n))));
    }
    if (chance(0.1))
      for (double& x : p) x *= std::pow(10, 12 * unit01() - 6);
    d.geometry.points = p.data();
    d.geometry.point_count = static_cast<uint32_t>(p.size()) / 3;
    if (d.type == VTB_SHAPE_TYPE_MESH) {
      d.geometry.triangles = t.data();
      d.geometry.triangle_count = static_cast<uint32_t>(t.size()) / 3;
      if (chance(0.5)) d.geometry.convex_parts = static_cast<uint32_t>(below(9));
    } else if (chance(0.3)) {
      p.clear();
      for (int i = 0; i < 6; i++) {
        double n[4] = {0};
        n[i / 2] = i % 2 ? 1 : -1;
        n[3] = d.size[i / 2];
        if (chance(0.1)) unitVector(n, 3);
        p.insert(p.end(), n, n + 4);
      }
      d.geometry.points = nullptr;
      d.geometry.point_count = 0;
      d.geometry.planes = p.data();
      d.geometry.plane_count = static_cast<uint32_t>(p.size()) / 4;
    }
  }
  if (d.type == VTB_SHAPE_TYPE_HEIGHTFIELD) {
    d.geometry.height_rows = 2 + static_cast<uint32_t>(below(6));
    d.geometry.height_columns = 2 + static_cast<uint32_t>(below(6));
    for (size_t i = 0; i < d.geometry.height_rows * d.geometry.height_columns; i++) p.push_back(number(0.3));
    d.geometry.heights = p.data();
  }
}

void Fuzz::body(FuzzedWorld* w) {
  PREPARED(body);
  if (chance(0.2)) set(d.d.kind, index(3));
  pose(d.d.pose);
  if (chance(0.3)) numbers(d.d.twist, 6, 3);
  if (chance(0.4)) {
    d.d.mass = positive(5);
    numbers(d.d.com, 3, 0.1);
    d.d.inertia[0] = positive(1);
    d.d.inertia[3] = positive(1);
    d.d.inertia[5] = positive(1);
    if (chance(0.2)) numbers(d.d.inertia, 6);
  }
  if (chance(0.05)) d.d.gravity_scale = number(2);
  if (chance(0.05)) d.d.disabled = 1;
  if (chance(0.1)) {
    d.d.step = positive(0.01);
    if (chance(0.3)) set(d.d.integrator, index(6));
  }
  vtb_body* o;
  if (CHANGED(w, vtb_body_create, w->w, given(d), out<vtb_body>()) == VTB_OK) {
    o = told<vtb_body>();
    std::uint64_t h = o->bits;
    w->pool[BODY].push_back(h);
    if (chance(0.8)) shape(w, h);
  }
}

void Fuzz::shape(FuzzedWorld* w, std::uint64_t b) {
  PREPARED(shape);
  std::vector<double> p;
  std::vector<uint32_t> t;
  shapeDef(d.d, p, t);
  if (chance(0.1)) d.d.parent.bits = any(w, SHAPE, true);
  if (CHANGED(w, vtb_shape_create, w->w, {b}, given(d), out<vtb_shape>()) == VTB_OK) w->pool[SHAPE].push_back(told<vtb_shape>()->bits);
}

void Fuzz::jointNumbers(vtb_skeleton_joint_def& d) {
  unitVector(d.axis, 3);
  unitVector(d.axis2, 3);
  if (chance(0.5)) {
    double a[3] = {1, 0, 0}, b[3] = {0, 1, 0};
    std::memcpy(d.axis, a, 24);
    std::memcpy(d.axis2, b, 24);
  }
  if (chance(0.2)) {
    d.limits.swing = positive(3);
    d.limits.twist_lower = -positive(3);
    d.limits.twist_upper = positive(3);
  }
  if (chance(0.3)) d.pitch = number(0.2);
  pose(d.parent_frame);
  pose(d.child_frame);
  for (int i = 0; i < 3; i++) {
    d.parent_frame[i] *= 0.3;
    d.child_frame[i] *= 0.3;
  }
}

void Fuzz::joint(FuzzedWorld* w) {
  static const int types[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 17, 18, 19, 20, 21, 22, 23};
  PREPARED(joint);
  set(d.d.type, chance(0.01) ? index(30) : types[below(19)]);
  if (d.d.type != 23) {
    d.d.body_a.bits = any(w, BODY, true);
    d.d.body_b.bits = chance(0.02) ? d.d.body_a.bits : any(w, BODY, chance(0.05));
  }
  if (chance(0.6)) d.d.as_they_stand = 1;
  if (chance(0.2)) d.d.bodies_collide = 1;
  vtb_skeleton_joint_def j;
  std::memset(&j, 0, sizeof j);
  j.limits.swing = j.limits.twist_upper = INFINITY;
  j.limits.twist_lower = -INFINITY;
  jointNumbers(j);
  std::memcpy(d.d.axis, j.axis, 24);
  std::memcpy(d.d.axis2, j.axis2, 24);
  d.d.pitch = j.pitch;
  std::memcpy(d.d.frame_a, j.parent_frame, 56);
  std::memcpy(d.d.frame_b, j.child_frame, 56);
  if (d.d.type == 5) {
    d.d.limits.swing = j.limits.swing;
    d.d.limits.twist_lower = j.limits.twist_lower;
    d.d.limits.twist_upper = j.limits.twist_upper;
  }
  if (chance(0.15)) {
    d.d.soft.stiffness = positiveOrInf(1e4);
    d.d.soft.damping = positive(100);
    d.d.soft.angular_stiffness = positiveOrInf(1e4);
    d.d.soft.angular_damping = positive(100);
  }
  if (chance(0.1)) {
    d.d.breaking.force = positive(100);
    d.d.breaking.torque = positive(100);
  }
  std::vector<double> p;
  if (d.d.type == 22 || chance(0.01)) {
    p.resize(3 * below(8));
    numbers(p.data(), static_cast<int>(p.size()));
    d.d.curve.points = p.data();
    d.d.curve.point_count = static_cast<uint32_t>(p.size()) / 3;
    d.d.curve.flags = static_cast<uint32_t>(index(4));
  }
  if (chance(0.05)) {
    d.d.displacement.relaxation = positive(2);
    d.d.displacement.regularisation = positive(0.1);
  }
  if (CHANGED(w, vtb_joint_create, w->w, given(d), out<vtb_joint>()) == VTB_OK) w->pool[JOINT].push_back(told<vtb_joint>()->bits);
}

void Fuzz::axisDef(vtb_axis_def& d) {
  if (chance(0.5)) {
    d.lower = number(1);
    d.upper = d.lower + number(1) + 0.9;
  }
  if (chance(0.2)) d.velocity = positive(5);
  if (chance(0.2)) d.effort = positive(100);
  if (chance(0.3)) d.damping = positive(5);
  if (chance(0.3)) d.friction = positive(2);
  if (chance(0.2)) {
    d.stiffness = positive(100);
    d.rest = number();
  }
  if (chance(0.2)) d.armature = positive(1);
  if (chance(0.1)) d.restitution = positive(1);
}

std::vector<vtb_coupling_term> Fuzz::terms(FuzzedWorld* w, size_t n) {
  std::vector<vtb_coupling_term> t(n);
  std::memset((void*)t.data(), 0, n * sizeof t[0]);
  for (auto& x : t) {
    x.joint.bits = any(w, JOINT);
    x.axis = chance(0.8) ? 0 : index(3);
    x.coefficient = number(2);
  }
  return t;
}

void Fuzz::useBody(FuzzedWorld* w) {
  vtb_body b{any(w, BODY)};
  double x[7], y[6];
  pose(x);
  numbers(y, 6, 5);
  switch (below(22)) {
    case 0:
      if (chance(0.3) && CHANGED(w, vtb_body_destroy, w->w, b) == VTB_OK) drop(w, BODY, b.bits);
      break;
    case 1:
      if (CALLED(vtb_body_get_pose, w->w, b, out<double>(7)) == VTB_OK) {
        std::memcpy(x, told<double>(), 56);
        CHANGED(w, vtb_body_set_pose, w->w, b, x, nullptr);
      }
      break;
    case 2:
      CHANGED(w, vtb_body_set_pose, w->w, b, x, chance(0.5) ? out<double>(2) : nullptr);
      break;
    case 3:
      CALLED(vtb_body_get_twist, w->w, b, out<double>(6));
      break;
    case 4:
      CHANGED(w, vtb_body_set_twist, w->w, b, y, chance(0.5) ? out<double>(2) : nullptr);
      break;
    case 5:
      CALLED(vtb_body_get_acceleration, w->w, b, out<double>(6));
      break;
    case 6:
      CHANGED(w, vtb_body_move_to, w->w, b, x, positive(0.5));
      break;
    case 7:
      CALLED(vtb_body_get_kind, w->w, b, out<vtb_body_kind>());
      break;
    case 8:
      CHANGED(w, vtb_body_set_kind, w->w, b, enumOf<vtb_body_kind>(index(3)));
      break;
    case 9:
      CALLED(vtb_body_get_enabled, w->w, b, out<int32_t>());
      break;
    case 10:
      CHANGED(w, vtb_body_set_enabled, w->w, b, index(2));
      break;
    case 11:
      CALLED(vtb_body_get_awake, w->w, b, out<int32_t>());
      CHANGED(w, vtb_body_wake, w->w, b);
      break;
    case 12:
      CALLED(vtb_body_get_mass, w->w, b, out<double>(), out<double>(3), out<double>(6));
      break;
    case 13: {
      double i[6] = {positive(1), 0, 0, positive(1), 0, positive(1)};
      if (chance(0.3)) numbers(i, 6);
      CHANGED(w, vtb_body_set_mass, w->w, b, positive(3), y, i);
      break;
    }
    case 14:
      CHANGED(w, vtb_body_set_mass_from_shapes, w->w, b, chance(0.5) ? positive(2000) : 0, chance(0.5) ? positive(5) : 0);
      break;
    case 15:
      CHANGED(w, vtb_body_set_integration, w->w, b, chance(0.3) ? 0 : positive(0.01), enumOf<vtb_integrator>(chance(0.5) ? -1 : index(6)));
      break;
    case 16:
      CALLED(vtb_body_get_integration, w->w, b, out<double>(), out<vtb_integrator>());
      break;
    case 17:
      CHANGED(w, vtb_body_add_force, w->w, b, y, chance(0.5) ? x : nullptr, enumOf<vtb_duration>(index(2)));
      break;
    case 18:
      CHANGED(w, vtb_body_add_torque, w->w, b, y, enumOf<vtb_duration>(index(2)));
      break;
    case 19:
      CHANGED(w, vtb_body_add_impulse, w->w, b, y, chance(0.5) ? x : nullptr);
      break;
    case 20:
      CHANGED(w, vtb_body_clear_forces, w->w, b);
      break;
    default:
      CALLED(vtb_body_get_forces, w->w, b, out<double>(3), out<double>(3));
      CALLED(vtb_body_get_energy, w->w, b, out<double>(), out<double>());
      CALLED(vtb_body_get_momentum, w->w, b, nullptr, out<double>(3), out<double>(3));
  }
}

void Fuzz::useShape(FuzzedWorld* w) {
  vtb_shape s{any(w, SHAPE)};
  double x[7];
  pose(x);
  size_t a = below(60), b = below(60);
  switch (below(11)) {
    case 0:
      if (chance(0.4) && CHANGED(w, vtb_shape_destroy, w->w, s) == VTB_OK) drop(w, SHAPE, s.bits);
      break;
    case 1:
      CALLED(vtb_shape_get_body, w->w, s, out<vtb_body>());
      CALLED(vtb_shape_get_colour, w->w, s, out<float>(4));
      break;
    case 2:
      CALLED(vtb_shape_get_pose, w->w, s, out<double>(7));
      break;
    case 3:
      CHANGED(w, vtb_shape_set_pose, w->w, s, x);
      break;
    case 4: {
      uint32_t c, m;
      CALLED(vtb_shape_get_filter, w->w, s, &c, &m);
      break;
    }
    case 5:
      CALLED(vtb_shape_get_surface, w->w, s, out<vtb_surface>());
      break;
    case 6: {
      vtb_surface d;
      if (vtb_shape_get_surface(w->w, s, &d) != VTB_OK) break;
      d.friction = positive(1);
      d.restitution = positive(1);
      d.hertz = index(2);
      d.stabilised = index(2);
      d.rolling_friction = positive(0.1);
      d.contact_stiffness = chance(0.5) ? 0 : positive(1e6);
      d.contact_damping = positive(100);
      set(d.friction_combine, index(6));
      CHANGED(w, vtb_shape_set_surface, w->w, s, &d);
      break;
    }
    case 7:
      CHANGED(w, vtb_shape_set_filter, w->w, s, chance(0.5) ? ~0u : static_cast<uint32_t>(bits64()), static_cast<uint32_t>(bits64()));
      break;
    case 8:
      CALLED(vtb_shape_get_mesh, w->w, s, out<double>(3 * a), a, out<size_t>(), out<uint32_t>(3 * b), b, out<size_t>());
      break;
    case 9:
      CHANGED(w, vtb_world_set_pair_collides, w->w, {any(w, BODY)}, {any(w, BODY)}, index(2));
      break;
    default:
      CALLED(vtb_shape_get_distance, w->w, s, {any(w, SHAPE)}, positiveOrInf(3), filled<vtb_closest>());
  }
}

void Fuzz::useJoint(FuzzedWorld* w) {
  vtb_joint j{any(w, JOINT)};
  double q[7], v[6];
  numbers(q, 7);
  numbers(v, 6, 3);
  if (chance(0.5)) unitVector(q + (chance(0.5) ? 3 : 0), 4);
  switch (below(15)) {
    case 0:
      if (chance(0.3) && CHANGED(w, vtb_joint_destroy, w->w, j) == VTB_OK) drop(w, JOINT, j.bits);
      break;
    case 1:
      CALLED(vtb_joint_get_broken, w->w, j, out<int32_t>());
      break;
    case 2:
      CALLED(vtb_world_get_joint_events, w->w, out<vtb_joint_event>(3), 3, 0, out<size_t>());
      break;
    case 3:
      CALLED(vtb_joint_get_axis, w->w, j, index(3), filled<vtb_axis_def>());
      break;
    case 4:
    case 5: {
      PREPARED(axis);
      axisDef(d.d);
      CHANGED(w, vtb_joint_set_axis, w->w, j, chance(0.7) ? 0 : index(6), given(d));
      break;
    }
    case 6:
      CHANGED(w, vtb_joint_set_swing_twist, w->w, j, positive(3), -positive(3), positive(3));
      break;
    case 7:
      CALLED(vtb_joint_get_state, w->w, j, out<double>(7), out<double>(6));
      break;
    case 8:
      CHANGED(w, vtb_joint_set_state, w->w, j, chance(0.8) ? q : nullptr, chance(0.8) ? v : nullptr);
      break;
    case 9:
    case 10: {
      PREPARED(motor);
      set(d.d.mode, index(4));
      d.d.position = number();
      d.d.velocity = number(3);
      d.d.force = number(10);
      d.d.stiffness = positive(200);
      d.d.damping = positiveOrInf(30);
      d.d.max_force = positiveOrInf(100);
      CHANGED(w, vtb_joint_set_motor, w->w, j, chance(0.7) ? 0 : index(6), given(d));
      break;
    }
    case 11:
      CALLED(vtb_joint_get_motor, w->w, j, index(3), filled<vtb_motor_def>());
      break;
    case 12: {
      double u[4];
      unitVector(u, 4);
      CHANGED(w, vtb_joint_set_orientation_motor, w->w, j, u, chance(0.7) ? v : nullptr, positive(100), positive(10), positiveOrInf(100));
      break;
    }
    case 13: {
      double p[7];
      pose(p);
      CHANGED(w, vtb_joint_set_target, w->w, j, chance(0.8) ? p : nullptr, chance(0.8) ? v : nullptr);
      break;
    }
    default:
      CALLED(vtb_joint_get_forces, w->w, j, filled<vtb_joint_forces>());
  }
}

}  // namespace fuzz
