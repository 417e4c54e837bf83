// Bilateral rows of an island: held directions of joints outside trees, couplings, and rigid user constraints; met exactly
// (solve/bilateral.hpp). They are the first rows of an island, as all others are freed of them.
#pragma once
#include <vector>

#include "engine/constraints/row_buffer.hpp"
#include "engine/state/islands.hpp"

namespace vertebra::constraints {

// Into a buffer whose rows span the island. Velocities. Evaluates the island's user constraints; failures go to the island's tally. At open
// joints, rows that depend on each other where the loops are closed seem independent; to close the loops, their rank is found to within
// `doubt` times the largest opening, relative to the size of the links.
void addBilateralRows(RowBuffer& rows, Island& island, Slots& slots, const WorldSettings& settings, RowFindings& found, double doubt = 0);
// Accelerations, with the targets of the rows in their order.
void addBilateralAccelerations(RowBuffer& rows, Island& island, Slots& slots, const WorldSettings& settings, const double* targets);

// Their impulses over h [s] (at acceleration level their forces, h = 1) and those of other rows that joints hold, to joints, couplings and
// user constraints. Forces at acceleration level stay, and impulses of the step's end are added.
void storeBilateralRows(const RowBuffer& rows, const Island& island, Slots& slots, const WorldSettings& settings, double h);

// Of the impulses over h only those of joints that close cycles.
void storeCycleForces(const RowBuffer& rows, const Island& island, Slots& slots, const WorldSettings& settings, double h);

// Of accelerations, whose multipliers are forces: those at the end of a step to the joints and couplings, which leave half a step of them
// to the momenta of the next.
void storeEndForces(const RowWorkspace& work, const RowBodies& bodies, const Island& island, Slots& slots, const WorldSettings& settings,
                    std::vector<double>& lambda);
void dropEndForces(const Island& island, Slots& slots);
// Adds that half to the means over a step of h [s] that storeBilateralRows stored.
void addStartForces(const Island& island, Slots& slots, double h);

bool holdsDirections(const JointSlot& j);  // the constraint of a joint outside trees
// Whether an island has rows that span all its coordinates: bilateral, coupling and user rows.
inline bool spansIsland(const Island& island, const std::vector<JointSlot>& joints) {
  bool spans = !island.couplings.empty() || !island.constraints.empty();
  for (int j : island.joints) spans |= holdsDirections(joints[j]);
  return spans;
}

}  // namespace vertebra::constraints
