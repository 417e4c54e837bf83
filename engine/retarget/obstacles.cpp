// See obstacles.hpp.
#include "engine/retarget/obstacles.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::retarget {

namespace {

constexpr double kGround = 0.0;          // m; height that points may not pass
constexpr double kBetweenLinks = 0.004;  // m; between links
constexpr int kApart = 2;                // joints between two links up to which they may touch

}  // namespace

Obstacles::Obstacles(const Target& target) : target_(target), hulls_(target.model->hulls()) {
  const figure::FigureModel& m = *target.model;
  const auto up = [&](int body) {
    std::vector<int> path;
    for (; body >= 0; body = m.bodies[static_cast<std::size_t>(body)].parent) path.push_back(body);
    return path;
  };
  Kinematics kinematics(target.model);
  kinematics.update(target.zero.data());
  place(kinematics);
  for (int a = 0; a < static_cast<int>(hulls_.size()); a++)
    for (int b = a + 1; b < static_cast<int>(hulls_.size()); b++) {
      if (!hulls_[static_cast<std::size_t>(a)].hull || !hulls_[static_cast<std::size_t>(b)].hull) continue;
      const std::vector<int> x = up(a), y = up(b);
      std::size_t i = 0;
      while (i < x.size() && std::find(y.begin(), y.end(), x[i]) == y.end()) i++;
      const std::size_t j = i < x.size() ? static_cast<std::size_t>(std::find(y.begin(), y.end(), x[i]) - y.begin()) : y.size();
      if (i + j <= kApart) continue;
      Nearness rest;
      Pair pair;
      pair.a = a;
      pair.b = b;
      pairs_.push_back(pair);
      pairs_.back().least = std::min(kBetweenLinks, distance(kinematics, pairs_.back(), kBetweenLinks, rest));
    }
  forget();
}

void Obstacles::forget() {
  for (Pair& pair : pairs_) {
    pair.course = {};
    pair.clear = -kInf;
  }
}

void Obstacles::place(const Kinematics& k) {
  centres_.resize(hulls_.size());
  for (std::size_t b = 0; b < hulls_.size(); b++)
    centres_[b] = k.bodyPosition(static_cast<int>(b)) + k.bodyRotation(static_cast<int>(b)) * hulls_[b].centre;
}

// No point of b moved farther in the axes of a since the last search than its centre and, about that, 2 sin(angle / 2) times its reach
// (2 |difference of unit quaternions| is not less): pairs that were farther apart than that need no search.
double Obstacles::distance(const Kinematics& k, Pair& pair, double most, Nearness& out) const {
  const int a = pair.a, b = pair.b;
  const figure::BodyHull &A = hulls_[static_cast<std::size_t>(a)], &B = hulls_[static_cast<std::size_t>(b)];
  const Vec3 between = centres_[static_cast<std::size_t>(b)] - centres_[static_cast<std::size_t>(a)];
  const double reach = A.reach + B.reach + most;
  if (between.squaredNorm() > reach * reach) return kInf;
  const Mat3 &Ra = k.bodyRotation(a), &Rb = k.bodyRotation(b);
  const Vec3 seen = Ra.transpose() * between;
  const Quat turn = k.bodyQuaternion(a).conjugate() * k.bodyQuaternion(b);
  if (pair.clear > most) {
    const double turned = (turn.coeffs() - pair.turn.coeffs() * (turn.dot(pair.turn) < 0 ? -1.0 : 1.0)).norm();
    if (pair.clear - (seen - pair.seen).norm() - 2 * turned * B.reach > most) return kInf;
  }
  const Vec3 offset = k.bodyPosition(b) - k.bodyPosition(a);
  geometry::ConvexCore ca, cb;
  ca.kind = cb.kind = geometry::ConvexCore::Kind::Hull;
  ca.hull = A.hull.get(), cb.hull = B.hull.get();
  ca.R = Ra * A.R, cb.R = Rb * B.R;
  ca.p = Ra * A.p, cb.p = offset + Rb * B.p;
  const double radii = A.radius + B.radius;
  geometry::Separation s;
  geometry::separation(ca, cb, most + radii, s, &pair.course);
  pair.clear = s.distance - radii;
  pair.seen = seen;
  pair.turn = turn;
  if (s.kind == geometry::Separation::Kind::Far) return kInf;
  out.normal = -s.normal;
  out.a = {a, Ra.transpose() * s.a};
  out.b = {b, Rb.transpose() * (s.b - offset)};
  return s.distance - radii;
}

void Obstacles::near(const Kinematics& k, double reach, std::vector<int>& pairs) {
  pairs.clear();
  place(k);
  Nearness n;
  for (std::size_t i = 0; i < pairs_.size(); i++)
    if (distance(k, pairs_[i], reach, n) < reach) pairs.push_back(static_cast<int>(i));
}

void Obstacles::find(const Kinematics& k, const std::vector<int>& pairs, const double hold[2], double ahead, std::vector<Nearness>& out) {
  out.clear();
  place(k);
  for (std::size_t b = 0; b < hulls_.size(); b++) {
    const int body = static_cast<int>(b);
    if (target_.model->surface()[b].empty() || centres_[b].z() - hulls_[b].reach > kGround + ahead) continue;
    const Mat3& R = k.bodyRotation(body);
    const Vec3 p = k.bodyPosition(body);
    if ((body == target_.ankle[0].body && hold[0] >= 1) || (body == target_.ankle[1].body && hold[1] >= 1)) continue;
    const figure::SurfacePoint* lowest = nullptr;
    double z = kInf;
    for (const figure::SurfacePoint& ball : target_.model->surface()[b])
      if (const double h = p.z() + R.row(2).dot(ball.point) - ball.radius; h < z) {
        z = h;
        lowest = &ball;
      }
    if (z < kGround + ahead) out.push_back({{body, lowest->point}, {-1, Vec3::Zero()}, Vec3::UnitZ(), kGround - z});
  }
  for (int index : pairs) {
    Pair& pair = pairs_[static_cast<std::size_t>(index)];
    Nearness n;
    const double d = distance(k, pair, std::max(0.0, pair.least + ahead), n);
    if (d < pair.least + ahead) {
      n.lack = pair.least - d;
      n.overlap = std::min(0.0, pair.least) - d;
      out.push_back(n);
    }
  }
}

}  // namespace vertebra::retarget
