// The smooth motion of a tree system as an initial-value problem for math/ode: y = coordinates q of all its trees, then velocities v. The
// derivative places the trees, evaluates forces, drives and force fields there, and adds the rows at acceleration level
// (constraints/acceleration_rows.cpp). Integrals along the way: force and torque of each
// touching contact [N s, N m s], then the work that friction of contacts and axes takes, that drives give and that dampers take [J]. Frames
// as in state/world_data.hpp; time in s from the start of the physics step.
#pragma once
#include "engine/constraints/acceleration_rows.hpp"
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

class OdeFlow final : public OdeSystem {
 public:
  // tau: decay time of velocities that violate rows; end: length of the step, at which prescribed bodies have their stored poses.
  OdeFlow(WorldData& w, TreeSystem& system, double tau, double end);
  int size() const override { return positions_ + velocities_ + integrals(); }
  int integrals() const override { return integralsOf(touching_, springs_); }
  static constexpr int integralsOf(int touching, int springs) { return 6 * (touching + springs) + 3; }
  int positions() const override { return positions_; }
  bool derivative(double t, const double* y, double* dy) override;
  void project(double t, double* y) override;  // unit quaternions; velocities where rows hold those

  void read(std::vector<double>& y) const;   // of the world
  void place(double t, const double* y);     // the world at that state: coordinates, velocities, poses, twists
  void begin(std::vector<double>& y) const;  // integrals are zero
  // f(contact, impulse, angular impulse about its position), on b.
  template <class F>
  void eachImpulse(const std::vector<double>& y, F&& f) const {
    const double* from = y.data() + positions_ + velocities_;
    for (int index : island_.contacts) {
      if (!presses(contacts_[index])) continue;
      f(contacts_[index], Vec3(from[0], from[1], from[2]), Vec3(from[3], from[4], from[5]));
      from += 6;
    }
  }
  // Where it is placed: kinetic energy, that in gravity and that in the springs of axes [J].
  struct Energy {
    double kinetic = 0, potential = 0;
    double sum() const { return kinetic + potential; }
  };
  Energy energy() const;
  const Energy& energyAtStart() const { return atStart_; }  // where the first derivative was asked for
  // kg m/s, of its links where it is placed, and what gravity and the told forces of contacts since the start leave unexplained of its
  // change.
  Vec3 momentum() const;
  Vec3 lostMomentum(double time, const std::vector<double>& y) const;
  bool floats() const;  // nothing but contacts ties it to anything beside it
  bool touches() const { return touching_ > 0; }
  // Nothing gives energy to the system but drives, and contacts that push penetration out: neither forces and fields nor moving bodies.
  bool isClosed() const;
  bool keepsEnergy() const;  // nor does anything but dampers take some: contacts, dry friction, limits of velocity
  // J on the way to y.
  double rubbed(const std::vector<double>& y) const { return y[positions_ + velocities_ + 6 * touching_]; }
  double driven(const std::vector<double>& y) const { return y[positions_ + velocities_ + 6 * touching_ + 1]; }
  double damped(const std::vector<double>& y) const { return y[positions_ + velocities_ + 6 * touching_ + 2]; }
  void addSprings(const std::vector<double>& y) const;  // to what they are told of the step
  Failure takeFailure() { return std::move(failure_); }

 private:
  int links() const;
  void pose();
  bool anyRows() const;
  bool presses(const Contact& c) const;
  bool drift(double t, const double* y, constraints::AccelerationRows& rows);

  WorldData& w_;
  Island& island_;
  std::vector<Contact>& contacts_;
  const double tau_, end_;
  int positions_ = 0, velocities_ = 0;
  bool bilateral_ = false, bounded_ = false, fields_ = false;
  int touching_ = 0;  // contacts that may press while it flows
  int springs_ = 0;   // mild, between bodies
  bool started_ = false;
  Energy atStart_;
  Vec3 momentumAtStart_ = Vec3::Zero();
  Failure failure_;
};

// Where the base of a tree got another velocity before this step of h [s], its links keep theirs as far as the joints let them: rates at
// the start of the step. Prescribed bodies are at its end.
Failure keepMotionOnBase(WorldData& w, TreeRuntime& t, double h);

// Present momenta, with the impulses of this step or without, on the joints at the present poses: a Projection of solveIsland.
Failure projectAtRest(WorldData& w, TreeRuntime& t, double h);
Failure projectImpact(WorldData& w, TreeRuntime& t, double h);

}  // namespace vertebra::steppers
