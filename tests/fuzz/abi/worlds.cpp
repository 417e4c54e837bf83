// Worlds: settings, steps, snapshots, scene files.
#include "tests/fuzz/abi/abi.hpp"

namespace fuzz {

void Fuzz::settings(vtb_world_def& d) {
  static const uint32_t flags[] = {1, 2, 4, 64, 128, 256, 512, 1024, 8, 2048, 4096, 8192, 16384, 32768};
  for (int i = 0; i < 14; i++)
    if (chance(i == 5 ? 0.03 : 0.15)) d.flags |= flags[i];
  if (chance(0.01)) d.flags |= 1u << below(32);
  set(d.stepper, chance(0.4) ? 0 : index(5));
  set(d.joint.tree_solver, index(3));
  set(d.solver.type, d.stepper == 4 ? 0 : index(5));
  d.solver.iterations = index(61);
  d.substeps = chance(0.01) ? index(4) : 1 + static_cast<int>(below(2));
  set(d.joint.stabilisation, index(3));
  set(d.solver.order, index(4));
  d.solver.whole_contacts = index(2);
  d.solver.accelerate = index(2);
  set(d.contact.friction_law, d.stepper == 4 ? 0 : index(6));
  d.solver.friction_directions = chance(0.9) ? 8 : index(30);
  set(d.contact.restitution_law, d.stepper == 4 ? 0 : index(2));
  set(d.ode.integrator, index(6));
  set(d.ode.control, chance(0.8) ? 0 : index(d.ode.integrator == 5 ? 3 : 2));
  if (chance(0.3)) d.ode.rollback_depth = positive(1e-3);
  d.adaptive.substeps = chance(0.8) ? 1 : 1 << below(4);
  d.adaptive.halvings = index(6);
  if (chance(0.2)) numbers(d.gravity, 3, 10);
  if (chance(0.1)) d.time_step = positive(0.1);
  if (chance(0.1)) d.contact.margin = positive(0.1);
  if (chance(0.1)) d.contact.correction = positive(1);
  if (chance(0.1)) d.contact.slop = positive(0.01);
  if (chance(0.1)) d.max.speed = positive(1000);
  if (chance(0.1)) d.max.angular_speed = positive(1000);
  if (chance(0.1)) d.sleep.time = positive(0.1);
  if (chance(0.1)) d.solver.relaxation = positive(2);
  if (chance(0.1)) d.solver.tolerance = positive(1e-3);
  if (chance(0.1)) d.joint.baumgarte = positive(100);
  if (chance(0.1)) d.spook.compliance = positive(1e-3);
  if (chance(0.1)) d.spook.relaxation = positive(0.1);
  if (chance(0.05)) d.ode.tolerance = positive(1e-3);
  if (chance(0.05)) d.ode.smallest_step = 1e-5 + positive(1e-3);
  if (chance(0.05)) d.adaptive.depth = positive(1e-2);
  if (chance(0.05)) d.displacement.warm_start = number(1);
  if (chance(0.05)) d.displacement.regularisation = positive(0.1);
  if (chance(0.02)) d.adaptive.time_budget = positive(1e-3);
  if (chance(0.05)) d.contact.speed = positive(3);
  if (chance(0.05)) d.contact.restitution_speed = positive(0.1);
  if (chance(0.3)) {
    d.callbacks.log = logged;
    Callback* c = callback();
    d.callbacks.user = c;
    if (chance(0.5)) d.callbacks.before_step = beforeStep;
    if (chance(0.5)) d.callbacks.filter = filter;
    if (chance(0.3)) d.callbacks.after_step = beforeStep;
  }
}

void Fuzz::adopt(vtb_world* w, const vtb_world_def& d) {
  FuzzedWorld* n = new FuzzedWorld;
  n->w = w;
  n->clock = d.adaptive.time_budget != 0;
  worlds.push_back(n);
  refresh(n);
  if (n->pool[BODY].size() > 250) destroyWorld(n);
}

void Fuzz::refresh(FuzzedWorld* w) {
  size_t total = 0;
  vtb_world_get_bodies(w->w, nullptr, 0, &total);
  std::vector<vtb_body> b(total);
  vtb_world_get_bodies(w->w, b.data(), total, &total);
  w->pool[BODY].clear();
  for (vtb_body x : b) w->pool[BODY].push_back(x.bits);
  for (int k = 1; k < KINDS; k++) {
    char name[256];
    size_t need;
    std::uint64_t bits;
    std::set<std::uint64_t> have(w->pool[k].begin(), w->pool[k].end());
    for (size_t i = 0; i < 300 && CALLED(vtb_world_get_name, w->w, enumOf<vtb_named>(k), i, &bits, name, sizeof name, &need) == VTB_OK; i++)
      if (bits && !have.count(bits)) {
        w->pool[k].push_back(bits);
        if (i < 2) {
          std::uint64_t f = 0;
          if (CALLED(vtb_world_find, w->w, enumOf<vtb_named>(k), name, &f) != VTB_OK || f != bits)
            defect("find by a name just told", "vtb_world_find", k, static_cast<long>(i));
        }
      }
  }
}

void Fuzz::destroyWorld(FuzzedWorld* w) {
  for (size_t i = 0; i < worlds.size(); i++)
    if (worlds[i] == w) worlds.erase(worlds.begin() + i);
  for (auto& p : w->pool)
    for (size_t i = 0; i < p.size() && i < 3; i++) dead.push_back(p[i]);
  CALLED(vtb_world_destroy, w->w);
  delete w;
}

void Fuzz::newWorld() {
  PREPARED(world);
  settings(d.d);
  vtb_world* w = nullptr;
  if (CALLED(vtb_world_create, given(d), &w) == VTB_OK)
    adopt(w, d.d);
  else if (w)
    defect("output touched", "vtb_world_create");
}

void Fuzz::finiteCheck(FuzzedWorld* w, const char* fn) {
  size_t total = 0;
  vtb_world_get_poses(w->w, nullptr, 0, 0, &total);
  std::vector<double> p(7 * total + 1), v(6 * total + 1);
  vtb_world_get_poses(w->w, p.data(), total, 0, &total);
  vtb_world_get_twists(w->w, v.data(), total, 0, &total);
  for (size_t i = 0; i < total; i++) {
    double q = 0;
    bool fine = true;
    for (int k = 0; k < 7; k++) {
      fine = fine && std::isfinite(p[7 * i + k]);
      if (k > 2) q += p[7 * i + k] * p[7 * i + k];
    }
    for (int k = 0; k < 6; k++) fine = fine && std::isfinite(v[6 * i + k]);
    if (!fine) return defect("pose or twist not finite", fn, static_cast<long>(i));
    if (std::fabs(q - 1) > 1e-6) return defect("quaternion not of unit length", fn, static_cast<long>(i));
  }
}

int32_t Fuzz::step(FuzzedWorld* w, int n) {
  std::uint64_t a = 0, b = 0;
  bool single = chance(0.3);
  if (single) n = 1;
  CALLED(vtb_world_get_settings, w->w, filled<vtb_world_def>());
  bool whole = single && !outs.empty() && outs[0].n == sizeof(vtb_world_def) && told<vtb_world_def>()->substeps == 1;
  if (single) vtb_world_get_hash(w->w, &a);
  int32_t s = CALLED(vtb_world_step, w->w, static_cast<uint32_t>(n));
  if (s == VTB_OK || s == VTB_E_INFEASIBLE || s == VTB_E_UNSOLVED || s == VTB_E_DIVERGED) finiteCheck(w, "vtb_world_step");
  if (s != VTB_OK && s != VTB_E_INFEASIBLE && s != VTB_E_UNSOLVED && s != VTB_E_DIVERGED && s != VTB_E_ARG && s != VTB_E_UNSUPPORTED)
    defect("unexpected status", "vtb_world_step", s);
  if (whole && s != VTB_OK && s != VTB_E_INFEASIBLE && s != VTB_E_UNSOLVED) {
    vtb_world_get_hash(w->w, &b);
    if (a != b) defect("a failing step is not undone (hash)", "vtb_world_step", s);
  }
  return s;
}

bool Fuzz::save(FuzzedWorld* w, std::vector<char>& out) {
  size_t need = 0;
  if (CALLED(vtb_world_save, w->w, nullptr, 0, &need) != VTB_OK) return false;
  out.resize(need);
  size_t again = 0;
  if (CALLED(vtb_world_save, w->w, out.data(), need, &again) != VTB_OK || again != need) {
    defect("size of a snapshot", "vtb_world_save", static_cast<long>(need), static_cast<long>(again));
    return false;
  }
  return true;
}

void Fuzz::snapshot(FuzzedWorld* w) {
  std::vector<char> s;
  if (!save(w, s)) return;
  std::uint64_t h0, h1, h2;
  vtb_world_get_hash(w->w, &h0);
  int k = 1 + static_cast<int>(below(6));
  if (CALLED(vtb_world_restore, w->w, s.data(), s.size()) != VTB_OK) return defect("own snapshot refused", "vtb_world_restore");
  vtb_world_get_hash(w->w, &h1);
  if (h0 != h1) defect("hash after restore of the present state", "vtb_world_restore");
  int32_t a = CALLED(vtb_world_step, w->w, static_cast<uint32_t>(k));
  vtb_world_get_hash(w->w, &h1);
  if (CALLED(vtb_world_restore, w->w, s.data(), s.size()) != VTB_OK) return defect("own snapshot refused after steps", "vtb_world_restore");
  vtb_world_get_hash(w->w, &h2);
  if (h0 != h2) defect("hash after restore", "vtb_world_restore");
  int32_t b = CALLED(vtb_world_step, w->w, static_cast<uint32_t>(k));
  vtb_world_get_hash(w->w, &h2);
  if (!w->clock && (h1 != h2 || a != b)) defect("restored world goes on otherwise", "vtb_world_restore", a, b);
  if (snaps.size() < 8)
    snaps.push_back(s);
  else
    snaps[below(8)] = s;
}

void Fuzz::foreign(FuzzedWorld* w) {
  if (snaps.empty()) return;
  std::vector<char> bytes = snaps[below(snaps.size())];
  if (chance(0.2) && !bytes.empty()) bytes[below(bytes.size())] ^= static_cast<char>(1 << below(8));
  if (chance(0.1)) bytes.resize(below(bytes.size() + 1));
  const std::vector<char> exact(bytes);  // a sanitizer sees reads beyond it
  if (CHANGED(w, vtb_world_restore, w->w, exact.data(), exact.size()) == VTB_OK) {
    finiteCheck(w, "vtb_world_restore");
    step(w, 2);
  }
}

void Fuzz::scene(FuzzedWorld* w) {
  size_t need = 0;
  switch (below(6)) {
    case 0: {
      vtb_world* n = nullptr;
      PREPARED(world);
      bool own = chance(0.3);
      if (own) settings(d.d);
      vtb_scene* s = oneOf(shared.scenes);
      CALLED(vtb_scene_get_settings, s, filled<vtb_world_def>());
      if (CALLED(vtb_scene_create_world, s, own ? given(d) : nullptr, &n) == VTB_OK) adopt(n, d.d);
      break;
    }
    case 1: {
      double p[7];
      pose(p);
      if (w->pool[BODY].size() < 120 &&
          CHANGED(w, vtb_scene_add, oneOf(shared.scenes), w->w, chance(0.8) ? ("p" + std::to_string(below(20))).c_str() : nullptr,
                  chance(0.7) ? p : nullptr) == VTB_OK)
        refresh(w);
      break;
    }
    case 2: {
      if (CALLED(vtb_world_write_scene, w->w, nullptr, 0, &need) != VTB_OK) break;
      std::string text(need, ' ');
      size_t again;
      if (CALLED(vtb_world_write_scene, w->w, &text[0], need, &again) != VTB_OK || need != again) {
        defect("size of a written scene", "vtb_world_write_scene", static_cast<long>(need), static_cast<long>(again));
        break;
      }
      vtb_diagnostics* g = nullptr;
      vtb_scene* s = nullptr;
      // Files stand in it relative to the folder of the scenes.
      int32_t x = CALLED(vtb_scene_parse, text.c_str(), need - 1, (shared.scenesFolder + "w.xml").c_str(), &g, &s);
      if (x != VTB_OK) {
        defect("own scene text refused", "vtb_scene_parse", x);
        if (trace) std::fprintf(stderr, "%s\n", text.c_str());
      }
      CALLED(vtb_diagnostics_release, g);
      if (s) {
        vtb_world* n = nullptr;
        x = CALLED(vtb_scene_create_world, s, nullptr, &n);
        if (x != VTB_OK)
          defect("own scene not created", "vtb_scene_create_world", x);
        else if (chance(0.3)) {
          PREPARED(world);
          d.d.adaptive.time_budget = w->clock;
          adopt(n, d.d);
        } else
          CALLED(vtb_world_destroy, n);
        CALLED(vtb_scene_retain, s);
        CALLED(vtb_scene_release, s);
        CALLED(vtb_scene_release, s);
      }
      break;
    }
    case 3:
      CALLED(vtb_world_save_scene, w->w, chance(0.2) ? "/nonexistent/x.xml" : file_.c_str());
      break;
    case 4:
      CALLED(vtb_scene_get_camera, oneOf(shared.scenes), index(2), filled<vtb_camera>());
      CALLED(vtb_scene_get_reference, out<char>(100), 100, out<size_t>());
      break;
    default: {
      vtb_diagnostics* g = nullptr;
      vtb_scene* s = nullptr;
      std::string text = chance(0.5) ? shared.xml[below(shared.xml.size())] : shared.urdf[below(shared.urdf.size())];
      if (chance(0.7)) text[below(text.size())] = static_cast<char>(bits64());
      bool x = chance(0.5);
      if (text[0] == '<' && x) {
        if (CALLED(vtb_scene_parse, text.data(), text.size(), "x.xml", &g, &s) == VTB_OK) CALLED(vtb_scene_release, s);
      } else {
        vtb_skeleton* k = nullptr;
        PREPARED(urdf);
        set(d.d.inertia, index(3));
        d.d.flags = static_cast<uint32_t>(index(8));
        if (CALLED(vtb_skeleton_parse_urdf, text.data(), text.size(), "x", given(d), &g, &k) == VTB_OK) CALLED(vtb_skeleton_release, k);
      }
      size_t n = 0;
      if (g) {
        CALLED(vtb_diagnostics_count, g, &n);
        CALLED(vtb_diagnostics_get, g, below(n + 1), out<vtb_diagnostic>());
        CALLED(vtb_diagnostics_release, g);
      }
    }
  }
}

}  // namespace fuzz
