// Rows of an island at acceleration level, for the stepper `ode`: see acceleration_rows.cpp. Their impulses are forces.
#pragma once
#include <vector>

#include "engine/constraints/row_buffer.hpp"
#include "engine/state/islands.hpp"

namespace vertebra::inline state {
struct IslandWorld;
}

namespace vertebra::constraints {

class AccelerationRows {
 public:
  // `contacts`: the list into which the island's indices point.
  AccelerationRows(IslandWorld& w, RowWorkspace& work, Island& island, const std::vector<Contact>& contacts)
      : w_(w), work_(work), island_(island), contacts_(contacts) {}

  // Rates of the bilateral rows minus their targets, then for each touching contact the relative velocity and angular velocity.
  void rates(std::vector<double>& out);
  // x of the trees holds free accelerations and receives the accelerations with rows. `drift`: the change of those rates per second due to
  // the motion alone. Velocities that violate rows decay within tau [s], of a step [s]. Returns the power [W] that friction of contacts
  // and axes takes. `loads`: of each touching contact, in their order, force [N] and torque [N m] on b, world axes.
  double accelerate(const double* drift, double tau, double step, double* loads);
  int count() const { return count_; }            // of the rows that it solved
  int iterations() const { return iterations_; }  // of the solver
  double products() const { return products_; }   // SolveReport::products

 private:
  std::size_t findTargets(const double* drift);

  IslandWorld& w_;
  RowWorkspace& work_;
  Island& island_;
  const std::vector<Contact>& contacts_;
  int count_ = 0, iterations_ = 0;
  double products_ = 0;
};

}  // namespace vertebra::constraints
