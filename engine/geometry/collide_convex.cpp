// General convex pairs: GJK while apart, EPA when the cores overlap, then clipping of the supporting faces.
#include "engine/geometry/collide_pairs.hpp"
#include "engine/geometry/contact_patch.hpp"

namespace vertebra {

void collideConvex(const Collider& a, const Collider& b, double margin, Manifold& out) {
  // Coordinates relative to A keep precision far from the world's origin.
  ConvexCore ca = makeCore(a, a.p), cb = makeCore(b, a.p);
  Separation sep;
  separation(ca, cb, margin + ca.radius + cb.radius, sep);
  if (sep.kind == Separation::Kind::Far) return;
  ContactPatchOptions options;
  options.margin = margin;
  options.origin = a.p;
  out.count = contactPatch(ca, cb, sep, options, out.points, Manifold::kCapacity);
}

}  // namespace vertebra
