// Clips that figures follow by themselves.
#pragma once
#include "capi/src/objects.hpp"
#include "capi/src/world_object.hpp"
#include "engine/figure/motion_coordinates.hpp"

namespace vertebra::capi {

struct Player {
  Player(vtb_figure f, std::shared_ptr<const figure::Motion> clip, std::shared_ptr<const figure::FigureModel> m)
      : figure(f),
        motion(std::move(clip)),
        model(std::move(m)),
        binding(*motion, *model->skeleton, model->coordinates),
        q(static_cast<std::size_t>(model->nq())),
        v(static_cast<std::size_t>(model->nv())) {}
  double timeAt(double worldTime) const;  // of the clip

  vtb_figure figure;
  std::shared_ptr<const figure::Motion> motion;
  std::shared_ptr<const figure::FigureModel> model;
  figure::MotionBinding binding;
  double start = 0, speed = 1;
  bool loop = false;
  vtb_joint root{0};  // of type motor, that drives the root link
  std::vector<double> q, v;
  std::vector<std::pair<int, world::JointDrive>> before;  // drives of the figure's joints, and of the root's, before the targets were set
};

// Sets the targets of the step that comes; as they were, unless that is kept.
class PlayedMotions {
 public:
  explicit PlayedMotions(vtb_world& world);
  ~PlayedMotions();
  PlayedMotions(const PlayedMotions&) = delete;
  PlayedMotions& operator=(const PlayedMotions&) = delete;
  void keep() { kept_ = true; }

 private:
  void play();
  void takeBack();

  vtb_world& world_;
  bool kept_ = false;
};

}  // namespace vertebra::capi
