// See divided_step.hpp. Rows foresee the way of contacts by velocities that are constant in a step; a link that turns fast leaves that way
// by half the square of its angle, and sinks into what it meets. The contacts found at the end of a move show it; the step is then undone,
// and made in parts. A part that ends the step lets gaps close as in a step of full length, because the next move may have it. Source:
// Cline 2002, 4.1 (a step that penetrates is made again by halves).
#include "engine/world/divided_step.hpp"

#include "engine/state/stepper_traits.hpp"
#include "engine/steppers/part_means.hpp"
#include "engine/steppers/physics_step.hpp"
#include "engine/world/snapshot.hpp"

namespace vertebra::world {
namespace {

// Displacements (TreeState::shift) that the last step left for the whole of this move: made in its first part, those for the timing of a
// rebound would take a body through what it bounces from, because it has not yet come back so far.
void keepShifts(WorldData& w) {
  DividedStep& d = w.divided;
  d.shift = w.shift;
  d.shifts.resize(w.trees.size());
  for (std::size_t i = 0; i < w.trees.size(); i++) {
    d.shifts[i] = w.trees[i].shifted;
    w.trees[i].shifted = false;
  }
}

// The share [1] of the present part; what the last part left for it in such a tree would not go with it. Where trees are others since then,
// because a joint broke, the rest is dropped.
void shareShifts(WorldData& w, double share) {
  DividedStep& d = w.divided;
  if (d.shifts.size() != w.trees.size() || d.shift.size() != w.shift.size()) return;
  for (std::size_t i = 0; i < w.trees.size(); i++) {
    TreeRuntime& t = w.trees[i];
    if (!d.shifts[i]) continue;
    for (int k = t.vFirst; k < t.vFirst + t.nv; k++) w.shift[k] = share * d.shift[k];
    t.shifted = true;
  }
}

// `next`: s, of the move that follows.
Failure stepOrDivide(WorldData& w, double h, int level, double next) {
  DividedStep& d = w.divided;
  const StepperTraits& stepper = traitsOf(w.settings.stepper);
  const bool mayDivide = stepper.divides && (1 << level) < w.settings.adaptiveSubsteps && !pastDeadline(w);
  d.least = mayDivide ? w.settings.adaptiveDepth : kInf;
  d.next = next;
  steppers::takeImpulses(w, h);
  Statistics before = w.statistics;
  if (level > 0) shareShifts(w, h / d.whole);
  Failure whole = steppers::physicsStep(w, h);
  if (!whole && level > 0) steppers::addPart(w, h);
  if (!whole || !mayDivide || (whole.kind() != Failure::Diverged && whole.kind() != Failure::TooDeep)) return whole;
  std::copy(std::begin(w.statistics.seconds), std::end(w.statistics.seconds), before.seconds);
  w.statistics = before;
  w.statistics.restarts++;
  if (level == 0) {
    saveState(w, d.state);
    keepShifts(w);
    steppers::beginParts(w);
  }
  for (int half = 0; half < 2; half++)
    if (Failure f = stepOrDivide(w, 0.5 * h, level + 1, half == 0 ? 0.5 * h : next)) return f;
  return {};
}

}  // namespace

Failure stepWholeOrInParts(WorldData& w, double h) {
  DividedStep& d = w.divided;
  d.inParts = false;
  d.whole = d.scale = h;
  const std::size_t events = w.events.size(), jointEvents = w.jointEvents.size();
  const auto back = [&] {
    if (!d.inParts) return;
    (void)restoreState(w, d.state.data(), d.state.size());
    w.events.resize(events);
    w.jointEvents.resize(jointEvents);
    d.inParts = false;
  };
  Failure failure;
  try {
    failure = stepOrDivide(w, h, 0, h);
    if (!failure && d.inParts) {
      steppers::takeImpulses(w, h);
      d.inParts = false;
      steppers::tellParts(w, h);
    }
  } catch (...) {  // memory
    back();
    d.next = 0;
    throw;
  }
  d.next = 0;
  if (failure) back();
  return failure;
}

}  // namespace vertebra::world
