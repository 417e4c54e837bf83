// Any convex shape on a plane (the half-space below local z = 0): its lowest points. The contact's normal is minus the plane's.
#include <algorithm>
#include <cmath>

#include "engine/geometry/collide_pairs.hpp"
#include "engine/geometry/shapes/shapes.hpp"

namespace vertebra::geometry {
namespace {

class PlaneContacts {
 public:
  PlaneContacts(const Collider& plane, double margin, Manifold& out) : up_(plane.R.col(2)), origin_(plane.p), margin_(margin), out_(out) {}
  const Vec3& up() const { return up_; }

  // A ball of that radius about x; radius 0 for a corner.
  void add(const Vec3& x, double radius, std::uint32_t feature) {
    double gap = up_.dot(x - origin_) - radius;
    if (!(gap < margin_)) return;
    if (count_ == kRoom) makeRoom();
    found_[count_++] = {x - up_ * (radius + 0.5 * gap), -up_, gap, feature};
  }

  void finish() {
    reduceContacts(found_, count_, 4);
    store();
  }

  // A rounded bottom rocks from one point to the next: the bearing points are chosen among the lowest; some of the others are kept because
  // they will bear next.
  void finishRounded() {
    double lowest = kInf;
    for (int i = 0; i < count_; ++i) lowest = std::min(lowest, found_[i].gap);
    ContactPoint standby[kRoom];
    int bearing = 0, others = 0;
    for (int i = 0; i < count_; ++i) {
      if (found_[i].gap <= lowest + kBearing)
        found_[bearing++] = found_[i];
      else
        standby[others++] = found_[i];
    }
    reduceContacts(found_, bearing, 4);
    count_ = bearing;
    for (int i = 0; i < others; ++i) found_[count_++] = standby[i];
    reduceContacts(found_, count_, Manifold::kCapacity, bearing);
    store();
  }

 private:
  void store() {
    for (int i = 0; i < count_; ++i) out_.points[i] = found_[i];
    out_.count = count_;
  }

  static constexpr int kRoom = 32;
  static constexpr double kBearing = 1e-3;  // m above the lowest point
  void makeRoom() { reduceContacts(found_, count_, 8); }

  Vec3 up_, origin_;
  double margin_;
  Manifold& out_;
  ContactPoint found_[kRoom];
  int count_ = 0;
};

// Four points of the lower rim and one of the upper. Standing flat they are fixed to the body; tilted they start at the lowest point. The
// lowest point of a cap has the same id whichever cap is lower, for a cylinder that lies on its side.
void addCylinder(const Collider& c, PlaneContacts& contacts) {
  const double r = c.geometry->size.x(), half = c.geometry->size.z();
  Vec3 axis = c.R.col(2);
  double along = axis.dot(contacts.up());
  Vec3 down = along > 0 ? Vec3(-axis) : axis;            // from the centre to the lower cap
  Vec3 toRim = std::abs(along) * -down - contacts.up();  // along the cap, towards the plane
  double tilt = toRim.norm();
  bool flat = tilt < 1e-5;
  Vec3 u = flat ? Vec3(c.R.col(0)) : Vec3(toRim / tilt), v = flat ? Vec3(c.R.col(1)) : Vec3(axis.cross(u));
  std::uint32_t base = along > 0 ? 0 : 8;
  Vec3 lower = c.p + half * down;
  contacts.add(lower + r * u, 0, base);
  contacts.add(lower - r * u, 0, base + 1);
  contacts.add(lower + r * v, 0, base + 2);
  contacts.add(lower - r * v, 0, base + 3);
  contacts.add(c.p - half * down + r * u, 0, 8 - base);
}

}  // namespace

void collideConvexPlane(const Collider& convex, const Collider& plane, double margin, Manifold& out) {
  PlaneContacts contacts(plane, margin, out);
  const Vec3& s = convex.geometry->size;
  ConvexCore core;
  traitsOf(convex.geometry->type).core(*convex.geometry, core);
  switch (core.kind) {
    case ConvexCore::Kind::Point:
      contacts.add(convex.p, s.x(), 0);
      break;
    case ConvexCore::Kind::Segment:
      contacts.add(convex.p - s.z() * convex.R.col(2), s.x(), 0);
      contacts.add(convex.p + s.z() * convex.R.col(2), s.x(), 1);
      break;
    case ConvexCore::Kind::Box: {
      // Corners are numbered round each face, so that at most the four lowest lie within a margin below the box's size.
      Vec3 x = convex.R.col(0) * s.x(), y = convex.R.col(1) * s.y(), z = convex.R.col(2) * s.z();
      for (int k = 0; k < 8; ++k) contacts.add(convex.p + (k & 1 ? x : Vec3(-x)) + (k & 2 ? y : Vec3(-y)) + (k & 4 ? z : Vec3(-z)), 0, k);
      break;
    }
    case ConvexCore::Kind::Cylinder:
      addCylinder(convex, contacts);
      break;
    case ConvexCore::Kind::Hull: {
      const auto& vertices = convex.geometry->hull->vertices;
      Vec3 local = convex.R.transpose() * contacts.up();
      double limit = margin - contacts.up().dot(convex.p - plane.p);
      for (int i = 0; i < static_cast<int>(vertices.size()); ++i)
        if (local.dot(vertices[i]) < limit) contacts.add(convex.p + convex.R * vertices[i], 0, i);
      contacts.finishRounded();
      return;
    }
    case ConvexCore::Kind::Triangle:
      break;
  }
  contacts.finish();
}

}  // namespace vertebra::geometry
