// The warm start of the solver `dantzig`: index sets from the impulses of the last step, corrected by block pivots, all rows at once.
// States and units: dantzig.hpp. Source: Judice and Pires 1994, "A block principal pivoting algorithm for large-scale strictly monotone
// linear complementarity problems".
#include <algorithm>
#include <cmath>

#include "engine/solve/dantzig.hpp"

namespace vertebra::solve {
namespace {

constexpr int kFlips = 40, kRoundsOn = 4;  // rounds of block pivots; rounds without gain before single pivots follow

}  // namespace

// Rows that were between their bounds are clamped.
void DantzigSolver::guess(const double* warm) {
  for (int i = 0; i < n_; i++) w_.lambda[i] = warm[i] / d_.scale[i];
  for (const Block& block : p_.blocks) w_.lambda[block.row] = std::min(d_.hi[block.row], std::max(d_.lo[block.row], w_.lambda[block.row]));
  renewFriction();
  takeLimits(1);
  for (int friction = 0; friction < 2; friction++)
    for (const Block& block : p_.blocks)
      for (int i = block.row + friction; i < block.row + (friction ? block.size : 1); i++) {
        if (w_.state[i] == Dead) continue;
        if (w_.lambda[i] <= d_.lo[i])
          w_.state[i] = Low;
        else if (w_.lambda[i] >= d_.hi[i])
          w_.state[i] = High;
        else if (!clamp(i))
          w_.state[i] = Idle;
      }
}

// All rows that violate their condition change sets at once; after several rounds without gain only the last of them does (Murty's rule).
bool DantzigSolver::flip() {
  const double rest = 100 * rest_;
  int least = n_ + 1, waited = 0;
  for (int round = 0; round < kFlips; round++) {
    pivots_++;
    for (int i = 0; i < n_; i++) {
      if (w_.state[i] == Low) w_.lambda[i] = d_.lo[i];
      if (w_.state[i] == High) w_.lambda[i] = d_.hi[i];
      if (w_.state[i] == Idle || w_.state[i] == Dead) w_.lambda[i] = std::min(d_.hi[i], std::max(d_.lo[i], w_.lambda[i]));
      if (w_.state[i] == Clamped) w_.lambda[i] = 0;
    }
    for (std::size_t k = 0; k < w_.clamped.size(); k++) w_.delta[k] = -velocity(w_.clamped[k]);
    w_.factor.solve(w_.delta.data());
    for (std::size_t k = 0; k < w_.clamped.size(); k++) w_.lambda[w_.clamped[k]] = w_.delta[k];
    int broken = 0, last = -1;
    for (int i = 0; i < n_; i++) {
      bool wrong = false;
      if (w_.state[i] == Clamped) {
        wrong = w_.lambda[i] < d_.lo[i] - rest || w_.lambda[i] > d_.hi[i] + rest;
      } else if (w_.state[i] != Dead && d_.lo[i] < d_.hi[i]) {
        const double a = velocity(i);
        wrong = (w_.state[i] == Low && a < -rest) || (w_.state[i] == High && a > rest) || (w_.state[i] == Idle && std::fabs(a) > 10 * rest);
        w_.a[i] = a;
      }
      w_.ignored[i] = wrong;
      broken += wrong;
      if (wrong) last = i;
    }
    if (broken == 0) {
      std::fill(w_.ignored.begin(), w_.ignored.end(), 0);
      return true;
    }
    waited = broken < least ? 0 : waited + 1;
    least = std::min(least, broken);
    for (int i = waited > kRoundsOn ? last : 0; i <= last; i++) {
      if (!w_.ignored[i]) continue;
      if (w_.state[i] == Clamped)
        drop(i, w_.lambda[i] < d_.lo[i] ? Low : High);
      else if (!clamp(i))  // implied by others but not met: it moves to a bound if it has one
        w_.state[i] = w_.state[i] != Idle ? Idle : w_.a[i] > 0 ? Low : High;
      if (!std::isfinite(w_.state[i] == Low ? d_.lo[i] : w_.state[i] == High ? d_.hi[i] : 0)) return false;
    }
  }
  return false;
}

}  // namespace vertebra::solve
