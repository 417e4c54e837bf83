// A figure in a world of its own, stepped and measured: the work behind `vertebra simulate`.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cli/drives.hpp"
#include "cli/json.hpp"
#include "cli/model.hpp"
#include "cli/output.hpp"

namespace vertebra::cli {

// Time in each stage of the steps, s; kept where it is asked for.
struct StageTimes {
  bool asked = false;
  double seconds[8] = {};

  void add(const vtb_world_stats& stats) {
    for (int i = 0; i < 8; i++) seconds[i] += stats.stage_seconds[i];
  }
  void write(Json& json, long steps) const;    // a member of the object that is open, us a step by stage
  void write(Table& table, long steps) const;  // a row a stage
};

struct Plan {
  double time = 0, step = 0;
  int substeps = 1;
  vtb_tree_solver tree_solver = VTB_TREE_SOLVER_ARTICULATED;
  vtb_solver solver = VTB_SOLVER_PGS;
  vtb_stepper stepper = VTB_STEPPER_IMPULSE;
  bool ground = false;  // a static plane at z = 0
  bool sleep = true;
  bool stages = false;  // times of
  bool place = false;   // raise or lower the figure so that its lowest point is at `drop`
  double drop = 0;
  std::string trace;  // CSV file; empty for none
  long every = 1;     // steps per row of it
};

// Lowest point of the collision shapes, or of the link frames if there are none; poses: of the links, packed.
double lowestPoint(const vtb_skeleton* skeleton, const std::vector<double>& poses);

struct Measures {
  long steps = 0;
  double wall = 0;                 // s inside vtb_world_step
  double jointError = 0;           // m, largest of any step
  double drift = 0, driftMax = 0;  // of energy, in weight x 1 m
  double rise = 0;                 // of kinetic and potential energy without work above the least so far, the same scale
  double corrected = 0;            // what the energy correction gave, the same scale
  double penetration = 0;          // m, largest of any step
  double restPenetration;          // m, largest in the last tenth of the time
  double contacts = 0;             // mean number of contact points
  bool diverged = false;
  StageTimes stages;
  long infeasible = 0;  // steps with constraints that could not all be met
  long unsolved = 0;    // islands of which every method left more open than is let pass
  long capped = 0;      // bodies and figures slowed down to the largest speed
};

class Simulation {
 public:
  Simulation(const Model& model, const Arguments& arguments, const Plan& plan, std::vector<double> q0, const std::vector<double>& v0,
             const vtb_motion* motion);
  Measures run();

 private:
  // Adds to the base's height (or, under a fixed base, to the figure's pose) what brings the lowest point to the drop height.
  double place(const Model& model);
  double share(const vtb_energy& now) const;

  Plan plan_;
  Coordinates coordinates_;
  std::vector<double> q_;
  bool floating_;
  double weight_;
  double size_ = 1;  // largest extent of the link frames in the first pose, m
  World world_;
  vtb_figure figure_{};
  vtb_energy start_{};
  std::unique_ptr<Drives> drives_;
};

}  // namespace vertebra::cli
