// A clip as generalised coordinates of a figure; joints are matched by name. Two kinds of figure:
//  - made from a BVH (loaders/bvh/figure.hpp), whose link frames keep the file's local axes: root q' = turn * q;
//  - a robot with a clip on its own joint names: its link frames are Z-up themselves, so a root without rotation in a Y-up file is upright:
//    q' = turn * q * turn^-1. A joint with one axis takes the angle of its channel, or of several channels the rotation about its axis.
// Angles are unwrapped over the clip. Order and meaning of q and v: engine/figure/coordinates.hpp. SI units.
#pragma once
#include <vector>

#include "engine/figure/coordinates.hpp"
#include "engine/figure/motion.hpp"

namespace vertebra::figure {

class MotionBinding {
 public:
  // Motion, skeleton and coordinates must outlive the binding. The clip's root is the joint with the root link's name, otherwise its first.
  MotionBinding(const Motion& motion, const Skeleton& skeleton, const Coordinates& coordinates);

  int matched() const { return matched_; }         // moving joints found by name, the floating base not counted
  bool sameFrames() const { return sameFrames_; }  // the figure's links have the clip's local axes

  // t in seconds, clamped to the clip. Coordinates without a joint in the clip are neutral, their velocities zero.
  void coordinates(double t, double* q) const;
  // Central differences on the rotation group over one frame to either side (one-sided at the ends of the clip).
  void velocities(double t, double* v) const;

 private:
  struct Part {
    int joint = -1;             // of the motion
    std::vector<int> turns[2];  // whole turns to add at each frame, empty when none
  };
  double angle(const Part& part, int k, double t) const;
  void unwrap(Part& part, int k);
  Pose rootPose(double t) const;

  const Motion& m_;
  const Skeleton& s_;
  const Coordinates& c_;
  std::vector<Part> parts_;  // as Coordinates::parts
  int root_ = -1, matched_ = 0;
  bool sameFrames_ = false;
};

}  // namespace vertebra::figure
