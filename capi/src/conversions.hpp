// The lists of pairs (pairs.hpp) between structs of vertebra.h and the engine's: settings, bodies, shapes, joints. Couplings, fields,
// constraints: conversions_forces.hpp; drivelines and particles: conversions_machines.hpp; what is told: conversions_results.hpp.
#pragma once
#include "capi/src/pairs.hpp"
#include "engine/figure/skeleton.hpp"
#include "engine/state/definitions.hpp"
#include "engine/state/settings.hpp"

namespace vertebra::capi {

// Each group holds one list; its pairs name fields of D, the struct of vertebra.h, and of O, the engine's.

// Settings of a world by concern.
struct JointSettingsPairs : Pairs<vtb_joint_settings, WorldSettings> {
  using D = vtb_joint_settings;
  using O = WorldSettings;
  static constexpr Pair list[] = {
      same<&D::tree_solver, &O::treeSolver>(),
      same<&D::stabilisation, &O::stabilisation>(),
      same<&D::baumgarte, &O::baumgarte>(),
  };
};
struct SolverSettingsPairs : Pairs<vtb_solver_settings, WorldSettings> {
  using D = vtb_solver_settings;
  using O = WorldSettings;
  static constexpr Pair list[] = {
      same<&D::type, &O::solver>(),
      same<&D::iterations, &O::solverIterations>(),
      same<&D::order, &O::solverOrder>(),
      same<&D::whole_contacts, &O::solverWholeContacts>(),
      same<&D::accelerate, &O::solverAccelerate>(),
      same<&D::friction_directions, &O::frictionDirections>(),
      same<&D::tolerance, &O::solverTolerance>(),
      same<&D::relaxation, &O::solverRelaxation>(),
  };
};
struct ContactSettingsPairs : Pairs<vtb_contact_settings, WorldSettings> {
  using D = vtb_contact_settings;
  using O = WorldSettings;
  static constexpr Pair list[] = {
      same<&D::margin, &O::contactMargin>(),
      same<&D::slop, &O::contactSlop>(),
      same<&D::correction, &O::contactCorrection>(),
      same<&D::speed, &O::contactSpeed>(),
      same<&D::restitution_speed, &O::restitutionSpeed>(),
      choice<&D::restitution_law, VTB_RESTITUTION_LAW_POISSON, VTB_RESTITUTION_LAW_NEWTON, &O::poisson>(),
      same<&D::friction_law, &O::frictionLaw>(),
  };
};
struct SpeedSettingsPairs : Pairs<vtb_speed_settings, WorldSettings> {
  using D = vtb_speed_settings;
  using O = WorldSettings;
  static constexpr Pair list[] = {
      same<&D::speed, &O::maxSpeed>(),
      same<&D::angular_speed, &O::maxAngularSpeed>(),
  };
};
struct SleepSettingsPairs : Pairs<vtb_sleep_settings, WorldSettings> {
  using D = vtb_sleep_settings;
  using O = WorldSettings;
  static constexpr Pair list[] = {
      same<&D::speed, &O::sleepSpeed>(),
      same<&D::angular_speed, &O::sleepAngularSpeed>(),
      same<&D::time, &O::sleepTime>(),
  };
};
struct AdaptiveSettingsPairs : Pairs<vtb_adaptive_settings, WorldSettings> {
  using D = vtb_adaptive_settings;
  using O = WorldSettings;
  static constexpr Pair list[] = {
      same<&D::halvings, &O::maxHalvings>(),
      same<&D::substeps, &O::adaptiveSubsteps>(),
      same<&D::depth, &O::adaptiveDepth>(),
      same<&D::time_budget, &O::timeBudget>(),
  };
};
struct SpookSettingsPairs : Pairs<vtb_spook_settings, WorldSettings> {
  using D = vtb_spook_settings;
  using O = WorldSettings;
  static constexpr Pair list[] = {
      same<&D::compliance, &O::spookCompliance>(),
      same<&D::relaxation, &O::spookRelaxation>(),
      same<&D::gamma, &O::spookGamma>(),
  };
};
struct OdeSettingsPairs : Pairs<vtb_ode_settings, WorldSettings> {
  using D = vtb_ode_settings;
  using O = WorldSettings;
  static constexpr Pair list[] = {
      same<&D::integrator, &O::odeIntegrator>(),  same<&D::control, &O::odeControl>(),           same<&D::tolerance, &O::odeTolerance>(),
      same<&D::smallest_step, &O::odeSmallest>(), same<&D::rollback_depth, &O::rollbackDepth>(),
  };
};
struct DisplacementSettingsPairs : Pairs<vtb_displacement_settings, WorldSettings> {
  using D = vtb_displacement_settings;
  using O = WorldSettings;
  static constexpr Pair list[] = {
      same<&D::regularisation, &O::displacementRegularisation>(),
      same<&D::warm_start, &O::displacementWarmStart>(),
  };
};

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
      flagNot<&D::flags, VTB_WORLD_FLAG_ODE_VELOCITY_BILATERAL, &O::bilateralAccelerations>(),
      flagNot<&D::flags, VTB_WORLD_FLAG_ODE_VELOCITY_UNILATERAL, &O::unilateralAccelerations>(),
      flag<&D::flags, VTB_WORLD_FLAG_DISPLACEMENT_ALONG_ERRORS, &O::displacementAlongErrors>(),
      flag<&D::flags, VTB_WORLD_FLAG_DISPLACEMENT_FROZEN, &O::displacementFrozen>(),
      flag<&D::flags, VTB_WORLD_FLAG_DISPLACEMENT_GYROSCOPIC, &O::displacementGyroscopic>(),
      flag<&D::flags, VTB_WORLD_FLAG_TELL_UNSOLVED, &O::tellUnsolved>(),
      same<&D::gravity, &O::gravity>(),
      same<&D::time_step, &O::timeStep>(),
      same<&D::substeps, &O::substeps>(),
      same<&D::stepper, &O::stepper>(),
      part<&D::joint, JointSettingsPairs>(),
      part<&D::solver, SolverSettingsPairs>(),
      part<&D::contact, ContactSettingsPairs>(),
      part<&D::max, SpeedSettingsPairs>(),
      part<&D::sleep, SleepSettingsPairs>(),
      part<&D::adaptive, AdaptiveSettingsPairs>(),
      part<&D::spook, SpookSettingsPairs>(),
      part<&D::ode, OdeSettingsPairs>(),
      part<&D::displacement, DisplacementSettingsPairs>(),
  };
};

