// See fall_together.hpp. Bodies that press on each other in flight fall together: none of them is moved by gravity alone, all of them are.
// What falls no faster than half is taken for borne, and whatever presses on what is borne.
#include "engine/steppers/fall_together.hpp"

#include <algorithm>
#include <cmath>

#include "engine/steppers/whips.hpp"

namespace vertebra::steppers {

void noteFallTogether(WorldData& w, const Island& island, double h) {
  constexpr double kFalls = 0.5, kRounding = 1e-9;  // shares
  if (island.trees.size() == 1 || !island.joints.empty() || !island.couplings.empty() || !island.constraints.empty()) return;
  if (std::any_of(island.trees.begin(), island.trees.end(), [&](int ti) { return isPushed(w, w.trees[ti]); })) return;
  const double least = kFalls * h * w.settings.gravity.squaredNorm();
  int falling = 0;
  for (int ti : island.trees) {
    TreeRuntime& t = w.trees[ti];
    if (t.falls || !t.freeRoot || t.smooth || t.pulled) continue;
    if (t.tree.count == 1 && !((t.tree.state[0].v - w.links[t.first].startV).dot(w.settings.gravity) > least)) continue;  // most rest
    double change = 0, share = 0;
    for (int i = t.first; i < t.first + t.tree.count; i++) {
      change += w.model[i].mass * (w.state[i].v - w.links[i].startV).dot(w.settings.gravity);
      share += w.model[i].mass * w.links[i].gravityScale;
    }
    t.falls = std::fabs(share - t.mass) < kRounding * t.mass && change > least * t.mass;
    falling += t.falls;
  }
  if (falling == 0) return;
  const auto fallingTree = [&](int body) -> TreeRuntime* {
    TreeRuntime* const t = body >= 0 && w.bodies[body].link >= 0 ? &w.trees[w.bodies[body].tree] : nullptr;
    return t && t->falls ? t : nullptr;
  };
  for (bool again = true; again;) {
    again = false;
    for (int c : island.contacts) {
      const Contact& contact = w.contacts[c];
      if (contact.force == Vec3::Zero()) continue;
      TreeRuntime *const a = fallingTree(contact.bodyA), *const b = fallingTree(contact.bodyB);
      if (!a == !b) continue;
      (a ? a : b)->falls = false;
      again = true;
    }
  }
}

}  // namespace vertebra::steppers
