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

// Lengths of a figure's bones, on which a motion's directions are laid; 0 where it has none.
struct Bones {
  ByRole<double> length{};   // to the role before it in its limb; hips, shoulders to the middle of the pair; head to that of shoulders
  double trunk = 0;          // middle of the hips to that of the shoulders
  double flank[2] = {0, 0};  // hip to shoulder of a side
  double crown = 0;          // middle of the hips to the head
};

struct Target {
  std::shared_ptr<const figure::FigureModel> model;
  std::vector<double> lower, upper;  // by velocity, with a margin inside the limits; infinite where none are
  std::vector<double> fastest;       // by velocity: largest speed; infinite where none is given
  std::vector<int> coordinate;       // by velocity: what it changes; -1 = a rotation or the base
  std::vector<double> zero;          // coordinates, within these limits
  ByRole<Anchor> at;                 // body -2: the figure has no such role
  ByRole<int> link;                  // that a map names for the role; -1 = none
  ByRole<int> endBody;               // feet, hands, head: the body that ends the limb; -1 = none
  ByRole<Mat3> upright;              // their orientations at zero coordinates, seen in `stand`
  Bones bones;
  Anchor ankle[2];         // on the bodies that end the legs
  std::vector<int> legOf;  // by body: side of the leg that it is part of; -1 = none
  double leg = 0;
  Mat3 stand = Mat3::Identity();  // zero pose -> x forward, y left, z up

  bool has(Role r) const { return at[r].body > -2; }
};

// Names given for links count before those found. Returns an empty string, or what is missing or wrong.
std::string readTarget(std::shared_ptr<const figure::FigureModel> model, const RoleMap& given, Target& out);

}  // namespace vertebra::retarget
