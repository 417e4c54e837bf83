// World: shapes. See world.hpp.
#include <algorithm>

#include "engine/geometry/shapes/shapes.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"
#include "engine/world/edits.hpp"
#include "engine/world/world.hpp"

namespace vertebra::world {
namespace {

bool twists(const geometry::Surface& s) { return s.torsionalFriction > 0 || s.rollingFriction > 0; }

}  // namespace

Failure World::createShape(int body, const geometry::Shape& shape, int parent, int& id) {
  WorldData& w = *data_;
  const geometry::ShapeType type = shape.geometry.type;
  const geometry::ShapeTraits& traits = geometry::traitsOf(type);
  if (body >= 0 && w.bodies[body].kind == BodyKind::Dynamic && !traits.moves)
    return {Failure::Unsupported, std::string("a ") + traits.name + " is for static and kinematic bodies and the world"};
  if (parent >= 0 &&
      (!shapeAlive(parent) || w.shapes[parent].body != body || w.shapes[parent].def->geometry.type != geometry::ShapeType::Compound))
    return {Failure::Argument, "the parent must be a compound shape of the same body"};
  if (std::string lacks = traits.incomplete(shape.geometry); !lacks.empty()) return {Failure::Argument, lacks};
  wakeAll();
  NewSlot slot(w.shapes, w.firstFreeShape);
  ShapeSlot& s = *slot;
  s = ShapeSlot();
  s.alive = true;
  s.body = body;
  s.parent = parent;
  ShapePlace place;
  place.local = {shape.local.p, unit(shape.local.q)};
  s.place = w.shapePlaces.keep(place);
  ShapeConstants c;
  c.geometry = shape.geometry;
  c.surface = shape.surface;
  w.anyTwist |= twists(shape.surface);
  c.category = shape.category;
  c.mask = shape.mask;
  std::copy_n(shape.rgba, 4, c.rgba.begin());
  s.def = w.shapeConstants.keep(std::move(c), [](ShapeConstants& made) {
    if (made.geometry.mesh) made.bvh = std::make_shared<geometry::MeshBvh>(*made.geometry.mesh);
    made.localBox = geometry::bounds(made.geometry, Pose(), 0);
    made.inner = geometry::innerRadius(made.geometry);
  });
  id = slot.at();
  if (body >= 0) {
    int* end = &w.bodies[body].firstShape;
    while (*end >= 0) end = &w.shapes[*end].nextShape;
    *end = id;
    try {
      trees::updateShapeFrames(w, body);
    } catch (...) {  // memory
      *end = -1;
      throw;
    }
  }
  slot.keep();
  w.broad.forget();
  return {};
}

void World::destroyShape(int shape) {
  WorldData& w = *data_;
  wakeAll();
  Destroyed gone;
  std::vector<int> queue{shape};
  while (!queue.empty()) {
    const int id = queue.back();
    queue.pop_back();
    const int body = w.shapes[id].body;
    const auto queueParts = [&](int i) {
      if (w.shapes[i].alive && w.shapes[i].parent == id) queue.push_back(i);
    };
    if (w.shapes[id].def->geometry.type == geometry::ShapeType::Compound && body < 0)
      for (std::size_t i = 0; i < w.shapes.size(); i++) queueParts(static_cast<int>(i));
    if (body >= 0) {
      for (int i : ShapesOf(w, body)) queueParts(i);
      int* at = &w.bodies[body].firstShape;
      while (*at != id) at = &w.shapes[*at].nextShape;
      *at = w.shapes[id].nextShape;
    }
    w.shapes[id] = ShapeSlot();
    w.firstFreeShape = std::min<std::size_t>(w.firstFreeShape, id);
    gone.shapes.push_back(id);
  }
  w.destroyed = std::move(gone);
}

bool World::shapeAlive(int shape) const {
  return shape >= 0 && shape < static_cast<int>(data_->shapes.size()) && data_->shapes[shape].alive;
}
int World::shapeBody(int shape) const { return data_->shapes[shape].body; }
geometry::Shape World::shape(int shape) const {
  const ShapeSlot& s = data_->shapes[shape];
  geometry::Shape out;
  out.geometry = s.def->geometry;
  out.local = s.place->local;
  out.parent = s.parent;
  out.surface = s.def->surface;
  out.category = s.def->category;
  out.mask = s.def->mask;
  std::copy(s.def->rgba.begin(), s.def->rgba.end(), out.rgba);
  return out;
}
Pose World::shapeInBody(int shape) const { return poseInBody(*data_, data_->shapes[shape]); }
Failure World::setShapePose(int shape, const Pose& pose) {
  WorldData& w = *data_;
  wakeAll();
  ShapeSlot& s = w.shapes[shape];
  ShapePlace place = *s.place;
  place.local = {pose.p, unit(pose.q)};
  const Shared<ShapePlace> before = std::exchange(s.place, w.shapePlaces.keep(place));
  try {
    if (s.body >= 0) trees::updateShapeFrames(w, s.body);
  } catch (...) {  // memory
    s.place = before;
    throw;
  }
  return {};
}
namespace {
template <class Change>
void changeShape(WorldData& w, int shape, Change&& change) {
  ShapeConstants c = *w.shapes[shape].def;
  change(c);
  w.shapes[shape].def = w.shapeConstants.keep(std::move(c));
}
}  // namespace
void World::setShapeSurface(int shape, const geometry::Surface& surface) {
  data_->anyTwist |= twists(surface);
  changeShape(*data_, shape, [&](ShapeConstants& c) { c.surface = surface; });
  wakeAll();  // what stuck may slide
}
void World::setShapeFilter(int shape, std::uint32_t category, std::uint32_t mask) {
  changeShape(*data_, shape, [&](ShapeConstants& c) {
    c.category = category;
    c.mask = mask;
  });
  data_->broad.forget();
  wakeAll();
}
void World::setPairCollides(int a, int b, bool collides) {
  data_->ignoredPairs.set(a, b, !collides);
  data_->broad.forget();
  wakeAll();
}

}  // namespace vertebra::world
