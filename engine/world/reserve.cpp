// World::reserve: memory for steps with a number of contacts, so that they take none. Each state reserves its own.
#include <algorithm>

#include "engine/state/stepper_traits.hpp"
#include "engine/steppers/loops.hpp"
#include "engine/steppers/part_means.hpp"
#include "engine/steppers/undo.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"
#include "engine/world/snapshot.hpp"
#include "engine/world/world.hpp"

namespace vertebra::world {
namespace {

Sizes sizesOf(const WorldData& w, std::size_t contacts) {
  constexpr std::size_t kRowsOfContact = 6, kLimitsOfJoint = 24, kShortestPath = 12, kRowsOfAuxiliary = 6;
  Sizes n;
  n.bodies = w.bodies.size();
  n.shapes = w.shapes.size();
  n.joints = w.joints.size();
  n.couplings = w.couplings.size();
  n.constraints = w.constraints.size();
  n.trees = w.trees.size();
  n.links = w.links.size();
  n.coordinates = w.q.size();
  n.velocities = w.v.size();
  n.longestTree = static_cast<std::size_t>(w.longestTree);
  n.longestPath = kShortestPath;
  for (const TreeRuntime& t : w.trees) n.longestPath = std::max(n.longestPath, 2 * static_cast<std::size_t>(t.nv));
  n.auxiliaryJoints = w.auxiliaryJoints.size();
  n.limits =
      kLimitsOfJoint * static_cast<std::size_t>(std::count_if(w.joints.begin(), w.joints.end(), [](const auto& j) { return j.alive; }));
  n.contacts = contacts;
  n.rows = kRowsOfContact * contacts + n.limits;
  n.bilateral = n.couplings + kRowsOfAuxiliary * n.auxiliaryJoints;
  for (const CouplingSlot& c : w.couplings) n.parts = std::max(n.parts, 2 * c.def.terms.size());
  for (const UserConstraintSlot& c : w.constraints) {
    n.bilateral += c.rows.size();
    n.parts = std::max(n.parts, c.def.bodies.size() + 2 * c.def.joints.size());
  }
  n.workers = static_cast<std::size_t>(w.threads());
  n.twisted = w.anyTwist;
  return n;
}

// Of a step that is made again in parts: the world before it, as bytes.
void reserveDivided(WorldData& w, std::size_t contacts) {
  constexpr std::size_t kActing = 24 * sizeof(double), kAxis = 9 * sizeof(double);  // joints between bodies, once forces act in them
  constexpr std::size_t kStart = 3 * sizeof(int) + 6 * sizeof(double) + 1;          // a contact of the memory
  steppers::reserveParts(w, contacts);
  saveState(w, w.divided.state);
  std::size_t more = contacts * kStart;
  for (int id : w.auxiliaryJoints) more += kActing + static_cast<std::size_t>(w.joints[id].nv) * kAxis;
  w.divided.state.reserve(w.divided.state.size() + more);
}

}  // namespace

Failure World::reserve(int contacts) {
  WorldData& w = *data_;
  if (Failure f = trees::updateTopology(w)) return f;
  const Sizes sizes = sizesOf(w, static_cast<std::size_t>(contacts));
  w.SteppingState::reserve(sizes);
  w.CollisionState::reserve(sizes);
  w.IslandState::reserve(sizes);
  w.pieceStart.reserve(sizes.contacts / 16 + 2);
  steppers::reserveLoops(w);
  for (RowWorkspace& work : w.workspaces) work.reserve(sizes, w.settings.solver);
  trees::reserve(w);
  w.ignoredPairs.prepare();
  w.particleBodies.reserve(sizes.bodies);
  if (std::any_of(w.fields.begin(), w.fields.end(), [](const FieldSlot& f) { return f.alive; }))
    for (BodySlot& b : w.bodies) b.applied.make();
  w.mildSprings.reserve(w.auxiliaryJoints.size());
  for (int id : w.auxiliaryJoints)
    for (int body : {w.joints[id].a, w.joints[id].b})
      if (body >= 0 && w.joints[id].def->constraint == ConstraintType::Distance) w.bodies[body].applied.make();
  w.displacement.reserve(sizes);
  if (const auto reserve = traitsOf(w.settings.stepper).reserve) reserve(w, sizes.contacts);
  steppers::reserveUndo(w);
  if (w.settings.adaptiveSubsteps > 1) reserveDivided(w, sizes.contacts);
  return {};
}

}  // namespace vertebra::world
