// The way of one tree over an interval of the stepper `variational`, from node to node: see variational.cpp.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

enum class IntervalForm { Smooth, Whole };  // impulses at the end of a step: half of them, or a whole step's with implicit forces and rows

// Share of its kinetic energy that a tree may gain of nothing in a part of a halved step, or before its rows act. With four times as much,
// heavy balls on light chains gain up to half of weight x 1 m.
constexpr double kGainedOfNothing = 5e-3;
// (h w)^2 of the fastest swing of a link under the loads through its joints: from 4 on such swings grow without excitation; loads grow
// within a step.
constexpr double kTaut = 3;

// s by which the velocities of a tree that is ahead contain forces beyond its poses.
inline double leadOf(const WorldData& w, const TreeRuntime& t, double h) { return t.ahead ? 0.5 * (w.aheadStep > 0 ? w.aheadStep : h) : 0; }

// A tree over h to coordinates and discrete momenta at the end, in two halves if necessary; it ends `after` before the end of the step.
// `share`: s, of the forces that act at its start.
Failure flyInterval(WorldData& w, TreeRuntime& t, double h, int depth, double share, double after, StepTally& tally);
// Free velocities at the end of an interval, in x; the factor is of the present poses. `node`: at the end of the step, where impacts act.
Failure endInterval(WorldData& w, TreeRuntime& t, double h, IntervalForm form, bool node);
// A part of a halved step has no discrete equations over the whole step to bound its energy: where it gains much of nothing, the motion of
// its links relative to each other is scaled to what its forces give. `most`: share of its kinetic energy that it may gain.
void dropGainOfPart(WorldData& w, TreeRuntime& t, StepTally& tally, double most = kGainedOfNothing);

}  // namespace vertebra::steppers
