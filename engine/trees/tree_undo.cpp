// Trees as they were before a step: see steppers/undo.hpp.
#include "engine/trees/changing_state.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::trees {
namespace {

template <class A>
void visitWhole(Archive<A>& v, TreeWorld& w, TreeRuntime& t) {
  visitTree(v, t);
  visitLinks(v, w, t);
  if (!t.hasAxisForces) return;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    if (!w.links[i].hasAxisForces) continue;
    JointSlot& j = w.joints[w.links[i].joint];
    for (int k = 0; k < j.nv; k++) visitAxis(v, j.axes[k]);
  }
}

}  // namespace

void keepTree(TreeWorld& w, int tree) {
  if (!w.kept.open) return;
  Keeper keeper{w.kept.bytes, w.kept.size};
  Archive<Keeper> v{keeper};
  v(tree);
  visitWhole(v, w, w.trees[tree]);
}

void restoreTree(TreeWorld& w, Archive<Reader>& v) {
  int tree = 0;
  v(tree);
  TreeRuntime& t = w.trees[tree];
  visitWhole(v, w, t);
  for (int i = t.first; i < t.first + t.tree.count; i++) w.bodies[w.links[i].body].asleep = t.asleep;
  standAgain(w, t);
}

// Velocities and twists of its bodies are kept beside the coordinates: they were computed during a solve, whose last bits differ.
void standAgain(TreeWorld& w, TreeRuntime& t) {
  placeBase(w, t);
  dynamics::updatePoses(t.tree, w.q.data());
  t.tree.O = t.tree.state[0].c;
  moveBase(w, t);
  dynamics::updateSubspaces(t.tree);
}

}  // namespace vertebra::trees
