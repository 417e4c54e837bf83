// MarkerDrive: points of links are drawn to places in the world by soft, bounded forces, as markers of an optical record draw a figure
// (Vondrak 2006 ch. 8). A place that is absent draws nothing. The forces are those at the end of the step, predicted with the figure's mass
// matrix: any stiffness is stable. SI units, world axes; points of links in link frames.
#pragma once
#include <Eigen/Cholesky>
#include <memory>
#include <vector>

#include "engine/control/command.hpp"
#include "engine/figure/markers.hpp"

namespace vertebra::control {

struct MarkerSite {
  int link = -1;
  Vec3 point = Vec3::Zero();
};

struct MarkerDriveSettings {
  double omega = 20, ratio = 1;  // rad/s and share of critical damping of the figure's mass, shared among the sites
  double limit = kInf;           // N: of each force
};

// A record that the sites follow. Between frames a place moves on a straight line; where a marker is missing at either end of it, and
// before the record, it is absent; behind the record the last places stay.
struct PlayedMarkers {
  std::shared_ptr<const figure::MarkerRecord> record;
  std::vector<int> columns;  // marker of each site; -1 = none
  double begin = 0;          // s: time of the world at the first frame
  Pose place;                // of the record in the world
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
  void play(PlayedMarkers played);         // sets the places before each step, until
  void rest() { follows_ = false; }        // they are set by hand
  double error() const { return error_; }  // m: largest distance of a site from its place, before the last step

  Failure apply(const Moment& now, Command& command) override;
  void exchange(ControllerState& state) override;

 private:
  void follow(double time);
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
  PlayedMarkers played_;
  bool follows_ = false;
};

}  // namespace vertebra::control
