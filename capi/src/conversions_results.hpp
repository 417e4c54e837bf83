// The lists of pairs (pairs.hpp) of what the library tells: statistics, energies, forces, contacts, answers to queries, particles, motions,
// skeletons. Handles, names and counts that only a world or a whole skeleton knows stay with the function that tells them.
#pragma once
#include "capi/src/conversions.hpp"
#include "engine/figure/motion.hpp"
#include "engine/figure/trajectory.hpp"
#include "engine/math/ode.hpp"
#include "engine/particles/particles.hpp"
#include "engine/state/results.hpp"

namespace vertebra::capi {

// Statistics of a step.
struct StatsPairs : Pairs<vtb_world_stats, Statistics> {
  using D = vtb_world_stats;
  using O = Statistics;
  static constexpr Pair list[] = {
      same<&D::bodies, &O::bodies>(),
      same<&D::joints, &O::joints>(),
      same<&D::islands, &O::islands>(),
      same<&D::sleeping_bodies, &O::sleepingBodies>(),
      same<&D::pairs, &O::pairs>(),
      same<&D::contacts, &O::contacts>(),
      same<&D::rows, &O::rows>(),
      same<&D::solver_iterations, &O::solverIterations>(),
      same<&D::halvings, &O::halvings>(),
      same<&D::infeasible, &O::infeasible>(),
      same<&D::first_order, &O::firstOrder>(),
      same<&D::speculative_contacts, &O::speculative>(),
      same<&D::rollbacks, &O::rollbacks>(),
      same<&D::merges, &O::merges>(),
      same<&D::stops, &O::stops>(),
      same<&D::evaluations, &O::evaluations>(),
      same<&D::restarts, &O::restarts>(),
      same<&D::hurried, &O::hurried>(),
      same<&D::unsolved, &O::unsolved>(),
      same<&D::capped, &O::capped>(),
      same<&D::parts, &O::parts>(),
      same<&D::solver_residual, &O::solverResidual>(),
      same<&D::complementarity, &O::complementarity>(),
      same<&D::max_penetration, &O::maxPenetration>(),
      same<&D::max_joint_error, &O::maxJointError>(),
      same<&D::max_energy_correction, &O::maxEnergyCorrection>(),
      same<&D::stage_seconds, &O::seconds>(),
  };
};

// Energies and accounts.
struct EnergyPairs : Pairs<vtb_energy, EnergyAccount> {
  using D = vtb_energy;
  using O = EnergyAccount;
  static constexpr Pair list[] = {
      same<&D::kinetic, &O::kinetic>(),          same<&D::potential, &O::potential>(),
      same<&D::work_drives, &O::workDrives>(),   same<&D::work_applied, &O::workApplied>(),
      same<&D::lost_damping, &O::lostDamping>(), same<&D::lost_friction, &O::lostFriction>(),
      same<&D::lost_impact, &O::lostImpact>(),   same<&D::lost_clamp, &O::lostClamp>(),
      same<&D::corrected, &O::corrected>(),      same<&D::discretisation, &O::discretisation>(),
  };
};

// Forces of a joint, but for the number of its axes.
struct JointForcesPairs : Pairs<vtb_joint_forces, JointForces> {
  using D = vtb_joint_forces;
  using O = JointForces;
  static constexpr Pair list[] = {
      same<&D::force, &O::force>(),
      same<&D::torque, &O::torque>(),
      same<&D::motor, &O::motor>(),
      same<&D::spring, &O::spring>(),
      same<&D::friction, &O::friction>(),
      same<&D::limit, &O::limit>(),
      same<&D::motor_force, at<&O::motors, &Wrench::force>>(),
      same<&D::motor_torque, at<&O::motors, &Wrench::torque>>(),
      same<&D::spring_force, at<&O::springs, &Wrench::force>>(),
      same<&D::spring_torque, at<&O::springs, &Wrench::torque>>(),
      same<&D::friction_force, at<&O::frictions, &Wrench::force>>(),
      same<&D::friction_torque, at<&O::frictions, &Wrench::torque>>(),
      same<&D::limit_force, at<&O::limits, &Wrench::force>>(),
      same<&D::limit_torque, at<&O::limits, &Wrench::torque>>(),
  };
};
struct JointEventPairs : Pairs<vtb_joint_event, JointEvent> {
  using D = vtb_joint_event;
  using O = JointEvent;
  static constexpr Pair list[] = {
      same<&D::force, &O::force>(),
      same<&D::torque, &O::torque>(),
  };
};

// A contact point, but for moments and slip.
struct ContactPairs : Pairs<vtb_contact, Contact> {
  using D = vtb_contact;
  using O = Contact;
  static constexpr Pair list[] = {
      same<&D::position, &O::position>(), same<&D::normal, &O::normal>(),   same<&D::gap, &O::gap>(),
      same<&D::force, &O::force>(),       same<&D::feature, &O::feature>(),
  };
};

// Answers to queries.
struct RayHitPairs : Pairs<vtb_ray_hit, RayCastResult> {
  using D = vtb_ray_hit;
  using O = RayCastResult;
  static constexpr Pair list[] = {
      same<&D::distance, &O::distance>(),
      same<&D::position, &O::position>(),
      same<&D::normal, &O::normal>(),
  };
};
struct ClosestPairs : Pairs<vtb_closest, ClosestResult> {
  using D = vtb_closest;
  using O = ClosestResult;
  static constexpr Pair list[] = {
      same<&D::distance, &O::distance>(),
      same<&D::point_a, &O::a>(),
      same<&D::point_b, &O::b>(),
      same<&D::normal, &O::normal>(),
  };
};

// A particle, and counts of a system but for that of the present ones.
struct ParticlePairs : Pairs<vtb_particle, particles::Particle> {
  using D = vtb_particle;
  using O = particles::Particle;
  static constexpr Pair list[] = {
      same<&D::position, &O::position>(), same<&D::velocity, &O::velocity>(), same<&D::mass, &O::mass>(),
      same<&D::radius, &O::radius>(),     same<&D::life, &O::life>(),         same<&D::id, &O::id>(),
  };
};
struct ParticleCountsPairs : Pairs<vtb_particles_state, particles::ParticleCounts> {
  using D = vtb_particles_state;
  using O = particles::ParticleCounts;
  static constexpr Pair list[] = {
      same<&D::contacts, &O::contacts>(), same<&D::max_penetration, &O::penetration>(), same<&D::emitted, &O::emitted>(),
      same<&D::expired, &O::expired>(),   same<&D::absorbed, &O::absorbed>(),           same<&D::refused, &O::refused>(),
  };
};

// What an integration took, but for the step to try next.
struct OdeReportPairs : Pairs<vtb_ode_report, OdeReport> {
  using D = vtb_ode_report;
  using O = OdeReport;
  static constexpr Pair list[] = {
      same<&D::steps, &O::steps>(),
      same<&D::rejected, &O::rejected>(),
      same<&D::evaluations, &O::evaluations>(),
      same<&D::at_smallest, &O::atSmallest>(),
      same<&D::worst_error, &O::worstError>(),
  };
};

// A motion and a joint of it, but for counts.
struct MotionPairs : Pairs<vtb_motion_info, figure::Motion> {
  using D = vtb_motion_info;
  using O = figure::Motion;
  static constexpr Pair list[] = {
      same<&D::channels, &O::channelCount>(),
      same<&D::frame_time, &O::frameTime>(),
      same<&D::unit, &O::unit>(),
      same<&D::turn, &O::turn>(),
  };
};
struct TrajectoryPairs : Pairs<vtb_trajectory_info, figure::Trajectory> {
  using D = vtb_trajectory_info;
  using O = figure::Trajectory;
  static constexpr Pair list[] = {
      same<&D::frame_time, &O::frameTime>(),
  };
};
struct MotionJointPairs : Pairs<vtb_motion_joint, figure::MotionJoint> {
  using D = vtb_motion_joint;
  using O = figure::MotionJoint;
  static constexpr Pair list[] = {
      same<&D::parent, &O::parent>(),
      same<&D::offset, &O::offset>(),
      same<&D::first_channel, &O::firstChannel>(),
  };
};

// A skeleton, but for counts and the mass.
struct SkeletonPairs : Pairs<vtb_skeleton_info, figure::Skeleton> {
  using D = vtb_skeleton_info;
  using O = figure::Skeleton;
  static constexpr Pair list[] = {
      same<&D::root, &O::root>(),
      same<&D::floating_by_default, &O::floatingByDefault>(),
  };
};
struct LinkInfoPairs : Pairs<vtb_link_info, figure::LinkDescription> {
  using D = vtb_link_info;
  using O = figure::LinkDescription;
  static constexpr Pair list[] = {part<std::identity{}, DescribedLinkPairs<D>>()};
};
struct JointInfoPairs : Pairs<vtb_joint_info, figure::JointDescription> {
  using D = vtb_joint_info;
  using O = figure::JointDescription;
  static constexpr Pair list[] = {
      part<std::identity{}, DescribedJointPairs<D>>(),    same<&D::has_safety, &O::hasSafety>(),
      same<&D::safety_lower, &O::safetyLower>(),          same<&D::safety_upper, &O::safetyUpper>(),
      same<&D::safety_k_position, &O::safetyKPosition>(), same<&D::safety_k_velocity, &O::safetyKVelocity>(),
  };
};

}  // namespace vertebra::capi
