// See row_store.hpp.
#include "engine/constraints/row_store.hpp"

#include <algorithm>

#include "engine/constraints/bilateral_rows.hpp"
#include "engine/constraints/infeasibility.hpp"

namespace vertebra::constraints {
namespace {

// Mean of the velocities before and after the impulses of the step: impulses times this mean give the change of kinetic energy.
void account(const solve::RowProblem& p, const RowMeta& meta, int row, int path, EnergyAccount& account) {
  const double work = 0.5 * p.rows[row].lambda * (meta.before + p.velocity(row, path) + meta.base);
  switch (meta.kind) {
    case RowMeta::Tangent:
    case RowMeta::Friction:
      account.lostFriction -= work;
      break;
    case RowMeta::Drive:
    case RowMeta::Spring:
    case RowMeta::Hold:
    case RowMeta::Coupling:
    case RowMeta::User:
      account.workDrives += work;
      break;
    default:
      account.lostImpact -= work;
  }
}

// Force and torque, from which the next solution starts, too.
void storeContact(const RowWorkspace& work, const solve::Block& block, const StoreTargets& to, double h) {
  const double rate = 1 / h;
  const int index = work.rowMeta[block.row].index;
  Contact& c = to.contacts[index];
  const Vec3 &s = work.rowMeta[block.row + 1].direction, &t = work.rowMeta[block.row + 2].direction;
  double impulse[6];
  for (int k = 0; k < block.size; k++) impulse[k] = work.rows.rows[block.row + k].lambda;
  for (const HeldContact& held : to.held)  // its force before, at acceleration level
    if (held.shapeA == c.shapeA && held.shapeB == c.shapeB && held.feature == c.feature)
      for (int k = 0; k < block.size; k++) impulse[k] += h * held.force[k];
  c.force = rate * (impulse[0] * c.normal + impulse[1] * s + impulse[2] * t);
  if (block.size <= 3 || to.torques.empty()) return;
  to.torques[index] = rate * impulse[3] * c.normal;
  if (block.size > 4) to.torques[index] += rate * (impulse[4] * s + impulse[5] * t);
}

void storeAxis(const RowWorkspace& work, const solve::Block& block, JointSlot& j, double h) {
  const RowMeta& meta = work.rowMeta[block.row];
  const double impulse = work.rows.rows[block.row].lambda, rate = 1 / h;
  switch (meta.kind) {
    case RowMeta::Hold:
      j.between.make().hold[meta.axis] = impulse;
      break;
    case RowMeta::Drive:
      j.between.make().drive[meta.axis] = impulse;
      if (j.axes[meta.axis].saturated > 0) j.axes[meta.axis].saturated = isHeldUp(work, block, j) ? j.axes[meta.axis].saturated - 1 : 0;
      j.axes[meta.axis].motorForce = impulse * rate;
      break;
    case RowMeta::Spring:
      j.between.make().spring[meta.axis] = impulse;
      j.axes[meta.axis].springForce = impulse * rate;
      break;
    case RowMeta::Friction:
      j.axes[meta.axis].impulse[meta.slot] = impulse;
      j.axes[meta.axis].frictionForce = impulse * rate;
      break;
    default:
      j.axes[meta.axis].impulse[meta.slot] = impulse;
      addAxisForce(meta, impulse * rate, j);
  }
}

}  // namespace

void addAxisForce(const RowMeta& meta, double force, JointSlot& j) {
  if (meta.kind == RowMeta::Friction) {
    j.axes[meta.axis].frictionForce += force;
    return;
  }
  // A limit of an orientation acts on three axes; other joints may have fewer.
  for (int e = 0, first = meta.axis - meta.axis % 3; e < 3 && first + e < j.nv; e++)
    j.axes[first + e].limitForce += force * meta.direction[e];
}

void storeRowImpulses(const RowBuffer& rows, Island& island, const StoreTargets& to, double h) {
  const RowWorkspace& work = rows.work;
  if (to.settings.energyAccount) {
    island.tally->account.lostImpact += work.impactFalls;
    island.tally->account.discretisation += work.impactFalls;
  }
  for (const solve::Block& block : work.rows.blocks) {
    if (to.settings.energyAccount)
      for (int k = 0; k < block.size; k++)
        if (work.rows.rows[block.row + k].lambda != 0)
          account(work.rows, work.rowMeta[block.row + k], block.row + k, block.path, island.tally->account);
    if (block.contact()) {
      storeContact(work, block, to, h);
      continue;
    }
    const RowMeta& meta = work.rowMeta[block.row];
    if (meta.kind == RowMeta::Coupling)
      to.slots.couplings[meta.index].impulse = work.rows.rows[block.row].lambda;
    else if (meta.kind == RowMeta::User)
      to.slots.constraints[meta.index].impulse[meta.part] = work.rows.rows[block.row].lambda;
    else
      storeAxis(work, block, to.slots.joints[meta.index], h);
  }
  storeBilateralRows(rows, island, to.slots, to.settings, h);
}

}  // namespace vertebra::constraints
