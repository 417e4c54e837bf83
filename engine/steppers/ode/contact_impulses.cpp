// See contact_impulses.hpp.
#include "engine/steppers/ode/contact_impulses.hpp"

#include "engine/steppers/ode/flow.hpp"

namespace vertebra::steppers {

void addFlow(std::vector<TwistedContact>& told, const OdeFlow& flow, const std::vector<double>& y) {
  flow.eachImpulse(y, [&](const Contact& c, const Vec3& impulse, const Vec3& angular) { addTold(told, c, impulse, angular); });
}

void addSolution(std::vector<TwistedContact>& told, const RowWorkspace& work, const std::vector<Contact>& contacts) {
  for (const solve::Block& block : work.rows.blocks) {
    if (!block.contact()) continue;
    Vec3 sum[2] = {Vec3::Zero(), Vec3::Zero()};
    for (int k = 0; k < block.size; k++) sum[k / 3] += work.rows.rows[block.row + k].lambda * work.rowMeta[block.row + k].direction;
    addTold(told, contacts[work.rowMeta[block.row].index], sum[0], sum[1]);
  }
}

}  // namespace vertebra::steppers
