// Clip: coordinates of a figure over time, whatever they come from: a motion whose joints have the names of the figure's, or a trajectory
// of the figure. SI units; q, v, a as engine/figure/coordinates.hpp has them.
#pragma once
#include <memory>

#include "engine/control/course.hpp"
#include "engine/figure/motion_coordinates.hpp"

namespace vertebra::control {

class Clip {
 public:
  virtual ~Clip() = default;
  virtual double duration() const = 0;
  virtual void at(double t, double* q, double* v, double* a) = 0;  // outside of 0 .. duration the first or last frame, at rest
};

// Rotations by slerp, velocities and accelerations by central differences over a frame.
std::shared_ptr<Clip> clipOfMotion(std::shared_ptr<const figure::Motion> motion, std::shared_ptr<const figure::FigureModel> model);
// Cubic B-splines (course.hpp). Null if the figure's root is fixed or its coordinates are others.
std::shared_ptr<Clip> clipOfTrajectory(std::shared_ptr<const figure::Trajectory> trajectory,
                                       std::shared_ptr<const figure::FigureModel> model);

// A figure's root moved over the ground: a turn about z at the origin, then a shift.
struct Place {
  double heading = 0;  // rad
  Vec3 shift = Vec3::Zero();
  Place then(const Place& next) const;  // this place's motion, moved by the next
  Place repeated(double count) const;   // moved by itself so often; count: whole, >= 0
};
void movePlace(const Place& place, double* q, double* v, double* a);
// Where the root at `from` must go so that it stands where it does at `to`, over the ground and about z.
Place placeBetween(const double* from, const double* to);

}  // namespace vertebra::control
