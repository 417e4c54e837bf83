// What a clip and a figure have in common as constants: found once on a whole clip, used by both forms of retargeting.
#pragma once
#include "engine/retarget/pose_solver.hpp"
#include "engine/retarget/retarget.hpp"

namespace vertebra::retarget {

struct Calibration {
  Source source;                 // with the frames of the clip
  double scale = 1;              // lengths of the path
  ByRole<Alignment> alignments;  // of feet, hands and head
};

inline constexpr double kSmooth = 0.05;                           // s; standard deviation of what the last passes stay near to
inline constexpr double kRest = 0.1, kPath = 8, kPathTurn = 0.6;  // weights of staying near
inline constexpr double kFar = 0.06;                              // m; links nearer than this are kept apart
inline constexpr int kFirst = 200, kSteps = 12;                   // of the first frame, of others

// Shares of the half square: gains not worth a step in the first pass, and in others that a later one goes over again.
inline constexpr double kEnoughFirst = 1e-2, kEnoughBefore = 1e-3;

// Weights of the passes that stay near to a smooth course.
inline Weights nearWeights() {
  Weights w;
  w.rest = w.arms = kRest;
  w.path = kPath;
  w.pathTurn = kPathTurn;
  return w;
}

// The figure upright, its hips and shoulders along the source's.
std::vector<double> startPose(const Target& target, const FrameGoal& goal);
// Target and calibration; an empty string, or what is wrong and how to mend it.
std::string calibrate(const figure::Motion& motion, std::shared_ptr<const figure::FigureModel> model, const Settings& settings,
                      Target& target, Calibration& out);

}  // namespace vertebra::retarget
