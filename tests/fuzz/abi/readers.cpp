// Queries of worlds; skeletons, motions, orientations and differential equations, which need none.
#include <climits>

#include "tests/fuzz/abi/abi.hpp"

namespace fuzz {

void Fuzz::query(FuzzedWorld* w) {
  PREPARED(shape);
  std::vector<double> p;
  std::vector<uint32_t> t;
  shapeDef(d.d, p, t);
  double a[3], b[3];
  numbers(a, 3, 3);
  numbers(b, 3, 3);
  size_t n = below(6);
  uint32_t mask = chance(0.8) ? ~0u : static_cast<uint32_t>(bits64());
  switch (below(21)) {
    case 0:
      CALLED(vtb_world_ray_cast, w->w, a, b, positiveOrInf(10), mask, out<vtb_ray_hit>());
      break;
    case 1:
      CALLED(vtb_world_ray_cast_all, w->w, a, b, positiveOrInf(10), mask, out<vtb_ray_hit>(n), n, 0, out<size_t>());
      break;
    case 2:
    case 3:
      CALLED(vtb_world_shape_cast, w->w, given(d), b, mask, out<vtb_ray_hit>());
      break;
    case 4:
    case 5:
      CALLED(vtb_world_overlap, w->w, given(d), mask, out<vtb_shape>(n), n, out<size_t>());
      break;
    case 6:
      for (int i = 0; i < 3; i++) b[i] = a[i] + positive(2);
      CALLED(vtb_world_overlap_box, w->w, a, b, mask, out<vtb_shape>(n), n, out<size_t>());
      break;
    case 7:
    case 8:
      CALLED(vtb_world_closest, w->w, given(d), positiveOrInf(5), mask, filled<vtb_closest>());
      break;
    case 9:
      CALLED(vtb_world_get_contacts, w->w, out<vtb_contact>(n), n, 0, out<size_t>());
      break;
    case 10:
      CALLED(vtb_world_get_contact_events, w->w, out<vtb_contact_event>(n), n, 0, out<size_t>());
      break;
    case 11:
      CALLED(vtb_world_get_stats, w->w, filled<vtb_world_stats>());
      break;
    case 12:
      CALLED(vtb_world_get_energy, w->w, filled<vtb_energy>());
      break;
    case 13:
      CALLED(vtb_world_get_momentum, w->w, out<double>(3), out<double>(3));
      break;
    case 14:
      CALLED(vtb_world_get_bodies, w->w, out<vtb_body>(n), n, out<size_t>());
      break;
    case 15:
      CALLED(vtb_world_get_poses, w->w, out<double>(n * 8), n, chance(0.5) ? 0 : 64, out<size_t>());
      break;
    case 16:
      CALLED(vtb_world_get_twists, w->w, out<double>(n * 6), n, chance(0.9) ? 0 : 47, out<size_t>());
      break;
    case 17:
      CALLED(vtb_world_get_time, w->w, out<double>());
      CALLED(vtb_world_wake_all, w->w);
      CALLED(vtb_world_get_hash, w->w, out<std::uint64_t>());
      break;
    case 18:
      CHANGED(w, vtb_world_reserve, w->w, index(500));
      break;
    case 19:
      CALLED(vtb_world_find, w->w, enumOf<vtb_named>(index(8)), "nothing", out<std::uint64_t>());
      CALLED(vtb_world_get_name, w->w, enumOf<vtb_named>(index(8)), below(4), out<std::uint64_t>(), out<char>(n), n, out<size_t>());
      break;
    default: {
      Box<vtb_world_def> s;
      CALLED(vtb_world_def_init, &s.d, sizeof s.d);
      if (CALLED(vtb_world_get_settings, w->w, &s.d) == VTB_OK) {
        bool old = chance(0.5);
        if (!old) CALLED(vtb_world_def_init, &s.d, sizeof s.d);
        settings(s.d);
        if (CHANGED(w, vtb_world_set_settings, w->w, given(s)) == VTB_OK) w->clock = s.d.adaptive.time_budget != 0;
      }
    }
  }
}

// Told, written, and made into others, which the next calls edit further.
void Fuzz::skeletonEdits() {
  vtb_skeleton* s = skeleton();
  const int k = index(6);
  const size_t n = below(40);
  vtb_skeleton* made = nullptr;
  double axis[3];
  numbers(axis, 3);
  vtb_status status = VTB_E_ARG;
  switch (below(7)) {
    case 0:
      CALLED(vtb_skeleton_write, s, out<char>(n), n, out<size_t>());
      CALLED(vtb_skeleton_get_reference, out<char>(n), n, out<size_t>());
      break;
    case 1:
      CALLED(vtb_skeleton_get_site, s, k, filled<vtb_site_info>());
      CALLED(vtb_skeleton_get_role, s, k, filled<vtb_role_info>());
      CALLED(vtb_skeleton_find_site, s, "grip", out<int32_t>());
      CALLED(vtb_skeleton_find_role, s, "head", out<int32_t>());
      break;
    case 2:
      status = CALLED(vtb_skeleton_scaled, s, number(), &made);
      break;
    case 3:
      status = CALLED(vtb_skeleton_link_scaled, s, k == INT_MIN ? k : k - 1, number(), number(), &made);
      break;
    case 4:
      status = CALLED(vtb_skeleton_joint_retyped, s, k, static_cast<vtb_joint_type>(index(20)), axis, &made);
      break;
    case 5:
      status = chance(0.5) ? CALLED(vtb_skeleton_joint_merged, s, k, &made) : CALLED(vtb_skeleton_joint_dropped, s, k, &made);
      break;
    default:
      status = CALLED(vtb_skeleton_mirrored, s, index(4), &made);
  }
  if (status == VTB_OK) skeletons.push_back(made);
}

// Other joints, the path taken out, a period of it.
void Fuzz::jointsAndPath(vtb_motion* m, int joint) {
  vtb_motion* made = nullptr;
  const size_t n = below(40);
  const vtb_status status = chance(0.3)   ? CALLED(vtb_motion_reparented, m, joint, index(6) - 1, &made)
                            : chance(0.3) ? CALLED(vtb_motion_dropped, m, joint, &made)
                            : chance(0.5) ? CALLED(vtb_motion_in_place, m, out<double>(3 * n), n, 0, out<size_t>(), &made)
                                          : CALLED(vtb_motion_looped, m, index(5), index(30), number(2), &made);
  if (status != VTB_OK) return;
  CALLED(vtb_motion_write_bvh, made, out<char>(n), n, out<size_t>());
  CALLED(vtb_motion_release, made);
}

void Fuzz::models() {
  vtb_skeleton* s = skeleton();
  vtb_motion* m = chance(0.02) ? nullptr : oneOf(shared.motions);
  size_t n = below(40);
  int k = index(6);
  switch (below(14)) {
    case 0:
      CALLED(vtb_skeleton_get_info, s, filled<vtb_skeleton_info>());
      CALLED(vtb_skeleton_get_name, s, out<char>(n), n, out<size_t>());
      break;
    case 1:
      if (CALLED(vtb_skeleton_get_link, s, k, filled<vtb_link_info>()) == VTB_OK && outs[0].n == sizeof(vtb_link_info) &&
          *(uint32_t*)outs[0].p == sizeof(vtb_link_info)) {
        const char* name = told<vtb_link_info>()->name;
        CALLED(vtb_skeleton_find_link, s, name, out<int32_t>());
      }
      break;
    case 2:
      CALLED(vtb_skeleton_get_joint, s, k, filled<vtb_joint_info>());
      CALLED(vtb_skeleton_find_joint, s, "elbow", out<int32_t>());
      CALLED(vtb_skeleton_get_axis, s, k, index(3), filled<vtb_axis_def>());
      break;
    case 3:
      CALLED(vtb_skeleton_get_visual, s, index(2), k, filled<vtb_visual_info>());
      CALLED(vtb_skeleton_get_visual_mesh, s, index(2), k, out<double>(3 * n), n, out<uint32_t>(3 * n), n);
      CALLED(vtb_skeleton_retain, s);
      CALLED(vtb_skeleton_release, s);
      break;
    case 4: {
      PREPARED(motion_figure);
      d.d.mass = chance(0.5) ? 0 : positive(80);
      vtb_skeleton* o = nullptr;
      vtb_diagnostics* g = nullptr;
      if (CALLED(vtb_skeleton_from_motion, m, given(d), &g, &o) == VTB_OK) {
        if (skeletons.size() < 5)
          skeletons.push_back(o);
        else
          CALLED(vtb_skeleton_release, o);
      }
      CALLED(vtb_diagnostics_release, g);
      break;
    }
    case 5: {
      std::string text = shared.bvh[below(shared.bvh.size())];
      if (chance(0.7)) text[below(std::min<size_t>(text.size(), 3000))] = static_cast<char>(bits64());
      PREPARED(bvh);
      d.d.unit = chance(0.5) ? 0 : positive(1);
      set(d.d.up_axis, static_cast<int>(below(5)) - 1);
      vtb_motion* o = nullptr;
      vtb_diagnostics* g = nullptr;
      if (CALLED(vtb_motion_parse_bvh, text.data(), text.size(), "x", given(d), &g, &o) == VTB_OK) CALLED(vtb_motion_release, o);
      CALLED(vtb_diagnostics_release, g);
      break;
    }
    case 6:
      CALLED(vtb_motion_get_info, m, filled<vtb_motion_info>());
      CALLED(vtb_motion_get_joint, m, k, filled<vtb_motion_joint>());
      CALLED(vtb_motion_find_joint, m, "Hips", out<int32_t>());
      break;
    case 7:
      CALLED(vtb_motion_get_frame, m, k, out<double>(n), n, out<size_t>());
      CALLED(vtb_motion_get_poses, m, k, index(2), out<double>(7 * n), n, 0, out<size_t>());
      CALLED(vtb_motion_get_velocities, m, k, out<double>(6 * n), n, 0, out<size_t>());
      CALLED(vtb_motion_get_accelerations, m, k, out<double>(6 * n), n, 0, out<size_t>());
      CALLED(vtb_motion_get_resting, m, k, nullptr, out<uint32_t>(n), n, out<size_t>());
      CALLED(vtb_motion_find_outliers, m, nullptr, out<uint32_t>(n), n, out<size_t>());
      break;
    case 8:
      CALLED(vtb_motion_sample_poses, m, number(5), index(2), out<double>(7 * n), n, 0, out<size_t>());
      break;
    case 9: {
      vtb_motion* o = nullptr;
      int32_t x = chance(0.3)   ? CALLED(vtb_motion_scaled, m, number(3), &o)
                  : chance(0.3) ? CALLED(vtb_motion_filtered, m, static_cast<vtb_filter>(below(3)), number(5), &o)
                  : chance(0.3) ? CALLED(vtb_motion_appended, m, m, number(2), &o)
                  : chance(0.3) ? CALLED(vtb_motion_mirrored, m, static_cast<int>(below(5)) - 1, &o)
                  : chance(0.3) ? CALLED(vtb_motion_faster, m, 0.2 + 3 * unit01(), &o)
                  : chance(0.5) ? CALLED(vtb_motion_resampled, m, 1 + 100 * unit01(), &o)
                                : CALLED(vtb_motion_trimmed, m, index(20), index(30), &o);
      if (x == VTB_OK) {
        CALLED(vtb_motion_sample_poses, o, number(5), 0, out<double>(7 * n), n, 0, out<size_t>());
        jointsAndPath(o, k);
        CALLED(vtb_motion_release, o);
      }
      break;
    }
    case 10:
      CALLED(vtb_motion_write_bvh, m, out<char>(n), n, out<size_t>());
      CALLED(vtb_motion_save_bvh, m, chance(0.5) ? file_.c_str() : "/nonexistent/x");
      CALLED(vtb_motion_retain, m);
      CALLED(vtb_motion_release, m);
      break;
    case 11: {
      PREPARED(retarget);
      const double rates[] = {5, 10, 20, -1, 1e300, 1e12, 0.01, NAN};
      d.d.rate = rates[below(8)];
      vtb_trajectory* t = nullptr;
      vtb_diagnostics* g = nullptr;
      vtb_retarget_map *map = nullptr, *found = nullptr;
      static const char text[] = "<retarget_map><role name=\"left_foot\" joint=\"a\"/></retarget_map>";
      if (chance(0.3))
        CALLED(vtb_retarget_map_parse, text, chance(0.5) ? sizeof text - 1 : 30, "map", nullptr, &map);
      else
        CALLED(vtb_retarget_map_create, &map);
      if (chance(0.2)) CALLED(vtb_retarget_map_load, file_.c_str(), nullptr, &found);
      if (map) {
        CALLED(vtb_retarget_map_set, map, enumOf<vtb_retarget_role>(index(18)), chance(0.5) ? "Hips" : nullptr,
               chance(0.5) ? "base" : nullptr);
        CALLED(vtb_retarget_map_get, map, enumOf<vtb_retarget_role>(index(18)), filled<vtb_retarget_names>());
        CALLED(vtb_retarget_map_write, map, out<char>(n), n, out<size_t>());
        CALLED(vtb_retarget_map_save, map, chance(0.5) ? file_.c_str() : "/nonexistent/x");
        if (!found) CALLED(vtb_retarget_map_guess, m, s, map, nullptr, &found);
        if (chance(0.3)) d.d.map = map;
      }
      if (CALLED(vtb_retarget, m, s, given(d), &g, &t) == VTB_OK) {
        CALLED(vtb_trajectory_get_info, t, filled<vtb_trajectory_info>());
        CALLED(vtb_trajectory_get_name, t, index(20), out<char>(n), n, out<size_t>());
        CALLED(vtb_trajectory_get_frame, t, index(20), out<double>(n), n, out<size_t>());
        CALLED(vtb_trajectory_get_frames, t, out<double>(n), n, out<size_t>());
        CALLED(vtb_trajectory_write_csv, t, out<char>(n), n, out<size_t>());
        CALLED(vtb_trajectory_save_csv, t, chance(0.5) ? file_.c_str() : "/nonexistent/x");
        vtb_retarget_report* r = nullptr;
        if (CALLED(vtb_retarget_report_create, m, s, t, chance(0.5) ? map : nullptr, &r) == VTB_OK) {
          CALLED(vtb_retarget_report_get_info, r, filled<vtb_retarget_report_info>());
          CALLED(vtb_retarget_report_get_axis, r, index(20), filled<vtb_retarget_report_axis>());
          CALLED(vtb_retarget_report_get_contact, r, index(4), filled<vtb_retarget_report_contact>());
          CALLED(vtb_retarget_report_get_role, r, enumOf<vtb_retarget_role>(index(18)), filled<vtb_retarget_report_role>());
          CALLED(vtb_retarget_report_get_frame, r, index(20), filled<vtb_retarget_report_frame>());
          CALLED(vtb_retarget_report_destroy, r);
        }
        CALLED(vtb_trajectory_get_velocities, t, s, index(20), out<double>(n), n, out<size_t>());
        CALLED(vtb_trajectory_write_json, t, out<char>(n), n, out<size_t>());
        CALLED(vtb_trajectory_save_npz, t, s, chance(0.5) ? file_.c_str() : "/nonexistent/x");
        CALLED(vtb_trajectory_retain, t);
        CALLED(vtb_trajectory_release, t);
        CALLED(vtb_trajectory_release, t);
      }
      CALLED(vtb_retarget_map_destroy, map);
      CALLED(vtb_retarget_map_destroy, found);
      CALLED(vtb_diagnostics_release, g);
      break;
    }
    case 12: {
      double q[4], x[9], e[3];
      static const char* orders[] = {"XYZ", "ZXY", "XYX", "XXY", "", "ABC", "ZYXZ"};
      unitVector(q, 4);
      numbers(e, 3, 3);
      CALLED(vtb_quat_to_matrix, q, out<double>(9));
      if (!outs.empty()) std::memcpy(x, told<double>(), 72);
      CALLED(vtb_quat_from_matrix, x, out<double>(4));
      CALLED(vtb_quat_from_axis_angle, e, number(4), out<double>(4));
      CALLED(vtb_quat_to_axis_angle, q, out<double>(3), out<double>());
      const char* o = orders[below(7)];
      CALLED(vtb_quat_from_euler, o, e, out<double>(4));
      CALLED(vtb_quat_to_euler, q, o, out<double>(3));
      break;
    }
    default: {
      vtb_status_name(enumOf<vtb_status>(index(20)));
      vtb_version();
      vtb_abi();
      vtb_ode* o = nullptr;
      if (odes.empty() || chance(0.3)) {
        PREPARED(ode);
        d.d.size = 4;
        d.d.positions = index(3);
        set(d.d.integrator, index(6));
        set(d.d.control, index(4));
        d.d.step = chance(0.8) ? 1e-3 + positive(0.1) : positive();
        d.d.tolerance = positive(1e-3);
        d.d.smallest_step = chance(0.8) ? 1e-4 : positive(1e-3);
        d.d.derivative = derive;
        d.d.user = callback();
        if (CALLED(vtb_ode_create, given(d), &o) == VTB_OK) odes.push_back(o);
        if (odes.size() > 3) {
          CALLED(vtb_ode_destroy, odes[0]);
          odes.erase(odes.begin());
        }
      } else
        o = oneOf(odes);
      double y[4], t = number();
      numbers(y, 4);
      CALLED(vtb_ode_set_state, o, t, y);
      Box<vtb_ode_report> rep;
      rep.d.struct_size = sizeof rep.d;
      CALLED(vtb_ode_advance, o, t + 2 * unit01() - 0.1, chance(0.5) ? &rep.d : nullptr);
      CALLED(vtb_ode_get_state, o, out<double>(), out<double>(4));
    }
  }
}

}  // namespace fuzz
