// A window through OpenSceneGraph's window system (X11): what a user does in it as events, and the view drawn in it. Everything that an
// event means is session.hpp's; this is the glass alone.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "viewer/event.hpp"
#include "viewer/stage.hpp"

namespace vertebra::viewer {

class Window : public Stage {
 public:
  // samples: of a pixel; -1: kSamples, 0 where software draws. Null, with the reason in error, where no window can be opened.
  static std::unique_ptr<Window> create(int width, int height, int samples, const std::string& title, std::string& error);
  virtual std::vector<Event> events() = 0;  // since the last call
};

}  // namespace vertebra::viewer
