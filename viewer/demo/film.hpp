// The pictures of the demo: its simulation drawn at chosen moments, in a film strip. Limp joints have a colour of their own. The clip walks
// along -y and is seen from -x, so that it walks from left to right.
#pragma once
#include <memory>
#include <string>

#include "viewer/demo/simulation.hpp"
#include "viewer/film_strip.hpp"
#include "viewer/offscreen.hpp"
#include "viewer/scene.hpp"

namespace vertebra::viewer {

class Film {
 public:
  Film();
  void setFigures(const Simulation& simulation);  // before the first picture

  bool due(double time, double duration) const;  // whether the next picture is
  void shoot(const Simulation& simulation, double time);
  void write(const std::string& path) const;
  const FilmStrip& strip() const { return strip_; }

 private:
  void place(const vtb_world* world, const DrivenFigure& figure, int firstPart);
  void placeBall(const Simulation& simulation);
  void colour(const Walker& walker);

  std::unique_ptr<Offscreen> offscreen_;
  Scene scene_;
  FilmStrip strip_;
  int walkerParts_ = -1, armParts_ = -1, ballPart_ = -1;
};

}  // namespace vertebra::viewer
