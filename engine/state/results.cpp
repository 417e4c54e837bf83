// See results.hpp.
#include "engine/state/results.hpp"

#include <algorithm>

namespace vertebra::inline state {

void add(const StepTally& tally, Statistics& statistics, EnergyAccount& account) {
  statistics.rows += tally.rows;
  statistics.halvings += tally.halvings;
  statistics.infeasible += tally.infeasible;
  statistics.firstOrder += tally.firstOrder;
  statistics.hurried += tally.hurried;
  statistics.unsolved += tally.unsolved;
  statistics.capped += tally.capped;
  statistics.solverIterations = std::max(statistics.solverIterations, tally.solverIterations);
  statistics.solverResidual = std::max(statistics.solverResidual, tally.solverResidual);
  statistics.complementarity = std::max(statistics.complementarity, tally.complementarity);
  statistics.maxJointError = std::max(statistics.maxJointError, tally.maxJointError);
  statistics.maxEnergyCorrection = std::max(statistics.maxEnergyCorrection, tally.maxEnergyCorrection);
  account.workDrives += tally.account.workDrives;
  account.workApplied += tally.account.workApplied;
  account.lostDamping += tally.account.lostDamping;
  account.lostFriction += tally.account.lostFriction;
  account.lostImpact += tally.account.lostImpact;
  account.lostClamp += tally.account.lostClamp;
  account.corrected += tally.account.corrected;
  account.discretisation += tally.account.discretisation;
}

}  // namespace vertebra::inline state
