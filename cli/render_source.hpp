// What `vertebra render` draws: a world that is brought to times one after another. Seconds, metres, z up.
#pragma once
#include <string>
#include <vector>

#include "cli/scene.hpp"

namespace vertebra::cli {

class Source {
 public:
  // A robot (URDF), a motion (BVH), a robot with the trajectory of --motion, or a scene, by the file's content.
  Source(const std::string& path, const Arguments& arguments);

  const vtb_world* world() const { return world_.get(); }
  bool simulated() const { return static_cast<bool>(scene_); }
  bool motion() const { return static_cast<bool>(model_.motion); }
  bool moves() const { return simulated() || motion() || trajectory_; }
  double end() const { return end_; }                      // s, last time of a clip; of a scene, which has none, 5
  const vtb_scene* scene() const { return scene_.get(); }  // or null

  void goTo(double time);  // a scene goes on by whole steps and never back
  void restart();          // to time 0
  // A still robot whose root is free: its lowest point, at this height, comes to 0. False for everything else.
  bool stand(double lowest);

 private:
  void openScene(const std::string& path, const Arguments& arguments);
  void openFigure(const std::string& path, const Arguments& arguments);
  void openTrajectory(const std::string& path, const Arguments& arguments);
  void sample(double time);  // of the trajectory, into q_

  Scene scene_;
  Model model_;
  Trajectory trajectory_;
  Coordinates coordinates_;
  World world_;
  vtb_figure figure_{};
  std::vector<double> q_, v_;
  bool floating_ = false;
  int frames_ = 0;
  double frameTime_ = 1, step_ = 0, end_ = 0;
};

}  // namespace vertebra::cli
