// See gains.hpp.
#include "engine/control/gains.hpp"

#include <algorithm>
#include <cmath>

#include "engine/retarget/target.hpp"

namespace vertebra::control {

using figure::CoordinatePart;
using figure::FigureModel;

Gains defaultGains(std::shared_ptr<const FigureModel> model, double omega, double ratio) {
  const std::size_t n = static_cast<std::size_t>(model->nv());
  std::vector<double> q(static_cast<std::size_t>(model->nq())), M(n * n);
  figure::neutral(model->coordinates, q.data());
  figure::FigureWorkspace(model).massMatrix(q.data(), M.data());
  Gains g;
  g.inertia.assign(n, 0);
  g.stiffness.assign(n, 0);
  g.damping.assign(n, 0);
  for (std::size_t i = model->coordinates.floatingBase ? 6 : 0; i < n; i++) {
    g.inertia[i] = M[i * n + i];
    g.stiffness[i] = omega * omega * g.inertia[i];
    g.damping[i] = 2 * ratio * omega * g.inertia[i];
  }
  return g;
}

Gains driveGains(std::shared_ptr<const FigureModel> model, double omega, double ratio) {
  constexpr double kBend = 0.02, kWidest = 1.2;  // rad or m; rad: of poses that are looked at
  Gains g = defaultGains(model, omega, ratio);
  const std::size_t n = static_cast<std::size_t>(model->nv());
  std::vector<double> q(static_cast<std::size_t>(model->nq())), v(n), M(n * n);
  figure::FigureWorkspace work(model);
  for (int pose = 1; pose < 16; pose++) {
    for (const CoordinatePart& part : model->coordinates.parts) {
      if (part.joint < 0 || part.v < 0) continue;
      for (int a = 0; a < dynamics::jointNv(part.type); a++) {
        const auto& axis = model->skeleton->joints[static_cast<std::size_t>(part.joint)].axes[static_cast<std::size_t>(a)];
        const double share = std::fmod(pose * (0.6180339887 + 0.7548776662 * (part.v + a)), 1.0);  // spread evenly over the poses
        const double lower = std::max(axis.lower, -kWidest), upper = std::min(axis.upper, kWidest);
        v[static_cast<std::size_t>(part.v + a)] = lower < upper ? lower + share * (upper - lower) : 0;
      }
    }
    figure::neutral(model->coordinates, q.data());
    figure::integrate(model->coordinates, q.data(), v.data(), 1, q.data());
    work.massMatrix(q.data(), M.data());
    for (std::size_t i = model->coordinates.floatingBase ? 6 : 0; i < n; i++) g.inertia[i] = std::max(g.inertia[i], M[i * n + i]);
  }
  for (const CoordinatePart& part : model->coordinates.parts) {
    if (part.joint < 0 || part.v < 0) continue;
    for (int a = 0; a < dynamics::jointNv(part.type); a++) {
      const auto& axis = model->skeleton->joints[static_cast<std::size_t>(part.joint)].axes[static_cast<std::size_t>(a)];
      const std::size_t i = static_cast<std::size_t>(part.v + a);
      g.stiffness[i] = std::max({omega * omega * g.inertia[i], axis.friction / kBend, axis.damping / kBend});
      g.damping[i] = 2 * ratio * std::sqrt(g.stiffness[i] * g.inertia[i]);
    }
  }
  return g;
}

namespace {

bool carries(const FigureModel& m, int ancestor, int body) {
  while (body > ancestor) body = m.bodies[static_cast<std::size_t>(body)].parent;
  return body == ancestor;
}

double derivedEffort(const FigureModel& m, const figure::Surface& surface, retarget::Kinematics& k, int body, const std::vector<int>& feet,
                     double gravity) {
  const Vec3 from = k.linkPose(m.bodyLink[static_cast<std::size_t>(body)]).p;
  double moment = 0, mass = 0, foot = 0;
  for (std::size_t b = 0; b < m.bodies.size(); b++) {
    if (!carries(m, body, static_cast<int>(b))) continue;
    mass += m.bodies[b].mass;
    moment += m.bodies[b].mass * (k.bodyPosition(static_cast<int>(b)) - from).norm();
    if (std::find(feet.begin(), feet.end(), static_cast<int>(b)) == feet.end()) continue;
    for (const figure::SurfacePoint& ball : surface[b])
      foot = std::max(foot, (k.position({static_cast<int>(b), ball.point}) - from).norm());
  }
  return gravity * (2 * moment + m.mass * foot);
}

}  // namespace

Efforts effortLimits(std::shared_ptr<const FigureModel> model, const std::vector<int>& feet, double gravity) {
  const FigureModel& m = *model;
  const figure::Surface& surface = m.surface();
  retarget::Kinematics k(model);
  std::vector<double> q(static_cast<std::size_t>(m.nq()));
  figure::neutral(m.coordinates, q.data());
  k.update(q.data());
  Efforts out;
  out.limit.assign(static_cast<std::size_t>(m.nv()), kInf);
  out.derived.assign(static_cast<std::size_t>(m.nv()), false);
  for (const CoordinatePart& part : m.coordinates.parts) {
    if (part.joint < 0 || part.v < 0) continue;
    const figure::JointDescription& joint = m.skeleton->joints[static_cast<std::size_t>(part.joint)];
    for (int a = 0; a < dynamics::jointNv(part.type); a++) {
      const std::size_t at = static_cast<std::size_t>(part.v + a);
      out.limit[at] = joint.axes[static_cast<std::size_t>(a)].effort;
      if (out.limit[at] > 0 && out.limit[at] < kInf) continue;
      const int body = m.links[static_cast<std::size_t>(joint.child)].body;
      out.derived[at] = true;
      out.limit[at] = body < 0 ? kInf : derivedEffort(m, surface, k, body, feet, gravity);
    }
  }
  return out;
}

}  // namespace vertebra::control
