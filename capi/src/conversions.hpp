// The lists of pairs (pairs.hpp) between structs of vertebra.h and the engine's: settings, bodies, surfaces, joints, couplings, fields.
// Machines and particles: conversions_machines.hpp.
#pragma once
#include "capi/src/pairs.hpp"
#include "engine/figure/skeleton.hpp"
#include "engine/math/ode.hpp"
#include "engine/state/definitions.hpp"
#include "engine/state/settings.hpp"

namespace vertebra::capi {

// Each group holds one list; its pairs name fields of D, the struct of vertebra.h, and of O, the engine's.

// Settings of a world.
struct SettingsPairs : Pairs<vtb_world_def, WorldSettings> {
  using D = vtb_world_def;
  using O = WorldSettings;
  static constexpr Pair list[] = {
      flagNot<&D::flags, VTB_WORLD_FLAG_NO_SLEEP, &O::sleeping>(),
      flagNot<&D::flags, VTB_WORLD_FLAG_NO_ENERGY_CORRECTION, &O::energyCorrection>(),
      flag<&D::flags, VTB_WORLD_FLAG_ENERGY_ACCOUNT, &O::energyAccount>(),
      flag<&D::flags, VTB_WORLD_FLAG_FREE_POSES, &O::freePoses>(),
      flag<&D::flags, VTB_WORLD_FLAG_PERSIST_EVENTS, &O::persistEvents>(),
      flagNot<&D::flags, VTB_WORLD_FLAG_NO_CONTINUOUS, &O::continuous>(),
      flag<&D::flags, VTB_WORLD_FLAG_PLANAR, &O::planar>(),
      flag<&D::flags, VTB_WORLD_FLAG_STAGE_TIMES, &O::stageTimes>(),
      flag<&D::flags, VTB_WORLD_FLAG_CONTACT_POSITIONS, &O::contactPositions>(),
      same<&D::gravity, &O::gravity>(),
      same<&D::time_step, &O::timeStep>(),
      same<&D::substeps, &O::substeps>(),
      same<&D::stepper, &O::stepper>(),
      same<&D::tree_solver, &O::treeSolver>(),
      same<&D::stabilisation, &O::stabilisation>(),
      same<&D::baumgarte, &O::baumgarte>(),
      same<&D::solver, &O::solver>(),
      same<&D::solver_iterations, &O::solverIterations>(),
      same<&D::solver_tolerance, &O::solverTolerance>(),
      same<&D::solver_relaxation, &O::solverRelaxation>(),
      same<&D::solver_order, &O::solverOrder>(),
      same<&D::solver_whole_contacts, &O::solverWholeContacts>(),
      same<&D::solver_accelerate, &O::solverAccelerate>(),
      same<&D::friction_law, &O::frictionLaw>(),
      same<&D::friction_directions, &O::frictionDirections>(),
      choice<&D::restitution_law, VTB_RESTITUTION_LAW_POISSON, VTB_RESTITUTION_LAW_NEWTON, &O::poisson>(),
      same<&D::restitution_speed, &O::restitutionSpeed>(),
      same<&D::contact_margin, &O::contactMargin>(),
      same<&D::contact_slop, &O::contactSlop>(),
      same<&D::contact_correction, &O::contactCorrection>(),
      same<&D::contact_speed, &O::contactSpeed>(),
      same<&D::max_speed, &O::maxSpeed>(),
      same<&D::max_angular_speed, &O::maxAngularSpeed>(),
      same<&D::sleep_speed, &O::sleepSpeed>(),
      same<&D::sleep_angular_speed, &O::sleepAngularSpeed>(),
      same<&D::sleep_time, &O::sleepTime>(),
      same<&D::max_halvings, &O::maxHalvings>(),
      same<&D::adaptive_substeps, &O::adaptiveSubsteps>(),
      same<&D::adaptive_depth, &O::adaptiveDepth>(),
      same<&D::time_budget, &O::timeBudget>(),
      same<&D::spook_compliance, &O::spookCompliance>(),
      same<&D::spook_relaxation, &O::spookRelaxation>(),
      same<&D::spook_gamma, &O::spookGamma>(),
      flagNot<&D::ode_velocity_flags, VTB_ODE_VELOCITY_FLAG_BILATERAL, &O::bilateralAccelerations>(),
      flagNot<&D::ode_velocity_flags, VTB_ODE_VELOCITY_FLAG_UNILATERAL, &O::unilateralAccelerations>(),
      same<&D::ode_integrator, &O::odeIntegrator>(),
      same<&D::ode_control, &O::odeControl>(),
      same<&D::ode_tolerance, &O::odeTolerance>(),
      same<&D::ode_smallest_step, &O::odeSmallest>(),
      same<&D::ode_rollback_depth, &O::rollbackDepth>(),
      flag<&D::displacement_flags, VTB_DISPLACEMENT_FLAG_BLOCKS, &O::displacementBlocks>(),
      flag<&D::displacement_flags, VTB_DISPLACEMENT_FLAG_FROZEN, &O::displacementFrozen>(),
      flag<&D::displacement_flags, VTB_DISPLACEMENT_FLAG_GYROSCOPIC, &O::displacementGyroscopic>(),
      same<&D::displacement_regularisation, &O::displacementRegularisation>(),
      same<&D::displacement_warm_start, &O::displacementWarmStart>(),
  };
};

// Limits, spring and losses of one axis.
struct AxisPairs : Pairs<vtb_axis_def, AxisParameters> {
  using D = vtb_axis_def;
  using O = AxisParameters;
  static constexpr Pair list[] = {
      same<&D::lower, &O::lower>(),         same<&D::upper, &O::upper>(),
      same<&D::velocity, &O::velocity>(),   same<&D::effort, &O::effort>(),
      same<&D::damping, &O::damping>(),     same<&D::friction, &O::friction>(),
      same<&D::stiffness, &O::stiffness>(), same<&D::rest, &O::rest>(),
      same<&D::armature, &O::armature>(),   same<&D::restitution, &O::restitution>(),
  };
};

// A surface, which two structs hold under the same names but for the flags.
template <class Def, auto flags>
struct SurfacePairs : Pairs<Def, Surface> {
  using D = Def;
  using O = Surface;
  using P = Pairs<Def, Surface>;
  static constexpr typename P::Pair list[] = {
      P::template same<&D::friction, &O::friction>(),
      P::template same<&D::restitution, &O::restitution>(),
      P::template same<&D::static_friction, &O::staticFriction>(),
      P::template same<&D::rolling_friction, &O::rollingFriction>(),
      P::template same<&D::torsional_friction, &O::torsionalFriction>(),
      P::template same<&D::friction_combine, &O::frictionRule>(),
      P::template same<&D::restitution_combine, &O::restitutionRule>(),
      P::template same<&D::contact_stiffness, &O::stiffness>(),
      P::template same<&D::contact_damping, &O::damping>(),
      P::template flag<flags, VTB_SURFACE_FLAG_HERTZ, &O::hertz>(),
      P::template flag<flags, VTB_SURFACE_FLAG_STABILISED, &O::stabilised>(),
  };
};
using SurfaceDefPairs = SurfacePairs<vtb_surface_def, &vtb_surface_def::flags>;
using ShapeSurfacePairs = SurfacePairs<vtb_shape_def, &vtb_shape_def::surface_flags>;

// What of a shape is neither its surface nor its geometry's arrays.
struct ShapePairs : Pairs<vtb_shape_def, Shape> {
  using D = vtb_shape_def;
  using O = Shape;
  static constexpr Pair list[] = {same < &D::type, [](auto& own) -> auto& {return own.geometry.type;
} > (), same < &D::size, [](auto& own) -> auto& {
  return own.geometry.size;
}
> (), same<&D::pose, &O::local>(), same<&D::category, &O::category>(), same<&D::mask, &O::mask>(), same<&D::rgba, &O::rgba>(),
};  // namespace vertebra::capi
}
;

// A body.
struct BodyPairs : Pairs<vtb_body_def, BodyDefinition> {
  using D = vtb_body_def;
  using O = BodyDefinition;
  static constexpr Pair list[] = {same<&D::kind, &O::kind>(), same<&D::pose, &O::pose>(),
                                  {[](const D& def, O& own) {
                                     own.velocity = Vec3(def.twist[0], def.twist[1], def.twist[2]);
                                     own.omega = Vec3(def.twist[3], def.twist[4], def.twist[5]);
                                   },
                                   [](const O& own, D& def) {
                                     write(own.velocity, def.twist);
                                     write(own.omega, def.twist + 3);
                                   }},
                                  same<&D::mass, &O::mass>(), same<&D::com, &O::com>(), same<&D::inertia, &O::inertia>(),
                                  same<&D::gravity_scale, &O::gravityScale>(), same<&D::disabled, &O::disabled>(), same < &D::step,
                                  [](auto& own) -> auto& {return own.integration.step;
} > (), same < &D::integrator, [](auto& own) -> auto& {
  return own.integration.integrator;
}
> (),
}
;
}
;

// A joint between two bodies; its type stands for three fields of the engine.
struct JointPairs : Pairs<vtb_joint_def, JointDefinition> {
  using D = vtb_joint_def;
  using O = JointDefinition;
  static constexpr Pair list[] = {
      {[](const D& def, O& own) {
         const int type = enumerator(def.type);
         own.rotor = type == VTB_JOINT_TYPE_ROTOR;
         own.constraint = type >= VTB_JOINT_TYPE_MOTOR && !own.rotor
                              ? static_cast<ConstraintType>(type - VTB_JOINT_TYPE_MOTOR + static_cast<int>(ConstraintType::Motor))
                              : ConstraintType::Joint;
         if (type < VTB_JOINT_TYPE_MOTOR) own.type = static_cast<JointType>(type);
       },
       [](const O& own, D& def) {
         int type = static_cast<int>(own.type);
         if (own.constraint != ConstraintType::Joint)
           type = static_cast<int>(own.constraint) - static_cast<int>(ConstraintType::Motor) + VTB_JOINT_TYPE_MOTOR;
         def.type = static_cast<vtb_joint_type>(own.rotor ? VTB_JOINT_TYPE_ROTOR : type);
       }},
      same<&D::frame_a, &O::frameA>(), same<&D::frame_b, &O::frameB>(), direction<&D::axis, &O::axis>(), direction<&D::axis2, &O::axis2>(),
      same<&D::swing, &O::swing>(), same<&D::twist_lower, &O::twistLower>(), same<&D::twist_upper, &O::twistUpper>(),
      {[](const D& def, O& own) { own.pitch = def.pitch / (2 * kPi); }, [](const O& own, D& def) { def.pitch = own.pitch * (2 * kPi); }},
      same < &D::stiffness, [](auto& own) -> auto& {return own.linear.stiffness;
} > (), same < &D::damping, [](auto& own) -> auto& {
  return own.linear.damping;
}
> (), same < &D::angular_stiffness, [](auto& own) -> auto& { return own.angular.stiffness; }
> (), same < &D::angular_damping, [](auto& own) -> auto& { return own.angular.damping; }
> (), same<&D::break_force, &O::breakForce>(), same<&D::break_torque, &O::breakTorque>(), same<&D::relaxation, &O::relaxation>(),
    same<&D::regularisation, &O::regularisation>(), flag<&D::flags, VTB_JOINT_FLAG_AS_THEY_STAND, &O::asTheyStand>(),
    flag<&D::flags, VTB_JOINT_FLAG_BODIES_COLLIDE, &O::bodiesCollide>(),
}
;
}
;

// A joint of a skeleton.
struct SkeletonJointPairs : Pairs<vtb_skeleton_joint_def, JointDescription> {
  using D = vtb_skeleton_joint_def;
  using O = JointDescription;
  static constexpr Pair list[] = {same<&D::type, &O::type>(), same<&D::parent, &O::parent>(), same<&D::child, &O::child>(),
                                  same<&D::parent_frame, &O::inParent>(), same<&D::child_frame, &O::inChild>(),
                                  direction<&D::axis, &O::axis>(), direction<&D::axis2, &O::axis2>(), same<&D::swing, &O::swing>(),
                                  same<&D::twist_lower, &O::twistLower>(), same<&D::twist_upper, &O::twistUpper>(), same < &D::mimic,
                                  [](auto& own) -> auto& {return own.mimic.master;
} > (), same<&D::loop, &O::loop>(), same < &D::mimic_multiplier, [](auto& own) -> auto& {
  return own.mimic.multiplier;
}
> (), same < &D::mimic_offset, [](auto& own) -> auto& { return own.mimic.offset; }
> (), {[](const D& def, O& own) { own.pitch = def.pitch / (2 * kPi); }, [](const O& own, D& def) { def.pitch = own.pitch * (2 * kPi); }},
}
;
}
;

// A link of a skeleton.
struct LinkPairs : Pairs<vtb_link_def, LinkDescription> {
  using D = vtb_link_def;
  using O = LinkDescription;
  static constexpr Pair list[] = {
      same<&D::mass, &O::mass>(),
      same<&D::com, &O::com>(),
      same<&D::inertia, &O::inertia>(),
  };
};

// The drive of one axis.
struct MotorPairs : Pairs<vtb_motor_def, MotorSettings> {
  using D = vtb_motor_def;
  using O = MotorSettings;
  static constexpr Pair list[] = {
      same<&D::mode, &O::mode>(),          same<&D::position, &O::position>(),   same<&D::velocity, &O::velocity>(),
      same<&D::force, &O::force>(),        same<&D::stiffness, &O::stiffness>(), same<&D::damping, &O::damping>(),
      same<&D::max_force, &O::maxForce>(),
  };
};

// A coupling, but for its axes.
struct CouplingPairs : Pairs<vtb_coupling_def, CouplingDefinition> {
  using D = vtb_coupling_def;
  using O = CouplingDefinition;
  static constexpr Pair list[] = {same<&D::offset, &O::target>(),
                                  choice<&D::level, VTB_ROW_LEVEL_VELOCITY, VTB_ROW_LEVEL_POSITION, &O::velocityLevel>(),
                                  same < &D::stiffness, [](auto& own) -> auto& {return own.softness.stiffness;
} > (), same < &D::damping, [](auto& own) -> auto& {
  return own.softness.damping;
}
> (), same<&D::max_force, &O::maxForce>(),
}
;
}
;

// A force field, but for whom it acts on.
struct FieldPairs : Pairs<vtb_field_def, FieldDefinition> {
  using D = vtb_field_def;
  using O = FieldDefinition;
  static constexpr Pair list[] = {
      same<&D::type, &O::type>(),           same<&D::point, &O::point>(),       same<&D::wind, &O::wind>(),
      same<&D::strength, &O::strength>(),   same<&D::exponent, &O::exponent>(), same<&D::range, &O::range>(),
      same<&D::softening, &O::softening>(), same<&D::length, &O::length>(),     same<&D::linear, &O::linear>(),
      same<&D::quadratic, &O::quadratic>(), same<&D::angular, &O::angular>(),   same<&D::implicit, &O::implicit>(),
  };
};

// A constraint on points, but for the points.
struct PointsPairs : Pairs<vtb_points_def, UserConstraintDefinition> {
  using D = vtb_points_def;
  using O = UserConstraintDefinition;
  static constexpr Pair list[] = {
      {[](const D& def, O& own) {
         own.measure = enumerator(def.measure) == VTB_POINTS_MEASURE_VOLUME ? PointMeasure::Volume : PointMeasure::Length;
       },
       [](const O& own, D& def) {
         def.measure = own.measure == PointMeasure::Volume ? VTB_POINTS_MEASURE_VOLUME : VTB_POINTS_MEASURE_LENGTH;
       }},
      same<&D::value, &O::value>(), same<&D::lower, &O::lower>(), same<&D::upper, &O::upper>(), same < &D::stiffness,
      [](auto& own) -> auto& {return own.softness.stiffness;
} > (), same < &D::damping, [](auto& own) -> auto& {
  return own.softness.damping;
}
> (),
}
;
}
;

// A row of a caller's constraint, but for its blocks.
struct RowPairs : Pairs<vtb_row, UserRow> {
  using D = vtb_row;
  using O = UserRow;
  static constexpr Pair list[] = {choice<&D::level, VTB_ROW_LEVEL_VELOCITY, VTB_ROW_LEVEL_POSITION, &O::velocityLevel>(),
                                  same<&D::error, &O::error>(), same<&D::rate, &O::rate>(), same<&D::lower, &O::lower>(),
                                  same<&D::upper, &O::upper>(), same < &D::stiffness, [](auto& own) -> auto& {return own.softness.stiffness;
} > (), same < &D::damping, [](auto& own) -> auto& {
  return own.softness.damping;
}
> (),
}
;
}
;

// How differential equations are integrated.
struct OdePairs : Pairs<vtb_ode_def, OdeSettings> {
  using D = vtb_ode_def;
  using O = OdeSettings;
  static constexpr Pair list[] = {
      same<&D::integrator, &O::integrator>(), same<&D::control, &O::control>(),        same<&D::step, &O::step>(),
      same<&D::tolerance, &O::tolerance>(),   same<&D::smallest_step, &O::smallest>(), same<&D::largest_step, &O::largest>(),
  };
};

}  // namespace vertebra::capi
