// Data of a joint by axis: parameters, motor, warm starts and forces of an axis lie together, in one block of memory whose length follows
// from the number of axes. Most joints have one axis, and a world may have thousands.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>

#include "engine/state/definitions.hpp"

namespace vertebra::inline state {

struct JointAxis : dynamics::AxisParameters {
  MotorSettings motor;
  double impulse[4] = {};  // warm start of rows: friction, lower or only limit, upper limit, velocity limit
  double v = 0;            // current only while the joint carries no link
  double motorForce = 0, springForce = 0, frictionForce = 0, limitForce = 0;
  // -1, 0, 1: motor at its bound in the last step; between bodies: steps for which it yields (constraints/infeasibility.cpp)
  std::int8_t saturated = 0;
};

struct JointAxes {
  std::unique_ptr<JointAxis[]> axes;
  int nv = 0;

  JointAxes() = default;
  explicit JointAxes(int count) : axes(count > 0 ? std::make_unique<JointAxis[]>(static_cast<std::size_t>(count)) : nullptr), nv(count) {}
  JointAxes(const JointAxes& o) : JointAxes(o.nv) { std::copy_n(o.axes.get(), nv, axes.get()); }
  JointAxes(JointAxes&&) noexcept = default;
  JointAxes& operator=(JointAxes o) noexcept {
    std::swap(axes, o.axes);
    std::swap(nv, o.nv);
    return *this;
  }
};

}  // namespace vertebra::inline state
