// See skin.hpp.
#include "viewer/skin.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include <osg/Matrixf>
#include <osg/Quat>

#include "viewer/poses.hpp"

namespace vertebra::viewer {

namespace {

constexpr int kCells = 120;      // of the grid along its longest edge, at most
constexpr double kBlend = 0.3;   // width of the blend, in radii of a middling capsule
constexpr double kShare = 0.6;   // width over which links share a vertex, likewise
constexpr double kReach = 12;    // widths of the blend at which a capsule is nothing
constexpr double kBone = 0.8;    // radius of a way to a joint, in that of the thinner neighbour
constexpr double kNone = 1e300;  // thickness of a link without a shape

struct Capsule {
  int link;
  osg::Vec3d a, b;  // world, where the skin is made
  double radius;

  osg::Vec3d nearest(const osg::Vec3d& p) const {
    const osg::Vec3d along = b - a;
    const double length2 = along.length2();
    return a + along * (length2 > 0 ? std::clamp((p - a) * along / length2, 0.0, 1.0) : 0.0);
  }
  double distance(const osg::Vec3d& p) const { return (p - nearest(p)).length() - radius; }
};

// Along the longest principal axis of the points.
Capsule around(int link, const std::vector<osg::Vec3d>& points) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const osg::Vec3d& p : points) mean += Eigen::Vector3d(p.x(), p.y(), p.z()) / static_cast<double>(points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const osg::Vec3d& p : points) {
    const Eigen::Vector3d d = Eigen::Vector3d(p.x(), p.y(), p.z()) - mean;
    spread += d * d.transpose();
  }
  const Eigen::Matrix3d axes = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors();
  Eigen::Vector3d low = Eigen::Vector3d::Constant(1e300), high = -low;
  for (const osg::Vec3d& p : points) {
    const Eigen::Vector3d d = axes.transpose() * (Eigen::Vector3d(p.x(), p.y(), p.z()) - mean);
    low = low.cwiseMin(d), high = high.cwiseMax(d);
  }
  const Eigen::Vector3d half = 0.5 * (high - low), centre = mean + axes * (0.5 * (low + high));
  int longest = 0;
  half.maxCoeff(&longest);
  const double radius = 0.5 * (half.sum() - half[longest]);
  const Eigen::Vector3d way = axes.col(longest) * std::max(0.0, half[longest] - radius), a = centre - way, b = centre + way;
  return {link, {a.x(), a.y(), a.z()}, {b.x(), b.y(), b.z()}, radius};
}

const Capsule* nearestOf(const std::vector<Capsule>& all, std::size_t count, int link, const osg::Vec3d& p) {
  const Capsule* best = nullptr;
  for (std::size_t i = 0; i < count; i++)
    if (all[i].link == link && (!best || all[i].distance(p) < best->distance(p))) best = &all[i];
  return best;
}

std::vector<Capsule> capsulesOf(const vtb_skeleton* skeleton, const std::vector<double>& poses) {
  const auto poseOf = [&](int link) { return &poses[7 * static_cast<std::size_t>(link)]; };
  vtb_skeleton_info info{};
  info.struct_size = sizeof info;
  check(vtb_skeleton_get_info(skeleton, &info));
  std::vector<Capsule> all;
  const int which = info.shapes > 0;
  for (int32_t i = 0; i < (which ? info.shapes : info.visuals); i++) {
    vtb_visual_info shape{};
    shape.struct_size = sizeof shape;
    check(vtb_skeleton_get_visual(skeleton, which, i, &shape));
    std::vector<double> vertices(3 * std::size_t{shape.vertices});
    check(vtb_skeleton_get_visual_mesh(skeleton, which, i, vertices.data(), shape.vertices, nullptr, 0));
    std::vector<osg::Vec3d> points;
    for (std::size_t v = 0; v + 2 < vertices.size(); v += 3)
      points.push_back(applied(poseOf(shape.link), {vertices[v], vertices[v + 1], vertices[v + 2]}));
    if (points.empty()) continue;
    all.push_back(around(shape.link, points));
    if (all.back().radius <= 0) all.pop_back();
  }
  const std::size_t shapes = all.size();
  std::vector<vtb_joint_info> joints;
  for (int32_t j = 0; j < info.joints; j++) {
    vtb_joint_info joint{};
    joint.struct_size = sizeof joint;
    check(vtb_skeleton_get_joint(skeleton, j, &joint));
    if (!joint.loop) joints.push_back(joint);
  }
  // How thick a link is: as its thinnest shape, or without a shape as a neighbour.
  std::vector<double> thickness(static_cast<std::size_t>(info.links), kNone);
  const auto thick = [&](int link) -> double& { return thickness[static_cast<std::size_t>(link)]; };
  for (const Capsule& c : all) thick(c.link) = std::min(thick(c.link), c.radius);
  for (bool changed = true; changed;) {
    changed = false;
    for (const vtb_joint_info& joint : joints)
      if ((thick(joint.child) == kNone) != (thick(joint.parent) == kNone)) {
        thick(joint.child) = thick(joint.parent) = std::min(thick(joint.child), thick(joint.parent));
        changed = true;
      }
  }
  for (const vtb_joint_info& joint : joints) {
    const double radius = kBone * std::min(thick(joint.parent), thick(joint.child));
    if (radius >= kNone * kBone) continue;  // no link has a shape
    const osg::Vec3d at = applied(poseOf(joint.child), {0, 0, 0});
    const Capsule *above = nearestOf(all, shapes, joint.parent, at), *below = nearestOf(all, shapes, joint.child, at);
    const osg::Vec3d from = above ? above->nearest(at) : applied(poseOf(joint.parent), {0, 0, 0}), to = below ? below->nearest(at) : at;
    all.push_back({joint.parent, from, at, radius});
    all.push_back({joint.child, at, to, radius});
  }
  return all;
}

