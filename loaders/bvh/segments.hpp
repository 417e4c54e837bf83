// The part of a human body that each joint of a clip carries, found by the names and positions of the joints. Internal to loaders/bvh.
#pragma once
#include <vector>

#include "engine/figure/motion.hpp"

namespace vertebra::bvh {

enum class Segment { None, Pelvis, Abdomen, Chest, Clavicle, Neck, Head, UpperArm, Forearm, Hand, Finger, Thigh, Shank, Foot, Toes };
inline constexpr int kSegments = 15;
const char* segmentName(Segment s);

struct Segments {
  std::vector<Segment> of;  // per joint; None outside the figure and for all joints when not human
  int named = 0;            // identified by their own name; the others take their parent's segment
  bool human = false;       // thigh, shank and upper arm were found
};

// `joints` of the figure, parents first; the first is its root.
Segments recogniseSegments(const figure::Motion& motion, const std::vector<int>& joints);

}  // namespace vertebra::bvh
