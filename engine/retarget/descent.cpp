// See descent.hpp.
#include "engine/retarget/descent.hpp"

namespace vertebra::retarget {

namespace {

constexpr double kLargestStep = 0.5;  // rad or m; of a step
constexpr double kInLimits = 0.004;   // rad or m; inside limits

}  // namespace

AxisBounds boundsOf(const figure::FigureModel& model) {
  const figure::Coordinates& c = model.coordinates;
  const std::size_t nv = static_cast<std::size_t>(c.nv);
  AxisBounds out;
  out.lower.assign(nv, -kInf);
  out.upper.assign(nv, kInf);
  out.fastest.assign(nv, kInf);
  out.coordinate.assign(nv, -1);
  for (const figure::CoordinatePart& part : c.parts) {
    const int n = dynamics::jointNv(part.type);
    if (part.joint < 0 || part.q < 0 || dynamics::jointNq(part.type) != n) continue;
    const figure::JointDescription& j = model.skeleton->joints[static_cast<std::size_t>(part.joint)];
    for (int k = 0; k < n; k++) {
      const dynamics::AxisParameters& axis = j.axes[static_cast<std::size_t>(k)];
      const std::size_t v = static_cast<std::size_t>(part.v + k);
      out.coordinate[v] = part.q + k;
      if (axis.velocity > 0) out.fastest[v] = axis.velocity;
      if (!(axis.lower <= axis.upper)) continue;
      const double margin = std::min(kInLimits, 0.1 * (axis.upper - axis.lower));
      out.lower[v] = axis.lower + margin;
      out.upper[v] = axis.upper - margin;
    }
  }
  return out;
}

Descent::Descent(const figure::FigureModel& model, std::vector<int> used)
    : coordinates_(model.coordinates), step_(static_cast<std::size_t>(model.nv()), std::move(used)) {
  const std::size_t nv = static_cast<std::size_t>(model.nv());
  system_.resize(nv);
  before_.resize(nv);
  lowest_.resize(nv);
  highest_.resize(nv);
}

bool Descent::step(double damping, const std::vector<int>& coordinate, const std::vector<double>& lower, const std::vector<double>& upper,
                   const std::vector<double>& q) {
  for (std::size_t v = 0; v < lowest_.size(); v++) {
    const double now = coordinate[v] < 0 ? 0 : q[static_cast<std::size_t>(coordinate[v])];
    lowest_[v] = lower[v] - now;
    highest_[v] = upper[v] - now;
  }
  if (!step_.solve(system_, damping, lowest_, highest_)) return false;
  v_ = step_.v();
  largest_ = 0;
  for (double x : v_) largest_ = std::max(largest_, std::fabs(x));
  if (largest_ > kLargestStep)
    for (double& x : v_) x *= kLargestStep / largest_;
  trial_ = q;
  figure::integrate(coordinates_, q.data(), v_.data(), 1, trial_.data());
  return true;
}

}  // namespace vertebra::retarget
