// What stands over the picture: time and speed, counts and times, the body under the mouse, plots, sliders, help.
#pragma once
#include <deque>

#include "viewer/hud.hpp"
#include "viewer/session.hpp"

namespace vertebra::viewer {

class Panels {
 public:
  void record(const Session& session);  // for the plots, once a picture
  void draw(Hud& hud, Session& session) const;

 private:
  struct Sample {
    double time, energy, kinetic, contacts, stepMicroseconds;
  };
  void drawTime(Hud& hud, const Session& session) const;
  void drawBody(Hud& hud, const Session& session) const;
  void drawPlots(Hud& hud, const Session& session) const;
  void drawHelp(Hud& hud, const Session& session) const;

  std::deque<Sample> samples_;
};

}  // namespace vertebra::viewer
