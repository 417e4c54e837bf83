// See curve.hpp.
#include "engine/geometry/curve.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::geometry {
namespace {

constexpr int kPieces = 16;  // of a spline between two of its points

struct Cubic {  // Hermite form over t = 0..1: ends, and rates there
  Vec3 a, b, ta, tb;
  Vec3 at(double t) const {
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * ta + (3 * t2 - 2 * t3) * b + (t3 - t2) * tb;
  }
  Vec3 rate(double t) const {
    const double t2 = t * t;
    return (6 * t2 - 6 * t) * a + (3 * t2 - 4 * t + 1) * ta + (6 * t - 6 * t2) * b + (3 * t2 - 2 * t) * tb;
  }
};

}  // namespace

const char* Curve::check(const std::vector<Vec3>& points, bool closed) {
  if (points.size() < (closed ? 3u : 2u)) return closed ? "a closed curve needs three points" : "a curve needs two points";
  for (std::size_t i = 0; i < points.size(); i++) {
    if (!points[i].allFinite()) return "a point of the curve is not a number";
    if (i + 1 == points.size() && !closed) break;
    if ((points[(i + 1) % points.size()] - points[i]).norm() < 1e-9) return "two neighbouring points of the curve coincide";
  }
  return "";
}

Curve::Curve(const std::vector<Vec3>& points, bool spline, bool closed) : points_(points), closed_(closed) {
  const int n = static_cast<int>(points.size()), segments = closed ? n : n - 1;
  auto point = [&](int i) { return closed ? points[(i % n + n) % n] : points[std::clamp(i, 0, n - 1)]; };
  if (!spline) {
    for (int i = 0; i <= segments; i++) {
      if (i) length_ += (point(i) - point(i - 1)).norm();
      vertices_.push_back({point(i), length_});
    }
    return;
  }
  auto slope = [&](int i) {  // along the chords on both sides, each weighted by the other's length
    const bool first = !closed && i <= 0, last = !closed && i >= n - 1;
    const Vec3 before = first ? Vec3(point(1) - point(0)) : Vec3(point(i) - point(i - 1));
    const Vec3 after = last ? Vec3(point(n - 1) - point(n - 2)) : Vec3(point(i + 1) - point(i));
    const double b = before.norm(), a = after.norm();
    return Vec3((a * before / b + b * after / a) / (a + b));  // per unit of chord
  };
  for (int i = 0; i < segments; i++) {
    const double chord = (point(i + 1) - point(i)).norm();
    const Cubic cubic{point(i), point(i + 1), chord * slope(i), chord * slope(i + 1)};
    const double step = 1.0 / kPieces;
    for (int k = i ? 1 : 0; k <= kPieces; k++) {
      const double t = k * step;
      // Simpson's rule for the length of the piece before t.
      if (k) length_ += step / 6 * (cubic.rate(t - step).norm() + 4 * cubic.rate(t - 0.5 * step).norm() + cubic.rate(t).norm());
      vertices_.push_back({cubic.at(t), length_});
      tangents_.push_back(cubic.rate(t).normalized());
    }
  }
}

double Curve::wrapped(double s) const { return closed_ ? s - length_ * std::floor(s / length_) : s; }

std::size_t Curve::segmentAt(double s) const {
  const auto after = std::upper_bound(vertices_.begin(), vertices_.end(), s, [](double x, const Vertex& v) { return x < v.s; });
  const std::size_t k = after == vertices_.begin() ? 0 : static_cast<std::size_t>(after - vertices_.begin()) - 1;
  return std::min(k, vertices_.size() - 2);
}

// For a piece of a spline, by its length: Hermite's cubic again, so that position and tangent are consistent.
namespace {
template <class V>
Cubic pieceOf(const V& a, const V& b, const Vec3& ta, const Vec3& tb) {
  const double length = b.s - a.s;
  return {a.p, b.p, length * ta, length * tb};
}
}  // namespace

Vec3 Curve::position(double s) const {
  s = wrapped(s);
  const std::size_t k = segmentAt(s);
  const Vertex &a = vertices_[k], &b = vertices_[k + 1];
  const double t = (s - a.s) / (b.s - a.s);
  if (tangents_.empty()) return a.p + t * (b.p - a.p);
  if (t < 0) return a.p + (s - a.s) * tangents_[k];
  if (t > 1) return b.p + (s - b.s) * tangents_[k + 1];
  return pieceOf(a, b, tangents_[k], tangents_[k + 1]).at(t);
}

Vec3 Curve::tangent(double s) const {
  s = wrapped(s);
  const std::size_t k = segmentAt(s);
  const Vertex &a = vertices_[k], &b = vertices_[k + 1];
  if (tangents_.empty()) return (b.p - a.p).normalized();
  const double t = std::clamp((s - a.s) / (b.s - a.s), 0.0, 1.0);
  return pieceOf(a, b, tangents_[k], tangents_[k + 1]).rate(t).normalized();
}

double Curve::onSegment(std::size_t k, const Vec3& p, double& distance) const {
  const Vertex &a = vertices_[k], &b = vertices_[k + 1];
  const bool first = !closed_ && k == 0, last = !closed_ && k + 2 == vertices_.size();
  const Vec3 along = b.p - a.p;
  const double length = b.s - a.s;
  double t = along.dot(p - a.p) / along.squaredNorm();
  auto bounded = [&](double x) { return std::clamp(x, first ? -kInf : 0.0, last ? kInf : 1.0); };
  t = bounded(t);
  if (!tangents_.empty()) {
    const Cubic cubic = pieceOf(a, b, tangents_[k], tangents_[k + 1]);
    for (int it = 0; it < 6; it++) {  // Newton's method on (c - p) . c'; straight beyond the ends
      const double inside = std::clamp(t, 0.0, 1.0);
      const Vec3 rate = cubic.rate(inside), at = cubic.at(inside) + (t - inside) * rate;
      t = bounded(t - (at - p).dot(rate) / rate.squaredNorm());
    }
  }
  const double s = a.s + t * length;
  distance = (p - position(s)).norm();
  return s;
}

double Curve::nearest(const Vec3& p) const {
  double best = kInf, at = 0, distance;
  for (std::size_t k = 0; k + 1 < vertices_.size(); k++) {
    const double s = onSegment(k, p, distance);
    if (distance < best) best = distance, at = s;
  }
  return at;
}

double Curve::nearest(const Vec3& p, double guess, double reach) const {
  const double from = wrapped(guess);
  double best = kInf, at = from, distance;
  for (std::size_t k = 0; k + 1 < vertices_.size(); k++) {
    double away = std::max({0.0, vertices_[k].s - from, from - vertices_[k + 1].s});
    if (closed_) away = std::min({away, vertices_[k].s + length_ - from, from + length_ - vertices_[k + 1].s});
    if (away > reach) continue;
    const double s = onSegment(k, p, distance);
    if (distance < best) best = distance, at = s;
  }
  if (!closed_) return at;
  const double turns = std::nearbyint((guess - at) / length_);
  return at + turns * length_;
}

}  // namespace vertebra::geometry
