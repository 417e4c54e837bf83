// A convex shape against a triangle mesh or a heightfield, triangle by triangle. Triangles of a mesh act on the side that their winding
// faces: a shape whose centre is behind a triangle ignores it. Under a heightfield there is solid, which pushes up, and out by its vertical
// sides what has its middle beyond them.
//
// Where the closest feature is an edge or corner of a triangle, its direction is accepted only inside the arc between the normals of the
// two triangles that share the edge. Outside the arc the neighbour hides that side (an inner edge of a flat floor would push sideways), and
// the contact is taken along the triangle's own normal instead.
#include <cmath>

#include "engine/geometry/collide_pairs.hpp"
#include "engine/geometry/contact_patch.hpp"
#include "engine/geometry/heightfield.hpp"

namespace vertebra::geometry {
namespace {

constexpr double kArc = 1e-3;  // sine of the angle by which a direction may leave the arc

// Whether `out` (unit, from the triangle to the shape) may act at point x of the triangle.
bool believable(const MeshTriangle& t, const Vec3* corner, const Mat3& R, const Vec3& normal, const Vec3& x, const Vec3& out) {
  if (out.dot(normal) > 1 - 1e-8) return true;
  if (out.dot(normal) < -kArc) return false;
  bool onEdge = false;  // from its interior a triangle pushes along its normal only
  for (int k = 0; k < 3; ++k) {
    Vec3 edge = corner[(k + 1) % 3] - corner[k];
    double length = edge.norm();
    edge /= length;
    Vec3 away = edge.cross(normal);                                   // in the triangle's plane, out of it
    if (std::abs(away.dot(x - corner[k])) > 1e-6 * length) continue;  // x is not on this edge
    if (away.dot(out) < -kArc) continue;  // the interior would be nearer: in deep penetration a closest point may lie anywhere
    onEdge = true;
    if (t.neighbourNormal[k].isZero(0)) continue;  // an edge without neighbour acts in all directions
    Vec3 intoNeighbour = edge.cross(R * t.neighbourNormal[k]);
    if (out.dot(t.convex[k] ? intoNeighbour : away) > kArc) return false;
  }
  return onEdge;
}

class MeshContacts {
 public:
  // solid: there is no outside below the triangles; a shape there has penetrated
  MeshContacts(const Collider& convex, const Collider& mesh, double margin, bool solid)
      : mesh_(mesh), solid_(solid), core_(makeCore(convex, convex.p)) {
    options_.margin = margin;
    options_.origin = convex.p;
    triangle_.kind = ConvexCore::Kind::Triangle;
    middle_ = core_.centre();
  }
  // A shape whose middle is beyond a side of the solid, which it is `inside` by, m: what is deeper elsewhere is no way out.
  void leaveBySide(double inside) {
    solid_ = false;
    deepest_ = std::max(0.0, inside);
  }
  void noDeeperThan(double deepest) { deepest_ = std::max(0.0, deepest); }
  // m: extent of the shape's core from a point of the world along -n.
  double reachBehind(const Vec3& point, const Vec3& n) const {
    int hint = 0;
    return n.dot(point - options_.origin - core_.support(-n, hint));
  }
  Vec3 middle() const { return middle_ + options_.origin; }

  void add(const MeshTriangle& t) {
    for (int k = 0; k < 3; ++k) triangle_.corner[k] = mesh_.R * t.corner[k] + (mesh_.p - options_.origin);
    Vec3 normal = mesh_.R * t.normal;
    const bool behind = normal.dot(middle_ - triangle_.corner[0]) < 0;
    if (behind && !solid_) return;
    Separation sep;
    options_.useWitness = true;
    if (behind) {
      if (!wayOut(t, normal, sep)) return;
    } else {
      separation(core_, triangle_, options_.margin + core_.radius, sep);
      if (sep.kind == Separation::Kind::Far) {
        effort_++;
        // The lowest point may be under a triangle of the terrain that the shape does not reach: it came in through a neighbour.
        if (!solid_) return;
        alongNormal(normal, sep);
        if (sep.distance > 0 || !options_.useWitness) return;
      } else if (!believable(t, triangle_.corner, mesh_.R, normal, sep.b, -sep.normal)) {
        alongNormal(normal, sep);
      }
    }
    effort_ += sep.effort;
    if (-sep.distance > deepest_) return;
    options_.salt = static_cast<std::uint32_t>(t.index) + 1;
    if (count_ + 4 > kRoom) reduceContacts(found_, count_, Manifold::kCapacity);
    count_ += contactPatch(core_, triangle_, sep, options_, found_ + count_, 4);
  }

  void finish(Manifold& out) {
    dropDoubles(found_, count_, 1e-4 * core_.extent());  // triangles that share an edge or corner report the same point
    reduceContacts(found_, count_, Manifold::kCapacity);
    for (int i = 0; i < count_; ++i) out.points[i] = found_[i];
    out.count = count_;
    out.effort = effort_;
  }

