// An island under the stepper `displacement`: nonlinear Gauss-Seidel on positions (Waterson, "Displacement Based Dynamics", sections 4 to
// 10). Bodies start at the poses that forces alone give them; each constraint in turn is evaluated at the newest poses and moves its bodies
// by h M^-1 J^T times a change of its impulse. Velocities follow from the displacements. Impulses accumulate, and bounds apply to the sums.
// Files: step.cpp (prediction, sweeps), rows.cpp (laws of a row, rows over several bodies), joints.cpp (two bodies), contacts.cpp.
#pragma once
#include "engine/constraints/pair_constraint.hpp"
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

// Of each joint before the step: m or rad by which it is open, in the scratch of the first workspace, so that a step needs no memory.
inline std::vector<double>& openBefore(WorldData& w) { return w.workspaces[0].errorScratch; }

class DisplacementIsland {
 public:
  DisplacementIsland(WorldData& w, Island& island, double h) : w_(w), island_(island), h_(h) {}
  void build();                            // the items, with their warm starts
  void solve();                            // moves the bodies
  void bounce();                           // restitution, in velocities alone
  void store();                            // impulses and forces, energy accounts, remaining errors
  bool tooFar() const { return tooFar_; }  // the sweeps left more than a step may that can be made in parts

 private:
  // One direction between two bodies, as a wrench on b (force at pointB) and its opposite on a (at pointA).
  struct Direction {
    int a = -1, b = -1;  // bodies; -1 = the world
    Vec3 pointA, pointB;
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    double inverseMass = 0;
  };
  // Purpose of visiting an item: warm start; impulses at the predicted poses; displacements; what these leave of velocities that contacts
  // take; restitution; accounts. Push and Settle are of islands where only contacts act.
  enum class Pass : std::uint8_t { Start, Push, Move, Settle, Bounce, Account };
  enum class Kind : std::uint8_t { Hold, Drive, Friction, Bound };  // entry of a row's work in the account
  struct RowLaw {
    bool velocityLevel = false;
    // `wanted`: of velocity rows; for position rows the rate of the error beyond that of the blocks is its opposite.
    double error = 0, wanted = 0;
    Softness softness;
    double lower = -kInf, upper = kInf;  // of the impulse
    double regularisation = 0;
  };

  bool sweeps() const { return pass_ == Pass::Push || pass_ == Pass::Move; }
  void visit(const DisplacedItem& item);
  double sweep(int number);
  int sweepUntilSettled(Pass pass, int most);  // returns how many it took
  bool onlyContacts() const { return w_.displacement.items.size() == w_.displacement.contacts.size(); }

  // Rows.
  // The link that represents a body: the first of its tree, to which the others are welded.
  int linkOf(int body) const { return body < 0 || w_.bodies[body].link < 0 ? -1 : w_.trees[w_.bodies[body].tree].first; }
  // A point of the predicted poses, translated with the body but not rotated: its arm is constant.
  Vec3 carried(int body, const Vec3& p) const;
  Vec3 pointVelocity(int body, const Vec3& p, bool before) const;  // before the step, or now
  Vec3 omegaOf(int body, bool before) const;
  double rate(const Direction& d, bool before = false) const;
  double freeRate(const Direction& d) const;  // as predicted, without constraints
  void push(const Direction& d, double impulse);
  void pushBody(int link, const Vec3& impulse, const Vec3& torque);  // about the centre of mass
  void displace(int link, const Vec3& dw);                           // to where its velocities take it, of which dw was added last
  void addMobility(int body, const Vec3& point, Mat3& linear, Mat3& angular) const;
  double inverseMassOf(const Direction& d) const;
  // Adds the missing part of `row` to its impulse, within the bounds, and moves the bodies; `change` is for the row alone.
  void apply(Kind kind, double& impulse, double change, double lower, double upper, const Direction& d);
  double changeBy(const RowLaw& law, double impulse, double rate, double inverseMass) const;
  // Pass::Account: m or rad by which a row that holds or bounds is not met, and was not before the step.
  void leave(double error, double before = 0);

