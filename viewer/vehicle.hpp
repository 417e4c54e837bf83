// Keys that drive: throttle, gears and steering of a world's vehicle. Nothing is set before the first such key.
#pragma once
#include <string>
#include <vector>

#include "vertebra/vertebra.h"

namespace vertebra::viewer {

class Vehicle {
 public:
  // Steering: axis 1 of wheel joints with a position motor, joints and driveline parts (strokes of cylinders) named "steer". Drive: parts
  // of a driveline; without one, continuous joints named "wheel" or "spin".
  explicit Vehicle(vtb_world* world);

  bool any() const { return !parts_.empty() || !steering_.empty() || !wheels_.empty(); }
  bool key(int key, bool pressed);  // false: none of its keys
  void update(double seconds);      // of the world's time
  std::string text() const;         // what it is at

 private:
  struct Part {
    vtb_constraint handle{};
    vtb_driveline_input input{};  // as it was
    bool steers = false;
  };
  struct Axis {
    vtb_joint joint{};
    int axis = 0;
    double lower = 0, upper = 0, bound = 0;
  };
  void shift(int by);

  vtb_world* world_;
  std::vector<Part> parts_;
  std::vector<Axis> steering_, wheels_;
  bool forward_ = false, back_ = false, left_ = false, right_ = false, used_ = false;
  double steer_ = 0;  // -1 right to 1 left
  int gear_ = -1;
};

}  // namespace vertebra::viewer
