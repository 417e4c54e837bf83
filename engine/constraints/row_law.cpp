// See row_law.hpp.
#include "engine/constraints/row_law.hpp"

#include <algorithm>

namespace vertebra::constraints {

// Rigid: a share of the error is corrected per step. Soft: an implicit spring and damper. SPOOK (Servin 13.1): compliance epsilon and
// relaxation time tau of position rows, gamma of velocity rows.
RowLaw lawOf(const WorldSettings& s, double h, bool velocityLevel, double error, double wanted, const Softness& soft, double rate) {
  if (!rigidRowsAreExact(s)) {
    if (velocityLevel) return {(soft.rigid() ? s.spookGamma : 1 / std::max(soft.damping, 1e-300)) / h, -wanted};
    const double tau = soft.rigid() ? s.spookRelaxation : soft.stiffness > 0 ? soft.damping / soft.stiffness : 0;
    const double epsilon = soft.rigid() ? s.spookCompliance : 1 / soft.stiffness, upsilon = 1 / (1 + 4 * tau / h);
    return {4 * epsilon / (h * h) * upsilon, 4 * upsilon / h * error - upsilon * (rate + wanted) + wanted};
  }
  if (soft.rigid()) return {0, velocityLevel ? -wanted : kLimitReturn * error / h + wanted};
  const double stiffness = velocityLevel ? 0 : soft.stiffness, sigma = 1 / (h * soft.damping + h * h * stiffness);
  return {sigma, velocityLevel ? -wanted : sigma * h * stiffness * error + wanted};
}

void setSoftness(solve::Row& row, double sigma) {
  if (!(row.inverse > 0)) return;
  row.inverse = 1 / (1 / row.inverse - row.sigma + sigma);
  row.sigma = sigma;
}

bool pushesBack(const std::vector<ShapeSlot>& shapes, const Contact& c) {
  return shapes[c.shapeA].def->surface.stiffness > 0 || shapes[c.shapeB].def->surface.stiffness > 0;
}
bool isStabilised(const std::vector<ShapeSlot>& shapes, const Contact& c) {
  return pushesBack(shapes, c) || shapes[c.shapeA].def->surface.stabilised || shapes[c.shapeB].def->surface.stabilised;
}
bool touches(const std::vector<ShapeSlot>& shapes, const Contact& c) {
  return c.speculative < 0 && c.gap <= kTouching && !pushesBack(shapes, c);
}

}  // namespace vertebra::constraints
