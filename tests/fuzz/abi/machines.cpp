// Couplings, drivelines, force fields, constraints, particles.
#include "tests/fuzz/abi/abi.hpp"

namespace fuzz {

void Fuzz::useCoupling(FuzzedWorld* w) {
  PREPARED(coupling);
  auto t = terms(w, 1 + below(3));
  if (chance(0.5)) {
    d.d.terms = t.data();
    d.d.term_count = static_cast<uint32_t>(t.size());
  } else {
    d.d.joint_a.bits = any(w, JOINT);
    d.d.joint_b.bits = any(w, JOINT);
  }
  d.d.ratio = number(3);
  d.d.offset = number();
  set(d.d.level, index(2));
  if (chance(0.3)) {
    d.d.stiffness = positiveOrInf(1e3);
    d.d.damping = positive(10);
    d.d.max_force = positiveOrInf(50);
  }
  vtb_coupling c{any(w, COUPLING)};
  switch (below(6)) {
    case 0:
    case 1:
      if (CHANGED(w, vtb_coupling_create, w->w, given(d), out<vtb_coupling>()) == VTB_OK)
        w->pool[COUPLING].push_back(told<vtb_coupling>()->bits);
      break;
    case 2:
      CHANGED(w, vtb_coupling_set, w->w, c, given(d));
      break;
    case 3:
      CALLED(vtb_coupling_get_force, w->w, c, out<double>());
      break;
    case 4:
      if (chance(0.3) && CHANGED(w, vtb_coupling_destroy, w->w, c) == VTB_OK) drop(w, COUPLING, c.bits);
      break;
    default:
      driveline(w);
  }
}

void Fuzz::driveline(FuzzedWorld* w) {
  vtb_constraint c{any(w, CONSTRAINT)};
  if (chance(0.5)) {
    Box<vtb_driveline_input> in;
    in.d.struct_size = sizeof in.d;
    if (CALLED(vtb_driveline_get_input, w->w, c, &in.d) == VTB_OK || chance(0.1)) {
      in.d.gear = index(4);
      in.d.throttle = positive(1);
      in.d.speed = number(300);
      in.d.clutch = positive(1);
      in.d.lock = positive(1);
      in.d.stroke = number(1);
      CHANGED(w, vtb_driveline_set_input, w->w, c, given(in));
    }
    CALLED(vtb_driveline_get_state, w->w, c, filled<vtb_driveline_state>());
    return;
  }
  PREPARED(driveline);
  set(d.d.type, index(6));
  auto t = terms(w, d.d.type == 0 ? 1 : d.d.type == 3 ? 3 : 1 + below(3));
  d.d.axes = t.data();
  d.d.axis_count = static_cast<uint32_t>(t.size());
  std::vector<double> sp, th, to, ra, tr, ca;
  for (size_t i = 0, n = 1 + below(4); i < n; i++) {
    sp.push_back(i * 50.0 + positive(10));
    ra.push_back(d.d.type == 1 ? i / (n - 0.999) : number(4));
    tr.push_back(positive(2));
    ca.push_back(positive(1));
  }
  for (size_t i = 0, n = 1 + below(3); i < n; i++) th.push_back(i * 0.5);
  to = someNumbers(sp.size() * th.size(), 200);
  if (chance(0.1)) numbers(ra.data(), static_cast<int>(ra.size()));
  if (d.d.type == 0) {
    d.d.speeds = sp.data();
    d.d.throttles = th.data();
    d.d.torques = to.data();
    d.d.speed_count = static_cast<uint32_t>(sp.size());
    d.d.throttle_count = static_cast<uint32_t>(th.size());
    d.d.friction[0] = positive(2);
    d.d.friction[1] = positive(0.1);
    d.d.governor_gain = positive(0.1);
    d.d.governor_rate = positive(0.1);
    d.d.fuel = positive(1e-7);
  }
  if (d.d.type == 1 || d.d.type == 2) {
    if (d.d.type == 1) {
      if (ra.size() > 1) {
        ra[0] = 0;
        ra.back() = 1;
      }
      d.d.torque_ratios = tr.data();
      d.d.capacities = ca.data();
    }
    d.d.ratios = ra.data();
    d.d.ratio_count = static_cast<uint32_t>(ra.size());
    d.d.shift_time = chance(0.5) ? positive(0.3) : 0;
    d.d.max_torque = positiveOrInf(100);
  }
  if (d.d.type == 3) {
    d.d.ratio = number(4);
    d.d.split = positive(1);
    d.d.max_torque = positiveOrInf(100);
    d.d.preload = positive(10);
    d.d.bias = positive(1);
  }
  if (d.d.type > 1 && d.d.type < 5) {
    d.d.efficiency = positive(1);
    d.d.drag = positive(2);
  }
  if (d.d.type > 3) {
    d.d.pressure = positiveOrInf(1e7);
    d.d.leak = positive(1e-12);
    d.d.flow = positive(1e-3);
    d.d.area_ratio = positive(1);
  }
  if (CHANGED(w, vtb_driveline_create, w->w, given(d), out<vtb_constraint>()) == VTB_OK)
    w->pool[CONSTRAINT].push_back(told<vtb_constraint>()->bits);
}

void Fuzz::useField(FuzzedWorld* w) {
  PREPARED(field);
  set(d.d.type, index(7));
  std::vector<vtb_body> b(chance(0.3) ? 1 + below(4) : 0);
  for (auto& x : b) x.bits = any(w, BODY);
  if (!b.empty()) {
    d.d.bodies = b.data();
    d.d.body_count = static_cast<uint32_t>(b.size());
  }
  if (chance(0.2)) d.d.radial.source.bits = any(w, BODY, true);
  numbers(d.d.radial.point, 3, 2);
  numbers(d.d.drag.wind, 3, 2);
  numbers(d.d.magnus.wind, 3, 2);
  numbers(d.d.attractor.point, 3, 2);
  d.d.radial.strength = d.d.pairwise.strength = d.d.magnus.strength = d.d.lennard_jones.strength = d.d.attractor.strength = number(5);
  d.d.attractor.exponent = number(3);
  d.d.pairwise.range = d.d.lennard_jones.range = d.d.attractor.range = positiveOrInf(2);
  d.d.radial.softening = d.d.pairwise.softening = positive(0.1);
  d.d.lennard_jones.length = positive(0.5);
  d.d.drag.linear = positive(2);
  d.d.drag.quadratic = positive(1);
  d.d.drag.angular = positive(0.5);
  if (chance(0.2)) d.d.particles.bits = any(w, PARTICLES, true);
  if (d.d.type == 6) {
    Callback* c = callback();
    d.d.user.evaluate = force;
    d.d.user.user = c;
    if (chance(0.3)) {
      d.d.implicit = 1;
      if (chance(0.5)) d.d.user.gradient = slope;
    }
  }
  vtb_field f{any(w, FIELD)};
  switch (below(5)) {
    case 0:
      CHANGED(w, vtb_field_set, w->w, f, given(d));
      break;
    case 1:
    case 2:
      if (CHANGED(w, vtb_field_destroy, w->w, f) == VTB_OK) drop(w, FIELD, f.bits);
      break;
    default:
      if (w->pool[FIELD].size() < 4 && CHANGED(w, vtb_field_create, w->w, given(d), out<vtb_field>()) == VTB_OK)
        w->pool[FIELD].push_back(told<vtb_field>()->bits);
  }
}

void Fuzz::useConstraint(FuzzedWorld* w) {
  vtb_constraint c{any(w, CONSTRAINT)};
  size_t n = 1 + below(4);
  std::vector<vtb_body> b(n);
  for (auto& x : b) x.bits = any(w, BODY, chance(0.1));
  std::vector<vtb_joint> j(below(3));
  for (auto& x : j) x.bits = any(w, JOINT);
  switch (below(5)) {
    case 0:
      if (CHANGED(w, vtb_constraint_destroy, w->w, c) == VTB_OK) drop(w, CONSTRAINT, c.bits);
      break;
    case 1:
      CALLED(vtb_constraint_get_forces, w->w, c, out<double>(n), n, out<size_t>());
      break;
    case 2: {
      PREPARED(points);
      set(d.d.measure, index(2));
      b.resize(n = d.d.measure ? 4 : 2 + below(3));
      for (auto& x : b) x.bits = any(w, BODY, true);
      d.d.bodies = b.data();
      std::vector<double> p = someNumbers(3 * n);
      if (chance(0.6)) d.d.points = p.data();
      d.d.point_count = static_cast<uint32_t>(n);
      if (chance(0.5)) d.d.value = positive(2);
      if (chance(0.3)) d.d.upper = 0;
      if (chance(0.3)) {
        d.d.stiffness = positiveOrInf(1e4);
        d.d.damping = positive(10);
      }
      if (CHANGED(w, vtb_constraint_create_points, w->w, given(d), out<vtb_constraint>()) == VTB_OK)
        w->pool[CONSTRAINT].push_back(told<vtb_constraint>()->bits);
      break;
    }
    default: {
      PREPARED(constraint);
      d.d.rows = index(7);
      d.d.bodies = b.data();
      d.d.body_count = static_cast<uint32_t>(n);
      d.d.joints = j.data();
      d.d.joint_count = static_cast<uint32_t>(j.size());
      Callback* cb = callback();
      vtb_axis_def ax;
      ax.struct_size = sizeof ax;
      for (auto x : j)
        for (int i = 0; vtb_joint_get_axis(w->w, x, i, &ax) == VTB_OK; i++) cb->axes++;
      d.d.evaluate = row;
      d.d.user = cb;
      if (w->pool[CONSTRAINT].size() < 8 && CHANGED(w, vtb_constraint_create, w->w, given(d), out<vtb_constraint>()) == VTB_OK)
        w->pool[CONSTRAINT].push_back(told<vtb_constraint>()->bits);
    }
  }
}

void Fuzz::useSensor(FuzzedWorld* w) {
  vtb_sensor s{any(w, SENSOR)};
  PREPARED(sensor);
  set(d.d.type, index(6));
  const bool ofJoint = d.d.type == VTB_SENSOR_TYPE_FORCE_TORQUE;
  if (ofJoint != chance(0.02)) d.d.joint.bits = any(w, JOINT);
  if (ofJoint == chance(0.02)) d.d.body.bits = any(w, BODY, chance(0.1));
  pose(d.d.pose);
  set(d.d.axes, index(2));
  if (d.d.type == VTB_SENSOR_TYPE_TOUCH) set(d.d.region, index(3));
  for (double& x : d.d.size) x = positive(1);
  switch (below(6)) {
    case 0:
    case 1:
    case 2:
      if (w->pool[SENSOR].size() < 6 && CHANGED(w, vtb_sensor_create, w->w, given(d), out<vtb_sensor>()) == VTB_OK)
        w->pool[SENSOR].push_back(told<vtb_sensor>()->bits);
      break;
    case 3:
      if (CHANGED(w, vtb_sensor_destroy, w->w, s) == VTB_OK) drop(w, SENSOR, s.bits);
      break;
    case 4:
      CALLED(vtb_sensor_get_values, w->w, s, out<double>(7), 7, out<size_t>());
      CALLED(vtb_sensor_get_def, w->w, s, filled<vtb_sensor_def>());
      break;
    default:
      CALLED(vtb_world_get_sensor_values, w->w, out<double>(20), 20, out<size_t>());
  }
}

void Fuzz::useParticles(FuzzedWorld* w) {
  if (chance(0.3)) return useSensor(w);
  vtb_particles p{any(w, PARTICLES)};
  size_t n = below(12);
  std::vector<vtb_particle> v(n + 1);
  std::memset(v.data(), 0, (n + 1) * sizeof v[0]);
  for (auto& x : v) {
    numbers(x.position, 3, 1);
    numbers(x.velocity, 3, 3);
    x.mass = positive(0.1) + 1e-3;
    x.radius = positive(0.1) + 1e-3;
    x.life = positiveOrInf(1);
    x.id = chance(0.9) ? 0 : below(20);
  }
  switch (below(9)) {
    case 0:
    case 1: {
      PREPARED(particles);
      d.d.max_count = static_cast<uint32_t>(below(300));
      d.d.iterations = index(11);
      d.d.flags = static_cast<uint32_t>(index(4));
      d.d.friction = positive(1);
      d.d.restitution = positive(1);
      d.d.gravity_scale = number(2);
      if (w->pool[PARTICLES].size() < 3 && CHANGED(w, vtb_particles_create, w->w, given(d), out<vtb_particles>()) == VTB_OK)
        w->pool[PARTICLES].push_back(told<vtb_particles>()->bits);
      break;
    }
    case 2:
      if (chance(0.3) && CHANGED(w, vtb_particles_destroy, w->w, p) == VTB_OK) drop(w, PARTICLES, p.bits);
      break;
    case 3:
      CALLED(vtb_particles_get, w->w, p, out<vtb_particle>(n), n, 0, out<size_t>());
      break;
    case 4:
    case 5:
      CHANGED(w, vtb_particles_set, w->w, p, below(4), v.data(), n, chance(0.02) ? 8 : 0);
      break;
    case 6:
      CALLED(vtb_particles_get_state, w->w, p, filled<vtb_particles_state>());
      break;
    case 7: {
      size_t k = below(3);
      std::vector<vtb_emitter_def> e(k + 1);
      for (auto& x : e) {
        CALLED(vtb_emitter_def_init, &x, sizeof x);
        numbers(x.position, 3);
        numbers(x.direction, 3);
        x.disc_radius = positive(0.3);
        x.cone_angle = positive(1.5);
        x.speed = number(3);
        x.speed_spread = positive(1);
        x.rate = positive(chance(0.1) ? 1e5 : 300);
        x.mass = positive(0.1);
        x.radius = positive(0.05);
        x.life = positiveOrInf(1);
        x.seed = bits64();
      }
      CHANGED(w, vtb_particles_set_emitters, w->w, p, e.data(), k, 0);
      break;
    }
    default: {
      size_t k = below(3);
      std::vector<vtb_sink_def> e(k + 1);
      for (auto& x : e) {
        CALLED(vtb_sink_def_init, &x, sizeof x);
        set(x.type, index(3));
        pose(x.pose);
        for (double& s : x.size) s = positive(1);
      }
      CHANGED(w, vtb_particles_set_sinks, w->w, p, e.data(), k, 0);
    }
  }
}

}  // namespace fuzz
