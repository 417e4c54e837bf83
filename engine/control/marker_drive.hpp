// MarkerDrive: points of links are drawn to places in the world by soft, bounded forces, as markers of an optical record draw a figure
// (Vondrak 2006 ch. 8). A place that is absent draws nothing. The forces are those at the end of the step, predicted with the figure's mass
// matrix: any stiffness is stable. SI units, world axes; points of links in link frames.
#pragma once
#include <Eigen/Cholesky>
#include <memory>
#include <vector>

#include "engine/control/command.hpp"

namespace vertebra::control {

struct MarkerSite {
  int link = -1;
  Vec3 point = Vec3::Zero();
};

struct MarkerDriveSettings {
  double omega = 20, ratio = 1;  // rad/s and share of critical damping of the figure's mass, shared among the sites
  double limit = kInf;           // N: of each force
};

class MarkerDrive : public Controller {
 public:
  MarkerDrive(std::shared_ptr<const figure::FigureModel> model, const MarkerDriveSettings& settings, std::vector<MarkerSite> sites);

  const MarkerDriveSettings& settings() const { return settings_; }
  const std::vector<MarkerSite>& sites() const { return sites_; }
  // By site, 3 numbers each: where it shall be at the end of the next step, and how fast it moves there. A place that is not finite is
  // absent.
  std::vector<double>& places() { return places_; }
  std::vector<double>& velocities() { return velocities_; }
  double error() const { return error_; }  // m: largest distance of a site from its place, before the last step

  Failure apply(const Moment& now, Command& command) override;
  void exchange(ControllerState& state) override;

 private:
  std::shared_ptr<const figure::FigureModel> model_;
  MarkerDriveSettings settings_;
  std::vector<MarkerSite> sites_;
  figure::FigureWorkspace workspace_;
  std::vector<double> places_, velocities_, J_;
  std::vector<int> present_;
  Eigen::MatrixXd M_, rows_;
  Eigen::LLT<Eigen::MatrixXd> factor_;  // keeps its memory
  Eigen::VectorXd right_, reach_;
  double error_ = 0;
};

}  // namespace vertebra::control
