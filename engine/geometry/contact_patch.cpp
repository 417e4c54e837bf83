// Clipping of support faces (Sutherland-Hodgman) with feature ids that name the corner, or the pair of edges, that made a point.
#include "engine/geometry/contact_patch.hpp"

#include <algorithm>
#include <cmath>

#include "engine/geometry/collide_pairs.hpp"

namespace vertebra::geometry {
namespace {

constexpr int kMaxLoop = 16;  // corners of a support face; larger loops are reduced to this number
constexpr int kMaxClipped = 2 * kMaxLoop + 2;
constexpr double kFaceAlignment = 0.9;  // cosine to the contact normal above which a face can be the reference
constexpr double kParallel = 0.02;      // sine of the angle up to which two edges touch along a line
constexpr double kLap = 1e-5;           // times the size: how far clipping reaches beyond the face, so that equal boxes keep their corners
constexpr int kCapCorners = 8;          // of the polygon that represents a cylinder's cap

struct Patch {
  int count = 0;
  Vec3 point[kMaxLoop];  // counter-clockwise seen from outside
  Vec3 normal;           // outward; of a segment: the normal nearest to the direction asked for
  double alignment = 0;  // normal . direction
  std::uint32_t feature = 0;
};

struct ClipVertex {
  Vec3 p;
  std::uint32_t id;
  int edge;  // label of the edge that leaves it: incident edges from 0, clip planes from kMaxLoop
};

std::uint32_t mix(std::uint32_t h, std::uint32_t x) {
  h ^= x + 0x9e3779b9u + (h << 6) + (h >> 2);
  h ^= h >> 16;
  h *= 0x7feb352du;
  h ^= h >> 15;
  return h;
}

void boxFace(const ConvexCore& core, const Vec3& d, Patch& out) {
  Vec3 l = core.R.transpose() * d;
  int axis;
  l.cwiseAbs().maxCoeff(&axis);
  double sign = l[axis] >= 0 ? 1 : -1;
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  Vec3 centre = core.p + core.R.col(axis) * (sign * core.size[axis]);
  Vec3 u = core.R.col(i) * core.size[i], v = core.R.col(j) * (sign * core.size[j]);
  out.count = 4;
  out.point[0] = centre - u - v;
  out.point[1] = centre + u - v;
  out.point[2] = centre + u + v;
  out.point[3] = centre - u + v;
  out.normal = sign * core.R.col(axis);
  out.feature = 2 * axis + (sign > 0);
}

void cylinderFace(const ConvexCore& core, const Vec3& d, Patch& out) {
  Vec3 axis = core.R.col(2);
  double along = axis.dot(d), r = core.size.x(), half = core.size.z();
  if (along * along >= 0.5) {
    static const double c = std::sqrt(0.5);
    static const double circle[kCapCorners][2] = {{1, 0}, {c, c}, {0, 1}, {-c, c}, {-1, 0}, {-c, -c}, {0, -1}, {c, -c}};
    double sign = along >= 0 ? 1 : -1;
    for (int k = 0; k < kCapCorners; ++k) out.point[k] = core.p + core.R * Vec3(r * circle[k][0], sign * r * circle[k][1], sign * half);
    out.count = kCapCorners;
    out.normal = sign * axis;
    out.feature = sign > 0;
  } else {
    out.normal = (d - along * axis).normalized();
    out.count = 2;
    out.point[0] = core.p - half * axis + r * out.normal;
    out.point[1] = core.p + half * axis + r * out.normal;
    out.feature = 2;
  }
}

void hullFace(const ConvexCore& core, const Vec3& d, Patch& out) {
  Vec3 l = core.R.transpose() * d;
  const ConvexHull& hull = *core.hull;
  int best = 0;
  for (int f = 1; f < static_cast<int>(hull.normals.size()); ++f)
    if (hull.normals[f].dot(l) > hull.normals[best].dot(l)) best = f;
  const std::vector<int>& loop = hull.faces[best];
  int n = static_cast<int>(loop.size());
  out.count = std::min(n, kMaxLoop);
  for (int k = 0; k < out.count; ++k) out.point[k] = core.p + core.R * hull.vertices[loop[k * n / out.count]];
  out.normal = core.R * hull.normals[best];
  out.feature = best;
}

Patch supportPatch(const ConvexCore& core, const Vec3& d) {
  Patch out;
  switch (core.kind) {
    case ConvexCore::Kind::Point:
      out.count = 1;
      out.point[0] = core.p;
      out.normal = d;
      break;
    case ConvexCore::Kind::Segment: {
      Vec3 axis = core.R.col(2);
      out.count = 2;
      out.point[0] = core.p - core.size.z() * axis;
      out.point[1] = core.p + core.size.z() * axis;
      Vec3 side = d - axis.dot(d) * axis;
      out.normal = side.squaredNorm() > 0 ? Vec3(side.normalized()) : axis.unitOrthogonal();
      break;
    }
    case ConvexCore::Kind::Box:
      boxFace(core, d, out);
      break;
    case ConvexCore::Kind::Cylinder:
      cylinderFace(core, d, out);
      break;
    case ConvexCore::Kind::Hull:
      hullFace(core, d, out);
      break;
    case ConvexCore::Kind::Triangle: {
      out.normal = (core.corner[1] - core.corner[0]).cross(core.corner[2] - core.corner[0]).normalized();
      bool turned = out.normal.dot(d) < 0;
      out.count = 3;
      out.point[0] = core.corner[0];
      out.point[1] = core.corner[turned ? 2 : 1];
      out.point[2] = core.corner[turned ? 1 : 2];
      if (turned) out.normal = -out.normal;
      out.feature = turned;
      break;
    }
  }
  out.alignment = out.normal.dot(d);
  return out;
}

// The edge of a polygon that reaches farthest along d.
void keepBestEdge(Patch& patch, const Vec3& d) {
  if (patch.count < 3) return;
  int best = 0;
  double height = -kInf;
  for (int k = 0; k < patch.count; ++k) {
    double h = (patch.point[k] + patch.point[(k + 1) % patch.count]).dot(d);
    if (h > height) {
      height = h;
      best = k;
    }
  }
  Vec3 p = patch.point[best], q = patch.point[(best + 1) % patch.count];
  patch.point[0] = p;
  patch.point[1] = q;
  patch.feature = patch.feature * kMaxLoop + best + 64;
  patch.count = 2;
}

// Part of the loop (or of a segment: two vertices, open) with normal . x <= offset.
int clip(const ClipVertex* in, int count, bool closed, const Vec3& normal, double offset, int plane, ClipVertex* out) {
  int made = 0;
  for (int i = 0; i < count; ++i) {
    const ClipVertex& a = in[i];
    double da = normal.dot(a.p) - offset;
    if (da <= 0) out[made++] = a;
    if (!closed && i == count - 1) break;
    const ClipVertex& b = in[(i + 1) % count];
    double db = normal.dot(b.p) - offset;
    if ((da <= 0) == (db <= 0)) continue;
    ClipVertex& x = out[made++];
    x.p = a.p + (b.p - a.p) * (da / (da - db));
    x.id = 0x10000u + static_cast<std::uint32_t>(a.edge) * 256u + static_cast<std::uint32_t>(plane);
    x.edge = da <= 0 ? plane : a.edge;
    if (!closed) x.edge = a.edge;
  }
  return made;
}

class PatchBuilder {
 public:
  PatchBuilder(const ConvexCore& a, const ConvexCore& b, const Separation& sep, const ContactPatchOptions& options)
      : a_(a), b_(b), sep_(sep), options_(options), pa_(supportPatch(a, sep.normal)), pb_(supportPatch(b, -sep.normal)) {
    size_ = a.extent() + b.extent();
    lap_ = kLap * std::min(size_, 20 * std::min(a.extent(), b.extent()));  // on a huge face, the size of the small shape counts
  }

