// Accelerations of an island whose trees nothing holds but joints that close cycles and couplings: for the stepper `impulse`, after a step
// in which no other row acted. The row J v of a joint keeps its rate, J a = -J' v, so that the reactions of the joints are known at the end
// of a step, and the next begins with half of them as a tree without cycles does. Source: as acceleration_rows.cpp.
#pragma once
#include "engine/constraints/row_buffer.hpp"
#include "engine/state/islands.hpp"

namespace vertebra::inline state {
struct IslandWorld;
}

namespace vertebra::constraints {

class HeldAccelerations {
 public:
  // At the poses and velocities of the step's end, whose factor the trees have. The workspace holds the island's bilateral rows;
  // `rebuilt`: those of another factor, so that they are made again.
  HeldAccelerations(IslandWorld& w, RowWorkspace& work, Island& island, bool rebuilt);
  // a and reactions of the trees, with forces along axes over steps of h [s]; the forces of joints and couplings.
  void find(double h);

 private:
  void findDrift();
  void project();

  IslandWorld& w_;
  RowWorkspace& work_;
  Island& island_;
};

}  // namespace vertebra::constraints
