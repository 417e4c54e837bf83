// Command: what a figure's controllers ask of its axes and its links in the step that comes. Controllers act in the order in which they are
// attached: each reads what those before it left, and changes it; then the command goes to the figure's drives (stack.hpp). So a clip gives
// a pose, a hand that points bends it, balance shifts it, and one drive per axis follows what remains. SI units, radians.
#pragma once
#include <vector>

#include "engine/control/controller_state.hpp"
#include "engine/figure/figure.hpp"

namespace vertebra::control {

struct PointForce {  // on a link, at a place in the world, world axes
  int link = -1;
  Vec3 place = Vec3::Zero(), force = Vec3::Zero();
};

struct Command {
  std::vector<double> q, v;                // coordinates and velocities wanted at the end of the step
  std::vector<double> a;                   // accelerations wanted; 0 unless a controller knows them
  std::vector<double> stiffness, damping;  // of the axes' drives, by velocity; 0 for the base
  std::vector<double> limit;               // largest force of each drive; infinite: none
  std::vector<double> torque;              // added to the drive's own force
  std::vector<bool> driven;                // axes that a controller drives; the others stay as they are
  std::vector<PointForce> forces;
  Vec3 moment = Vec3::Zero();  // on the root link, world axes
  double strength = 1;         // of what holds the root at its place: 0 while a figure that was hit is let go

  void drive(std::size_t axis, double k, double c, double most) {
    driven[axis] = true;
    stiffness[axis] = k;
    damping[axis] = c;
    limit[axis] = most;
  }
};

// What a controller sees.
struct Moment {
  world::World& world;
  const figure::Figure& figure;
  const std::vector<double>&q, &v;  // of the figure, now
  double time, step;                // s: of the world now; of the step that comes
};

// The frame in which coordinates place the links: the world's, or of a fixed root its own.
inline Pose baseOf(const Moment& now) {
  const figure::FigureModel& m = now.figure.model();
  return m.coordinates.floatingBase ? Pose() : now.world.bodyPose(now.figure.bodies()[static_cast<std::size_t>(m.skeleton->root)]);
}

class Controller {
 public:
  virtual ~Controller() = default;
  // Changes the command for the step that comes. Allocates nothing after its first call.
  virtual Failure apply(const Moment& now, Command& command) = 0;
  // Writes or reads all that apply() keeps from one step to the next.
  virtual void exchange(ControllerState&) {}
};

}  // namespace vertebra::control