 private:
  static constexpr int kRoom = 64;

  // For a shape whose middle is below the surface: from there to the nearest point of the triangle, if no neighbour is nearer.
  bool wayOut(const MeshTriangle& t, const Vec3& normal, Separation& sep) const {
    ConvexCore middle;
    middle.p = middle_;
    gjkDistance(middle, triangle_, kInf, sep);
    Vec3 out = sep.normal;
    if (sep.kind == Separation::Kind::Overlap) {
      out = normal;
      sep.b = middle_;
    } else if (out.dot(normal) < 1 - 1e-8) {
      for (int k = 0; k < 3; ++k) {
        const Vec3 edge = (triangle_.corner[(k + 1) % 3] - triangle_.corner[k]).normalized();
        const Vec3 toNeighbour = edge.cross(mesh_.R * t.neighbourNormal[k]), fromEdge = sep.b - triangle_.corner[k];
        const bool onEdge = (fromEdge - edge * edge.dot(fromEdge)).squaredNorm() < 1e-12 * core_.extent() * core_.extent();
        if (onEdge && toNeighbour.dot(out) < -kArc) return false;
      }
    }
    int hint = 0;
    sep.normal = -out;
    sep.a = core_.support(sep.normal, hint);
    sep.distance = sep.normal.dot(sep.b - sep.a);
    return true;
  }

  // How deep the shape is under the triangle's plane; its lowest point counts where it is under the triangle.
  void alongNormal(const Vec3& normal, Separation& sep) {
    int hint = 0;
    sep.normal = -normal;
    sep.a = core_.support(sep.normal, hint);
    sep.distance = sep.normal.dot(triangle_.corner[0] - sep.a);
    sep.b = sep.a + sep.distance * sep.normal;
    options_.useWitness = inside(sep.b, normal);
  }

  bool inside(const Vec3& x, const Vec3& normal) const {
    for (int k = 0; k < 3; ++k)
      if ((triangle_.corner[(k + 1) % 3] - triangle_.corner[k]).cross(x - triangle_.corner[k]).dot(normal) < 0) return false;
    return true;
  }

  const Collider& mesh_;
  bool solid_;
  double deepest_ = kInf;  // m
  ConvexCore core_, triangle_;
  ContactPatchOptions options_;
  Vec3 middle_;
  ContactPoint found_[kRoom];
  int count_ = 0, effort_ = 0;
};

// The shape's box in the mesh's frame.
Aabb boxIn(const Collider& mesh, const Collider& convex, double margin) {
  Pose relative;
  relative.p = mesh.R.transpose() * (convex.p - mesh.p);
  relative.q = Quat(Mat3(mesh.R.transpose() * convex.R));
  return bounds(*convex.geometry, relative, margin);
}

}  // namespace

void collideConvexMesh(const Collider& convex, const Collider& mesh, double margin, Manifold& out) {
  MeshContacts contacts(convex, mesh, margin, false);
  mesh.bvh->overlapping(boxIn(mesh, convex, margin), [&](const MeshTriangle& t) { contacts.add(t); });
  contacts.finish(out);
}

void collideConvexHeights(const Collider& convex, const Collider& heights, double margin, Manifold& out) {
  const HeightGrid& grid = *heights.geometry->grid;
  const double depth = heights.geometry->size.z();
  const Aabb box = boxIn(heights, convex, margin);
  MeshContacts contacts(convex, heights, margin, true);
  const Vec3 middle = heights.R.transpose() * (contacts.middle() - heights.p);
  double inside[kGridSides], least = kInf;  // m: by which the shape is behind the sides that its middle is beyond
  for (int side = 0; side < kGridSides; ++side) {
    inside[side] = kInf;
    if (!(beyondSide(grid, side, middle) > 0)) continue;
    const Vec3 out = heights.R * sideNormal(side);
    inside[side] = contacts.reachBehind(contacts.middle() - beyondSide(grid, side, middle) * out, out);
    least = std::min(least, inside[side]);
  }
  if (least < kInf) contacts.leaveBySide(least);
  overlappingHeights(grid, box, [&](const MeshTriangle& t) { contacts.add(t); });
  for (int side = 0; side < kGridSides; ++side) {
    if (inside[side] == kInf) continue;
    overlappingSide(grid, depth, side, box, [&](const MeshTriangle& t) {
      const double top = std::max({t.corner[0].z(), t.corner[1].z(), t.corner[2].z()});
      contacts.noDeeperThan(contacts.reachBehind(heights.p + heights.R * Vec3(0, 0, top), heights.R.col(2)));
      contacts.add(t);
    });
  }
  contacts.finish(out);
}

}  // namespace vertebra::geometry
