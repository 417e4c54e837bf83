// The lists of pairs (pairs.hpp) of drivelines, particles and sensors.
#pragma once
#include "capi/src/pairs.hpp"
#include "engine/driveline/driveline.hpp"
#include "engine/particles/particles.hpp"

namespace vertebra::capi {

// A part of a driveline, but for its axes and tables.
struct DrivelinePairs : Pairs<vtb_driveline_def, driveline::DrivelineDefinition> {
  using D = vtb_driveline_def;
  using O = driveline::DrivelineDefinition;
  static constexpr Pair list[] = {
      same<&D::type, &O::type>(),
      same<&D::friction, &O::friction>(),
      same<&D::governor_gain, &O::governorGain>(),
      same<&D::governor_rate, &O::governorRate>(),
      same<&D::fuel, &O::fuel>(),
      same<&D::ratio, &O::ratio>(),
      same<&D::split, &O::split>(),
      same<&D::max_torque, &O::maxTorque>(),
      same<&D::shift_time, &O::shiftTime>(),
      same<&D::preload, &O::preload>(),
      same<&D::bias, &O::bias>(),
      same<&D::efficiency, &O::efficiency>(),
      same<&D::drag, &O::drag>(),
      same<&D::pressure, &O::pressure>(),
      same<&D::leak, &O::leak>(),
      same<&D::flow, &O::flow>(),
      same<&D::area_ratio, &O::areaRatio>(),
  };
};

// What a driver sets.
struct DrivelineInputPairs : Pairs<vtb_driveline_input, driveline::DrivelineInput> {
  using D = vtb_driveline_input;
  using O = driveline::DrivelineInput;
  static constexpr Pair list[] = {
      same<&D::gear, &O::gear>(),     same<&D::throttle, &O::throttle>(), same<&D::speed, &O::speed>(),
      same<&D::clutch, &O::clutch>(), same<&D::lock, &O::lock>(),         same<&D::stroke, &O::stroke>(),
  };
};

// Readings of a part.
struct DrivelineStatePairs : Pairs<vtb_driveline_state, driveline::DrivelineState> {
  using D = vtb_driveline_state;
  using O = driveline::DrivelineState;
  static constexpr Pair list[] = {
      same<&D::torque, &O::torque>(),      same<&D::power_in, &O::powerIn>(), same<&D::power_out, &O::powerOut>(),
      same<&D::work_in, &O::workIn>(),     same<&D::work_out, &O::workOut>(), same<&D::throttle, &O::throttle>(),
      same<&D::fuel_rate, &O::fuelRate>(), same<&D::fuel, &O::fuel>(),        same<&D::ratio, &O::ratio>(),
      same<&D::pressure, &O::pressure>(),
  };
};

// A particle system.
struct ParticlesPairs : Pairs<vtb_particles_def, particles::ParticleDefinition> {
  using D = vtb_particles_def;
  using O = particles::ParticleDefinition;
  static constexpr Pair list[] = {
      flagNot<&D::flags, VTB_PARTICLES_FLAG_NO_PAIRS, &O::touchEachOther>(),
      flagNot<&D::flags, VTB_PARTICLES_FLAG_NO_SHAPES, &O::touchShapes>(),
      same<&D::max_count, &O::maxCount>(),
      same<&D::iterations, &O::iterations>(),
      same<&D::category, &O::category>(),
      same<&D::mask, &O::mask>(),
      same<&D::friction, at<&O::surface, &geometry::Surface::friction>>(),
      same<&D::restitution, at<&O::surface, &geometry::Surface::restitution>>(),
      same<&D::friction_combine, at<&O::surface, &geometry::Surface::frictionRule>>(),
      same<&D::restitution_combine, at<&O::surface, &geometry::Surface::restitutionRule>>(),
      same<&D::gravity_scale, &O::gravityScale>(),
  };
};

// An emitter.
struct EmitterPairs : Pairs<vtb_emitter_def, particles::EmitterDefinition> {
  using D = vtb_emitter_def;
  using O = particles::EmitterDefinition;
  static constexpr Pair list[] = {
      same<&D::seed, &O::seed>(),
      same<&D::position, &O::position>(),
      same<&D::direction, &O::direction>(),
      same<&D::disc_radius, &O::discRadius>(),
      same<&D::cone_angle, &O::coneAngle>(),
      same<&D::speed, &O::speed>(),
      same<&D::speed_spread, &O::speedSpread>(),
      same<&D::rate, &O::rate>(),
      same<&D::mass, &O::mass>(),
      same<&D::radius, &O::radius>(),
      same<&D::life, &O::life>(),
  };
};

// A sensor, but for its body or joint.
struct SensorPairs : Pairs<vtb_sensor_def, SensorDefinition> {
  using D = vtb_sensor_def;
  using O = SensorDefinition;
  static constexpr Pair list[] = {
      same<&D::type, &O::type>(),
      same<&D::pose, &O::site>(),
      choice<&D::axes, VTB_SENSOR_AXES_WORLD, VTB_SENSOR_AXES_SITE, &O::worldAxes>(),
      same<&D::region, &O::region>(),
      same<&D::size, &O::size>(),
  };
};

// A sink.
struct SinkPairs : Pairs<vtb_sink_def, particles::SinkDefinition> {
  using D = vtb_sink_def;
  using O = particles::SinkDefinition;
  static constexpr Pair list[] = {
      same<&D::type, &O::type>(),
      same<&D::pose, &O::pose>(),
      same<&D::size, &O::size>(),
  };
};

}  // namespace vertebra::capi