// Limits, spring and losses of one axis.
struct AxisPairs : Pairs<vtb_axis_def, dynamics::AxisParameters> {
  using D = vtb_axis_def;
  using O = dynamics::AxisParameters;
  static constexpr Pair list[] = {
      same<&D::lower, &O::lower>(),         same<&D::upper, &O::upper>(),
      same<&D::velocity, &O::velocity>(),   same<&D::effort, &O::effort>(),
      same<&D::damping, &O::damping>(),     same<&D::friction, &O::friction>(),
      same<&D::stiffness, &O::stiffness>(), same<&D::rest, &O::rest>(),
      same<&D::armature, &O::armature>(),   same<&D::restitution, &O::restitution>(),
  };
};

// A surface.
struct SurfacePairs : Pairs<vtb_surface, geometry::Surface> {
  using D = vtb_surface;
  using O = geometry::Surface;
  static constexpr Pair list[] = {
      same<&D::friction, &O::friction>(),
      same<&D::restitution, &O::restitution>(),
      same<&D::static_friction, &O::staticFriction>(),
      same<&D::rolling_friction, &O::rollingFriction>(),
      same<&D::torsional_friction, &O::torsionalFriction>(),
      same<&D::friction_combine, &O::frictionRule>(),
      same<&D::restitution_combine, &O::restitutionRule>(),
      same<&D::contact_stiffness, &O::stiffness>(),
      same<&D::contact_damping, &O::damping>(),
      same<&D::hertz, &O::hertz>(),
      same<&D::stabilised, &O::stabilised>(),
  };
};

// What of a shape is not its geometry's arrays.
struct ShapePairs : Pairs<vtb_shape_def, geometry::Shape> {
  using D = vtb_shape_def;
  using O = geometry::Shape;
  static constexpr Pair list[] = {
      same<&D::type, at<&O::geometry, &geometry::Geometry::type>>(),
      same<&D::size, at<&O::geometry, &geometry::Geometry::size>>(),
      same<&D::pose, &O::local>(),
      part<&D::surface, SurfacePairs, &O::surface>(),
      same<&D::category, &O::category>(),
      same<&D::mask, &O::mask>(),
      same<&D::rgba, &O::rgba>(),
  };
};

// A body.
struct BodyPairs : Pairs<vtb_body_def, BodyDefinition> {
  using D = vtb_body_def;
  using O = BodyDefinition;
  static constexpr Pair list[] = {
      same<&D::kind, &O::kind>(),
      same<&D::pose, &O::pose>(),
      {[](const D& def, O& own) {
         own.velocity = Vec3(def.twist[0], def.twist[1], def.twist[2]);
         own.omega = Vec3(def.twist[3], def.twist[4], def.twist[5]);
       },
       [](const O& own, D& def) {
         write(own.velocity, def.twist);
         write(own.omega, def.twist + 3);
       }},
      same<&D::mass, &O::mass>(),
      same<&D::com, &O::com>(),
      same<&D::inertia, &O::inertia>(),
      same<&D::gravity_scale, &O::gravityScale>(),
      same<&D::disabled, &O::disabled>(),
      same<&D::step, at<&O::integration, &Integration::step>>(),
      same<&D::integrator, at<&O::integration, &Integration::integrator>>(),
  };
};

