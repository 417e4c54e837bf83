// See motion_filter.hpp.
#include "engine/figure/motion_filter.hpp"

#include <algorithm>
#include <cmath>

#include "engine/figure/motion_channels.hpp"
#include "engine/math/elementary.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::figure {

namespace {
constexpr double kLeastNorm = 0.1;  // of a filtered quaternion; below, its direction is what is left of noise
constexpr double kPadPeriods = 3;   // of the cutoff: the response has decayed to 1e-6 of its start

using Series = std::vector<double>;

double tangent(double x) { return sine(x) / cosine(x); }

// One pass of a Butterworth filter of second order by the bilinear transform; starts at rest at the first value.
void pass(Series& x, double omega) {  // omega: tan(pi corner/F)
  const double w2 = omega * omega, a0 = 1 + std::sqrt(2.0) * omega + w2;
  const double b = w2 / a0, a1 = 2 * (w2 - 1) / a0, a2 = (1 - std::sqrt(2.0) * omega + w2) / a0;
  double x1 = x[0], x2 = x[0], y1 = x[0], y2 = x[0];
  for (double& v : x) {
    const double y = b * (v + 2 * x1 + x2) - a1 * y1 - a2 * y2;
    x2 = x1, x1 = v;
    y2 = y1, y1 = y;
    v = y;
  }
}

void lowPass(Series& x, double cutoff) {  // cutoff: in frame rates
  const double omega = tangent(kPi * cutoff) / std::sqrt(std::sqrt(std::sqrt(2.0) - 1));
  pass(x, omega);
  std::reverse(x.begin(), x.end());
  pass(x, omega);
  std::reverse(x.begin(), x.end());
}

// (R + L Q'Q) g = Q'x, x -= L Q g: R tridiagonal (1/6, 2/3, 1/6), Q second differences; L D L' of the pentadiagonal matrix.
void spline(Series& x, double cutoff) {
  const std::size_t n = x.size();
  if (n < 3) return;
  const double c = cosine(2 * kPi * cutoff), s = 2 - 2 * c;
  const double L = (std::sqrt(2.0) - 1) * (2 + c) / (3 * s * s);
  const double d0 = 2.0 / 3 + 6 * L, d1 = 1.0 / 6 - 4 * L, d2 = L;
  const std::size_t m = n - 2;
  Series D(m), e(m, 0), f(m, 0), g(m);
  for (std::size_t i = 0; i < m; i++) {
    g[i] = x[i] - 2 * x[i + 1] + x[i + 2];
    D[i] = d0;
    double off = d1;
    if (i >= 1) D[i] -= e[i - 1] * e[i - 1] * D[i - 1], off -= f[i - 1] * D[i - 1] * e[i - 1], g[i] -= e[i - 1] * g[i - 1];
    if (i >= 2) D[i] -= f[i - 2] * f[i - 2] * D[i - 2], g[i] -= f[i - 2] * g[i - 2];
    e[i] = off / D[i];
    f[i] = d2 / D[i];
  }
  for (std::size_t i = 0; i < m; i++) g[i] /= D[i];
  for (std::size_t i = m; i-- > 0;) {
    if (i + 1 < m) g[i] -= e[i] * g[i + 1];
    if (i + 2 < m) g[i] -= f[i] * g[i + 2];
  }
  for (std::size_t i = 0; i < m; i++) {
    x[i] -= L * g[i];
    x[i + 1] += 2 * L * g[i];
    x[i + 2] -= L * g[i];
  }
}

struct Smoother {
  FilterKind kind;
  double cutoff;          // in frame rates
  std::ptrdiff_t n, pad;  // frames; frames before the first and behind the last

  void run(Series& x) const { kind == FilterKind::LowPass ? lowPass(x, cutoff) : spline(x, cutoff); }
  // How far from an end the frame is whose reflection continues the clip k frames beyond: at most as far as the other end.
  std::ptrdiff_t reflected(std::ptrdiff_t k) const { return std::min(k, n - 1); }

