// The registry of joint types that a tree can contain: one struct a type, one line in withJoint. Each struct gives its `traits`
// (joint_type.hpp) and, for a link and its parent's pose,
//   pose       child pose and anchor (the joint's origin on the child) from coordinates q;
//   subspace   the motion subspace S about origin O, columns in the order of the velocities;
//   constraints  six wrench directions about O: first the 6 - nv constraints, T . S = 0, so that T . (t_child - t_parent) = 0; then nv
//              that select the joint's rates, T_k . S_l = 1 if k = l, else 0. Used where joints are rows (saddle.hpp);
//   extraBias  acceleration about O at constant joint velocities beyond parent twist x child twist, due to the change of S itself;
//   advance    q moved by velocities times time, given as increments in the joint's velocity coordinates;
//   difference the increment that moves q0 to q1;
//   rates      the time derivative of q at velocities v;
//   fit        the coordinates nearest to a pose of the child's joint frame in the parent's (q holds an initial guess);
//   neutral    the coordinates at which the frames coincide.
// Conventions of q and v are stated in capi/include/vertebra/. They are the joint's own where the tree runs against it
// (LinkModel::reversed).
#pragma once
#include "engine/dynamics/joints/cylindrical.hpp"
#include "engine/dynamics/joints/fixed.hpp"
#include "engine/dynamics/joints/floating.hpp"
#include "engine/dynamics/joints/free_root.hpp"
#include "engine/dynamics/joints/planar.hpp"
#include "engine/dynamics/joints/prismatic.hpp"
#include "engine/dynamics/joints/revolute.hpp"
#include "engine/dynamics/joints/spherical.hpp"
#include "engine/dynamics/joints/universal.hpp"
#include "engine/dynamics/joints/wheel.hpp"

namespace vertebra::dynamics {

template <class F>
constexpr void withJoint(JointType type, F&& f) {
  switch (type) {
    case JointType::Revolute:
    case JointType::Continuous:
      return f(RevoluteJoint{});
    case JointType::Prismatic:
      return f(PrismaticJoint{});
    case JointType::Spherical:
      return f(SphericalJoint{});
    case JointType::Universal:
      return f(UniversalJoint{});
    case JointType::Planar:
      return f(PlanarJoint{});
    case JointType::Floating:
      return f(FloatingJoint{});
    case JointType::Cylindrical:
      return f(CylindricalJoint{});
    case JointType::Screw:
      return f(ScrewJoint{});
    case JointType::Wheel:
      return f(WheelJoint{});
    case JointType::Fixed:
      return f(FixedJoint{});
    case JointType::FreeRoot:
      return f(FreeRootJoint{});
  }
}

}  // namespace vertebra::dynamics