  // Joints and other constraints between two bodies.
  void joint(DisplacedJoint& item);
  void viewRotor(JointSlot& j, constraints::PairConstraint& c);
  void viewJoint(DisplacedJoint& item, JointSlot& j, constraints::PairConstraint& c, Direction& d);
  int holdAlone(JointSlot& j, const constraints::PairConstraint& c, Direction d);  // returns how many
  void holdRows(DisplacedJoint& item, JointSlot& j, const constraints::PairConstraint& c, const Direction& d);
  void holdTogether(DisplacedJoint& item, JointSlot& j, const constraints::PairConstraint& c, const int* rows, int count, bool angular,
                    Direction d);
  void axis(DisplacedJoint& item, JointSlot& j, const constraints::PairConstraint& c, int k, Direction d);
  void drive(JointSlot& j, const constraints::PairConstraint& c, int k, const Direction& d);
  void limits(DisplacedJoint& item, JointSlot& j, int k, const Direction& d);
  void swingTwist(DisplacedJoint& item, JointSlot& j, const constraints::PairConstraint& c, Direction d);
  void bound(double& impulse, double gap, double startRate, double restitution, const Direction& d);
  double stillOpen(double gap, double& allowed, const Direction& d) const;
  void startRates(DisplacedJoint& item);
  void storeJoint(DisplacedJoint& item);

  void addContacts();
  void contact(DisplacedContact& c);
  void resistSlip(DisplacedContact& c, Direction d, const Vec3& normal);
  void pushBack(DisplacedContact& c, double gap, const Direction& d);
  bool letSlip(double tolerance);
  void settle(DisplacedContact& c, Direction d);
  void rub(DisplacedContact& c, Direction d, double sliding);
  void storeContact(DisplacedContact& c);

  // Rows over any number of bodies.
  void addPart(int body, const Vec6& wrench, const Vec3& point);
  double addAxis(int joint, int axis, double coefficient);  // returns the axis' coordinate
  double partsRate(bool before) const;
  void generalRow(Kind kind, double& impulse, const RowLaw& law);
  void coupling(CouplingSlot& c);
  void userConstraint(int id);

  WorldData& w_;
  Island& island_;
  const double h_;
  Pass pass_ = Pass::Start;
  double relaxation_ = 1, regularisation_ = 0;  // of the present item
  double warmStart_ = 0;                        // share of the last step's impulses in the warm start
  double residual_ = 0;                         // m/s, the largest change of a row's rate in this sweep
  double work_[4] = {};                         // J, by Kind
  double lifted_ = 0;                           // J, in gravity by displacements whose velocities were taken
  double left_ = 0;                             // m or rad, the largest error that the sweeps left
  bool tooFar_ = false;
};

// Largest share for rows that do not only push: from one half on, errors that the sweeps leave grow, because a row's impulse follows its
// error by more than the implicit rule allows (docs/computation.md). Under connected joints with an impact any share causes divergence;
// stacks sway without a warm start, and heavy bodies on light ones tremble with a larger share.
constexpr double kHeldStart = 0.4, kContactsStart = 0.5;

// Poses and velocities that forces alone give a tree over h: a body with the massless ones welded to it, a rotor, or a tree welded to a
// static or prescribed body.
void predictBody(WorldData& w, TreeRuntime& t, double h);
void carryWelded(WorldData& w, int link);  // bodies welded to a tree's first link move with it
void refreshInertia(WorldData& w, int link, double h);
// Contacts that were foreseen before the step take the place of those that their shapes have at the predicted poses.
void takeForeseen(WorldData& w);

// A point in the inertial frame of a link, or in the world where there is none.
inline Vec3 pointInBody(const WorldData& w, int link, const Vec3& point) {
  return link < 0 ? point : Vec3(w.state[link].R.transpose() * (point - w.state[link].c));
}

}  // namespace vertebra::steppers