// The field of all capsules on a grid: negative inside. Capsules reach no corner on its border.
class Grid {
 public:
  Grid(const std::vector<Capsule>& capsules, double blend) {
    Box box;
    for (const Capsule& c : capsules)
      for (const osg::Vec3d& end : {c.a, c.b})
        for (int i = 0; i < 8; i++) {
          const double r = c.radius + 4 * blend;
          box.add(end + osg::Vec3d(i & 1 ? r : -r, i & 2 ? r : -r, i & 4 ? r : -r));
        }
    const osg::Vec3d size = box.upper - box.lower;
    cell_ = std::max({size.x(), size.y(), size.z()}) / kCells;
    lower_ = box.lower - osg::Vec3d(cell_, cell_, cell_);
    for (int k = 0; k < 3; k++) count_[k] = static_cast<int>(std::ceil(size[k] / cell_)) + 3;
    values_.assign(static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) * static_cast<std::size_t>(count_[2]), 0);
    for (const Capsule& c : capsules) add(c, blend);
    for (double& v : values_) v = -blend * std::log(std::max(v, 1e-300));
  }

  int count(int axis) const { return count_[axis]; }
  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(count_[1]) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(count_[0]) +
           static_cast<std::size_t>(x);
  }
  double value(std::size_t i) const { return values_[i]; }
  osg::Vec3d point(std::size_t i) const {
    const auto w = static_cast<std::size_t>(count_[0]), h = static_cast<std::size_t>(count_[1]);
    return lower_ + osg::Vec3d(static_cast<double>(i % w), static_cast<double>(i / w % h), static_cast<double>(i / (w * h))) * cell_;
  }

 private:
  void add(const Capsule& c, double blend) {
    int first[3], last[3];
    for (int k = 0; k < 3; k++) {
      const double reach = c.radius + kReach * blend;
      first[k] = std::max(0, static_cast<int>((std::min(c.a[k], c.b[k]) - reach - lower_[k]) / cell_));
      last[k] = std::min(count_[k] - 1, static_cast<int>((std::max(c.a[k], c.b[k]) + reach - lower_[k]) / cell_));
    }
    for (int z = first[2]; z <= last[2]; z++)
      for (int y = first[1]; y <= last[1]; y++)
        for (int x = first[0]; x <= last[0]; x++) {
          const std::size_t i = index(x, y, z);
          values_[i] += std::exp(-c.distance(point(i)) / blend);
        }
  }

  osg::Vec3d lower_;
  double cell_ = 0;
  int count_[3] = {};
  std::vector<double> values_;
};

