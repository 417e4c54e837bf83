// Drawing into an image without display or window system: an EGL context on Mesa's surfaceless platform with a pbuffer of fixed size,
// into which an OpenSceneGraph viewer draws on the calling thread.
#pragma once
#include <memory>
#include <string>

#include "viewer/stage.hpp"

namespace vertebra::viewer {

class Offscreen : public Stage {
 public:
  // samples: of a pixel; 0 where the driver has not so many. Null, with the reason in error, where no context can be created. One Offscreen
  // at a time is current on a thread.
  static std::unique_ptr<Offscreen> create(int width, int height, int samples, std::string& error);
};

}  // namespace vertebra::viewer
