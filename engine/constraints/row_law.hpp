// How rows act: softness and bias of rigid and soft rows, which rows are met exactly, when contacts and limits are rows at all.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/constraints/row_buffer.hpp"
#include "engine/state/stepper_traits.hpp"

namespace vertebra::constraints {

struct StepTimes {   // s, of an island's rows
  double h = 0;      // the step
  double next = 0;   // the move that follows it, in which gaps may close and penetration opens; under ode a whole step after each window
  double ahead = 0;  // by which velocities contain forces beyond the poses (stepper variational)
  // The least time in which penetration opens: the velocity that opens it outlasts a move that is shorter than a step (accelerations).
  double opening = 0;

  double of(double gap) const { return gap < 0 ? std::max(next, opening) : next; }
};

// Softness of resting contacts, as a share of the row's own inverse inertia. It makes penetration a stiff, overdamped spring, which keeps
// tall stacks from drifting within the solver's tolerance, and lowers the lowest of twenty boxes by 0.16 mm. Under heavy bodies it is less
// (contact_rows.cpp).
inline constexpr double kContactSoftness = 5e-3;
inline void softenContact(solve::Row& normal, double share = kContactSoftness) {
  normal.sigma = share / normal.inverse;
  normal.inverse /= 1 + share;
}

// m or rad: closer than this, contacts and limits touch, and are rows at acceleration level (stepper ode).
inline constexpr double kTouching = 2e-4;

// Share of a violated limit that a step corrects where no clamp may.
inline constexpr double kLimitReturn = 0.3;
// m or rad that a step may close; negative: by how much it opens.
inline double allowanceOfLimit(double gap) { return gap > 0 ? gap : kLimitReturn * gap; }

// Whether rigid rows without bounds are met exactly (solve/bilateral.hpp); otherwise they are rows like all others, with a softness.
inline bool rigidRowsAreExact(const WorldSettings& s) { return traitsOf(s.stepper).exactRows; }
inline bool staysExact(const WorldSettings& s, const Softness& soft) { return soft.rigid() && rigidRowsAreExact(s); }
inline bool staysExact(const WorldSettings& s, const CouplingDefinition& c) { return !(c.maxForce < kInf) && staysExact(s, c.softness); }
inline bool staysExact(const WorldSettings& s, const UserRow& r) {
  return !(r.lower > -kInf) && !(r.upper < kInf) && staysExact(s, r.softness);
}

// Softness and bias of a row: u + sigma lambda + bias = 0 where no bound acts.
struct RowLaw {
  double sigma, bias;
};
// Of a position row with an error [m or rad], or of a velocity row; h: the step [s]; `rate` is the row's before the step, `wanted` that of
// velocity rows.
RowLaw lawOf(const WorldSettings& s, double h, bool velocityLevel, double error, double wanted, const Softness& soft, double rate);

void setSoftness(solve::Row& row, double sigma);  // of a finished row

// Penetration is removed by displacements instead of velocities.
inline bool removesByShift(const WorldSettings& s) { return s.contactPositions && traitsOf(s.stepper).shiftsPenetration; }

bool pushesBack(const std::vector<ShapeSlot>& shapes, const Contact& c);    // a penalty contact
bool isStabilised(const std::vector<ShapeSlot>& shapes, const Contact& c);  // and any other to which the stepper ode does not roll back
bool touches(const std::vector<ShapeSlot>& shapes, const Contact& c);       // it is a row at acceleration level
// False: a contact or limit at this gap is not active yet, or left to rollback.
inline bool actsAtGap(const WorldSettings& s, RowLevel level, double gap) {
  return gap <= kTouching || (level == RowLevel::Velocity && !(traitsOf(s.stepper).accelerationRows && s.rollbackDepth > 0));
}

}  // namespace vertebra::constraints
