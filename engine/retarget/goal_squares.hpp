// Normal equations of weighted goals for points and orientations of a figure's bodies. A goal for a point adds to the normal matrix what a
// point of mass weight^2 adds to a mass matrix, so sums by body are composed up the tree and no Jacobian is formed (composite rigid
// bodies; Featherstone 2008, ch. 6). Metres, radians, world axes; columns by the figure's velocities.
#pragma once
#include <vector>

#include "engine/retarget/bounded_step.hpp"
#include "engine/retarget/kinematics.hpp"

namespace vertebra::retarget {

class GoalSquares {
 public:
  explicit GoalSquares(const Kinematics& kinematics);

  void clear(const Anchor& reference = {});  // reference: of relative()
  // What is still missing at the present poses, and the weight of its rows.
  void place(const Anchor& a, const Vec3& error, double weight);
  void relative(const Anchor& a, const Vec3& error, double weight);  // of the place less that of the reference
  void turn(int body, const Vec3& error, double weight);             // a rotation vector
  // Adds weight^2 J'J and weight^2 J'error of all goals; returns half their squares.
  double addTo(StepSystem& system);

 private:
  struct Sum {            // over goals of a body, then of all that it carries, about the kinematics' origin
    double mass = 0;      // weight^2
    double relative = 0;  // of relative goals alone
    Vec3 first = Vec3::Zero(), relativeFirst = Vec3::Zero();  // mass times the place
    Vec6 second = Vec6::Zero();                               // as a tensor of inertia: xx, yy, zz, xy, yz, zx
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();         // mass times the error
    bool any = false;

    void add(const Sum& other);
  };
  struct Axis {             // of the tree, that a velocity of the figure moves
    Vec6 S = Vec6::Zero();  // turn and velocity at the origin, per velocity of the figure
    int above = -1;         // the next one towards the root
    int column = 0;
    Kinematics::Axis source;
  };
  Sum& add(const Anchor& a, const Vec3& error, double weight);
  void addReference();
  void addCross(StepSystem& system);

  const Kinematics& kinematics_;
  Anchor reference_;
  std::vector<Sum> sums_;                      // by body
  std::vector<Axis> axes_;                     // by body, each body's own together
  std::vector<int> own_, last_;                // by body: its first axis; its last one or, without any, that of the bodies above, -1 = none
  std::vector<std::pair<int, Vec3>> reached_;  // axes that move the reference, and its velocity
  Vec3 relativeForce_ = Vec3::Zero();
  double relativeMass_ = 0, squares_ = 0;
};

}  // namespace vertebra::retarget
