// A panel of sliders, one for each axis of the world's joints: it sets coordinates, or targets of motors. rad and m.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "vertebra/vertebra.h"
#include "viewer/hud.hpp"

namespace vertebra::viewer {

class Sliders {
 public:
  struct Row {
    vtb_joint joint{};
    int axis = 0;
    bool spherical = false, slides = false;
    std::string name;
    double lower = 0, upper = 0;
  };

  explicit Sliders(vtb_world* world) : world_(world) {}

  // For other panels than the one that is drawn here.
  const std::vector<Row>& read();  // the world's rows as they are now
  double value(const Row& row, bool target) const;
  void set(const Row& row, bool target, double value);

  bool open() const { return open_; }
  void toggle();
  void toggleTargets();  // coordinates or targets
  bool targets() const { return targets_; }
  bool over(double x, double y) const;
  bool press(double x, double y);  // true if a slider is taken hold of
  void drag(double x);             // an error's text is thrown as std::runtime_error
  void release() { held_ = -1; }
  void scroll(double notches);
  void draw(Hud& hud, int height);

 private:
  void setCoordinate(const Row& row, double value);
  void setTarget(const Row& row, double value);
  std::pair<double, double> gains(const Row& row) const;  // bound and the error at which it is reached

  vtb_world* world_;
  std::vector<Row> rows_;
  std::map<std::pair<std::uint64_t, int>, double> wanted_;  // targets that were set here
  bool open_ = false, targets_ = false;
  int first_ = 0, shown_ = 0, held_ = -1;
};

}  // namespace vertebra::viewer
