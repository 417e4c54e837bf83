// Rows of an island at acceleration level, for the stepper `ode`: bilateral rows keep their rate, contacts and limits that touch do not
// approach, friction sticks or slides. A row J v whose rate changes by J' v through the motion alone asks for J a = -J' v; a rate that
// violates a row decays within tau, which lets sliding friction find its direction and its bound by itself. Sources: Vondrak 2006, ch. 6
// (acceleration-level constraints); Baumgarte 1972, "Stabilization of constraints and integrals of motion in dynamical systems" (2 alpha on
// rates, alpha^2 on errors).
#include <algorithm>

#include "engine/constraints/island_rows.hpp"
#include "engine/constraints/pair_constraint.hpp"
#include "engine/state/stepper_traits.hpp"

namespace vertebra {

bool pushesBack(const WorldData& w, const Contact& c) {
  return w.shapes[c.shapeA].shape.surface.stiffness > 0 || w.shapes[c.shapeB].shape.surface.stiffness > 0;
}
bool isStabilised(const WorldData& w, const Contact& c) {
  return pushesBack(w, c) || w.shapes[c.shapeA].shape.surface.stabilised || w.shapes[c.shapeB].shape.surface.stabilised;
}

bool IslandRows::touches(const Contact& c) const { return c.speculative < 0 && c.gap <= kTouching && !pushesBack(w_, c); }

bool IslandRows::actsAtGap(double gap) const {
  return gap <= kTouching || (!level_ && !(traitsOf(w_.settings.stepper).accelerationRows && w_.settings.rollbackDepth > 0));
}
bool IslandRows::acts(const Contact& c) const {
  if (level_) return touches(c);
  return actsAtGap(c.gap) || isStabilised(w_, c);
}

double IslandRows::axisRate(int joint, int axis) const {
  const JointSlot& j = w_.joints[joint];
  if (j.link >= 0) return w_.v0[w_.model[j.link].vOffset + axis];
  PairConstraint c;
  double q[7];
  std::copy_n(j.q, 7, q);
  viewPair(w_, j, q, c);
  const End a = endOf(j.def.a), b = endOf(j.def.b);
  return c.axis[axis].tail<3>().dot(startVelocity(b, c.point) - startVelocity(a, c.point)) +
         c.axis[axis].head<3>().dot(startOmega(b) - startOmega(a));
}

void IslandRows::rates(std::vector<double>& out) {
  out.clear();
  if (full_) {
    for (int id : island_.joints) {
      const JointSlot& j = w_.joints[id];
      PairConstraint c;
      double q[7];
      std::copy_n(j.q, 7, q);
      viewPair(w_, j, q, c);
      const End a = endOf(j.def.a), b = endOf(j.def.b);
      const Vec3 apart = startVelocity(b, c.point) - startVelocity(a, c.point), turn = startOmega(b) - startOmega(a);
      for (int k = 0; k < c.rows; k++)
        if (isBilateral(softnessOf(j, c.row[k]))) out.push_back(c.row[k].tail<3>().dot(apart) + c.row[k].head<3>().dot(turn));
    }
    for (int id : island_.couplings) {
      const CouplingDefinition& c = w_.couplings[id].def;
      if (!staysExact(w_, c)) continue;
      double rate = c.velocityLevel ? -c.target : 0;
      for (const CouplingTerm& t : c.terms) rate += t.coefficient * axisRate(t.joint, t.axis);
      out.push_back(rate);
    }
    for (int id : island_.constraints) {
      UserConstraintSlot& c = w_.constraints[id];
      if (!evaluateConstraint(w_, id)) tally_.badConstraint = id;
      for (int k = 0; k < c.count; k++)
        if (staysExact(w_, c.rows[k])) out.push_back(startRate(c, c.rows[k]) + (c.rows[k].velocityLevel ? -1 : 1) * c.rows[k].rate);
    }
  }
  for (int index : island_.contacts) {
    const Contact& c = contacts_[index];
    if (!touches(c)) continue;
    const End a = endOf(c.bodyA), b = endOf(c.bodyB);
    const Vec3 apart = startVelocity(b, c.position) - startVelocity(a, c.position), turn = startOmega(b) - startOmega(a);
    for (int k = 0; k < 3; k++) out.push_back(apart[k]);
    for (int k = 0; k < 3; k++) out.push_back(turn[k]);
  }
}

void IslandRows::accelerate(const double* drift, double tau) {
  std::vector<double>& targets = w_.ode.targets;
  std::vector<double>& rate = w_.ode.rates;
  rates(rate);
  const WorldSettings& set = w_.settings;
  const double alpha = set.stabilisation == Stabilisation::Baumgarte ? set.baumgarte : 0;
  std::vector<double>& errors = work_.errorScratch;
  if (alpha > 0) loopErrors(w_, island_, errors);
  std::size_t touching = 0;
  for (int index : island_.contacts) touching += touches(contacts_[index]) ? 6 : 0;
  const std::size_t rows = rate.size() - touching;
  targets.resize(rows);
  for (std::size_t i = 0; i < rows; i++) {
    targets[i] = -drift[i];
    if (alpha > 0) targets[i] -= alpha * (2 * rate[i] + alpha * (i < errors.size() ? errors[i] : 0));
  }
  const Level level{targets.data(), drift + rows, tau};
  level_ = &level;
  begin();
  if (!articulated_) work_.rows.x = w_.a.data();
  if (set.bilateralAccelerations) bilateral();
  if (set.unilateralAccelerations) {
    for (int t : island_.trees)
      if (w_.trees[t].bounded) treeAxes(t);
    contacts();
  }
  projectBilateral();
  solve();
  if (set.bilateralAccelerations) storeBilateral();
  level_ = nullptr;
  for (const Block& block : work_.rows.blocks) {
    if (!block.contact()) continue;
    const Contact& c = contacts_[work_.rowMeta[block.row].index];
    ContactMemory held{c.shapeA, c.shapeB, c.feature, {}};
    for (int k = 0; k < block.size; k++) held.impulse[k] = work_.rows.rows[block.row + k].lambda;
    w_.ode.held.push_back(held);
  }
}

void IslandRows::holdContact(const Contact& c, int first, int size, const Vec3& s, const Vec3& t, const double* drift) {
  const double tau = level_->tau;
  const End a = endOf(c.bodyA), b = endOf(c.bodyB);
  const Vec3 apart = startVelocity(b, c.position) - startVelocity(a, c.position), turn = startOmega(b) - startOmega(a);
  const Vec3* direction[6] = {&c.normal, &s, &t, &c.normal, &s, &t};
  for (int k = 0; k < size; k++) {
    const Vec3 &rate = k < 3 ? apart : turn, change(drift[k < 3 ? 0 : 3], drift[k < 3 ? 1 : 4], drift[k < 3 ? 2 : 5]);
    work_.rows.rows[first + k].bias += direction[k]->dot(change) + direction[k]->dot(rate) / tau;
  }
  Row& n = work_.rows.rows[first];
  n.lo = 0;
  n.hi = kInf;
  n.bias += (c.gap > 0 ? 1 : w_.settings.contactCorrection) * c.gap / (tau * tau);
  if (!(n.inverse > 0)) return;
  n.sigma = kContactSoftness / n.inverse;
  n.inverse /= 1 + kContactSoftness;
}

}  // namespace vertebra
