// Functions that the library calls back: their values follow from their numbers alone, and besides they only make calls that take a const
// world, or that must be refused with VTB_E_BUSY.
#include "tests/fuzz/abi/abi.hpp"

namespace fuzz {
namespace {

// A definition whose stated size ends before its user pointer gives the library none.
Callback* callbackOf(void* user) {
  static Callback none{};
  return user ? static_cast<Callback*>(user) : &none;
}

}  // namespace

void Fuzz::reenter(const vtb_world* world, Callback* c) {
  if (!c->fuzz) return;
  Fuzz& z = *c->fuzz;
  Random random{c->salt++};
  if (!random.chance(0.02)) return;
  vtb_world* w = const_cast<vtb_world*>(world);
  double x[16] = {0};
  size_t total = 0;
  std::uint64_t h;
  int32_t s = VTB_E_BUSY, k = 0;
  vtb_shape_def sd;
  vtb_shape_def_init(&sd, sizeof sd);
  sd.size[0] = 1;
  vtb_shape hits[4];
  vtb_ray_hit hit;
  char text[64];
  switch (random.below(16)) {
    case 0:
      s = vtb_world_step(w, 1);
      break;
    case 1:
      s = vtb_world_wake_all(w);
      break;
    case 2:
      s = vtb_body_create(w, nullptr, reinterpret_cast<vtb_body*>(&h));
      break;
    case 3:
      s = vtb_world_restore(w, x, 8);
      break;
    case 4:
      s = vtb_world_set_settings(w, nullptr);
      break;
    case 5:
      s = vtb_world_destroy(w);
      break;
    case 6:
      s = vtb_body_set_pose(w, {1}, x, nullptr);
      break;
    case 7:
      s = vtb_figure_play(w, {1}, nullptr, 0, 1, 0);
      break;
    case 8:
      vtb_world_get_hash(world, &h);
      break;
    case 9:
      vtb_world_get_contacts(world, nullptr, 0, 0, &total);
      vtb_world_get_poses(world, x, 2, 0, &total);
      break;
    case 10:
      vtb_world_save(world, nullptr, 0, &total);
      break;
    case 11:
      vtb_world_overlap(world, &sd, ~0u, hits, 4, &total);
      x[2] = -1;
      vtb_world_ray_cast(world, x + 3, x, 100, ~0u, &hit);
      break;
    case 12:
      vtb_world_write_scene(world, text, 64, &total);
      break;
    case 13: {
      vtb_world_stats st;
      st.struct_size = sizeof st;
      vtb_world_get_stats(world, &st);
      vtb_energy e;
      e.struct_size = sizeof e;
      vtb_world_get_energy(world, &e);
      break;
    }
    case 14:
      s = vtb_world_reserve(w, 10);
      break;
    default: {
      vtb_body b[2];
      vtb_world_get_bodies(world, b, 2, &total);
      if (total) {
        vtb_body_get_acceleration(world, b[0], x);
        vtb_body_get_awake(world, b[0], &k);
        vtb_body_get_forces(world, b[0], x, x + 3);
      }
      vtb_world* other = nullptr;
      if (vtb_world_create(nullptr, &other) != VTB_OK || vtb_world_step(other, 1) != VTB_OK || vtb_world_destroy(other) != VTB_OK)
        z.defect("another world in a callback", "callback");
    }
  }
  if (s != VTB_E_BUSY) z.defect("changing call in a callback did not answer VTB_E_BUSY", "callback", s, (long)(c->salt - 1));
}

void Fuzz::beforeStep(void* u, const vtb_world* w) { reenter(w, callbackOf(u)); }

int32_t Fuzz::filter(void* u, const vtb_world* w, vtb_body a, vtb_body b) {
  Callback* c = callbackOf(u);
  reenter(w, c);
  return c->mode > 1 || (a.bits ^ b.bits) & 1 ? c->mode == 5 ? -7 : 1 : 0;
}

void Fuzz::logged(void*, vtb_status, const char*) {}

int32_t Fuzz::force(void* u, const vtb_world* w, vtb_field, vtb_body b, double* f, double* t) {
  Callback* c = callbackOf(u);
  reenter(w, c);
  double x[7];
  if (vtb_body_get_pose(w, b, x) != VTB_OK) c->fuzz->defect("pose in a field callback", "callback");
  for (int i = 0; i < 3; i++) {
    f[i] += c->v[i] - c->v[6] * x[i];
    t[i] += c->v[3 + i];
  }
  return c->mode == 0 ? 0 : 1;
}

int32_t Fuzz::slope(void* u, const vtb_world* w, vtb_field, vtb_body, double* p, double* v) {
  Callback* c = callbackOf(u);
  reenter(w, c);
  for (int i = 0; i < 36; i++) {
    p[i] += i % 7 ? c->v[i % 13] * 0.01 : -c->v[6];
    v[i] += i % 7 ? 0 : -c->v[7];
  }
  return c->mode == 1 ? 0 : 1;
}

int32_t Fuzz::row(void* u, const vtb_world* w, vtb_constraint, int32_t i, vtb_row* row) {
  Callback* c = callbackOf(u);
  reenter(w, c);
  if (i >= c->mode + 1) return 0;
  if (row->bodies)
    for (int k = 0; k < 6; k++) row->bodies[k] = c->v[(k + i) % 16] * (c->mode == 4 ? 1e10 : 1);
  for (int k = 0; k < c->axes; k++) row->joints[k] = c->v[(i + k) % 16];
  row->error = c->v[10] * 0.01;
  row->rate = c->v[11] * 0.1;
  if (c->mode & 1) {
    row->lower = -std::fabs(c->v[12]);
    row->upper = std::fabs(c->v[13]);
  }
  if (c->mode == 2) {
    row->stiffness = std::fabs(c->v[14]) * 100;
    row->damping = std::fabs(c->v[15]);
  }
  if (c->mode == 3) set(row->level, 1 + (c->v[9] > 9.5));
  return c->mode == 5 && c->v[8] > 5 ? 17 : 1;
}

int32_t Fuzz::derive(void* u, double t, const double* y, double* dy) {
  Callback* c = callbackOf(u);
  for (int i = 0; i < 4; i++) dy[i] = c->v[i] * y[(i + 1) % 4] - c->v[i + 4] * 0.1 * y[i] + (c->mode == 1 ? 1 / (t - 0.5) : 1);
  return !(c->mode == 0 && t > 0.3);
}

}  // namespace fuzz
