// See build.hpp.
#include "loaders/urdf/build.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include "loaders/mesh/collision_hull.hpp"
#include "loaders/mesh/mesh.hpp"
#include "loaders/urdf/resolve.hpp"
#include "loaders/urdf/structure.hpp"
#include "loaders/urdf/xml.hpp"

namespace vertebra {

namespace {

geometry::Geometry primitive(const UrdfGeometry& g) {
  using Kind = UrdfGeometry::Kind;
  geometry::Geometry out;
  switch (g.kind) {
    case Kind::Box:
      out.type = geometry::ShapeType::Box;
      out.size = 0.5 * g.size;
      break;
    case Kind::Sphere:
      out.type = geometry::ShapeType::Sphere;
      out.size = Vec3(g.radius, 0, 0);
      break;
    default:
      out.type = g.kind == Kind::Capsule ? geometry::ShapeType::Capsule : geometry::ShapeType::Cylinder;
      out.size = Vec3(g.radius, 0, 0.5 * g.length);
  }
  return out;
}

class SkeletonConverter {
 public:
  SkeletonConverter(const UrdfRobot& robot, const UrdfOptions& options, const std::string& urdfPath, UrdfReport& report)
      : robot_(robot), options_(options), urdfPath_(urdfPath), report_(report) {}

  void link(const UrdfLink& from, figure::LinkDescription& to) {
    to.name = from.name;
    for (const UrdfShape& s : from.visuals) visual(s, to);
    for (const UrdfShape& s : from.collisions) collision(s, from.surface, to);
  }

  // Readers differ on DAE's <up_axis>, and robots are drawn for either convention. A link's centre of mass shows which one applies, because
  // it lies near the middle of its mesh. Both orientations are measured over the whole robot, relative to the sizes of the meshes.
  void chooseUpAxis() {
    int meshes = 0, line = 0, weighed = 0;
    double ignored = 0, obeyed = 0;
    for (const UrdfLink& link : robot_.links)
      for (const std::vector<UrdfShape>* shapes : {&link.collisions, &link.visuals})
        for (const UrdfShape& s : *shapes) {
          const MeshCache::Entry* entry = turnable(s);
          if (entry == nullptr) continue;
          if (meshes++ == 0) line = s.line;
          if (!link.inertial.given || link.inertial.mass <= 0) continue;
          ++weighed;
          ignored += distance(*entry, Mat3::Identity(), s, link.inertial.origin.xyz);
          obeyed += distance(*entry, turnToZUp(entry->upAxis), s, link.inertial.origin.xyz);
        }
    if (meshes == 0) return;
    using UpAxis = UrdfOptions::UpAxis;
    turn_ = options_.upAxis == UpAxis::Turn || (options_.upAxis == UpAxis::Auto && obeyed < 0.8 * ignored);
    auto mean = [&](double sum) { return formatNumber(weighed > 0 ? std::round(100 * sum / weighed) / 100 : 0); };
    report_.info("urdf.mesh.up-axis", line, "robot",
                 std::to_string(meshes) +
                     " meshes state another up axis than z, which some readers apply and others do not; centres of mass lie " +
                     mean(ignored) + " mesh sizes from the middles of the meshes as in the file, " + mean(obeyed) +
                     " when turned; they are " + (turn_ ? "turned to Z up" : "used as in the file"));
  }

  // Where meshes were looked for: the folders once, then every path of each.
  void reportSearch() {
    std::vector<std::string> folders;
    for (const auto& [uri, line] : missing_)
      for (const std::string& folder : resolved(uri).folders)
        if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
    if (folders.empty()) return;
    report_.info("urdf.mesh.folders", missing_.begin()->second, "robot",
                 "meshes that were not found (" + std::to_string(missing_.size()) + ") were looked for under " + listed(folders));
    for (const auto& [uri, line] : missing_)
      if (const std::vector<std::string>& tried = resolved(uri).tried; !tried.empty())
        report_.info("urdf.mesh.looked-at", line, "robot", "mesh '" + uri + "' was looked for at " + listed(tried));
  }

  void reportHulls() {
    if (reduced_ > 0)
      report_.info("urdf.mesh.hull-reduced", firstReduced_, "robot",
                   "the convex hulls of " + std::to_string(reduced_) + " meshes were reduced to " + std::to_string(kHullVertices) +
                       " vertices; the farthest vertex left out lies " + formatNumber(std::round(worstError_ * 1e6) / 1e3) + " mm outside");
  }

