// Bounds of friction rows in the solver `dantzig`, from the normal impulses and the slip of its last solution. Units: dantzig.hpp; bounds
// of a contact are N s, those of its scaled rows sqrt(J).
#include <algorithm>
#include <cmath>

#include "engine/solve/dantzig.hpp"

namespace vertebra::solve {

// For a pair under the cone: the box whose corner is the point of the disc along lambda - step u; where the contact sticks, the box is as
// wide as the disc. When no bound changes any more, lambda = P(lambda - step u) on the disc.
double DantzigSolver::renewFriction() {
  double changed = 0;
  for (const Block& block : p_.blocks) {
    if (!block.contact()) continue;
    FrictionRows groups[3];
    const int count = frictionRows(block, groups);
    for (int g = 0; g < count; g++) {
      const int s = block.row + groups[g].first, rows = groups[g].rows, t = s + rows - 1;
      const double bound = frictionBound(groups[g].coefficient, w_.lambda[block.row] * d_.scale[block.row]);
      double limits[2] = {bound, bound};
      if (block.law == FrictionLaw::Fixed || block.law == FrictionLaw::Estimated) {
        for (int k = 0; k < rows; k++) w_.limit[s + k] = d_.hi[s + k];
        continue;
      }
      if (rows == 2 && block.law != FrictionLaw::Pyramid) {
        // One step for both rows, 1 / A of the heavier: friction must oppose the slip.
        const double rate = std::min(d_.scale[s], d_.scale[t]);
        auto moved = [&](int row) {
          const double u = w_.state[row] == Clamped ? 0 : velocity(row) / d_.scale[row];
          return std::fabs(w_.lambda[row] * d_.scale[row] - rate * rate * u);
        };
        const double fs = moved(s), ft = moved(t);
        const double length = std::sqrt(fs * fs + ft * ft);
        if (length > bound) {
          limits[0] = bound * fs / length;
          limits[1] = bound * ft / length;
        }
      }
      for (int k = 0; k < rows; k++) {
        const int row = s + k;
        const double limit = limits[k] / d_.scale[row];
        const bool acts = std::fabs(w_.lambda[row]) >= std::min(limit, d_.hi[row]);
        if (acts) changed = std::max(changed, std::fabs(limit - d_.hi[row]) / d_.scale[row]);
        w_.limit[row] = limit;
      }
    }
  }
  return changed;
}

void DantzigSolver::takeLimits(double share) {
  for (const Block& block : p_.blocks) {
    if (block.law == FrictionLaw::Fixed || block.law == FrictionLaw::Estimated) continue;
    for (int row = block.row + 1; row < block.row + block.size; row++) {
      d_.hi[row] = share == 1 ? w_.limit[row] : share * w_.limit[row] + (1 - share) * d_.hi[row];
      d_.lo[row] = -d_.hi[row];
    }
  }
}

}  // namespace vertebra::solve