  int build(ContactPoint* out, int room) {
    if (pa_.count > 1 && pb_.count > 1) {
      bool faceA = pa_.count > 2 && pa_.alignment >= kFaceAlignment, faceB = pb_.count > 2 && pb_.alignment >= kFaceAlignment;
      // The same face stays the reference when both are almost parallel to the contact plane.
      if (faceA && (!faceB || pa_.alignment >= pb_.alignment - 0.02)) {
        clipFaces(pa_, pb_, true);
      } else if (faceB) {
        clipFaces(pb_, pa_, false);
      } else {
        keepBestEdge(pa_, sep_.normal);
        keepBestEdge(pb_, -sep_.normal);
        clipEdges();
      }
    }
    addWitness();
    reduceContacts(found_, count_, std::min(4, room));
    for (int i = 0; i < count_; ++i) out[i] = found_[i];
    return count_;
  }

 private:
  std::uint32_t featureOf(std::uint32_t id) const { return mix(mix(mix(options_.salt, pa_.feature), pb_.feature), id); }

  void add(const Vec3& middle, double gap, std::uint32_t id) {
    if (gap >= options_.margin || count_ == kMaxClipped) return;
    found_[count_++] = {middle + options_.origin, sep_.normal, gap, featureOf(id)};
  }

  // `height`: distance along `up` of p, a point of the incident core, above the reference core. No two points of the cores are deeper
  // than the separation tells; the plane of a face is, beyond its sharp corners.
  void addAbove(const Vec3& p, const Vec3& up, double height, double refRadius, double incRadius, std::uint32_t id) {
    if (height < sep_.distance - lap_) height = sep_.distance;
    add(p - up * (0.5 * (height + incRadius - refRadius)), height - refRadius - incRadius, id);
  }

