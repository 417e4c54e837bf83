// From a world to a scene; see world_view.hpp.
#include "viewer/world_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include <osg/Quat>

#include "viewer/include/vertebra_view.h"

namespace vertebra::viewer {

namespace {

// Colours for what has none of its own: figures, then bodies, in turn.
constexpr Colour kFigures[] = {{0.87f, 0.55f, 0.28f}, {0.40f, 0.54f, 0.76f}, {0.45f, 0.66f, 0.45f}, {0.72f, 0.50f, 0.68f}};
constexpr Colour kBodies[] = {{0.80f, 0.43f, 0.36f}, {0.38f, 0.55f, 0.72f}, {0.88f, 0.71f, 0.38f},
                              {0.47f, 0.65f, 0.50f}, {0.62f, 0.50f, 0.70f}, {0.36f, 0.62f, 0.64f}};
constexpr Colour kSkin{0.82f, 0.66f, 0.54f};
constexpr Colour kFixed{0.66f, 0.66f, 0.68f};
constexpr float kDefaultGrey = 0.7f;  // of vtb_shape_def and of visuals without material

struct SkeletonOwner {
  vtb_skeleton* skeleton = nullptr;
  ~SkeletonOwner() { vtb_skeleton_release(skeleton); }
};

bool isDefault(const float* rgba) {
  return std::all_of(rgba, rgba + 3, [](float x) { return std::fabs(x - kDefaultGrey) < 1e-4f; });
}

Box boxOf(const std::vector<double>& vertices) {
  Box box;
  for (std::size_t i = 0; i + 2 < vertices.size(); i += 3) box.add({vertices[i], vertices[i + 1], vertices[i + 2]});
  return box;
}

std::uint64_t visualKey(vtb_figure figure, std::uint32_t number) { return figure.bits * 0x9E3779B97F4A7C15ull + number; }

// Poses of a shape and of the compounds that it is in, summed, so that any change is noticed.
void placeOf(const vtb_world* world, vtb_shape shape, double pose[7]) {
  check(vtb_shape_get_pose(world, shape, pose));
  auto def = vtb_shape_def{};
  def.struct_size = sizeof def;
  check(vtb_shape_get_def(world, shape, &def));
  if (def.parent.bits == 0) return;
  double outer[7];
  placeOf(world, def.parent, outer);
  check(vtb_pose_multiply(outer, pose, pose));
}

}  // namespace

void WorldView::push(const vtb_world* world, std::uint32_t shown, const Soup& more) {
  readBodies(world);
  readFigures(world);
  readShapes(world);
  readStandIns(world);
  readParticles(world);
  wearSkins(world, (shown & VTB_VIEW_SKIN) && !(shown & VTB_VIEW_COLLISION));
  place(shown);
  scene_.setShadows((shown & VTB_VIEW_SHADOWS) != 0);
  scene_.setGround((shown & VTB_VIEW_GROUND) != 0, groundHeight_);
  Soup marks = more;
  drawMarks(world, shown, bodies_, index_, marks);
  if (shown & VTB_VIEW_PATHS) {
    double time = 0;
    check(vtb_world_get_time(world, &time));
    paths_.push(time, bodies_, groupsOf(bodies_));
    paths_.draw(marks);
  } else {
    paths_.clear();
  }
  scene_.setMarks(marks);
}

int WorldView::pick(const osg::Vec3d& origin, const osg::Vec3d& direction, double& distance) const {
  int body = -1;
  double nearest = 1e300;
  for (const auto* parts : {&shapes_, &visuals_, &standIns_})
    for (const auto& [key, part] : *parts) {
      if (part.scene < 0) continue;
      const double met = scene_.meet(part.scene, origin, direction, part.underSkin);
      if (met >= nearest) continue;
      nearest = met;
      body = part.body;
    }
  distance = nearest;
  return body;
}

void WorldView::readBodies(const vtb_world* world) {
  const auto handles =
      listed<vtb_body>([&](vtb_body* out, std::size_t n, std::size_t* total) { return vtb_world_get_bodies(world, out, n, total); });
  std::vector<double> poses(7 * handles.size());
  std::size_t total = 0;
  if (!handles.empty()) check(vtb_world_get_poses(world, poses.data(), handles.size(), 0, &total));
  bodies_.assign(handles.size(), {});
  index_.clear();
  for (std::size_t i = 0; i < handles.size(); i++) {
    ShownBody& body = bodies_[i];
    body.handle = handles[i];
    std::copy_n(&poses[7 * i], 7, body.pose);
    vtb_body_kind kind;
    check(vtb_body_get_kind(world, handles[i], &kind));
    body.moving = kind != VTB_BODY_KIND_STATIC;
    double inertia[6];
    if (kind == VTB_BODY_KIND_DYNAMIC) check(vtb_body_get_mass(world, handles[i], &body.mass, body.com, inertia));
    index_[handles[i].bits] = static_cast<int>(i);
  }
}

void WorldView::readFigures(const vtb_world* world) {
  const auto figures =
      listed<vtb_figure>([&](vtb_figure* out, std::size_t n, std::size_t* total) { return vtb_world_get_figures(world, out, n, total); });
  for (auto& [bits, figure] : figures_) figure.seen = false;
  for (std::size_t f = 0; f < figures.size(); f++) {
    std::vector<int> linked;
    int32_t links = 0, joints = 0, nq = 0, nv = 0;
    check(vtb_figure_get_size(world, figures[f], &links, &joints, &nq, &nv));
    for (int32_t link = 0; link < links; link++) {
      vtb_body body;
      check(vtb_figure_get_body(world, figures[f], link, &body));
      bodies_[static_cast<std::size_t>(index_.at(body.bits))].figure = static_cast<int>(f);
      linked.push_back(index_.at(body.bits));
    }
    const auto [entry, added] = figures_.try_emplace(figures[f].bits);
    entry->second.seen = true;
    entry->second.bodies = linked;
    if (added) addVisuals(world, figures[f], entry->second);
    for (int32_t link = 0; link < links && !entry->second.parts.empty(); link++) {  // bodies may stand elsewhere in the list now
      vtb_body body;
      check(vtb_figure_get_body(world, figures[f], link, &body));
      const auto part = visuals_.find(visualKey(figures[f], static_cast<std::uint32_t>(link)));
      if (part != visuals_.end()) part->second.body = index_.at(body.bits);
    }
  }
  for (auto i = figures_.begin(); i != figures_.end();) {
    if (i->second.seen) {
      ++i;
      continue;
    }
    if (i->second.skinPart >= 0) scene_.removePart(i->second.skinPart);
    for (const std::uint64_t key : i->second.parts) scene_.removePart(visuals_.at(key).scene), visuals_.erase(key);
    i = figures_.erase(i);
  }
}

namespace {

std::shared_ptr<Skin> skinOf(const vtb_world* world, vtb_figure figure, std::size_t links) {
  SkeletonOwner owner;
  check(vtb_figure_get_skeleton(world, figure, &owner.skeleton));
  vtb_workspace* workspace = nullptr;
  check(vtb_workspace_create(owner.skeleton, VTB_BASE_FIXED, 0, &workspace));
  const std::shared_ptr<vtb_workspace> kept(workspace, vtb_workspace_destroy);
  int32_t nq = 0, nv = 0;
  check(vtb_workspace_get_size(workspace, &nq, &nv));
  std::vector<double> q(static_cast<std::size_t>(nq) + 1), poses(7 * links);
  check(vtb_workspace_neutral(workspace, q.data()));
  std::size_t total = 0;
  check(vtb_dynamics_poses(workspace, q.data(), poses.data(), links, 0, &total));
  return std::make_shared<Skin>(owner.skeleton, poses);
}

}  // namespace

void WorldView::wearSkins(const vtb_world* world, bool worn) {
  for (auto& [bits, figure] : figures_) {
    if (worn && !figure.skin) {
      figure.skin = skinOf(world, {bits}, figure.bodies.size());
      if (!figure.skin->triangles().empty()) figure.skinPart = scene_.addPart();
    }
    if (figure.skinPart < 0) continue;
    scene_.setShown(figure.skinPart, worn);
    if (!worn) continue;
    std::vector<double> poses;
    for (const int body : figure.bodies) {
      const double* pose = bodies_[static_cast<std::size_t>(body)].pose;
      poses.insert(poses.end(), pose, pose + 7);
    }
    scene_.setSkin(figure.skinPart, *figure.skin, poses, kSkin);
  }
}

// One part for each link that has visuals.
void WorldView::addVisuals(const vtb_world* world, vtb_figure figure, Figure& entry) {
  SkeletonOwner owner;
  check(vtb_figure_get_skeleton(world, figure, &owner.skeleton));
  vtb_skeleton_info info{};
  info.struct_size = sizeof info;
  check(vtb_skeleton_get_info(owner.skeleton, &info));
  for (int32_t i = 0; i < info.visuals; i++) {
    vtb_visual_info visual{};
    visual.struct_size = sizeof visual;
    check(vtb_skeleton_get_visual(owner.skeleton, 0, i, &visual));
    std::vector<double> vertices(3 * std::size_t{visual.vertices});
    std::vector<std::uint32_t> triangles(3 * std::size_t{visual.triangles});
    check(vtb_skeleton_get_visual_mesh(owner.skeleton, 0, i, vertices.data(), visual.vertices, triangles.data(), visual.triangles));
    const auto [part, added] = visuals_.try_emplace(visualKey(figure, static_cast<std::uint32_t>(visual.link)));
    if (added) {
      part->second.scene = scene_.addPart();
      entry.parts.push_back(part->first);
    }
    scene_.addTriangles(part->second.scene, vertices, triangles, {visual.rgba[0], visual.rgba[1], visual.rgba[2], visual.rgba[3]});
    const Box box = boxOf(vertices);
    for (int c = 0; c < 8 && box.valid(); c++) part->second.box.add(box.corner(c));
  }
}

void WorldView::readShapes(const vtb_world* world) {
  const auto shapes =
      listed<vtb_shape>([&](vtb_shape* out, std::size_t n, std::size_t* total) { return vtb_world_get_shapes(world, out, n, total); });
  for (auto& [bits, part] : shapes_) part.seen = false;
  hasGround_ = false;
  double terrain = 0;  // lowest point of height fields
  for (const vtb_shape shape : shapes) {
    double pose[7];
    placeOf(world, shape, pose);
    const auto [entry, added] = shapes_.try_emplace(shape.bits);
    Part& part = entry->second;
    vtb_body body;
    check(vtb_shape_get_body(world, shape, &body));
    const auto carrier = index_.find(body.bits);
    part.body = carrier == index_.end() ? -1 : carrier->second;
    if (!added && std::memcmp(pose, part.pose, sizeof pose) != 0 && part.scene >= 0) {
      scene_.removePart(part.scene);
      part.scene = -1;
    }
    if (added || std::memcmp(pose, part.pose, sizeof pose) != 0) {
      std::copy_n(pose, 7, part.pose);
      addShape(world, shape, part);
    }
    part.seen = true;
    vtb_shape_def def{};
    def.struct_size = sizeof def;
    check(vtb_shape_get_def(world, shape, &def));
    if (def.type != VTB_SHAPE_TYPE_PLANE && def.type != VTB_SHAPE_TYPE_HEIGHTFIELD) continue;
    double placed[7];  // in the world
    static constexpr double kIdentity[7] = {0, 0, 0, 0, 0, 0, 1};
    check(vtb_pose_multiply(part.body < 0 ? kIdentity : bodies_[static_cast<std::size_t>(part.body)].pose, pose, placed));
    if (def.type == VTB_SHAPE_TYPE_HEIGHTFIELD) {  // its box has the shape's pose already
      for (int c = 0; c < 8 && part.box.valid(); c++)
        terrain = std::min(terrain,
                           applied(part.body < 0 ? kIdentity : bodies_[static_cast<std::size_t>(part.body)].pose, part.box.corner(c)).z());
      continue;
    }
    const osg::Vec3d up = applied(placed, {0, 0, 1}) - applied(placed, {0, 0, 0});
    if (up.z() < 1 - 1e-9) continue;
    groundHeight_ = hasGround_ ? std::max(groundHeight_, placed[2]) : placed[2];
    hasGround_ = true;
    if (part.scene >= 0) scene_.removePart(part.scene), part.scene = -1;  // it is the ground
  }
  if (!hasGround_) groundHeight_ = terrain;
  for (auto i = shapes_.begin(); i != shapes_.end();) {
    if (i->second.seen) {
      ++i;
      continue;
    }
    if (i->second.scene >= 0) scene_.removePart(i->second.scene);
    i = shapes_.erase(i);
  }
}

void WorldView::addShape(const vtb_world* world, vtb_shape shape, Part& part) {
  vtb_shape_def def{};
  def.struct_size = sizeof def;
  check(vtb_shape_get_def(world, shape, &def));
  part.box = {};
  std::size_t vertexCount = 0, triangleCount = 0;
  check(vtb_shape_get_mesh(world, shape, nullptr, 0, &vertexCount, nullptr, 0, &triangleCount));
  if (triangleCount == 0) return;
  std::vector<double> vertices(3 * vertexCount);
  std::vector<std::uint32_t> triangles(3 * triangleCount);
  check(vtb_shape_get_mesh(world, shape, vertices.data(), vertexCount, &vertexCount, triangles.data(), triangleCount, &triangleCount));
  part.scene = scene_.addPart();
  scene_.addTriangles(part.scene, vertices, triangles, colourOf(def.rgba, part.body));
  if (def.type != VTB_SHAPE_TYPE_PLANE) part.box = boxOf(vertices);
}

// Its own; what was left at the default gets one by its figure or body.
Colour WorldView::colourOf(const float* rgba, int body) const {
  if (!isDefault(rgba)) return {rgba[0], rgba[1], rgba[2], rgba[3]};
  Colour colour = kFixed;
  if (body >= 0 && bodies_[static_cast<std::size_t>(body)].figure >= 0)
    colour = kFigures[static_cast<std::size_t>(bodies_[static_cast<std::size_t>(body)].figure) % std::size(kFigures)];
  else if (body >= 0 && bodies_[static_cast<std::size_t>(body)].moving)
    colour = kBodies[static_cast<std::size_t>(body) % std::size(kBodies)];
  colour.a = rgba[3];
  return colour;
}

void WorldView::readParticles(const vtb_world* world) {
  const auto systems = listed<vtb_particles>(
      [&](vtb_particles* out, std::size_t n, std::size_t* total) { return vtb_world_get_particles(world, out, n, total); });
  Soup soup;
  particles_.clear();
  for (const vtb_particles system : systems) {
    const auto all = listed<vtb_particle>(
        [&](vtb_particle* out, std::size_t n, std::size_t* total) { return vtb_particles_get(world, system, out, n, 0, total); });
    for (const vtb_particle& p : all) {
      const osg::Vec3d centre(p.position[0], p.position[1], p.position[2]), reach(p.radius, p.radius, p.radius);
      soup.ball(centre, p.radius, {0.35f, 0.56f, 0.80f});
      Box box;
      box.add(centre - reach);
      box.add(centre + reach);
      particles_.push_back(box);
    }
  }
  scene_.setParticles(soup);
}

void WorldView::place(std::uint32_t shown) {
  static constexpr double kIdentity[7] = {0, 0, 0, 0, 0, 0, 1};
  const bool collision = (shown & VTB_VIEW_COLLISION) != 0;
  std::vector<bool> dressed(bodies_.size());  // bodies of figures that have visuals
  std::vector<bool> byFigure;
  for (const auto& [key, part] : visuals_) {
    const int figure = bodies_[static_cast<std::size_t>(part.body)].figure;
    byFigure.resize(std::max(byFigure.size(), static_cast<std::size_t>(figure) + 1));
    byFigure[static_cast<std::size_t>(figure)] = true;
  }
  for (std::size_t i = 0; i < bodies_.size(); i++) {
    const int figure = bodies_[i].figure;
    dressed[i] = figure >= 0 && static_cast<std::size_t>(figure) < byFigure.size() && byFigure[static_cast<std::size_t>(figure)];
  }
  std::vector<bool> skinned(bodies_.size());
  for (const auto& [bits, figure] : figures_)
    for (const int body : figure.bodies)
      skinned[static_cast<std::size_t>(body)] = (shown & VTB_VIEW_SKIN) && !collision && figure.skinPart >= 0;
  const auto put = [&](Part& part, bool visible) {
    ShownBody* body = part.body < 0 ? nullptr : &bodies_[static_cast<std::size_t>(part.body)];
    part.underSkin = visible && body && skinned[static_cast<std::size_t>(part.body)];
    if (visible && body)
      for (int c = 0; c < 8 && part.box.valid(); c++) body->box.add(part.box.corner(c));
    if (part.scene < 0) return;
    scene_.setPose(part.scene, body ? body->pose : kIdentity);
    scene_.setShown(part.scene, visible && !part.underSkin);
    const auto given = body ? given_.find(body->handle.bits) : given_.end();
    scene_.setColour(part.scene, given == given_.end() ? nullptr : &given->second);
  };
  for (auto& [bits, part] : shapes_) put(part, collision || part.body < 0 || !dressed[static_cast<std::size_t>(part.body)]);
  for (auto& [key, part] : visuals_) put(part, !collision);
  for (auto& [bits, part] : standIns_) put(part, true);
}

bool WorldView::setColour(vtb_body body, const Colour* colour) {
  const auto found = index_.find(body.bits);
  if (found == index_.end()) return false;
  if (colour)
    given_[body.bits] = *colour;
  else
    given_.erase(body.bits);
  for (auto* parts : {&shapes_, &visuals_, &standIns_})
    for (auto& [key, part] : *parts)
      if (part.body == found->second && part.scene >= 0) scene_.setColour(part.scene, colour);
  return true;
}

std::vector<WorldView::Drawn> WorldView::drawn() const {
  std::vector<Drawn> all;
  for (const auto* parts : {&shapes_, &visuals_, &standIns_})
    for (const auto& [key, part] : *parts)
      if (part.scene >= 0) all.push_back({part.scene, part.body, part.underSkin});
  return all;
}

std::vector<osg::Vec3d> WorldView::corners() const {
  std::vector<osg::Vec3d> all;
  const auto add = [&](const Box& box, const double* pose) {
    for (int c = 0; c < 8 && box.valid(); c++) all.push_back(pose ? applied(pose, box.corner(c)) : box.corner(c));
  };
  for (const ShownBody& body : bodies_)
    if (body.moving) add(body.box, body.pose);
  for (const Box& box : particles_) add(box, nullptr);
  if (!all.empty()) return all;
  for (const ShownBody& body : bodies_) add(body.box, body.pose);
  for (const auto& [bits, part] : shapes_)
    if (part.body < 0) add(part.box, nullptr);
  return all;
}

}  // namespace vertebra::viewer