// Limits of a spherical joint, of a world or of a skeleton.
template <class Own>
struct SwingTwistPairs : Pairs<vtb_swing_twist, Own> {
  using P = Pairs<vtb_swing_twist, Own>;
  using D = vtb_swing_twist;
  using O = Own;
  static constexpr typename P::Pair list[] = {
      P::template same<&D::swing, &O::swing>(),
      P::template same<&D::twist_lower, &O::twistLower>(),
      P::template same<&D::twist_upper, &O::twistUpper>(),
  };
};

// Parts of a joint.
struct JointSoftnessPairs : Pairs<vtb_joint_softness, JointDefinition> {
  using D = vtb_joint_softness;
  using O = JointDefinition;
  static constexpr Pair list[] = {
      same<&D::stiffness, at<&O::linear, &Softness::stiffness>>(),
      same<&D::damping, at<&O::linear, &Softness::damping>>(),
      same<&D::angular_stiffness, at<&O::angular, &Softness::stiffness>>(),
      same<&D::angular_damping, at<&O::angular, &Softness::damping>>(),
  };
};
struct JointStrengthPairs : Pairs<vtb_joint_strength, JointDefinition> {
  using D = vtb_joint_strength;
  using O = JointDefinition;
  static constexpr Pair list[] = {
      same<&D::force, &O::breakForce>(),
      same<&D::torque, &O::breakTorque>(),
  };
};
struct JointDisplacementPairs : Pairs<vtb_joint_displacement, JointDefinition> {
  using D = vtb_joint_displacement;
  using O = JointDefinition;
  static constexpr Pair list[] = {
      same<&D::relaxation, &O::relaxation>(),
      same<&D::regularisation, &O::regularisation>(),
  };
};

// A joint between two bodies, but for the bodies and the curve; its type stands for three fields of the engine.
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
         if (type < VTB_JOINT_TYPE_MOTOR) own.type = static_cast<dynamics::JointType>(type);
       },
       [](const O& own, D& def) {
         int type = static_cast<int>(own.type);
         if (own.constraint != ConstraintType::Joint)
           type = static_cast<int>(own.constraint) - static_cast<int>(ConstraintType::Motor) + VTB_JOINT_TYPE_MOTOR;
         def.type = static_cast<vtb_joint_type>(own.rotor ? VTB_JOINT_TYPE_ROTOR : type);
       }},
      same<&D::frame_a, &O::frameA>(),
      same<&D::frame_b, &O::frameB>(),
      direction<&D::axis, &O::axis>(),
      direction<&D::axis2, &O::axis2>(),
      same<&D::as_they_stand, &O::asTheyStand>(),
      same<&D::bodies_collide, &O::bodiesCollide>(),
      {[](const D& def, O& own) { own.pitch = def.pitch / (2 * kPi); }, [](const O& own, D& def) { def.pitch = own.pitch * (2 * kPi); }},
      part<&D::limits, SwingTwistPairs<O>>(),
      part<&D::soft, JointSoftnessPairs>(),
      part<&D::breaking, JointStrengthPairs>(),
      part<&D::displacement, JointDisplacementPairs>(),
  };
};

// A joint and a link of a skeleton, as they are described and as they are told.
template <class Def>
struct DescribedJointPairs : Pairs<Def, figure::JointDescription> {
  using P = Pairs<Def, figure::JointDescription>;
  using D = Def;
  using O = figure::JointDescription;
  static constexpr typename P::Pair list[] = {
      P::template same<&D::type, &O::type>(),
      P::template same<&D::parent, &O::parent>(),
      P::template same<&D::child, &O::child>(),
      P::template same<&D::parent_frame, &O::inParent>(),
      P::template same<&D::child_frame, &O::inChild>(),
      P::template direction<&D::axis, &O::axis>(),
      P::template direction<&D::axis2, &O::axis2>(),
      P::template part<&D::limits, SwingTwistPairs<O>>(),
      P::template same<&D::mimic, at<&O::mimic, &figure::Mimic::master>>(),
      P::template same<&D::loop, &O::loop>(),
      P::template same<&D::mimic_multiplier, at<&O::mimic, &figure::Mimic::multiplier>>(),
      P::template same<&D::mimic_offset, at<&O::mimic, &figure::Mimic::offset>>(),
      {[](const D& def, O& own) { own.pitch = def.pitch / (2 * kPi); }, [](const O& own, D& def) { def.pitch = own.pitch * (2 * kPi); }},
  };
};
template <class Def>
struct DescribedLinkPairs : Pairs<Def, figure::LinkDescription> {
  using P = Pairs<Def, figure::LinkDescription>;
  using D = Def;
  using O = figure::LinkDescription;
  static constexpr typename P::Pair list[] = {
      P::template same<&D::mass, &O::mass>(),
      P::template same<&D::com, &O::com>(),
      P::template same<&D::inertia, &O::inertia>(),
  };
};
using SkeletonJointPairs = DescribedJointPairs<vtb_skeleton_joint_def>;
using LinkPairs = DescribedLinkPairs<vtb_link_def>;

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

}  // namespace vertebra::capi
