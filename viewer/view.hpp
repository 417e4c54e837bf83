// The view behind vertebra_view.h: a world's scene and from where it is seen, drawn on a stage.
#pragma once
#include <algorithm>
#include <memory>

#include "viewer/include/vertebra_view.h"
#include "viewer/stage.hpp"
#include "viewer/world_view.hpp"

struct vtb_view {
  vtb_view_def def;
  std::unique_ptr<vertebra::viewer::Stage> stage;
  vertebra::viewer::Scene scene;
  vertebra::viewer::WorldView world;
  vtb_camera camera{};

  explicit vtb_view(const vtb_view_def& given);
  double aspect() const { return static_cast<double>(def.width) / def.height; }
  osg::Matrixd projection() const;
  osg::Matrixd viewMatrix() const;
  void setCamera(const vtb_camera& given);
  void setStage(std::unique_ptr<vertebra::viewer::Stage> given, osg::Node* all);  // all: the scene and what is drawn over it
  void draw();
};
