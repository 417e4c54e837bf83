// What is read from a torture world before and after each step, and what it is measured against: depths of contacts and below the ground,
// openings of joints, energy and momentum from the states of the bodies alone.
// Units: SI. Frames: world; inertias in link axes as the library gives them.
#pragma once
#include <map>
#include <unordered_map>

#include "tests/torture/torture.hpp"

namespace torture {

class Watch {
 public:
  Watch(vtb_world* world, const Recipe& recipe, const Combination& combination);
  void before();  // keeps what the step starts from
  // Measures the step that was made, and adds to the result.
  void after(Result& result);

 private:
  struct Body {
    double mass = 0;  // kg; 0 = not moved by physics
    Vec com{};
    std::array<double, 6> inertia{};
  };
  struct Joint {
    vtb_joint handle;
    vtb_joint_def def;
    bool world;  // one end is the world
  };
  struct Ground {  // a shape over the ground
    std::size_t body;
    vtb_shape_type type;
    Vec size, place;
    Quat turn;
    double allowance;  // m: see depth()
  };
  struct State {
    std::vector<double> poses, twists;
    Vec place(std::size_t i) const { return {poses[7 * i], poses[7 * i + 1], poses[7 * i + 2]}; }
    Quat turn(std::size_t i) const { return {poses[7 * i + 3], poses[7 * i + 4], poses[7 * i + 5], poses[7 * i + 6]}; }
    Vec velocity(std::size_t i) const { return {twists[6 * i], twists[6 * i + 1], twists[6 * i + 2]}; }
    Vec omega(std::size_t i) const { return {twists[6 * i + 3], twists[6 * i + 4], twists[6 * i + 5]}; }
    Vec at(std::size_t i, const Vec& point) const { return velocity(i) + cross(omega(i), point - place(i)); }
  };
  void findBodies();
  void findJoints();
  void findShapes();
  State read() const;
  void note(Result& result, Measure measure, double value) const;
  double depth();
  double depthBelowGround();
  double opening(const Joint& joint) const;
  double energy(const State& state) const;
  Vec momentum(const State& state) const;
  Vec toldForce() const;                                  // N: by what is outside the bodies, gravity aside
  static double allowed(double approach, double before);  // m

  vtb_world* world_;
  Combination combination_;
  double step_;  // s
  bool ground_, driven_ = false, exactForces_;
  double mass_ = 0;
  std::vector<Body> bodies_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;  // of bodies, by handle
  std::vector<Joint> joints_;
  std::vector<Ground> shapes_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, double> allowances_;  // m: by pairs of shapes
  State before_, after_;
  std::vector<vtb_contact> contacts_;
  double energyAtStart_ = 0, accountAtStart_ = 0, time_ = 0;
  double lowest_ = 0;  // J: energy so far, without the work of drives
  int sleeping_ = 0;
};

}  // namespace torture
