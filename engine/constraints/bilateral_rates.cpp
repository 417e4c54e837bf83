// See bilateral_rates.hpp.
#include "engine/constraints/bilateral_rates.hpp"

#include <algorithm>

#include "engine/constraints/full_rows.hpp"
#include "engine/constraints/pair_constraint.hpp"
#include "engine/constraints/row_bodies.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/state/island_world.hpp"

namespace vertebra::constraints {
namespace {

// A joint's directions at the present poses, and the velocity of b against a along them.
struct PairRates {
  PairRates(const RowBodies& bodies, const JointSlot& j, RatesAt at) {
    double q[7];
    std::copy_n(j.q, j.nq, q);
    viewPair(bodies.bodies, bodies.topology, j, q, c);
    const RowEnd a = bodies.endOf(j.a), b = bodies.endOf(j.b);
    if (at == RatesAt::Start) {
      apart = bodies.startVelocity(b, c.point) - bodies.startVelocity(a, c.point);
      turn = bodies.startOmega(b) - bodies.startOmega(a);
    } else {
      apart = bodies.velocity(b, c.point) - bodies.velocity(a, c.point);
      turn = bodies.omega(b) - bodies.omega(a);
    }
  }
  double along(const Vec6& wrench) const { return Vec3(wrench.tail<3>()).dot(apart) + Vec3(wrench.head<3>()).dot(turn); }

  PairConstraint c;
  Vec3 apart, turn;
};

double axisRate(const IslandWorld& w, int joint, int axis, RatesAt at) {
  const JointSlot& j = w.joints[joint];
  if (j.link >= 0) return (at == RatesAt::Start ? w.v0 : w.v)[w.model[j.link].vOffset + axis];
  const PairRates pair({w.bodies, w, w}, j, at);
  return pair.along(pair.c.axis[axis]);
}

}  // namespace

void bilateralRates(IslandWorld& w, Island& island, RatesAt at, std::vector<double>& out) {
  const RowBodies bodies{w.bodies, w, w};
  for (int id : island.joints) {
    const JointSlot& j = w.joints[id];
    const PairRates pair(bodies, j, at);
    for (int k = 0; k < pair.c.rows; k++)
      if (staysExact(w.settings, softnessOf(j, pair.c.row[k]))) out.push_back(pair.along(pair.c.row[k]));
  }
  for (int id : island.couplings) {
    const CouplingDefinition& c = w.couplings[id].def;
    if (!staysExact(w.settings, c)) continue;
    double rate = c.velocityLevel ? -c.target : 0;
    for (const CouplingTerm& t : c.terms) rate += t.coefficient * axisRate(w, t.joint, t.axis, at);
    out.push_back(rate);
  }
  for (int id : island.constraints) {
    UserConstraintSlot& c = w.constraints[id];
    if (!evaluateConstraint(w.bodies, w, c, id)) island.tally->badConstraint = id;
    for (int k = 0; k < c.count; k++)
      if (staysExact(w.settings, c.rows[k]))
        out.push_back(startRate(bodies, w.joints, c, c.rows[k]) + (c.rows[k].velocityLevel ? -1 : 1) * c.rows[k].rate);
  }
}

}  // namespace vertebra::constraints
