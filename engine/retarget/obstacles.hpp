// What a figure's links may not enter: the ground at height 0, and each other. Distances are of the hulls of each body's points.
// Metres, world axes.
#pragma once
#include <vector>

#include "engine/geometry/gjk.hpp"
#include "engine/retarget/target.hpp"

namespace vertebra::retarget {

struct Nearness {  // two bodies, or a body and the ground (b.body = -1), nearer than allowed
  Anchor a, b;
  Vec3 normal = Vec3::UnitZ();  // from b to a
  double lack = 0;              // how much farther apart they should be
  double overlap = 0;           // how much deeper the two bodies are in each other than at zero coordinates
};

class Obstacles {
 public:
  explicit Obstacles(const Target& target);
  void forget();  // poses seen so far, from which searches for distances begin
  // Pairs of bodies nearer than `reach` at the present poses.
  void near(const Kinematics& kinematics, double reach, std::vector<int>& pairs);
  // What is too near at the present poses, or has less room than `ahead` (lack is negative), of these pairs and over the ground. Feet that
  // are held in contact are left out of the ground.
  void find(const Kinematics& kinematics, const std::vector<int>& pairs, const double hold[2], double ahead, std::vector<Nearness>& out);

 private:
  struct Pair {
    int a = 0, b = 0;
    double least = 0;            // allowed distance: that of zero coordinates where the hulls overlap there
    geometry::GjkCourse course;  // of the last search for their distance
    // Then they were at least `clear` apart, and b's centre and axes stood so in the axes of a.
    double clear = -kInf;
    Vec3 seen = Vec3::Zero();
    Quat turn = Quat::Identity();
  };
  void place(const Kinematics& k);
  double distance(const Kinematics& k, Pair& pair, double most, Nearness& out) const;

  const Target& target_;
  const std::vector<figure::BodyHull>& hulls_;
  std::vector<Vec3> centres_;  // of the hulls' spheres, at the present poses
  std::vector<Pair> pairs_;
};

}  // namespace vertebra::retarget