 private:
  static std::string listed(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + text;
    return list;
  }
  ResolvedMesh& resolved(const std::string& uri) {
    auto [at, fresh] = resolved_.try_emplace(uri);
    if (fresh) at->second = resolveMeshPath(uri, urdfPath_, options_);
    return at->second;
  }

  // The mesh of a shape if it is a DAE whose up axis is not z.
  const MeshCache::Entry* turnable(const UrdfShape& s) {
    if (s.geometry.kind != UrdfGeometry::Kind::Mesh || !options_.loadMeshes) return nullptr;
    const std::string& path = resolved(s.geometry.filename).path;
    if (path.empty() || colladaUpAxis(path) == 0 || colladaUpAxis(path) == 'Z') return nullptr;
    const MeshCache::Entry& entry = meshes_.get(path);
    return entry.problem.empty() ? &entry : nullptr;
  }

  static double distance(const MeshCache::Entry& entry, const Mat3& turn, const UrdfShape& s, const Vec3& com) {
    Eigen::AlignedBox3d box;
    Pose pose = s.origin.pose();
    for (const MeshPart& part : entry.parts)
      for (const Vec3& v : part.mesh->vertices) box.extend(pose * (turn * v).cwiseProduct(s.geometry.scale));
    return (box.center() - com).norm() / std::max(box.diagonal().norm(), 1e-9);
  }

  // Null: the mesh cannot be loaded, which is reported.
  const MeshCache::Entry* mesh(const UrdfShape& s) {
    std::string where = s.element + "/geometry/mesh";
    if (!options_.loadMeshes) {
      report_.tally("urdf.mesh.skipped", "", s.line, "meshes are not loaded, as the caller asked; shapes made of them are left out");
      return nullptr;
    }
    const ResolvedMesh& found = resolved(s.geometry.filename);
    if (found.path.empty()) {
      report_.repair("urdf.mesh.not-found", s.line, where, "mesh '" + s.geometry.filename + "' was not found", "the shape is left out",
                     "give a mesh root, set ROS_PACKAGE_PATH, or correct the path");
      missing_.try_emplace(s.geometry.filename, s.line);
      return nullptr;
    }
    if (found.guessed) {
      std::size_t slash = s.geometry.filename.rfind('/');
      report_.tally("urdf.mesh.guessed", s.geometry.filename.substr(0, s.geometry.filename.find('/', 12)), s.line,
                    "mesh '" + s.geometry.filename.substr(slash == std::string::npos ? 0 : slash + 1) + "' is not where '" +
                        s.geometry.filename + "' says, but at " + found.path + ", found by the end of its path");
    }
    const MeshCache::Entry& entry = meshes_.get(found.path, turn_);
    if (!entry.problem.empty()) {
      report_.repair("urdf.mesh.unreadable", s.line, where, found.path + ": " + entry.problem, "the shape is left out",
                     "export the mesh again");
      return nullptr;
    }
    return &entry;
  }

  void visual(const UrdfShape& s, figure::LinkDescription& to) {
    bool coloured = s.hasColour;
    float rgba[4];
    std::memcpy(rgba, s.rgba, sizeof rgba);
    if (!s.material.empty()) {
      auto at = robot_.materials.find(s.material);
      if (at == robot_.materials.end()) {
        report_.repair("urdf.material.unknown", s.materialLine, s.element + "/material", "material '" + s.material + "' is not defined",
                       "the default colour is used", "add <material name=\"" + s.material + "\"><color rgba=.../></material>");
      } else {
        if (!at->second.global && at->second.line > s.materialLine)
          report_.tally("urdf.material.later", s.material, s.materialLine,
                        "material '" + s.material + "' is used before it is defined; some readers refuse that");
        coloured = at->second.hasColour;
        std::memcpy(rgba, at->second.rgba, sizeof rgba);
      }
    }
    geometry::Visual v;
    v.name = s.name;
    v.local = s.origin.pose();
    if (coloured) std::memcpy(v.rgba, rgba, sizeof rgba);
    if (s.geometry.kind != UrdfGeometry::Kind::Mesh) {
      v.geometry = primitive(s.geometry);
      to.visuals.push_back(std::move(v));
      return;
    }
    const MeshCache::Entry* entry = mesh(s);
    if (entry == nullptr) return;
    for (const MeshPart& part : entry->parts) {
      geometry::Visual piece = v;
      if (entry->parts.size() > 1 && !part.name.empty()) piece.name += (v.name.empty() ? "" : "/") + part.name;
      piece.geometry.type = geometry::ShapeType::Mesh;
      piece.geometry.mesh = scaled(part.mesh, s.geometry.scale);
      if (!coloured && part.hasColour) std::memcpy(piece.rgba, part.rgba, sizeof piece.rgba);
      to.visuals.push_back(std::move(piece));
    }
  }

