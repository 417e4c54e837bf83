// Poses to channels of a clip and back: what edits of clips share. Raw values keep the file's axes, units and channel order.
#pragma once
#include "engine/figure/motion.hpp"

namespace vertebra::figure {

inline bool isPosition(Channel c) { return static_cast<int>(c) < 3; }

// Three rotation channels, no two neighbours about one axis: every rotation has angles. Other joints keep to their own axes.
bool hasAllRotations(const MotionJoint& joint);
bool hasAllPositions(const MotionJoint& joint);

// Writes the local pose into the joint's values of a row. Position channels take their components; the rotation is written only where the
// joint has all of them, as those angles of the same rotation that are nearest to the values that stand there.
void setLocalPose(const MotionJoint& joint, const Pose& local, double* row);

// The clip without frames.
Motion withoutFrames(const Motion& m);

// Turn about the vertical that is nearest to a rotation of world axes, rad.
double headingOf(const Quat& turn);

}  // namespace vertebra::figure
