// See course.hpp.
#include "engine/retarget/course.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::retarget {

namespace {

constexpr double kSteepest = 0.9;  // of an axis' largest speed: the course's
constexpr double kMargin = 1e-3;   // of the largest speed

// The path of slope at most `step` a frame whose largest distance from x is least: halfway between the lowest such path above the peaks and
// the highest below the valleys.
void limitSlope(std::vector<double>& x, double step) {
  std::vector<double> low = x, high = x;
  for (std::size_t i = 1; i < x.size(); i++) {
    low[i] = std::min(low[i], low[i - 1] + step);
    high[i] = std::max(high[i], high[i - 1] - step);
  }
  for (std::size_t i = x.size() - 1; i > 0; i--) {
    low[i - 1] = std::min(low[i - 1], low[i] + step);
    high[i - 1] = std::max(high[i - 1], high[i] - step);
  }
  for (std::size_t i = 0; i < x.size(); i++) x[i] = 0.5 * (low[i] + high[i]);
}

}  // namespace

void smoothedAt(const Target& target, const std::vector<std::vector<double>>& q, int i, double deviation, std::vector<double>& out) {
  const int n = static_cast<int>(q.size()), reach = static_cast<int>(std::min(std::ceil(3 * deviation), n - 1.0));
  const figure::Coordinates& c = target.model->coordinates;
  std::vector<double> mean(static_cast<std::size_t>(c.nv)), one(mean.size()), two(mean.size());
  const std::vector<double>& here = q[static_cast<std::size_t>(i)];
  double sum = 1;
  for (int k = 1; k <= reach; k++) {
    const double w = std::exp(-0.5 * k * k / (deviation * deviation));
    sum += 2 * w;
    if (i - k < 0 || i + k >= n) continue;  // at an end: as if it went on in a straight line
    figure::difference(c, here.data(), q[static_cast<std::size_t>(i - k)].data(), one.data());
    figure::difference(c, here.data(), q[static_cast<std::size_t>(i + k)].data(), two.data());
    for (std::size_t v = 0; v < mean.size(); v++) mean[v] += w * (one[v] + two[v]);
  }
  out.resize(here.size());
  figure::integrate(c, here.data(), mean.data(), 1 / sum, out.data());
}

Course smoothCourse(const Target& target, const std::vector<std::vector<double>>& q, double frameTime, double deviation) {
  const std::size_t n = q.size(), nv = target.fastest.size();
  Course course{q, std::vector<std::vector<double>>(n, std::vector<double>(nv, kInf))};
  std::vector<double> x(n);
  const auto eachLimited = [&](auto&& then) {
    for (std::size_t v = 0; v < nv; v++) {
      if (!std::isfinite(target.fastest[v]) || target.coordinate[v] < 0) continue;
      const std::size_t c = static_cast<std::size_t>(target.coordinate[v]);
      const double step = (1 - kMargin) * target.fastest[v] * frameTime;
      for (std::size_t i = 0; i < n; i++) x[i] = course.q[i][c];
      limitSlope(x, kSteepest * step);
      for (std::size_t i = 0; i < n; i++) course.q[i][c] = x[i];
      then(v, step);
    }
  };
  // Smoothing leaves slopes within their bound but at the ends.
  eachLimited([](std::size_t, double) {});
  const std::vector<std::vector<double>> limited = course.q;
  for (std::size_t i = 0; i < n; i++) smoothedAt(target, limited, static_cast<int>(i), deviation / frameTime, course.q[i]);
  eachLimited([&](std::size_t v, double step) {
    for (std::size_t i = 1; i < n; i++) {
      const double half = 0.5 * (step - std::fabs(x[i] - x[i - 1]));
      course.room[i - 1][v] = std::min(course.room[i - 1][v], half);
      course.room[i][v] = half;
    }
  });
  return course;
}

}  // namespace vertebra::retarget
