// The lists of pairs (pairs.hpp) of couplings, force fields, constraints of the caller and differential equations.
#pragma once
#include "capi/src/pairs.hpp"
#include "engine/math/ode.hpp"
#include "engine/state/definitions.hpp"

namespace vertebra::capi {

// A coupling, but for its axes.
struct CouplingPairs : Pairs<vtb_coupling_def, CouplingDefinition> {
  using D = vtb_coupling_def;
  using O = CouplingDefinition;
  static constexpr Pair list[] = {
      same<&D::offset, &O::target>(),
      choice<&D::level, VTB_ROW_LEVEL_VELOCITY, VTB_ROW_LEVEL_POSITION, &O::velocityLevel>(),
      same<&D::stiffness, at<&O::softness, &Softness::stiffness>>(),
      same<&D::damping, at<&O::softness, &Softness::damping>>(),
      same<&D::max_force, &O::maxForce>(),
  };
};

// Laws of force fields.
struct RadialPairs : Pairs<vtb_radial_law, FieldDefinition> {
  using D = vtb_radial_law;
  using O = FieldDefinition;
  static constexpr Pair list[] = {
      same<&D::point, &O::point>(),
      same<&D::strength, &O::strength>(),
      same<&D::softening, &O::softening>(),
  };
};
struct PairwisePairs : Pairs<vtb_pairwise_law, FieldDefinition> {
  using D = vtb_pairwise_law;
  using O = FieldDefinition;
  static constexpr Pair list[] = {
      same<&D::strength, &O::strength>(),
      same<&D::softening, &O::softening>(),
      same<&D::range, &O::range>(),
  };
};
struct DragPairs : Pairs<vtb_drag_law, FieldDefinition> {
  using D = vtb_drag_law;
  using O = FieldDefinition;
  static constexpr Pair list[] = {
      same<&D::wind, &O::wind>(),
      same<&D::linear, &O::linear>(),
      same<&D::quadratic, &O::quadratic>(),
      same<&D::angular, &O::angular>(),
  };
};
struct MagnusPairs : Pairs<vtb_magnus_law, FieldDefinition> {
  using D = vtb_magnus_law;
  using O = FieldDefinition;
  static constexpr Pair list[] = {
      same<&D::wind, &O::wind>(),
      same<&D::strength, &O::strength>(),
  };
};
struct LennardJonesPairs : Pairs<vtb_lennard_jones_law, FieldDefinition> {
  using D = vtb_lennard_jones_law;
  using O = FieldDefinition;
  static constexpr Pair list[] = {
      same<&D::strength, &O::strength>(),
      same<&D::length, &O::length>(),
      same<&D::range, &O::range>(),
  };
};
struct AttractorPairs : Pairs<vtb_attractor_law, FieldDefinition> {
  using D = vtb_attractor_law;
  using O = FieldDefinition;
  static constexpr Pair list[] = {
      same<&D::point, &O::point>(),
      same<&D::strength, &O::strength>(),
      same<&D::exponent, &O::exponent>(),
      same<&D::range, &O::range>(),
  };
};

// A force field, but for whom it acts on and callbacks; of its laws that of its type, which the engine keeps in fields that laws share.
struct FieldPairs : Pairs<vtb_field_def, FieldDefinition> {
  using D = vtb_field_def;
  using O = FieldDefinition;
  static constexpr Pair list[] = {
      same<&D::type, &O::type>(),
      same<&D::implicit, &O::implicit>(),
      partWhere<&D::radial, RadialPairs, &O::type, FieldType::Radial>(),
      partWhere<&D::pairwise, PairwisePairs, &O::type, FieldType::Pairwise>(),
      partWhere<&D::drag, DragPairs, &O::type, FieldType::Drag>(),
      partWhere<&D::magnus, MagnusPairs, &O::type, FieldType::Magnus>(),
      partWhere<&D::lennard_jones, LennardJonesPairs, &O::type, FieldType::LennardJones>(),
      partWhere<&D::attractor, AttractorPairs, &O::type, FieldType::Attractor>(),
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
      same<&D::value, &O::value>(),
      same<&D::lower, &O::lower>(),
      same<&D::upper, &O::upper>(),
      same<&D::stiffness, at<&O::softness, &Softness::stiffness>>(),
      same<&D::damping, at<&O::softness, &Softness::damping>>(),
  };
};

// A row of a caller's constraint, but for its blocks.
struct RowPairs : Pairs<vtb_row, UserRow> {
  using D = vtb_row;
  using O = UserRow;
  static constexpr Pair list[] = {
      choice<&D::level, VTB_ROW_LEVEL_VELOCITY, VTB_ROW_LEVEL_POSITION, &O::velocityLevel>(),
      same<&D::error, &O::error>(),
      same<&D::rate, &O::rate>(),
      same<&D::lower, &O::lower>(),
      same<&D::upper, &O::upper>(),
      same<&D::stiffness, at<&O::softness, &Softness::stiffness>>(),
      same<&D::damping, at<&O::softness, &Softness::damping>>(),
  };
};

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
