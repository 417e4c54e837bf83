// A figure fitted to optical markers, frame by frame: least squares over its coordinates between what the markers show and what the frames
// before let expect (an iterated extended Kalman filter with constant velocity between frames). Markers that are
// hidden are predicted; two that have exchanged their names are found and exchanged back; one that fits nowhere is left out of its frame.
// Where the markers sit can be calibrated on a record. World axes, Z up, metres, seconds, radians.
// Sources: Bar-Shalom, Li and Kirubarajan 2001, ch. 6, 8 and 10 (filter, smoothing, gates); Kabsch 1976 (first frame).
#pragma once
#include <Eigen/Core>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "engine/figure/markers.hpp"
#include "engine/retarget/descent.hpp"
#include "engine/retarget/goal_squares.hpp"

namespace vertebra::retarget {

struct MarkerFitSettings {
  double noise = 0.005;   // m: standard deviation of a coordinate of a marker
  double agility = 30;    // rad/s^2, or half as many m/s^2 for the root: standard deviation of the axes' accelerations, to begin with
  double placing = 0.02;  // m: standard deviation of where the set says the markers sit, for calibration
  double frameTime = 0.01;
  int latency = 0;  // frames from a frame to its result, which is smoothed by those that follow it
  bool learns =
      true;  // the resting pose and the joints' accelerations; not where places or lengths may be wrong, which the pose would take
};

struct MarkerFitCounts {
  int swaps = 0;        // pairs that exchanged their names
  int outliers = 0;     // positions that fitted nowhere
  int hidden = 0;       // positions that were not there
  double residual = 0;  // m: root mean square of the distances of the markers that were used
};

class MarkerFit {
 public:
  // Places name a link, or a joint, whose child link carries the marker; the offset is in that frame. Returns an empty string, or what is
  // wrong.
  static std::string create(std::shared_ptr<const figure::FigureModel> model, const std::vector<figure::MarkerPlace>& places,
                            const MarkerFitSettings& settings, std::unique_ptr<MarkerFit>& out);

  int markers() const { return static_cast<int>(sites_.size()); }
  int nq() const { return model_->nq(); }
  const figure::Coordinates& coordinates() const { return model_->coordinates; }
  bool started() const { return started_; }  // three markers were seen together
  // Where the markers sit, by a record: positions in the order of the places, frames x markers. The frames are fitted one by one, then each
  // marker goes to the mean of where it was seen on its link, held by `placing` to where the set puts it; a few times over. False: fewer
  // than three markers are seen in every frame.
  bool calibrate(const std::vector<Vec3>& positions);
  // The next frame: positions in the order of the places, not a number where hidden. True: q receives the coordinates of the frame
  // `latency` frames ago. No frame before three markers were seen together has any.
  bool push(const Vec3* positions, std::vector<double>& q);
  bool finish(std::vector<double>& q);  // one of the frames that are still held back; false: none is
  void predict(Vec3* positions);        // of all markers in the frame to come
  void restart();                       // forget the frames and the exchanged names; where the markers sit stays
  MarkerFitCounts counts() const;
  const std::vector<Vec3>& offsets() const { return offsets_; }  // as the places have them

 private:
  MarkerFit(std::shared_ptr<const figure::FigureModel> model, const MarkerFitSettings& settings);
  struct Site {
    int body = -1;
    Pose frame;  // of the place in the body
    Anchor anchor;
  };
  struct Seen {
    std::size_t site = 0;
    Vec3 at = Vec3::Zero();
  };

  struct Frame {  // as it is known from itself and those before; as it was expected from those before
    std::vector<double> q, expectedQ;
    Eigen::VectorXd v, expectedV;
    Eigen::MatrixXd back;  // from what the next frame is found off its expectation to this frame: 2 nv x 2 nv
  };
  bool fit(const Vec3* positions);
  void keep();
  void smooth(std::vector<double>& q);
  void findWeak();
  void place();
  bool start(const std::vector<Seen>& seen);
  void expect();
  void recognise(const Vec3* positions);
  void solve(int most);
  void correct();
  void learnAgility(const Eigen::VectorXd& push);
  void followRest();
  double build(const std::vector<double>& q, StepSystem& system);

  std::shared_ptr<const figure::FigureModel> model_;
  MarkerFitSettings settings_;
  AxisBounds bounds_;
  Kinematics kinematics_;
  GoalSquares goals_;
  std::unique_ptr<Descent> descent_;
  std::vector<Site> sites_;
  std::vector<Vec3> offsets_, given_;
  std::vector<std::size_t> nameOf_;  // by site: whose position it takes
  std::vector<Seen> seen_;           // in this frame, that are used
  bool started_ = false;
  std::vector<double> q_, expected_, rest_, J_, difference_;
  Eigen::VectorXd v_, change_;
  Eigen::MatrixXd qq_, qv_, vv_;  // covariance of coordinates and velocities
  Eigen::MatrixXd before_;        // of the last frame with the next, for smoothing
  Eigen::MatrixXd weight_;        // of what is expected: the inverse of qq_
  struct Run {
    int first, count;
  };
  std::vector<Run> joints_;       // velocities of one joint; of the root's place, its turn
  std::vector<double> agility2_;  // by velocity: variance of its acceleration, as found so far
  std::vector<double> weak_;      // of zero coordinates, by velocity: 1 over the standard deviation
  std::deque<Frame> frames_;      // the last ones, at most latency + 1
  MarkerFitCounts counts_;
  double squares_ = 0;
  long used_ = 0;
};

}  // namespace vertebra::retarget
