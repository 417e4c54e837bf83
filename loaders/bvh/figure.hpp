// A figure from a BVH: one link for each joint, with all bones that start at it (Vondrak 8.2), link frame = joint frame in the file's local
// axes, metres. Joint types follow from the rotation channels; masses of people from the segment table of P. de Leva, "Adjustments to
// Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomechanics 29 (1996), table 4, men.
#pragma once
#include "engine/figure/motion.hpp"
#include "engine/figure/skeleton.hpp"
#include "loaders/diagnostics.hpp"

namespace vertebra {

struct MotionFigureOptions {
  int root = 0;           // which root of the clip, counted from 0
  double mass = 0;        // kg; 0 = for people by height at a body mass index of 22, for others by density
  double density = 1000;  // kg/m^3, where names indicate no human body
};

// A root with one child that itself travels (a mark on the ground) is left out: the child is then the figure's root. 3 rotation axes:
// spherical, 2: universal, 1: continuous, 0: fixed. Position channels that stay within a thousandth of the figure's size add no freedom;
// others make a floating joint (a single one without rotations: a prismatic joint), which is reported. Links whose bones have no length
// have no shape but have mass: for people that of a ball of half the radius of their segment, for others of a hundredth of the figure's
// size.
bool skeletonFromMotion(const figure::Motion& motion, const MotionFigureOptions& options, figure::Skeleton& out, Diagnostics& diagnostics);

}  // namespace vertebra
