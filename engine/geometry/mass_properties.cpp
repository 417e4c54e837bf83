// Closed forms of the primitives and integrals of polyhedra for mass_properties.hpp.
#include "engine/geometry/mass_properties.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra {
namespace {

MassProperties diagonal(double mass, double xx, double yy, double zz) {
  MassProperties m;
  m.mass = mass;
  m.inertia.diagonal() << xx, yy, zz;
  return m;
}

MassProperties cylinder(double density, double r, double half) {
  double mass = density * kPi * r * r * 2 * half;
  double side = mass * (r * r / 4 + half * half / 3);
  return diagonal(mass, side, side, mass * r * r / 2);
}

MassProperties capsule(double density, double r, double half) {
  MassProperties tube = cylinder(density, r, half);
  double caps = density * 4.0 / 3.0 * kPi * r * r * r;  // both hemispheres; the centre of one lies 3/8 r beyond the tube
  double side = caps * (0.4 * r * r + half * half + 0.75 * half * r);
  return diagonal(tube.mass + caps, tube.inertia(0, 0) + side, tube.inertia(1, 1) + side, tube.inertia(2, 2) + caps * 0.4 * r * r);
}

// Sums of signed tetrahedra from a reference point: volume, first and second moments.
class Polyhedron {
 public:
  explicit Polyhedron(const Vec3& reference) : reference_(reference) {}
  void triangle(const Vec3& p, const Vec3& q, const Vec3& r) {
    Vec3 a = p - reference_, b = q - reference_, c = r - reference_;
    double six = a.dot(b.cross(c));
    Vec3 s = a + b + c;
    volume_ += six / 6;
    first_ += six / 24 * s;
    second_ += six / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  double volume() const { return volume_; }
  MassProperties result(double density) const {
    MassProperties m;
    Vec3 c = first_ / volume_;
    Mat3 central = density * (second_ - volume_ * c * c.transpose());
    m.mass = density * volume_;
    m.com = reference_ + c;
    m.inertia = central.trace() * Mat3::Identity() - central;
    return m;
  }

 private:
  Vec3 reference_, first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
  double volume_ = 0;
};

// Vertices with equal coordinates count as one: triangle soups (STL) repeat them.
std::vector<int> weld(const std::vector<Vec3>& vertices) {
  std::vector<int> order(vertices.size()), number(vertices.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  auto less = [&](int a, int b) {
    const Vec3 &u = vertices[a], &v = vertices[b];
    return std::lexicographical_compare(u.data(), u.data() + 3, v.data(), v.data() + 3);
  };
  std::sort(order.begin(), order.end(), less);
  for (size_t i = 0; i < order.size(); ++i) number[order[i]] = i > 0 && !less(order[i - 1], order[i]) ? number[order[i - 1]] : order[i];
  return number;
}

std::string meshProperties(const TriangleMesh& mesh, double density, MassProperties& out) {
  if (mesh.triangles.empty()) return "the mesh has no triangles";
  Vec3 lo = Vec3::Constant(kInf), hi = -lo;
  for (const Vec3& v : mesh.vertices) {
    if (!v.allFinite()) return "the mesh has a vertex that is not finite";
    lo = lo.cwiseMin(v);
    hi = hi.cwiseMax(v);
  }
  int count = static_cast<int>(mesh.vertices.size());
  for (const auto& t : mesh.triangles)
    if (t.minCoeff() < 0 || t.maxCoeff() >= count) return "a triangle of the mesh names a vertex that does not exist";

  std::vector<int> number = weld(mesh.vertices);
  std::vector<std::pair<int, int>> forward, backward;
  Polyhedron solid(0.5 * (lo + hi));
  for (const auto& t : mesh.triangles) {
    int v[3] = {number[t[0]], number[t[1]], number[t[2]]};
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;  // collapsed: no area, no edge of its own
    for (int k = 0; k < 3; ++k) {
      forward.push_back({v[k], v[(k + 1) % 3]});
      backward.push_back({v[(k + 1) % 3], v[k]});
    }
    solid.triangle(mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]);
  }
  std::sort(forward.begin(), forward.end());
  std::sort(backward.begin(), backward.end());
  if (forward.empty() || forward != backward)
    return "the mesh is not closed: some edge is not shared by two triangles of opposite direction";
  double box = (hi - lo).prod();
  if (!(solid.volume() > 1e-12 * box)) return "the mesh encloses no positive volume: flat, or its triangles wind clockwise";
  out = solid.result(density);
  return {};
}

}  // namespace

std::string massProperties(const Geometry& geometry, double density, MassProperties& out) {
  if (!(density > 0) || !std::isfinite(density)) return "density must be positive and finite";
  const Vec3& s = geometry.size;
  auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  MassProperties m;
  switch (geometry.type) {
    case ShapeType::Sphere: {
      if (!positive(s.x())) return "a sphere needs a positive radius";
      double mass = density * 4.0 / 3.0 * kPi * s.x() * s.x() * s.x(), i = 0.4 * mass * s.x() * s.x();
      m = diagonal(mass, i, i, i);
      break;
    }
    case ShapeType::Capsule:
      if (!positive(s.x()) || !(s.z() >= 0) || !std::isfinite(s.z())) return "a capsule needs a positive radius and a length of at least 0";
      m = capsule(density, s.x(), s.z());
      break;
    case ShapeType::Cylinder:
      if (!positive(s.x()) || !positive(s.z())) return "a cylinder needs a positive radius and length";
      m = cylinder(density, s.x(), s.z());
      break;
    case ShapeType::Box: {
      if (!positive(s.x()) || !positive(s.y()) || !positive(s.z())) return "a box needs three positive sizes";
      double mass = density * 8 * s.prod();
      Vec3 q = s.cwiseProduct(s) * (mass / 3);
      m = diagonal(mass, q.y() + q.z(), q.z() + q.x(), q.x() + q.y());
      break;
    }
    case ShapeType::Convex: {
      if (!geometry.hull || geometry.hull->vertices.empty()) return "a convex shape needs a hull";
      const ConvexHull& hull = *geometry.hull;
      Vec3 centre = Vec3::Zero();
      for (const Vec3& v : hull.vertices) centre += v / static_cast<double>(hull.vertices.size());
      Polyhedron solid(centre);
      for (const auto& face : hull.faces)
        for (size_t k = 1; k + 1 < face.size(); ++k)
          solid.triangle(hull.vertices[face[0]], hull.vertices[face[k]], hull.vertices[face[k + 1]]);
      if (!(solid.volume() > 0)) return "the convex hull has no volume";
      m = solid.result(density);
      break;
    }
    case ShapeType::Mesh: {
      if (!geometry.mesh) return "a mesh shape needs a mesh";
      std::string error = meshProperties(*geometry.mesh, density, m);
      if (!error.empty()) return error;
      break;
    }
    case ShapeType::Plane:
      return "a plane has no mass: it is infinite";
    case ShapeType::Heightfield:
      return "a heightfield has no mass: it is terrain";
    case ShapeType::Compound:
      return "a group has no geometry of its own";
  }
  if (!std::isfinite(m.mass) || !m.inertia.allFinite() || !(m.mass > 0)) return "the mass of the shape is out of range";
  out = m;
  return {};
}

MassProperties transform(const Pose& pose, const MassProperties& m) {
  Mat3 r = pose.q.toRotationMatrix();
  Mat3 turned = r * m.inertia * r.transpose();
  return {m.mass, pose * m.com, 0.5 * (turned + turned.transpose())};
}

MassProperties add(const MassProperties& a, const MassProperties& b) {
  double mass = a.mass + b.mass;
  if (!(mass > 0)) return {0, 0.5 * (a.com + b.com), a.inertia + b.inertia};
  Vec3 d = b.com - a.com;
  double reduced = a.mass * b.mass / mass;
  MassProperties sum;
  sum.mass = mass;
  sum.com = a.com + d * (b.mass / mass);
  sum.inertia = a.inertia + b.inertia + reduced * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  return sum;
}

MassProperties scaleToMass(const MassProperties& m, double mass) { return {mass, m.com, m.inertia * (mass / m.mass)}; }

}  // namespace vertebra
