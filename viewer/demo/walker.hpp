// The walker of the demo: a person made from a motion clip that follows it by drives of limited force. Drives that are too far from their
// target go limp; so do all when the root is. A drive of at most half the weight holds the root. The clip walks along -y on z = 0; m, rad,
// s.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "viewer/demo/driven_figure.hpp"

namespace vertebra::viewer {

class Walker : public DrivenFigure {
 public:
  Walker(vtb_world* world, const std::string& clip, double gravity);

  // Sets the targets of the drives to the clip at a time, and switches them off where the figure is too far from them.
  void control(double time);

  bool limp(int32_t joint) const { return limp_[static_cast<std::size_t>(joint)]; }
  int limpCount() const;
  bool letGo() const { return fallen_; }
  double weight() const { return weight_; }
  double takeJointError() { return std::exchange(jointError_, 0); }  // the largest since the last call
  double rootHeight() const { return q[2]; }

  // Of a link in the clip at a time.
  void clipPosition(double time, const char* link, double* position);

 private:
  void follow(double time);
  void bound(int32_t joint);
  void setLimp(int32_t joint, bool limp);
  void driveRoot(vtb_motor_mode mode);

  vtb_world* world_;
  client::Motion motion_;
  vtb_body root_{};
  vtb_joint rootDrive_{};
  std::vector<bool> limp_;
  bool fallen_ = false;
  double weight_ = 0, jointError_ = 0;
};

}  // namespace vertebra::viewer
