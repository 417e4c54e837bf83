// A figure as retargeting sees it: where its roles are, how long its limbs are, which points of its links may touch. Found from names,
// topology and lengths in the pose of zero coordinates. World axes with the root link frame at the origin, metres.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/geometry/shape.hpp"
#include "engine/retarget/kinematics.hpp"
#include "engine/retarget/roles.hpp"

namespace vertebra::retarget {

struct Ball {  // a point of a body's surface with a radius around it
  Vec3 point = Vec3::Zero();  // inertial frame
  double radius = 0;
};

struct Target {
  std::shared_ptr<const figure::FigureModel> model;
  std::vector<double> zero;                 // coordinates, within the limits
  std::vector<std::vector<Ball>> surface;   // by body: extreme points of its collision shapes, else of its visuals
  ByRole<Anchor> at;                        // body -2: the figure has no such role
  ByRole<int> endBody;                      // feet, hands, head: the body that ends the limb; -1 = none
  ByRole<Mat3> upright;                     // their orientations at zero coordinates, turned so that x is forward and z up
  ByRole<double> length;                    // to the role before it in its limb; hips and shoulders to the middle of the pair
  Anchor ankle[2];                          // on the bodies that end the legs
  double trunk = 0, leg = 0;
  Mat3 stand = Mat3::Identity();            // zero pose -> x forward, y left, z up
  double soleHeight = 0;                    // of the root link above the lowest point of the feet, standing at zero coordinates

  bool has(Role r) const { return at[r].body > -2; }
};

// Returns an empty string, or what is missing.
std::string readTarget(std::shared_ptr<const figure::FigureModel> model, Target& out);

// Few points with nearly the same hull.
std::vector<Ball> extremes(const std::vector<Ball>& points);

}  // namespace vertebra::retarget
