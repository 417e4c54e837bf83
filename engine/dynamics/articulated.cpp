// Articulated elimination, square-root form; see tree.hpp.
#include "engine/dynamics/link_recursions.hpp"

namespace vertebra::dynamics {

int factor(Tree& tree, const double* extra) {
  for (int i = tree.count - 1; i >= 0; i--)
    if (!factorAt(tree, i, extra)) return i;
  return -1;
}

int factorAndSweepUp(Tree& tree, const double* extra, const double* generalized, double* z) {
  for (int i = tree.count - 1; i >= 0; i--) {
    if (!factorAt(tree, i, extra)) return i;
    sweepUpAt(tree, i, generalized, z);
  }
  return -1;
}

void sweepUp(Tree& tree, const double* generalized, double* z) {
  for (int i = tree.count - 1; i >= 0; i--) sweepUpAt(tree, i, generalized, z);
}

void sweepDown(Tree& tree, const double* z, double* v, bool withBase) {
  const Vec6 base = withBase ? tree.base->twist : Vec6(Vec6::Zero());
  for (int i = 0; i < tree.count; i++) {
    LinkState& s = tree.state[i];
    sweepDownAt(tree, i, &LinkState::t, base, z, v);
    velocityFromTwist(s, tree.O);
  }
}

void sweepDownAccelerations(Tree& tree, const double* z, double* a) {
  const Vec6 rest = Vec6::Zero();
  for (int i = 0; i < tree.count; i++) sweepDownAt(tree, i, &LinkState::t2, rest, z, a);
}

}  // namespace vertebra::dynamics
