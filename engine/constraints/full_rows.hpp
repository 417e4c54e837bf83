// Parts of full rows that bodies, joint axes, couplings and user constraints add, and the rates of such sums at the start of the step.
#pragma once
#include "engine/constraints/row_buffer.hpp"

namespace vertebra::constraints {

// Each adds to a row and returns the rate due to prescribed motion alone. The wrench acts at `point`, world axes.
double addBody(RowBuffer& rows, const FullRow& to, int body, const Vec6& wrench, const Vec3& point);
double addCoupling(RowBuffer& rows, const FullRow& to, std::vector<JointSlot>& joints, const CouplingDefinition& c);
double addUserRow(RowBuffer& rows, const FullRow& to, std::vector<JointSlot>& joints, const UserConstraintSlot& c, const UserRow& r);

double startRate(const RowBodies& bodies, const std::vector<JointSlot>& joints, const UserConstraintSlot& c, const UserRow& r);
double couplingError(Slots& slots, const TreeState& topology, const CouplingDefinition& c);  // at the present poses

// Calls the constraint's function for the rows at the present state. False: a row is not finite. `id`: its slot.
bool evaluateConstraint(const std::vector<BodySlot>& bodies, const TreeState& topology, UserConstraintSlot& c, int id);

}  // namespace vertebra::constraints
