// Placing bodies by their joints' coordinates where they keep their own poses (free poses, stepper `displacement`). The world is treated as
// one of trees for that: a rebuild finds coordinates from poses and closes each joint along a spanning tree, coordinates are set there, and
// the bodies keep the resulting poses and velocities. Frames and units as in state/world_data.hpp.
#include "engine/state/stepper_traits.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {
namespace {

struct InTrees {  // joints are in trees until the end of the scope
  explicit InTrees(TreeWorld& world) : w(world) { w.jointsInTrees = true; }
  ~InTrees() {
    invalidateTopology(w);
    w.jointsInTrees = false;
  }
  TreeWorld& w;
};

}  // namespace

Failure placeInTrees(TreeWorld& w, const std::vector<int>& joints, Failure (*change)(TreeWorld& w, const void* what), const void* what) {
  if (Failure f = updateTopology(w)) return f;
  invalidateTopology(w);
  const std::vector<BodySlot> bodies = w.bodies;
  const std::vector<JointSlot> slots = w.joints;
  std::vector<char> placed;
  std::vector<int> treeOf;
  Failure failure;
  {
    const InTrees scope(w);
    failure = updateTopology(w);
    if (!failure) failure = change(w, what);
    placed.assign(w.trees.size(), 0);
    for (int j : joints)
      if (!failure && w.joints[j].link >= 0) placed[w.bodies[w.links[w.joints[j].link].body].tree] = 1;
    for (const BodySlot& b : w.bodies) treeOf.push_back(b.tree);
  }
  const auto isPlaced = [&](int body) { return body >= 0 && treeOf[body] >= 0 && placed[treeOf[body]]; };
  for (std::size_t i = 0; i < bodies.size(); i++)  // others are unchanged
    if (!isPlaced(static_cast<int>(i))) w.bodies[i] = bodies[i];
  for (std::size_t i = 0; i < slots.size(); i++)
    if (!isPlaced(slots[i].a) && !isPlaced(slots[i].b)) w.joints[i] = slots[i];
  if (!failure)
    for (std::size_t i = 0; i < w.bodies.size(); i++) w.bodies[i].asleep &= !isPlaced(static_cast<int>(i));
  Failure again = updateTopology(w);
  return failure ? std::move(failure) : std::move(again);
}

}  // namespace vertebra::trees