  std::shared_ptr<const geometry::TriangleMesh> scaled(const std::shared_ptr<const geometry::TriangleMesh>& m, const Vec3& scale) {
    auto& slot = scaled_[{m.get(), scale.x(), scale.y(), scale.z()}];
    if (slot == nullptr) slot = scaledMesh(m, scale);
    return slot;
  }

  void collision(const UrdfShape& s, const geometry::Surface& surface, figure::LinkDescription& to) {
    geometry::Shape shape;
    shape.name = s.name;
    shape.local = s.origin.pose();
    shape.surface = surface;
    if (s.geometry.kind != UrdfGeometry::Kind::Mesh) {
      shape.geometry = primitive(s.geometry);
    } else {
      const MeshCache::Entry* entry = mesh(s);
      if (entry == nullptr) return;
      if (!meshGeometry(*entry, s, shape)) return;
    }
    to.shapes.push_back(std::move(shape));
  }

  bool meshGeometry(const MeshCache::Entry& entry, const UrdfShape& s, geometry::Shape& shape) {
    if (!options_.convexHulls) {
      auto whole = std::make_shared<geometry::TriangleMesh>();
      for (const MeshPart& part : entry.parts) {
        auto piece = scaled(part.mesh, s.geometry.scale);
        int base = static_cast<int>(whole->vertices.size());
        whole->vertices.insert(whole->vertices.end(), piece->vertices.begin(), piece->vertices.end());
        for (const Eigen::Vector3i& t : piece->triangles) whole->triangles.push_back(t.array() + base);
      }
      shape.geometry.type = geometry::ShapeType::Mesh;
      shape.geometry.mesh = std::move(whole);
      return true;
    }
    Hull& hull = hulls_[{&entry, s.geometry.scale.x(), s.geometry.scale.y(), s.geometry.scale.z()}];
    if (!hull.made) makeHull(entry, s, hull);
    if (hull.geometry.type == geometry::ShapeType::Box)
      report_.warning("urdf.mesh.flat", s.line, s.element + "/geometry/mesh",
                      "mesh '" + s.geometry.filename + "' has no convex hull (" + hull.problem +
                          "); its bounding box is used for collision, at least 1 mm thick");
    else
      report_.tally("urdf.mesh.hull", "", s.line, "collision meshes are used as their convex hulls");
    shape.geometry = hull.geometry;
    shape.local = shape.local * hull.local;
    return true;
  }

  struct Hull {
    bool made = false;
    geometry::Geometry geometry;
    Pose local;
    std::string problem;
  };

  void makeHull(const MeshCache::Entry& entry, const UrdfShape& s, Hull& out) {
    std::vector<Vec3> points;
    for (const MeshPart& part : entry.parts)
      for (const Vec3& v : part.mesh->vertices) points.push_back(v.cwiseProduct(s.geometry.scale));
    out.made = true;
    CollisionHull made;
    out.problem = makeCollisionHull(points, made);
    if (out.problem.empty()) {
      if (made.error > 0) {
        if (reduced_++ == 0) firstReduced_ = s.line;
        worstError_ = std::max(worstError_, made.error);
      }
      out.geometry.type = geometry::ShapeType::Convex;
      out.geometry.hull = std::make_shared<const geometry::ConvexHull>(std::move(made.hull));
      return;
    }
    Eigen::AlignedBox3d box;
    for (const Vec3& p : points) box.extend(p);
    out.geometry.type = geometry::ShapeType::Box;
    out.geometry.size = (0.5 * box.sizes()).cwiseMax(0.0005);
    out.local.p = box.center();
  }

