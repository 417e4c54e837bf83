// The solution of an island's rows by the world's solver: moves x, leaves impulses in the rows, reports into the island's tally.
#pragma once
#include <vector>

#include "engine/constraints/row_law.hpp"
#include "engine/state/stepping.hpp"

namespace vertebra::constraints {

// What the solution reads besides the rows, and where it writes.
struct SolutionSources {
  const std::vector<ShapeSlot>& shapes;
  const std::vector<Contact>& contacts;  // to which the rows of contacts point
  std::vector<JointSlot>& joints;        // drives without bound count the steps for which they yield
  const WorldSettings& settings;
  const Callbacks& callbacks;
  const SteppingState& clock;
  StepTally& tally;
  StepTimes times;
  double tolerance = 0;  // of the rows' residual
};

// For an island that is solved now: few sweeps once the time budget is used up.
int sweepsInTime(const WorldSettings& s, const SteppingState& clock, StepTally& tally);

// m in a step: what rows may leave without being told as unsolved.
double bearableDepth(const WorldSettings& s);

solve::SolveReport solveOnce(solve::RowProblem& rows, const SolutionSources& from);

// The end of a solution: its report, and the share of the impulses that bilateral rows bear.
void concludeSolution(RowBuffer& rows, const solve::SolveReport& report, StepTally& tally);
void tell(const solve::SolveReport& report, StepTally& tally);

}  // namespace vertebra::constraints
