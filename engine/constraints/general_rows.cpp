// See general_rows.hpp.
#include "engine/constraints/general_rows.hpp"

#include <algorithm>

#include "engine/constraints/full_rows.hpp"
#include "engine/constraints/row_law.hpp"

namespace vertebra::constraints {

void addCouplingRows(RowBuffer& rows, const Island& island, Slots& slots, const WorldSettings& settings, double h) {
  for (int id : island.couplings) {
    const CouplingSlot& c = slots.couplings[id];
    if (staysExact(settings, c.def)) continue;
    double rate = 0, error = -c.def.target;
    for (const CouplingTerm& t : c.def.terms) {
      const JointSlot& j = slots.joints[t.joint];
      rate += t.coefficient * rows.bodies.startRate(j, t.axis);
      error += t.coefficient * (j.link >= 0 ? rows.topology.q[rows.topology.model[j.link].qOffset + t.axis] : j.q[t.axis]);
    }
    const RowLaw law = lawOf(settings, h, c.def.velocityLevel, error, c.def.velocityLevel ? c.def.target : 0, c.def.softness, rate);
    const FullRow to = rows.addFullRow();
    RowMeta meta;
    meta.kind = RowMeta::Coupling;
    meta.index = id;
    solve::Row& r = rows.finishFull(to, addCoupling(rows, to, slots.joints, c.def), law.sigma, meta);
    r.hi = c.def.maxForce < kInf ? h * c.def.maxForce : kInf;
    r.lo = -r.hi;
    r.bias += law.bias;
    r.lambda = std::min(r.hi, std::max(r.lo, c.impulse));
  }
}

void addUserRows(RowBuffer& rows, const Island& island, Slots& slots, const WorldSettings& settings, double h) {
  for (int id : island.constraints) {
    const UserConstraintSlot& c = slots.constraints[id];
    for (int k = 0; k < c.count; k++) {
      const UserRow& u = c.rows[k];
      if (staysExact(settings, u)) continue;
      RowLaw law = lawOf(settings, h, u.velocityLevel, u.error, u.rate, u.softness, startRate(rows.bodies, slots.joints, c, u));
      // A one-sided position row lets its gap close within the step.
      const bool open = !u.velocityLevel && u.softness.rigid() && ((u.lower == 0 && u.error > 0) || (u.upper == 0 && u.error < 0));
      if (open) law = {0, u.error / h + u.rate};
      const FullRow to = rows.addFullRow();
      RowMeta meta;
      meta.kind = RowMeta::User;
      meta.index = id;
      meta.part = k;
      solve::Row& r = rows.finishFull(to, addUserRow(rows, to, slots.joints, c, u), law.sigma, meta);
      r.lo = h * u.lower;
      r.hi = h * u.upper;
      r.bias += law.bias;
      r.lambda = std::min(r.hi, std::max(r.lo, c.impulse[k]));
    }
  }
}

}  // namespace vertebra::constraints
