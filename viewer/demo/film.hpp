// The pictures of the demo: its simulation drawn at chosen moments, in a film strip. Limp joints have a colour of their own. The clip walks
// along -y and is seen from -x, so that it walks from left to right.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "viewer/demo/simulation.hpp"
#include "viewer/include/vertebra_view.h"

namespace vertebra::viewer {

class Film {
 public:
  Film();

  bool due(double time, double duration) const;  // whether the next picture is
  void shoot(const Simulation& simulation, double time);
  void write(const std::string& path) const;
  std::string size() const;  // pictures and pixels, in words

 private:
  void colour(const Simulation& simulation);

  std::unique_ptr<vtb_view, Release<vtb_view_destroy>> view_;
  std::unique_ptr<vtb_strip, Release<vtb_strip_destroy>> strip_;
  std::vector<std::uint8_t> pixels_;
  int shots_ = 0;
};

}  // namespace vertebra::viewer
