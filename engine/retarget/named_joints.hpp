// The joints of a motion with the words of their names, what is above and below them, and some of the motion's poses.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "engine/figure/motion.hpp"

namespace vertebra::retarget {

struct Named {
  const figure::Motion& motion;
  std::vector<std::vector<std::string>> words;
  std::vector<bool> real;                // no twist joint, helper or end
  std::vector<std::vector<Pose>> poses;  // world, some of all frames, one at least

  explicit Named(const figure::Motion& motion);
  Vec3 at(std::size_t pose, int joint) const { return poses[pose][static_cast<std::size_t>(joint)].p; }
  int parent(int joint) const { return motion.joints[static_cast<std::size_t>(joint)].parent; }
  int first(int side, std::initializer_list<const char*> of) const;
  // The first that ends a limb, with two joints above it before the root, else the first: helpers at the root are named as hands and feet.
  int end(int side, std::initializer_list<const char*> of) const;
  int up(int joint) const;  // the nearest real joint above it at another place; -1 = none
  int child(int joint, std::initializer_list<const char*> of) const;
  // The two joints that bend a limb, the lower first, where others lie on straight lines between their neighbours in all poses, such as
  // parts of a shin; false if there are no such, or what is left is no limb.
  bool bends(int end, int (&out)[2]) const;

 private:
  double length(int joint, int above) const;
  bool forks(int joint) const;
};

}  // namespace vertebra::retarget
