// From one separating direction to a manifold: the faces or edges that support two convex cores along it are clipped against each
// other. World axes about `origin`, metres.
#pragma once
#include "engine/geometry/gjk.hpp"

namespace vertebra::geometry {

struct ContactPatchOptions {
  double margin = 0;
  Vec3 origin = Vec3::Zero();  // added to positions
  std::uint32_t salt = 0;      // mixed into the feature ids (a mesh's triangle)
  bool useWitness = true;      // report the closest points themselves where clipping does not find them
};

// Appends at most `room` contacts with gap < margin along sep.normal; returns their number. The gap of a point is the distance of the two
// surfaces along the normal at that place, so the smallest one equals the separation.
int contactPatch(const ConvexCore& a, const ConvexCore& b, const Separation& sep, const ContactPatchOptions& options, ContactPoint* out,
                 int room);

}  // namespace vertebra::geometry