// Marching tetrahedra: each cube is six of them around its diagonal, alike in all cubes, so that their faces meet.
class Cutter {
 public:
  explicit Cutter(const Grid& grid) : grid_(grid) {  // which is needed no longer afterwards
    static constexpr int kPaths[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    for (int z = 0; z + 1 < grid.count(2); z++)
      for (int y = 0; y + 1 < grid.count(1); y++)
        for (int x = 0; x + 1 < grid.count(0); x++) {
          std::size_t corner[8];
          int inside = 0;
          for (int c = 0; c < 8; c++) {
            corner[c] = grid.index(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
            inside += grid.value(corner[c]) < 0;
          }
          if (inside == 0 || inside == 8) continue;
          for (const auto& path : kPaths) cut({corner[0], corner[path[0]], corner[path[1]], corner[7]});
        }
  }
  std::vector<osg::Vec3d> points;
  std::vector<std::uint32_t> triangles;

 private:
  void cut(const std::array<std::size_t, 4>& corners) {
    std::size_t in[4], out[4];
    int ins = 0, outs = 0;
    for (const std::size_t c : corners) (grid_.value(c) < 0 ? in[ins++] : out[outs++]) = c;
    if (ins == 0 || outs == 0) return;
    if (ins == 1) triangle({on(in[0], out[0]), on(in[0], out[1]), on(in[0], out[2])}, in[0], true);
    if (ins == 3) triangle({on(in[0], out[0]), on(in[1], out[0]), on(in[2], out[0])}, out[0], false);
    if (ins == 2) {
      const std::uint32_t a = on(in[0], out[0]), b = on(in[0], out[1]), c = on(in[1], out[1]), d = on(in[1], out[0]);
      triangle({a, b, c}, in[0], true);
      triangle({a, c, d}, in[0], true);
    }
  }

  // Turned so that the grid's corner is behind it, or before it.
  void triangle(std::array<std::uint32_t, 3> t, std::size_t corner, bool behind) {
    const osg::Vec3d normal = (points[t[1]] - points[t[0]]) ^ (points[t[2]] - points[t[0]]);
    if ((normal * (points[t[0]] - grid_.point(corner)) > 0) != behind) std::swap(t[1], t[2]);
    triangles.insert(triangles.end(), t.begin(), t.end());
  }

  std::uint32_t on(std::size_t in, std::size_t out) {
    const std::uint64_t key = static_cast<std::uint64_t>(std::min(in, out)) << 32 | std::max(in, out);
    const auto [at, fresh] = known_.try_emplace(key, static_cast<std::uint32_t>(points.size()));
    if (fresh) {
      const double a = grid_.value(in), b = grid_.value(out);
      points.push_back(grid_.point(in) +
                       (grid_.point(out) - grid_.point(in)) * std::clamp(a / (a - b), 0.002, 0.998));  // no triangle without an area
    }
    return at->second;
  }

  const Grid& grid_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
};

double middling(const std::vector<Capsule>& capsules) {
  std::vector<double> radii;
  for (const Capsule& c : capsules) radii.push_back(c.radius);
  std::nth_element(radii.begin(), radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2), radii.end());
  return radii[radii.size() / 2];
}

osg::Vec3d localOf(const double* pose, const osg::Vec3d& p) {
  return osg::Quat(pose[3], pose[4], pose[5], pose[6]).inverse() * (p - osg::Vec3d(pose[0], pose[1], pose[2]));
}

}  // namespace

Skin::Skin(const vtb_skeleton* skeleton, const std::vector<double>& poses) {
  const std::vector<Capsule> capsules = capsulesOf(skeleton, poses);
  if (capsules.empty()) return;
  const double radius = middling(capsules);
  Cutter cutter(Grid(capsules, kBlend * radius));
  triangles_ = std::move(cutter.triangles);
  std::vector<double> share(poses.size() / 7);
  for (const osg::Vec3d& p : cutter.points) {
    std::fill(share.begin(), share.end(), 0);
    double nearest = 1e300;
    for (const Capsule& c : capsules) nearest = std::min(nearest, c.distance(p));
    for (const Capsule& c : capsules) share[static_cast<std::size_t>(c.link)] += std::exp((nearest - c.distance(p)) / (kShare * radius));
    Influence made;
    double sum = 0;
    for (int n = 0; n < kMost; n++) {
      const auto most = std::max_element(share.begin(), share.end());
      const auto link = static_cast<std::size_t>(most - share.begin());
      made.links[n] = static_cast<int>(link);
      made.shares[n] = static_cast<float>(*most);
      made.places[n] = osg::Vec3(localOf(&poses[7 * link], p));
      sum += *most;
      *most = 0;
    }
    for (float& s : made.shares) s = static_cast<float>(s / sum);
    influences_.push_back(made);
  }
}

void Skin::follow(const std::vector<double>& poses, osg::Vec3Array& points, osg::Vec3Array& normals) const {
  std::vector<osg::Matrixf> frames(poses.size() / 7);
  for (std::size_t i = 0; i < frames.size(); i++) {
    const double* pose = &poses[7 * i];
    frames[i].makeRotate(osg::Quat(pose[3], pose[4], pose[5], pose[6]));
    frames[i].setTrans(static_cast<float>(pose[0]), static_cast<float>(pose[1]), static_cast<float>(pose[2]));
  }
  points.resize(influences_.size());
  normals.assign(influences_.size(), osg::Vec3(0, 0, 0));
  for (std::size_t i = 0; i < influences_.size(); i++) {
    osg::Vec3 sum(0, 0, 0);
    const Influence& of = influences_[i];
    for (int n = 0; n < kMost; n++)
      if (of.shares[n] > 0) sum += of.places[n] * frames[static_cast<std::size_t>(of.links[n])] * of.shares[n];
    points[i] = sum;
  }
  for (std::size_t t = 0; t + 2 < triangles_.size(); t += 3) {
    const std::uint32_t a = triangles_[t], b = triangles_[t + 1], c = triangles_[t + 2];
    const osg::Vec3 area = (points[b] - points[a]) ^ (points[c] - points[a]);
    for (const std::uint32_t v : {a, b, c}) normals[v] += area;
  }
  for (osg::Vec3& normal : normals) normal.normalize();
}

}  // namespace vertebra::viewer
