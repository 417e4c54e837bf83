// Command: what a figure's controllers ask of its axes and its root in the step that comes. Controllers act in the order in which they are
// attached: each reads what those before it left, and changes it; then the command goes to the figure's drives. So a clip gives a pose, a
// hand that points bends it, balance shifts it, and one drive per axis follows what remains. SI units, radians.
#pragma once
#include <vector>

#include "engine/figure/figure.hpp"

namespace vertebra::control {

struct Command {
  std::vector<double> q, v;                // coordinates and velocities wanted at the end of the step
  std::vector<double> a;                   // accelerations wanted; 0 unless a controller knows them
  std::vector<double> stiffness, damping;  // of the axes' drives, by velocity; 0 for the base and for axes that are left alone
  std::vector<double> limit;               // largest force of each drive; infinite: none
  std::vector<double> torque;              // added to the drive's own force
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  // on the root link, at its centre of mass, world axes
};

// What a controller sees.
struct Moment {
  world::World& world;
  const figure::Figure& figure;
  const std::vector<double>&q, &v;  // of the figure, now
  double time, step;                // s: of the world now; of the step that comes
};

class Controller {
 public:
  virtual ~Controller() = default;
  // Changes the command for the step that comes. Allocates nothing after its first call.
  virtual Failure apply(const Moment& now, Command& command) = 0;
};

}  // namespace vertebra::control
