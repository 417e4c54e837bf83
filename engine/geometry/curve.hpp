// A curve in space for points that travel along it: a polyline or a cubic spline through given points, open or closed. Lengths in metres,
// coordinates in the frame of the points; the parameter s is arc length from the first point.
// Spline: Catmull-Rom tangents on chord lengths, so that it passes every point with a continuous tangent (Catmull, Rom 1974).
#pragma once
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::geometry {

class Curve {
 public:
  // At least two points, neighbours apart. Returns an empty text, or what is wrong.
  static const char* check(const std::vector<Vec3>& points, bool closed);
  Curve(const std::vector<Vec3>& points, bool spline, bool closed);

  // The points as given.
  const std::vector<Vec3>& points() const { return points_; }
  bool spline() const { return !tangents_.empty(); }

  double length() const { return length_; }
  bool closed() const { return closed_; }
  Vec3 position(double s) const;
  Vec3 tangent(double s) const;  // unit; beyond the ends of an open curve, that of the end
  // Arc length of the point nearest to p: over the whole curve, or among those within `reach` of a guess (closed curves unwrapped: the
  // result is near the guess and keeps its whole turns). Open curves continue straight beyond their ends.
  double nearest(const Vec3& p) const;
  double nearest(const Vec3& p, double guess, double reach) const;

 private:
  struct Vertex {
    Vec3 p;
    double s;
  };
  double onSegment(std::size_t k, const Vec3& p, double& distance) const;
  std::size_t segmentAt(double s) const;
  double wrapped(double s) const;

  std::vector<Vec3> points_;
  // A spline is kept in short pieces, each a cubic over its own length.
  std::vector<Vertex> vertices_;
  std::vector<Vec3> tangents_;  // spline only
  double length_ = 0;
  bool closed_ = false;
};

}  // namespace vertebra::geometry
