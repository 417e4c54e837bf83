// World: driveline parts, their checks, their inputs, and their part in a step. Laws: driveline/laws.cpp.
#include "engine/driveline/driveline.hpp"
#include "engine/state/stepper_traits.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/joint_forces.hpp"
#include "engine/driveline/step.hpp"
#include "engine/islands/islands.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::driveline {
namespace {

constexpr double kFar = 1e12;  // N m, N

void speedsOf(IslandWorld& w, const DrivelinePart& p, double* speed) {
  double v[6];
  for (std::size_t k = 0; k < p.def.axes.size(); k++) {
    const CouplingTerm& t = p.def.axes[k];
    constraints::jointState(w, t.joint, nullptr, v);
    speed[k] = t.coefficient * v[t.axis];
  }
}

// s, length of the coming step of the bodies that the part acts on; 0: they are not moved now.
double stepHere(const IslandWorld& w, const UserConstraintSlot& c, double h) {
  if (!w.inParts) return h;
  const int tree = islands::treeOf(w, c);
  if (tree < 0 || w.trees[tree].asleep) return w.partial ? 0 : h;
  return w.trees[tree].held ? 0 : w.trees[tree].step;
}

}  // namespace

int evaluateDriveline(void* user, int, UserRow* rows) {
  const DrivelinePart& p = *static_cast<const DrivelinePart*>(user);
  int count = 0;
  for (const DrivelinePart::Row& r : p.rows) {
    if (!r.active) continue;
    UserRow& row = rows[count++];
    row.velocityLevel = true;
    row.rate = r.rate;
    row.lower = r.lower;
    row.upper = r.upper;
    if (r.damping > 0) row.softness = {0, r.damping};
    double* block = row.joints;
    for (std::size_t k = 0; k < p.def.axes.size(); k++) {
      block[p.def.axes[k].axis] = p.def.axes[k].coefficient * r.weight[k];
      block += p.jointAxes[k];
    }
  }
  return count;
}

void prepareDrivelines(IslandWorld& w, double h) {
  for (UserConstraintSlot& c : w.constraints) {
    if (!c.alive || !c.driveline) continue;
    const double own = stepHere(w, c, h);
    if (own == 0) continue;
    speedsOf(w, *c.driveline, c.driveline->speed.data());
    c.driveline->findRows(own);
    if (!traitsOf(w.settings.stepper).accelerationRows) continue;
    // Rows without bounds are met in the flow of `ode`, which reports no impulse for them. With a bound, however large, the row is solved
    // at the end of the step and its impulse is known.
    for (DrivelinePart::Row& r : c.driveline->rows) {
      r.lower = std::max(r.lower, -kFar);
      r.upper = std::min(r.upper, kFar);
    }
  }
}

void concludeDrivelines(IslandWorld& w, double h) {
  for (UserConstraintSlot& c : w.constraints) {
    if (!c.alive || !c.driveline) continue;
    const double own = stepHere(w, c, h);
    if (own == 0) continue;
    DrivelinePart& p = *c.driveline;
    int row = 0;
    for (DrivelinePart::Row& r : p.rows) r.force = r.active && row < c.count ? c.impulse[row++] / own : 0;
    speedsOf(w, p, p.speedAfter.data());
    p.conclude(own, p.speedAfter.data());
  }
}

}  // namespace vertebra::driveline
