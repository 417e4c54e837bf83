// Data of a joint by axis, in one block of memory whose length follows from the number of axes: most joints have one axis, and a world may
// have thousands.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>

#include "engine/state/definitions.hpp"

namespace vertebra {

struct JointAxes {
  AxisParameters* axes = nullptr;
  MotorSettings* motors = nullptr;
  double (*impulse)[4] = nullptr;  // warm start of rows: friction, lower or only
                                   // limit, upper limit, velocity limit
  double* v = nullptr;             // current only while the joint carries no link
  double *driveImpulse = nullptr,
         *springImpulse = nullptr;  // warm start between bodies: motors; springs with dampers
  double *motorForce = nullptr, *springForce = nullptr, *frictionForce = nullptr, *limitForce = nullptr;
  // -1, 0, 1: motor at its bound in the last step; between bodies: steps for
  // which it yields (constraints/infeasibility.cpp)
  std::int8_t* saturated = nullptr;
  int nv = 0;

  JointAxes() = default;
  explicit JointAxes(int count) : nv(count) {
    if (count == 0) return;
    block_ = std::make_unique<double[]>(numbers(count));
    place();
    std::uninitialized_fill_n(axes, count, AxisParameters());
    std::uninitialized_fill_n(motors, count, MotorSettings());
  }
  JointAxes(const JointAxes& o) : JointAxes(o.nv) {
    if (nv > 0) std::copy_n(o.block_.get(), numbers(nv), block_.get());
  }
  JointAxes(JointAxes&& o) noexcept { swap(o); }
  JointAxes& operator=(JointAxes o) noexcept {
    swap(o);
    return *this;
  }

 private:
  static_assert(std::is_trivially_copyable_v<AxisParameters> && std::is_trivially_copyable_v<MotorSettings>);
  static_assert(sizeof(AxisParameters) % sizeof(double) == 0 && sizeof(MotorSettings) % sizeof(double) == 0);
  static constexpr int kNumbers = 4 + 7;  // per axis, besides parameters, motor and `saturated`

  static std::size_t numbers(int count) {
    const std::size_t n = static_cast<std::size_t>(count);
    return n * (sizeof(AxisParameters) + sizeof(MotorSettings)) / sizeof(double) + n * kNumbers + (n + 7) / 8;
  }
  void place() {
    double* at = block_.get();
    axes = reinterpret_cast<AxisParameters*>(at);
    at += nv * (sizeof(AxisParameters) / sizeof(double));
    motors = reinterpret_cast<MotorSettings*>(at);
    at += nv * (sizeof(MotorSettings) / sizeof(double));
    impulse = reinterpret_cast<double(*)[4]>(at);
    at += 4 * nv;
    for (double** list : {&v, &driveImpulse, &springImpulse, &motorForce, &springForce, &frictionForce, &limitForce}) {
      *list = at;
      at += nv;
    }
    saturated = reinterpret_cast<std::int8_t*>(at);
  }
  void swap(JointAxes& o) noexcept {
    std::swap(block_, o.block_);
    std::swap(nv, o.nv);
    for (JointAxes* x : {this, &o}) {
      if (x->block_)
        x->place();
      else
        x->forget();
    }
  }
  void forget() {
    axes = nullptr;
    motors = nullptr;
    impulse = nullptr;
    v = driveImpulse = springImpulse = motorForce = springForce = frictionForce = limitForce = nullptr;
    saturated = nullptr;
  }
  std::unique_ptr<double[]> block_;
};

}  // namespace vertebra