  void clipFaces(const Patch& ref, const Patch& inc, bool refIsA) {
    Vec3 up = refIsA ? sep_.normal : Vec3(-sep_.normal);
    ClipVertex buffer[2][kMaxClipped];
    ClipVertex *from = buffer[0], *to = buffer[1];
    bool closed = inc.count > 2;
    int count = inc.count;
    for (int i = 0; i < count; ++i) from[i] = {inc.point[i], static_cast<std::uint32_t>(i) + (refIsA ? 0u : 0x8000u), i};
    for (int k = 0; k < ref.count && count > 0; ++k) {
      const Vec3 &p = ref.point[k], &q = ref.point[(k + 1) % ref.count];
      Vec3 side = (q - p).cross(up);
      side.normalize();
      count = clip(from, count, closed, side, side.dot(p) + lap_, kMaxLoop + k, to);
      std::swap(from, to);
    }
    double slope = 1 / ref.alignment;
    double refRadius = refIsA ? a_.radius : b_.radius, incRadius = refIsA ? b_.radius : a_.radius;
    for (int i = 0; i < count; ++i)
      addAbove(from[i].p, up, (from[i].p - ref.point[0]).dot(ref.normal) * slope, refRadius, incRadius, from[i].id);
  }

  // Two edges that touch along a line: the ends of the common stretch.
  void clipEdges() {
    const Vec3& n = sep_.normal;
    Vec3 u = pa_.point[1] - pa_.point[0], v = pb_.point[1] - pb_.point[0];
    double lengthU = u.norm(), lengthV = v.norm();
    if (!(lengthU > 0 && lengthV > 0)) return;
    u /= lengthU;
    v /= lengthV;
    if (u.cross(v).norm() > kParallel || std::abs(u.dot(n)) > kParallel || std::abs(v.dot(n)) > kParallel) return;
    ClipVertex ends[2] = {{pb_.point[0], 0, 0}, {pb_.point[1], 1, 0}}, once[3], twice[4];
    int count = clip(ends, 2, false, -u, -u.dot(pa_.point[0]), kMaxLoop, once);
    count = clip(once, count, false, u, u.dot(pa_.point[1]), kMaxLoop + 1, twice);
    for (int i = 0; i < count; ++i) {
      const Vec3& p = twice[i].p;
      Vec3 foot = pa_.point[0] + u * u.dot(p - pa_.point[0]);
      double height = (p - foot).dot(n);
      if (height < sep_.distance - 1e-9 * size_) continue;  // beside each other, not above: the closest points represent them
      addAbove(p, n, height, a_.radius, b_.radius, twice[i].id);
    }
  }

  void addWitness() {
    if (!options_.useWitness) return;
    double gap = sep_.distance - a_.radius - b_.radius;
    for (int i = 0; i < count_; ++i)
      if (found_[i].gap <= gap + 1e-6 * size_) return;
    Vec3 onA = sep_.a + a_.radius * sep_.normal, onB = sep_.b - b_.radius * sep_.normal;
    add(0.5 * (onA + onB), gap, 0xffffu);
  }

  const ConvexCore &a_, &b_;
  const Separation& sep_;
  const ContactPatchOptions& options_;
  Patch pa_, pb_;
  double size_, lap_;
  ContactPoint found_[kMaxClipped + 1];
  int count_ = 0;
};

}  // namespace

int contactPatch(const ConvexCore& a, const ConvexCore& b, const Separation& sep, const ContactPatchOptions& options, ContactPoint* out,
                 int room) {
  return PatchBuilder(a, b, sep, options).build(out, room);
}

}  // namespace vertebra::geometry
