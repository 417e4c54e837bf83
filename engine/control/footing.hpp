// Footing: how the feet of a trajectory move once it is made ready to be tracked. Feet in the air keep clear of the ground, so that they do
// not trip. A foot in contact rolls on its lowest soles and does not slide. One that stands alone is turned flat, and the root goes down
// where its leg would not reach: an ankle carries the figure on the edge of a foot hardly or not at all. World axes, Z up, ground at
// height 0, metres, radians.
#pragma once
#include <memory>
#include <vector>

#include "engine/control/course.hpp"
#include "engine/control/legs.hpp"

namespace vertebra::control {

class Footing {
 public:
  // clearance [m]: of soles in the middle of a swing.
  Footing(std::shared_ptr<const figure::FigureModel> model, std::shared_ptr<const figure::Trajectory> trajectory, const Course& course,
          double clearance);

  bool ends(std::size_t foot) const;               // no other foot hangs at it
  bool kneels(int frame) const;                    // on a body at which a foot hangs
  bool stands(std::size_t foot, int frame) const;  // in contact
  // Turns feet flat where they stand alone. `lower` [m], by frame: what is added to the root's height; less where legs need it.
  void turnFlat(std::vector<double>& lower);
  // Legs at q put their feet where they should be in this frame. `given`: the kinematics of the frame as it was given.
  void pose(int frame, const retarget::Kinematics& given, double* q);
  bool moves(int frame) const;  // any foot is not where it was given

 private:
  using Vec2 = Eigen::Vector2d;
  std::vector<double> clearances(std::size_t foot, double clearance);
  Vec3 upOf(std::size_t foot);
  std::vector<Vec2> holding(std::size_t foot);
  void easeSwings(const std::vector<std::pair<int, int>>& contacts, std::vector<Vec2>& hold) const;
  bool standsAlone(std::size_t foot, int frame) const;
  std::vector<double> flatWanted(std::size_t foot) const;
  void lowerToReach(std::size_t foot, const std::vector<double>& flat, std::vector<double>& lower);
  bool reaches(std::size_t foot, int frame, double flat, double lower);
  double put(std::size_t foot, int frame, double flat, const retarget::Kinematics& given, double* q);
  double lowest(std::size_t foot, const retarget::Kinematics& k) const;
  Vec3 lowSoles(std::size_t foot, const retarget::Kinematics& k, double& above) const;

  std::shared_ptr<const figure::FigureModel> model_;
  std::shared_ptr<const figure::Trajectory> trajectory_;
  const Course& course_;
  retarget::Kinematics k_;
  LegSolver legs_;
  std::vector<Vec3> up_;                          // by foot: the vertical in a flat foot's axes; zero: not known
  std::vector<std::vector<double>> lift_, flat_;  // by foot and frame: m; share of the foot's tilt that it is turned back by
  std::vector<std::vector<Vec2>> hold_;           // by foot and frame: along the ground, m
  std::vector<double> q_;
};

}  // namespace vertebra::control
