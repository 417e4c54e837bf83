// Rows of contacts: normal with restitution and softness, friction, torsion, rolling. Blocks lie in the order of the island's contacts,
// which is that of their shapes.
#pragma once
#include <vector>

#include "engine/constraints/row_law.hpp"
#include "engine/state/collision.hpp"
#include "engine/state/islands.hpp"

namespace vertebra::constraints {

struct ContactSources {
  const std::vector<ShapeSlot>& shapes;
  const std::vector<Contact>& contacts;  // into which the island's indices point
  const CollisionState& collision;       // speculative contacts, and the warm starts
  const WorldSettings& settings;
};

// Velocities.
void addContactRows(RowBuffer& rows, const Island& island, const ContactSources& from, const StepTimes& times, RowFindings& found);

// After the solution: whether contacts that had seemed too far for a row close in the `next` move [s]. They get one when rows are added
// again.
bool contactsClose(RowWorkspace& work, const RowBodies& bodies, const std::vector<Contact>& contacts, double next);

// J: what pushing penetration out gives in this solution at most, and what lifting the island out of it takes.
struct PushOut {
  double work = 0;     // of the rows' impulses at the speeds at which they open
  double lifting = 0;  // of the island's weight, by the largest penetration
};
PushOut pushOut(const RowBuffer& rows, const Island& island, const ContactSources& from, const StepTimes& times);

// Accelerations: contacts that touch do not approach, friction sticks or slides. `drift`: for each of them the change per second of the
// relative velocity and angular velocity due to the motion alone (6 numbers). Velocities that violate rows decay within times.next.
void addContactAccelerations(RowBuffer& rows, const Island& island, const ContactSources& from, const double* drift,
                             const StepTimes& times);

}  // namespace vertebra::constraints
