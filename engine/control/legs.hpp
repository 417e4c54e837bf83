// Legs: inverse kinematics of one body by the axes between the root and it; other axes and the root stay as they are. World axes, metres,
// radians. Gauss-Newton steps with damping (least squares, Levenberg 1944).
#pragma once
#include <memory>
#include <vector>

#include "engine/retarget/kinematics.hpp"

namespace vertebra::control {

class LegSolver {
 public:
  explicit LegSolver(std::shared_ptr<const figure::FigureModel> model);

  // Changes q within its limits so that the body's inertial frame comes to a pose, or near it: what is left, m and rad together.
  double reach(int body, const Vec3& place, const Mat3& turn, double* q);
  // Changes v so that the body at q moves at a twist (linear, then angular).
  void move(int body, const Vec6& twist, const double* q, double* v);
  Vec6 twist(int body, const double* q, const double* v);
  retarget::Kinematics& kinematics() { return kinematics_; }  // after each of these: of the body and what carries it

 private:
  double approach(int body, const Vec3& place, const Mat3& turn, double* q);  // what is left
  void bend(int body);
  void readColumns(int body);
  void solve(const Vec6& e);  // into x_
  void keepLimits(double* q) const;

  struct Range {  // of a coordinate
    int q;
    double lower, upper;
  };

  std::shared_ptr<const figure::FigureModel> model_;
  retarget::Kinematics kinematics_;
  std::vector<Range> ranges_;  // of joints whose coordinates are their axes'
  std::vector<int> columns_;   // of the body
  std::vector<double> x_;      // by column
  std::vector<double> J_, dv_, first_;
  Eigen::Matrix<double, 6, Eigen::Dynamic> A_;
};

}  // namespace vertebra::control
