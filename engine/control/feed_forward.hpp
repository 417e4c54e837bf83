// Inverse dynamics with contact (Cline ch. 5.1.1): the torques and ground forces that give a figure an acceleration. What its root needs is
// shared among points of its feet, whose forces stay in pyramids of friction; what they cannot give is told.
// World axes, Z up, level ground. Arrays by velocity of the figure. A wrench: force, then moment about the centre of mass.
#pragma once
#include <memory>
#include <vector>

#include "engine/control/course.hpp"

namespace vertebra::control {

// Forces at points of level ground, in pyramids within the cone of friction, whose sum comes nearest to a wrench:
//   minimise |S (sum - wrench)|^2 + small |forces|^2, S = 1 for forces, 1 / length for moments.
// With forces = G x, x >= 0, and y the scaled defect, x = max(0, G^T y) / small: Newton's method on the piecewise linear equation in the
// six numbers y, whose solution is unique and continuous in the wrench.
class ContactSharing {
 public:
  void clear() { columns_.clear(), directions_.clear(), arms_.clear(), small_.clear(); }
  // A point that stands; `reluctance` multiplies the weight of its forces' squares.
  void add(const Vec3& fromCentre, double friction, double reluctance = 1);
  // length [m]: force errors and moment errors weigh alike at that arm. Returns what is not reached; forces: by point.
  Vec6 share(const Vec6& wrench, double length, std::vector<Vec3>& forces);

 private:
  std::vector<Vec6> columns_;
  std::vector<Vec3> directions_, arms_;
  std::vector<double> small_;  // by column
};

class FeedForward {
 public:
  FeedForward(std::shared_ptr<const figure::FigureModel> model, std::vector<SolePoint> soles);

  // arm: share of the height of the centre of mass at which a missing force and a missing moment weigh alike.
  // tau: of joints, 0 for the base. stands: by sole, though one that is not down gives less the higher it is. Returns the wrench that the
  // contacts lack.
  Vec6 compute(const double* q, const double* v, const double* a, const Vec3& gravity, const std::vector<bool>& stands, double friction,
               double arm, double* tau);
  const std::vector<Vec3>& forces() const { return forces_; }  // by sole; those of the last compute
  Vec3 place(std::size_t sole) const;                          // where its force acts, at the last q
  const Vec3& centre() const { return centre_; }               // of mass
  const Vec3& centreVelocity() const { return centreVelocity_; }
  retarget::Kinematics& kinematics() { return kinematics_; }  // at the last q

 private:
  std::shared_ptr<const figure::FigureModel> model_;
  figure::FigureWorkspace workspace_;
  retarget::Kinematics kinematics_;
  std::vector<SolePoint> soles_;
  std::vector<retarget::Anchor> inner_;  // of each sole the point, nearer to the middle of its foot, where its force acts
  ContactSharing sharing_;
  std::vector<Vec3> shared_, forces_;
  std::vector<double> J_;
  Vec3 centre_ = Vec3::Zero(), centreVelocity_ = Vec3::Zero();
};

}  // namespace vertebra::control
