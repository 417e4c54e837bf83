// Poses of a figure's bodies and Jacobians of points on them, for inverse kinematics. World axes, metres, radians; coordinates q and
// velocities v as a user of the figure sees them (engine/figure/coordinates.hpp), so mimic joints move with their masters.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "engine/figure/figure_model.hpp"

namespace vertebra::retarget {

struct Anchor {               // a point that a body carries
  int body = -1;              // of the model; -1 = the world
  Vec3 point = Vec3::Zero();  // in the body's inertial frame
};

class Kinematics {
 public:
  explicit Kinematics(std::shared_ptr<const figure::FigureModel> model);
  Kinematics(const Kinematics&) = delete;
  Kinematics& operator=(const Kinematics&) = delete;

  const figure::FigureModel& model() const { return *model_; }
  void update(const double* q);                // poses and columns of all that follows; at the same q again it is free
  void updatePath(const double* q, int body);  // of a body and what carries it alone; the others stay as they were

  Vec3 position(const Anchor& a) const;
  Vec3 bodyPosition(int body) const { return origin_ + states_[static_cast<std::size_t>(body)].c; }  // of the inertial frame
  const Mat3& bodyRotation(int body) const { return states_[static_cast<std::size_t>(body)].R; }     // of the inertial frame
  const Quat& bodyQuaternion(int body) const { return states_[static_cast<std::size_t>(body)].q; }   // the same
  Pose linkPose(int link) const;
  Anchor anchor(int link, const Vec3& inLink) const;
  Vec3 centerOfMass() const;  // of a figure that has a mass
  Vec3 axis(int body) const;  // of a body's joint of one axis: world direction in which its coordinate turns or moves it

  // Velocities that move a body, ascending.
  std::span<const int> columns(int body) const;
  struct Axis {  // a velocity of the figure that moves a body, through the joint axis with this column of its subspace
    int column;
    double factor;
    const Vec6* S;  // turn and, at the origin, velocity
  };
  std::span<const Axis> axes(int body) const;                               // from its own joint to the root's
  std::span<const Axis> ownAxes(int body) const;                            // of its own joint
  Vec3 fromOrigin(const Anchor& a) const { return position(a) - origin_; }  // of the columns' velocities
  // Adds weight times the velocity of the anchor along `direction`, per velocity of the figure: a row of nv.
  void addAlong(const Anchor& a, const Vec3& direction, double weight, double* row) const;
  // Adds weight times the velocity of the anchor, or the angular velocity of the body, per velocity of the figure: rows of a 3 x nv matrix.
  void addLinear(const Anchor& a, double weight, double* J) const;
  void addAngular(int body, double weight, double* J) const;

 private:
  void take(const double* q);

  std::shared_ptr<const figure::FigureModel> model_;
  std::vector<dynamics::LinkState> states_;
  std::vector<double> columns_, q_;
  std::vector<double> whole_;  // q of the last update, empty where a path alone was updated since
  dynamics::Tree tree_;
  std::vector<int> path_;
  Vec3 origin_ = Vec3::Zero();  // the root link's, about which the tree is computed
  std::vector<std::vector<int>> moving_;
  std::vector<std::vector<Axis>> axes_;  // by body, from its own joint to the root's
  std::vector<std::size_t> own_;         // how many are its own joint's
};

}  // namespace vertebra::retarget