  template <class T, class At, class Reflect>
  std::vector<T> padded(const At& at, const Reflect& reflect) const {
    std::vector<T> out;
    for (std::ptrdiff_t k = pad; k > 0; k--) out.push_back(reflect(at(0), at(reflected(k))));
    for (std::ptrdiff_t i = 0; i < n; i++) out.push_back(at(i));
    for (std::ptrdiff_t k = 1; k <= pad; k++) out.push_back(reflect(at(n - 1), at(n - 1 - reflected(k))));
    return out;
  }

  Series scalars(const Series& x) const {
    Series y =
        padded<double>([&](std::ptrdiff_t i) { return x[static_cast<std::size_t>(i)]; }, [](double end, double v) { return 2 * end - v; });
    run(y);
    return Series(y.begin() + pad, y.begin() + pad + n);
  }

  // False where too little is left of a quaternion.
  bool rotations(std::vector<Quat>& q) const {
    const std::vector<Quat> y = padded<Quat>([&](std::ptrdiff_t i) { return q[static_cast<std::size_t>(i)]; },
                                             [](const Quat& end, const Quat& v) { return end * (v.conjugate() * end); });
    std::vector<Eigen::Vector4d> c;
    for (const Quat& each : y) c.push_back((c.empty() || c.back().dot(each.coeffs()) >= 0 ? 1.0 : -1.0) * each.coeffs());
    Series part(c.size());
    for (int k = 0; k < 4; k++) {
      for (std::size_t i = 0; i < c.size(); i++) part[i] = c[i][k];
      run(part);
      for (std::size_t i = 0; i < c.size(); i++) c[i][k] = part[i];
    }
    for (std::size_t i = 0; i < q.size(); i++) {
      const Eigen::Vector4d& v = c[i + static_cast<std::size_t>(pad)];
      if (!(v.norm() > kLeastNorm)) return false;
      q[i] = Quat(Eigen::Vector4d(v / v.norm()));
    }
    return true;
  }
};

Series unwrapped(Series degrees) {
  for (std::size_t i = 1; i < degrees.size(); i++) degrees[i] -= 360 * std::round((degrees[i] - degrees[i - 1]) / 360);
  return degrees;
}
}  // namespace

std::string motionFiltered(const Motion& m, FilterKind kind, double cutoff, Motion& out) {
  out = m;
  const int n = m.frames();
  if (n < 2) return {};
  const double share = cutoff * m.frameTime;
  const double pad = std::min(std::ceil(kPadPeriods / share), 1e6);
  const Smoother smoother{kind, share, n, static_cast<std::ptrdiff_t>(pad)};
  const auto width = static_cast<std::size_t>(m.channelCount);
  for (std::size_t j = 0; j < m.joints.size(); j++) {
    const MotionJoint& joint = m.joints[j];
    const bool turns = hasAllRotations(joint);
    for (std::size_t c = 0; c < joint.channels.size(); c++) {
      if (turns && !isPosition(joint.channels[c])) continue;
      Series x;
      const std::size_t column = static_cast<std::size_t>(joint.firstChannel) + c;
      for (std::size_t at = column; at < m.values.size(); at += width) x.push_back(m.values[at]);
      x = smoother.scalars(isPosition(joint.channels[c]) ? x : unwrapped(std::move(x)));
      for (std::size_t i = 0; i < x.size(); i++) out.values[i * width + column] = x[i];
    }
    if (!turns) continue;
    std::vector<Quat> q;
    for (int i = 0; i < n; i++) q.push_back(motionLocalPose(m, static_cast<int>(j), m.frame(i)).q);
    if (!smoother.rotations(q)) return "joint '" + joint.name + "' turns too fast for this cutoff; raise it";
    std::vector<double> row(m.frame(0), m.frame(1));
    for (int i = 0; i < n; i++) {
      double* now = out.values.data() + static_cast<std::size_t>(i) * width;
      const Pose local{motionLocalPose(out, static_cast<int>(j), now).p, q[static_cast<std::size_t>(i)]};
      setLocalPose(joint, local, row.data());
      std::copy_n(row.data() + joint.firstChannel, joint.channels.size(), now + joint.firstChannel);
    }
  }
  return {};
}

}  // namespace vertebra::figure
