// Continuous collision before bodies move: whether any is fast, and the impacts of those that were set in motion since the last step.
#include <algorithm>

#include "engine/collision/contacts.hpp"
#include "engine/collision/continuous.hpp"
#include "engine/constraints/island_rows.hpp"
#include "engine/islands/islands.hpp"
#include "engine/steppers/loops.hpp"
#include "engine/steppers/multirate.hpp"
#include "engine/steppers/part_means.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/steppers/told_contacts.hpp"
#include "engine/steppers/undo.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

using collision::Foresight;

bool isFast(const WorldData& w, const TreeRuntime& t, const Foresight& foresight) {
  if (t.asleep || t.immobile) return false;
  for (int i = t.first; i < t.first + t.tree.count; i++)
    if (collision::isFast(w, w.links[i].body, foresight)) return true;
  return false;
}

// Whether a body that was set in motion since the last step may meet another before the next search for contacts.
bool launched(WorldData& w, double h) {
  const Foresight foresight{h, Foresight::From::Now};
  if (anyTree(w, [&](TreeRuntime& t) { return t.fresh && isFast(w, t, foresight); })) return true;
  return std::any_of(w.prescribed.begin(), w.prescribed.end(),
                     [&](int body) { return w.bodies[body].launched && collision::isFast(w, body, foresight); });
}

// Masses and armatures alone resist the impacts of now: stiffened links and implicit fields that the last step left are no part of the
// state.
void resistByMass(WorldData& w, TreeRuntime& t) {
  trees::setArmature(w, t);
  t.slender = t.pulled = false;
  w.model[t.first].lone = t.freeRoot && t.tree.count == 1;
}

}  // namespace

bool anyFast(WorldData& w, const Foresight& foresight) {
  if (anyTree(w, [&](TreeRuntime& t) { return isFast(w, t, foresight); })) return true;
  return std::any_of(w.prescribed.begin(), w.prescribed.end(), [&](int body) { return collision::isFast(w, body, foresight); });
}

Failure strikeLaunched(WorldData& w, double h) {
  if (!launched(w, h)) return {};
  keepContacts(w);
  if (!w.divided.inParts) noteStart(w);
  for (TreeRuntime& t : w.trees) {
    t.sprung = false;  // by the last step; no spring acts in an instant
    if (!t.asleep && !t.immobile) trees::saveTree(w, t, true);
  }
  collision::collideAll(w, {h, Foresight::From::Now});
  if (w.speculative.empty()) return {};
  islands::buildIslands(w);
  for (int k = 0; k < w.islandCount; k++) {
    Island island = w.island(k);
    beginIsland(w, island, w.islandTally);
    const auto end = std::remove_if(island.contacts.begin(), island.contacts.end(), [&](int c) { return w.contacts[c].speculative < 0; });
    island.contacts = island.contacts.first(end - island.contacts.begin());
    if (island.contacts.empty()) continue;
    trees::lendInertias(w, w.workspaces[0], island.trees);
    for (int ti : island.trees) {
      TreeRuntime& t = w.trees[ti];
      trees::momenta(w, t, h, false);
      resistByMass(w, t);
      if (t.hasAxisForces)
        for (int i = t.vFirst; i < t.vFirst + t.nv; i++) w.generalized[i] = w.extra[i] * w.v0[i];
      trees::updateGeometry(w, t);
      const int bad = trees::factorAndSolveTree(w, t);
      if (bad >= 0) return noFactor(w, t, bad);
      if (w.settings.energyAccount) std::copy_n(trees::coordinatesOf(w) + t.vFirst, t.nv, w.reference.begin() + t.vFirst);
      if (t.movingBase) trees::baseMotion(w, t);
    }
    constraints::IslandRows rows(w, w.workspaces[0], island, {h, h});
    constraints::SolvedRows solved = rows.buildContacts().solve();
    solved.shift();
    for (int ti : island.trees) trees::velocitiesOf(w, w.trees[ti]);
    solved.store();
    addTally(w, w.islandTally);
  }
  addTold(w.told, w, h);
  return {};
}

}  // namespace vertebra::steppers