  const UrdfRobot& robot_;
  const UrdfOptions& options_;
  std::string urdfPath_;
  UrdfReport& report_;
  MeshCache meshes_;
  std::map<std::string, ResolvedMesh> resolved_;
  std::map<std::string, int> missing_;  // mesh files that were not found, with the line of the first shape
  using ScaleKey = std::tuple<const void*, double, double, double>;
  std::map<ScaleKey, std::shared_ptr<const geometry::TriangleMesh>> scaled_;
  std::map<ScaleKey, Hull> hulls_;
  bool turn_ = false;
  int reduced_ = 0, firstReduced_ = 0;
  double worstError_ = 0;
};

void buildJoint(const UrdfJoint& from, UrdfReport& report, figure::JointDescription& to) {
  to.name = from.name;
  to.type = from.type;
  to.parent = from.parent;
  to.child = from.child;
  to.inParent = from.origin.pose() * from.held;
  to.axis = from.axis;
  to.mimic = from.mimic;
  to.loop = from.loop;
  to.hasSafety = from.hasSafety;
  to.safetyLower = from.safetyLower;
  to.safetyUpper = from.safetyUpper;
  to.safetyKPosition = from.safetyKPosition;
  to.safetyKVelocity = from.safetyKVelocity;
  int n = dynamics::jointNv(from.type);
  for (int a = 0; a < n; ++a) {
    dynamics::AxisParameters& axis = to.axes[a];
    if (n == 1) {
      axis.lower = from.lower;
      axis.upper = from.upper;
    }
    axis.velocity = from.velocity;
    axis.effort = from.effort;
    axis.damping = from.damping;
    axis.friction = from.friction;
  }
  if (n > 1 && (from.damping > 0 || from.friction > 0))
    report.info("urdf.dynamics.all-axes", from.line, quoted("joint", from.name),
                std::string("damping and friction act on each axis of the ") + dynamics::jointTypeName(from.type) + " joint");
}

}  // namespace

void buildSkeleton(const UrdfRobot& robot, const UrdfOptions& options, const std::string& urdfPath, UrdfReport& report,
                   figure::Skeleton& out) {
  out.name = robot.name;
  out.root = robot.root;
  const UrdfLink& root = robot.links[robot.root];
  bool weightless = root.inertial.given && root.inertial.mass == 0;
  if (weightless)
    report.info("urdf.root.weightless", root.inertial.line, quoted("link", root.name) + "/inertial",
                "the root's mass is written as 0, which Bullet reads as a fixed base; so does vertebra unless the caller asks for another");
  out.floatingByDefault = root.name != "world" && !weightless;
  out.links.resize(robot.links.size());
  out.joints.resize(robot.joints.size());
  SkeletonConverter builder(robot, options, urdfPath, report);
  builder.chooseUpAxis();
  for (std::size_t i = 0; i < robot.links.size(); ++i) builder.link(robot.links[i], out.links[i]);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) buildJoint(robot.joints[i], report, out.joints[i]);
  builder.reportSearch();
  builder.reportHulls();
}

void addNeighbourPairs(const UrdfRobot& robot, UrdfReport& report, figure::Skeleton& out) {
  constexpr std::size_t kMostPairs = 1000000;
  std::set<std::pair<int, int>> pairs;
  auto add = [&](int a, int b) {
    if (a != b && pairs.size() < kMostPairs) pairs.insert({std::min(a, b), std::max(a, b)});
  };
  for (const UrdfJoint& j : robot.joints) add(j.parent, j.child);
  std::vector<int> cluster = rigidClusters(robot);
  std::map<int, std::vector<int>> members;  // links with shapes
  for (std::size_t i = 0; i < out.links.size(); ++i)
    if (!out.links[i].shapes.empty()) members[cluster[i]].push_back(static_cast<int>(i));
  auto addAll = [&](const std::vector<int>& a, const std::vector<int>& b) {
    for (std::size_t i = 0; i < a.size() && pairs.size() < kMostPairs; ++i)
      for (std::size_t k = 0; k < b.size() && pairs.size() < kMostPairs; ++k) add(a[i], b[k]);
  };
  for (const auto& [c, links] : members) addAll(links, links);
  for (const UrdfJoint& j : robot.joints) {
    auto a = members.find(cluster[j.parent]), b = members.find(cluster[j.child]);
    if (a != members.end() && b != members.end() && j.type != dynamics::JointType::Fixed) addAll(a->second, b->second);
  }
  if (pairs.size() >= kMostPairs)
    report.warning(
        "urdf.pairs.too-many", robot.line, "robot",
        "more than a million pairs of neighbouring links; the rest is left to collide; to mend: join shapes of rigid groups into one link");
  out.uncollidable.assign(pairs.begin(), pairs.end());
}

}  // namespace vertebra
