// Figures, skeletons made by calls, dynamics.
#include "tests/fuzz/abi/abi.hpp"

namespace fuzz {

void Fuzz::figure(FuzzedWorld* w) {
  if (w->pool[FIGURE].empty() || chance(0.25)) {
    if (w->pool[BODY].size() > 100) return;
    PREPARED(figure);
    d.d.skeleton = skeleton();
    set(d.d.base, index(3));
    d.d.flags = static_cast<uint32_t>(index(4));
    pose(d.d.pose);
    if (chance(0.05)) {
      d.d.step = positive(0.01);
      set(d.d.integrator, index(6));
    }
    if (CHANGED(w, vtb_figure_create, w->w, given(d), out<vtb_figure>()) != VTB_OK) return;
    vtb_figure f = *told<vtb_figure>();
    w->pool[FIGURE].push_back(f.bits);
    int l = 0, j = 0, q, v;
    CALLED(vtb_figure_get_size, w->w, f, &l, &j, &q, &v);
    for (int i = 0; i < l && i < 5; i++) {
      if (CALLED(vtb_figure_get_body, w->w, f, i, out<vtb_body>()) == VTB_OK && !outs.empty())
        w->pool[BODY].push_back(told<vtb_body>()->bits);
    }
    for (int i = 0; i < j && i < 8; i++)
      if (CALLED(vtb_figure_get_joint, w->w, f, i, out<vtb_joint>()) == VTB_OK) w->pool[JOINT].push_back(told<vtb_joint>()->bits);
    return;
  }
  vtb_figure f{any(w, FIGURE)};
  int l = 0, j = 0, nq = 0, nv = 0;
  if (CALLED(vtb_figure_get_size, w->w, f, &l, &j, &nq, &nv) != VTB_OK) nq = nv = 200;
  std::vector<double> q = someNumbers(static_cast<size_t>(nq)), v = someNumbers(static_cast<size_t>(nv), 3), k(v), c(v), m(v);
  size_t cap = below(nq + 2);
  switch (below(19)) {
    case 0:
      if (chance(0.3) && CHANGED(w, vtb_figure_destroy, w->w, f) == VTB_OK) drop(w, FIGURE, f.bits);
      break;
    case 1:
      CALLED(vtb_figure_get_body, w->w, f, index(std::max(l, 1)), out<vtb_body>());
      break;
    case 2:
      CALLED(vtb_figure_get_joint, w->w, f, index(std::max(j, 1)), out<vtb_joint>());
      break;
    case 3:
      CALLED(vtb_figure_get_q, w->w, f, out<double>(cap), cap, out<size_t>());
      break;
    case 4:
      CALLED(vtb_figure_get_v, w->w, f, out<double>(cap), cap, out<size_t>());
      break;
    case 5: {
      size_t n = 0;
      if (vtb_figure_get_q(w->w, f, q.data(), nq, &n) == VTB_OK && chance(0.9))
        for (int i = nq == nv ? 0 : 7; i < nq; i++) q[i] += number(0.5);
      CHANGED(w, vtb_figure_set_state, w->w, f, chance(0.8) ? q.data() : nullptr, chance(0.6) ? v.data() : nullptr);
      break;
    }
    case 6:
      CALLED(vtb_figure_get_poses, w->w, f, out<double>(7 * cap), cap, chance(0.1) ? 8 : 0, out<size_t>());
      break;
    case 7:
      CALLED(vtb_figure_get_twists, w->w, f, out<double>(6 * cap), cap, chance(0.1) ? 48 : 0, out<size_t>());
      break;
    case 8:
      for (int i = 0; i < nv; i++) {
        k[i] = positive(200);
        c[i] = positive(20);
        m[i] = positiveOrInf(100);
      }
      {
        size_t n = 0;
        vtb_figure_get_q(w->w, f, q.data(), nq, &n);
      }
      CHANGED(w, vtb_figure_set_motors, w->w, f, q.data(), chance(0.5) ? v.data() : nullptr, chance(0.8) ? k.data() : nullptr,
              chance(0.8) ? c.data() : nullptr, chance(0.5) ? m.data() : nullptr);
      break;
    case 9:
      CHANGED(w, vtb_figure_play, w->w, f, chance(0.1) ? nullptr : oneOf(shared.motions), number(3), number(2), index(2));
      break;
    case 10:
      CHANGED(w, vtb_figure_play_root, w->w, f, {any(w, JOINT, true)});
      break;
    case 11:
      CHANGED(w, vtb_figure_set_torques, w->w, f, v.data());
      break;
    case 12:
      CALLED(vtb_figure_get_motor_forces, w->w, f, out<double>(cap), cap, out<size_t>());
      break;
    case 13: {
      vtb_workspace* s = nullptr;
      if (CALLED(vtb_figure_create_workspace, w->w, f, &s) == VTB_OK) {
        if (CALLED(vtb_figure_mass_matrix, w->w, f, s, out<double>(static_cast<size_t>(nv) * nv)) == VTB_E_ARG && !outs.empty() &&
            badHandle_ == 0)
          defect("own workspace refused", "vtb_figure_mass_matrix");
        if (spaces.size() < 6)
          spaces.push_back(s);
        else
          CALLED(vtb_workspace_destroy, s);
      }
      break;
    }
    case 14:
      CALLED(vtb_figure_mass_matrix, w->w, f, oneOf(spaces), out<double>(static_cast<size_t>(nv) * nv));
      break;
    case 15:
      CALLED(vtb_figure_bias, w->w, f, oneOf(spaces), out<double>(static_cast<size_t>(nv)));
      break;
    case 16:
      CALLED(vtb_figure_jacobian, w->w, f, oneOf(spaces), index(l), chance(0.5) ? v.data() : nullptr,
             out<double>(static_cast<size_t>(nv) * 6));
      break;
    case 17:
      CALLED(vtb_figure_com, w->w, f, out<double>(3), out<double>(3));
      CALLED(vtb_figure_get_energy, w->w, f, out<double>(), out<double>());
      CALLED(vtb_figure_get_momentum, w->w, f, nullptr, out<double>(3), out<double>(3));
      break;
    default:
      if (chance(0.2)) {
        vtb_body b;
        if (vtb_figure_get_body(w->w, f, 0, &b) == VTB_OK) {
          PREPARED(joint);
          set(d.d.type, 16);
          d.d.body_b = b;
          if (CHANGED(w, vtb_joint_create, w->w, &d.d, out<vtb_joint>()) == VTB_OK) {
            vtb_joint x = *told<vtb_joint>();
            w->pool[JOINT].push_back(x.bits);
            CHANGED(w, vtb_figure_play_root, w->w, f, x);
          }
        }
      }
  }
}

void Fuzz::build() {
  if (builders.empty() || chance(0.1)) {
    vtb_skeleton_builder* b = nullptr;
    if (CALLED(vtb_skeleton_builder_create, "made", &b) == VTB_OK) builders.push_back(b);
  }
  vtb_skeleton_builder* b = builders.back();
  int links = 2 + static_cast<int>(below(5));
  for (int i = 0; i < links; i++) {
    PREPARED(link);
    std::string name = "l" + std::to_string(below(60));
    d.d.name = name.c_str();
    d.d.mass = chance(0.1) ? 0 : positive(3);
    numbers(d.d.com, 3, 0.1);
    d.d.inertia[0] = d.d.inertia[3] = d.d.inertia[5] = positive(0.5);
    CALLED(vtb_skeleton_builder_add_link, b, given(d), out<int32_t>());
    if (chance(0.4)) {
      PREPARED(shape);
      std::vector<double> p;
      std::vector<uint32_t> t;
      shapeDef(d.d, p, t);
      CALLED(vtb_skeleton_builder_add_shape, b, index(links), given(d));
    }
  }
  for (int i = 0; i < links; i++) {
    PREPARED(skeleton_joint);
    std::string name = "j" + std::to_string(below(60));
    d.d.name = name.c_str();
    set(d.d.type, index(11));
    d.d.parent = index(i + 1);
    d.d.child = i + 1 < links ? i + 1 : index(links);
    d.d.loop = i + 1 >= links;
    if (chance(0.1)) {
      d.d.mimic = index(i + 1);
      d.d.mimic_multiplier = number(3);
      d.d.mimic_offset = number();
    }
    jointNumbers(d.d);
    CALLED(vtb_skeleton_builder_add_joint, b, given(d), out<int32_t>());
    if (chance(0.5)) {
      PREPARED(axis);
      axisDef(d.d);
      CALLED(vtb_skeleton_builder_set_axis, b, index(i + 1), index(2), given(d));
    }
  }
  vtb_skeleton* s = nullptr;
  if (CALLED(vtb_skeleton_builder_finish, b, chance(0.9) ? 0 : index(links), &s) == VTB_OK) {
    if (skeletons.size() < 5)
      skeletons.push_back(s);
    else
      CALLED(vtb_skeleton_release, s);
  }
  if (chance(0.6)) {
    CALLED(vtb_skeleton_builder_destroy, b);
    builders.pop_back();
  }
}

void Fuzz::dynamics() {
  if (spaces.empty() || chance(0.2)) {
    vtb_workspace* s = nullptr;
    if (CALLED(vtb_workspace_create, skeleton(), enumOf<vtb_base>(index(3)), static_cast<uint32_t>(index(2)), &s) == VTB_OK)
      spaces.push_back(s);
    if (spaces.size() > 6) {
      CALLED(vtb_workspace_destroy, spaces[0]);
      spaces.erase(spaces.begin());
    }
  }
  vtb_workspace* s = chance(0.01) ? nullptr : oneOf(spaces);
  int nq = 0, nv = 0;
  if (CALLED(vtb_workspace_get_size, s, &nq, &nv) != VTB_OK) return;
  std::vector<double> q(static_cast<size_t>(nq) + 1), v = someNumbers(static_cast<size_t>(nv), 3),
                                                      a = someNumbers(static_cast<size_t>(nv), 5);
  vtb_workspace_neutral(s, q.data());
  CALLED(vtb_workspace_neutral, s, out<double>(static_cast<size_t>(nq)));
  double g[3], p[3];
  numbers(g, 3, 10);
  numbers(p, 3);
  std::vector<double> q2(q);
  if (vtb_workspace_integrate(s, q.data(), v.data(), 0.3, q2.data()) == VTB_OK && chance(0.9)) q = q2;
  if (chance(0.1)) numbers(q.data(), nq);
  size_t n = below(30);
  switch (below(17)) {
    case 0:
      CALLED(vtb_workspace_get_q_name, s, index(nq + 1), out<char>(n), n, out<size_t>());
      break;
    case 1:
      CALLED(vtb_workspace_get_v_name, s, index(nv + 1), out<char>(n), n, out<size_t>());
      break;
    case 2:
      CALLED(vtb_workspace_get_joint, s, index(8), out<int32_t>(), out<int32_t>());
      break;
    case 3:
      CALLED(vtb_workspace_integrate, s, q.data(), v.data(), number(), out<double>(static_cast<size_t>(nq)));
      break;
    case 4:
      CALLED(vtb_workspace_difference, s, q.data(), q2.data(), out<double>(static_cast<size_t>(nv)));
      break;
    case 5:
      CALLED(vtb_workspace_from_motion, s, oneOf(shared.motions), number(4), out<double>(static_cast<size_t>(nq)),
             out<double>(static_cast<size_t>(nv)), out<int32_t>());
      break;
    case 6:
      CALLED(vtb_dynamics_poses, s, q.data(), out<double>(7 * n), n, 0, out<size_t>());
      break;
    case 7:
      CALLED(vtb_dynamics_twists, s, q.data(), v.data(), out<double>(6 * n), n, 0, out<size_t>());
      break;
    case 8:
      CALLED(vtb_dynamics_jacobian, s, q.data(), index(6), chance(0.5) ? p : nullptr, out<double>(6 * static_cast<size_t>(nv)));
      break;
    case 9:
      CALLED(vtb_dynamics_mass_matrix, s, q.data(), out<double>(static_cast<size_t>(nv) * nv));
      break;
    case 10:
      CALLED(vtb_dynamics_bias, s, q.data(), v.data(), g, out<double>(static_cast<size_t>(nv)));
      break;
    case 11:
      CALLED(vtb_dynamics_gravity, s, q.data(), g, out<double>(static_cast<size_t>(nv)));
      break;
    case 12:
      CALLED(vtb_dynamics_inverse, s, q.data(), v.data(), a.data(), g, out<double>(static_cast<size_t>(nv)));
      break;
    case 13:
      CALLED(vtb_dynamics_forward, s, q.data(), v.data(), a.data(), g, out<double>(static_cast<size_t>(nv)));
      break;
    case 14:
      CALLED(vtb_dynamics_com, s, q.data(), v.data(), out<double>(3), out<double>(3));
      break;
    case 15:
      CALLED(vtb_dynamics_momentum, s, q.data(), v.data(), out<double>(6));
      break;
    default:
      CALLED(vtb_dynamics_energy, s, q.data(), v.data(), g, out<double>(), out<double>());
  }
}

}  // namespace fuzz
