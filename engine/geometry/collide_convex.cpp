// General convex pairs: GJK while separate, EPA when the cores overlap, then clipping of the supporting faces.
//
// Why not libccd 2.1: one hundred random pairs each at a depth of 2 mm on shapes of 0.2 to 1 m, both with the support functions of this
// library; the error is the depth lost against the best direction found by search, mean / largest in metres, one core of an AMD EPYC:
//                        libccd MPR                   libccd GJK + EPA             this library
//   convex-convex      0.82 us  6e-9 / 4e-7        1.64 us  8e-5 / 4e-3        0.83 us  6e-9 / 4e-7
//   box-cylinder       0.67 us  1e-7 / 9e-7        1.43 us  2e-4 / 4e-3        0.97 us  1e-8 / 5e-7
//   cylinder-cylinder  0.87 us  1e-4 / 1e-2        1.70 us  4e-4 / 1e-2        1.58 us  3e-8 / 1e-6
// At a depth of 0.1 m the error of MPR, which follows one ray instead of the least translation, reaches 0.76 m (here: 3e-6). libccd's EPA
// allocates on the heap, and libccd gives no distance of separate shapes, which speculative contacts need.
#include "engine/geometry/collide_pairs.hpp"
#include "engine/geometry/contact_patch.hpp"

namespace vertebra::geometry {

void collideConvex(const Collider& a, const Collider& b, double margin, Manifold& out) {
  // Coordinates relative to A keep precision far from the world's origin.
  ConvexCore ca = makeCore(a, a.p), cb = makeCore(b, a.p);
  Separation sep;
  separation(ca, cb, margin + ca.radius + cb.radius, sep);
  out.effort = sep.effort;
  if (sep.kind == Separation::Kind::Far) return;
  ContactPatchOptions options;
  options.margin = margin;
  options.origin = a.p;
  out.count = contactPatch(ca, cb, sep, options, out.points, Manifold::kCapacity);
}

}  // namespace vertebra::geometry
