// Data of a joint by axis: motor, warm starts and forces of an axis lie together, in one block of memory whose length follows
// from the number of axes. Most joints have one axis, and a world may have thousands.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "engine/state/definitions.hpp"
#include "engine/state/rare.hpp"

namespace vertebra::inline state {

struct AxisConstants : dynamics::AxisParameters {
  std::uint64_t hash() const { return Hash()(lower)(upper)(velocity)(effort)(damping)(friction)(stiffness)(rest)(armature).value(); }
};

struct AxisForces {        // what a step writes
  double impulse[4] = {};  // warm start of rows: friction, lower or only limit, upper limit, velocity limit
  double motorForce = 0, springForce = 0, frictionForce = 0, limitForce = 0;
  // -1, 0, 1: motor at its bound in the last step; between bodies: steps for which it yields (constraints/infeasibility.cpp)
  std::int8_t saturated = 0;
};
struct JointAxis : AxisForces {
  Shared<AxisConstants> parameters;
  Rare<MotorSettings> motor;
  double v = 0;  // current only while the joint carries no link
};

// The axes and the coordinates of a joint.
class JointAxes {
 public:
  int nv = 0, nq = 0;         // axes, coordinates; motor joints have 6 and 7, powered axes 1 and 1
  JointAxis* axes = nullptr;  // nv
  double* q = nullptr;        // nq; current only while the joint carries no link

  JointAxes() = default;
  JointAxes(int axisCount, int coordinateCount) : nv(axisCount), nq(coordinateCount) {
    if (nv + nq == 0) return;
    axes = static_cast<JointAxis*>(::operator new(sizeof(JointAxis) * nv + sizeof(double) * nq));
    std::uninitialized_default_construct_n(axes, nv);
    q = reinterpret_cast<double*>(axes + nv);
    std::uninitialized_fill_n(q, nq, 0.0);
  }
  JointAxes(const JointAxes& o) : JointAxes(o.nv, o.nq) {
    std::copy_n(o.axes, nv, axes);
    std::copy_n(o.q, nq, q);
  }
  JointAxes(JointAxes&& o) noexcept { swap(o); }
  JointAxes& operator=(JointAxes o) noexcept {
    swap(o);
    return *this;
  }
  ~JointAxes() {
    std::destroy_n(axes, nv);
    ::operator delete(axes);
  }

 private:
  void swap(JointAxes& o) noexcept {
    std::swap(nv, o.nv);
    std::swap(nq, o.nq);
    std::swap(axes, o.axes);
    std::swap(q, o.q);
  }
};

}  // namespace vertebra::inline state
