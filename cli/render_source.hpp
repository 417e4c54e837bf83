// What `vertebra render` draws and `vertebra view` shows: a world that is brought to times one after another, or goes by physics. Seconds,
// metres, z up.
#pragma once
#include <string>
#include <vector>

#include "cli/companion.hpp"
#include "cli/scene.hpp"

namespace vertebra::cli {

class Source {
 public:
  // A robot (URDF), a motion (BVH), a robot with the trajectory of --motion, a scene, by the file's content; a robot that falls by physics
  // from the height of --drop; or a motion with a --figure that follows it in simulation by drives of its joints, held at its root. The
  // motion that a trajectory or a figure follows stands beside it.
  Source(const std::string& path, const Arguments& arguments);

  vtb_world* world() const { return world_.get(); }
  bool simulated() const { return scene_ || tracks_ || drops_; }
  bool motion() const { return static_cast<bool>(model_.motion); }
  bool floating() const { return floating_; }
  bool moves() const { return simulated() || motion() || trajectory_; }
  double end() const { return end_; }                      // s, last time of a clip; of a scene, which has none, 5
  const vtb_scene* scene() const { return scene_.get(); }  // or null

  void goTo(double time);  // a scene goes on by whole steps and never back
  void restart();          // to time 0
  // A still robot whose root is free: its lowest point, at this height, comes to 0. False for everything else.
  bool stand(double lowest);
  void makeGround();            // at height 0, where a world of one robot or motion has none
  void accompany(double time);  // what does not go by physics: the motion beside

 private:
  void openScene(const std::string& path, const Arguments& arguments);
  void openFigure(const std::string& path, const Arguments& arguments);
  void openTrajectory(const std::string& path, const Arguments& arguments);
  void openTracked(const std::string& path, const Arguments& arguments);
  vtb_world* makeGroundedWorld();
  void track();              // the world of openTracked, at its start
  void drop();               // the world of a robot that falls from --drop, at its start
  void sample(double time);  // of the trajectory, into q_

  Scene scene_;
  Model model_;
  Trajectory trajectory_;
  Motion beside_;  // the motion that the figure follows
  Coordinates coordinates_;
  World world_;
  vtb_figure figure_{};
  std::vector<double> q_, v_;
  std::unique_ptr<Companion> companion_;
  bool floating_ = false, tracks_ = false, drops_ = false, grounded_ = false;
  std::string figurePath_;  // of the figure that follows the motion, or falls
  vtb_base base_ = VTB_BASE_DEFAULT;
  double height_ = 0;  // m: of its lowest point, from which it falls
  int frames_ = 0;
  double frameTime_ = 1, step_ = 0, end_ = 0;
};

std::vector<Option> sourceOptions();  // --motion, --figure, --source, --drop

}  // namespace vertebra::cli
