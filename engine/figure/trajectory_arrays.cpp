// See trajectory_arrays.hpp.
#include "engine/figure/trajectory_arrays.hpp"

namespace vertebra::figure {

namespace {
constexpr int kRootQ = 7, kRootV = 6;
}

std::string faultOfTrajectory(const Trajectory& t, const FigureModel& model) {
  const std::vector<std::string>& names = model.coordinates.qNames;
  for (std::size_t i = kRootQ; i < std::min(names.size(), t.names.size()); i++)
    if (names[i] != t.names[i]) return "coordinate " + std::to_string(i) + " is '" + t.names[i] + "', the figure's is '" + names[i] + "'";
  if (names.size() != t.names.size())
    return "the trajectory has " + std::to_string(t.names.size()) + " coordinates, the figure " + std::to_string(names.size());
  return {};
}

void trajectoryVelocities(const Trajectory& t, const FigureModel& model, int frame, double* v) {
  const int n = t.frames(), nv = model.nv();
  std::vector<double> d[2];
  for (std::vector<double>& each : d) each.assign(static_cast<std::size_t>(nv), 0.0);
  const auto step = [&](int i, std::vector<double>& out) { difference(model.coordinates, t.frame(i), t.frame(i + 1), out.data()); };
  double weight[2] = {0.5, 0.5};
  if (frame > 0 && frame < n - 1) {
    step(frame - 1, d[0]);
    step(frame, d[1]);
  } else if (n > 2) {
    step(frame == 0 ? 0 : n - 2, d[0]);
    step(frame == 0 ? 1 : n - 3, d[1]);
    weight[0] = 1.5, weight[1] = -0.5;
  } else if (n == 2) {
    step(0, d[0]);
    weight[0] = 1;
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(nv); k++) v[k] = (weight[0] * d[0][k] + weight[1] * d[1][k]) / t.frameTime;
}

TrajectoryArrays trajectoryArrays(const Trajectory& t, std::shared_ptr<const FigureModel> model) {
  FigureWorkspace workspace(model);
  TrajectoryArrays out;
  const std::vector<LinkDescription>& links = model->skeleton->links;
  out.frames = t.frames();
  out.links = static_cast<int>(links.size());
  out.jointQ = model->nq() - kRootQ;
  out.jointV = model->nv() - kRootV;
  out.fps = 1 / t.frameTime;
  out.jointNames.assign(model->coordinates.qNames.begin() + kRootQ, model->coordinates.qNames.end());
  for (const LinkDescription& link : links) out.linkNames.push_back(link.name);
  std::vector<double> v(static_cast<std::size_t>(model->nv()));
  for (int i = 0; i < t.frames(); i++) {
    const double* q = t.frame(i);
    trajectoryVelocities(t, *model, i, v.data());
    out.jointPositions.insert(out.jointPositions.end(), q + kRootQ, q + model->nq());
    out.jointVelocities.insert(out.jointVelocities.end(), v.begin() + kRootV, v.end());
    const Pose* poses = workspace.poses(q);
    for (std::size_t k = 0; k < links.size(); k++) {
      const Pose& pose = poses[k];
      out.positions.insert(out.positions.end(), {pose.p.x(), pose.p.y(), pose.p.z()});
      out.orientations.insert(out.orientations.end(), {pose.q.w(), pose.q.x(), pose.q.y(), pose.q.z()});
    }
    const Vec6* twists = workspace.twists(q, v.data());
    for (std::size_t k = 0; k < links.size(); k++) {
      out.linear.insert(out.linear.end(), twists[k].data(), twists[k].data() + 3);
      out.angular.insert(out.angular.end(), twists[k].data() + 3, twists[k].data() + 6);
    }
  }
  return out;
}

}  // namespace vertebra::figure
