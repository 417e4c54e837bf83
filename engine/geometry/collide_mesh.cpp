// A convex shape against a static triangle mesh, triangle by triangle. Triangles act on the side their winding faces: a shape whose
// centre is behind one ignores it.
//
// Where the closest feature is an edge or corner of a triangle, its direction is believed only inside the arc between the normals of
// the two triangles that share the edge. Outside it the neighbour hides that side (an inner edge of a flat floor would push
// sideways), and the contact is taken along the triangle's own normal instead.
#include <cmath>

#include "engine/geometry/collide_pairs.hpp"
#include "engine/geometry/contact_patch.hpp"
#include "engine/geometry/mesh_bvh.hpp"

namespace vertebra {
namespace {

constexpr double kArc = 1e-3;  // sine of the angle by which a direction may leave the arc

// Whether `out` (unit, from the triangle to the shape) may act at point x of the triangle.
bool believable(const MeshBvh::Triangle& t, const Vec3* corner, const Mat3& R, const Vec3& normal, const Vec3& x, const Vec3& out) {
  if (out.dot(normal) > 1 - 1e-8) return true;
  if (out.dot(normal) < -kArc) return false;
  for (int k = 0; k < 3; ++k) {
    Vec3 edge = corner[(k + 1) % 3] - corner[k];
    double length = edge.norm();
    edge /= length;
    Vec3 away = edge.cross(normal);                                   // in the triangle's plane, out of it
    if (std::abs(away.dot(x - corner[k])) > 1e-6 * length) continue;  // x is not on this edge
    if (t.neighbourNormal[k].isZero(0)) continue;                     // an open border acts all round
    Vec3 intoNeighbour = edge.cross(R * t.neighbourNormal[k]);
    if (out.dot(t.convex[k] ? intoNeighbour : away) > kArc) return false;
  }
  return true;
}

class MeshContacts {
 public:
  MeshContacts(const Collider& convex, const Collider& mesh, double margin) : mesh_(mesh), core_(makeCore(convex, convex.p)) {
    options_.margin = margin;
    options_.origin = convex.p;
    triangle_.kind = ConvexCore::Kind::Triangle;
    middle_ = convex.geometry->type == ShapeType::Convex ? core_.middle() : core_.p;
  }

  void add(const MeshBvh::Triangle& t) {
    for (int k = 0; k < 3; ++k) triangle_.corner[k] = mesh_.R * t.corner[k] + (mesh_.p - options_.origin);
    Vec3 normal = mesh_.R * t.normal;
    if (normal.dot(middle_ - triangle_.corner[0]) < 0) return;
    Separation sep;
    separation(core_, triangle_, options_.margin + core_.radius, sep);
    if (sep.kind == Separation::Kind::Far) return;
    options_.useWitness = true;
    options_.salt = static_cast<std::uint32_t>(t.index) + 1;
    if (!believable(t, triangle_.corner, mesh_.R, normal, sep.b, -sep.normal)) {
      int hint = 0;
      sep.normal = -normal;
      sep.a = core_.support(sep.normal, hint);
      sep.distance = sep.normal.dot(triangle_.corner[0] - sep.a);
      sep.b = sep.a + sep.distance * sep.normal;
      options_.useWitness = inside(sep.b, normal);
    }
    if (count_ + 4 > kRoom) reduceContacts(found_, count_, Manifold::kCapacity);
    count_ += contactPatch(core_, triangle_, sep, options_, found_ + count_, 4);
  }

  void finish(Manifold& out) {
    dropDoubles();
    reduceContacts(found_, count_, Manifold::kCapacity);
    for (int i = 0; i < count_; ++i) out.points[i] = found_[i];
    out.count = count_;
  }

 private:
  static constexpr int kRoom = 64;

  bool inside(const Vec3& x, const Vec3& normal) const {
    for (int k = 0; k < 3; ++k)
      if ((triangle_.corner[(k + 1) % 3] - triangle_.corner[k]).cross(x - triangle_.corner[k]).dot(normal) < 0) return false;
    return true;
  }

  // Triangles that share an edge or corner report the same point.
  void dropDoubles() {
    double near = 1e-4 * core_.extent();
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      int same = -1;
      for (int k = 0; k < kept && same < 0; ++k)
        if ((found_[k].position - found_[i].position).squaredNorm() < near * near && found_[k].normal.dot(found_[i].normal) > 0.99)
          same = k;
      if (same < 0)
        found_[kept++] = found_[i];
      else if (found_[i].gap < found_[same].gap)
        found_[same] = found_[i];
    }
    count_ = kept;
  }

  const Collider& mesh_;
  ConvexCore core_, triangle_;
  ContactPatchOptions options_;
  Vec3 middle_;
  ContactPoint found_[kRoom];
  int count_ = 0;
};

}  // namespace

void collideConvexMesh(const Collider& convex, const Collider& mesh, double margin, Manifold& out) {
  MeshContacts contacts(convex, mesh, margin);
  // The shape's box in the mesh's frame.
  Pose relative;
  relative.p = mesh.R.transpose() * (convex.p - mesh.p);
  relative.q = Quat(Mat3(mesh.R.transpose() * convex.R));
  mesh.bvh->overlapping(bounds(*convex.geometry, relative, margin), [&](const MeshBvh::Triangle& t) { contacts.add(t); });
  contacts.finish(out);
}

}  // namespace vertebra
