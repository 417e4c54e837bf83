// The auxiliary rows of one island. All that is written is the workspace's, or that of the island and its trees, joints and contacts, so
// that islands may be worked on side by side. Rows: contacts, joint limits, dry friction, drives between bodies, loop closures and
// couplings, emitted in the coordinates of rows.hpp. World axes; a wrench enters at a world point. Order: joints by link, joints between
// bodies by id, couplings, users' rows, contacts by shapes.
#pragma once
#include "engine/geometry/surface.hpp"
#include "engine/state/world_data.hpp"

namespace vertebra {

class IslandRows {
 public:
  // `ahead`: s by which velocities hold forces beyond the poses (stepper variational).
  IslandRows(WorldData& w, RowWorkspace& work, Island& island, double h, double ahead = 0)
      : IslandRows(w, work, island, w.contacts, h, ahead) {}
  // `contacts`: what the island's indices are of. Where they are not the world's their impulses are not remembered.
  IslandRows(WorldData& w, RowWorkspace& work, Island& island, std::vector<Contact>& contacts, double h, double ahead = 0);

  bool close();  // closes what is bilateral in position, with the present factor; true if poses changed
  // Bilateral rows first, then the others, warm start included; or, of the others, only the island's contacts.
  void build(bool contactsOnly = false);
  void solve();  // moves x; reports into the island's tally
  void shift();  // displacements for restitution timing and penetration left; into WorldData::shift
  void store();  // impulses to contacts and joints, energy accounts
  bool empty() const { return work_.rows.rows.empty() && work_.bilateral.count() == 0; }
  void hold();  // velocities x of the bilateral rows alone

  // Rows at acceleration level (acceleration_rows.cpp), of `island` made with h = 1: their impulses are forces. x of the trees holds free
  // accelerations and receives those that the rows leave.
  // Rates of the bilateral rows less what is wanted of them, then of each touching contact the relative velocity and spin.
  void rates(std::vector<double>& out);
  // `drift`: what those rates gain in a second by the motion alone. Velocities that rows do not allow go within tau [s].
  void accelerate(const double* drift, double tau);

 private:
  struct End {  // of a constraint: a link of a tree, or a body that stands or is prescribed
    int link = -1;
    int body = -1;
  };
  void begin();
  void projectBilateral();
  bool touches(const Contact& c) const;  // at acceleration level
  bool acts(const Contact& c) const;     // false: of no concern yet, or left to rollback
  bool actsAtGap(double gap) const;      // of a limit, likewise
  double axisRate(int joint, int axis) const;
  void holdContact(const Contact& c, int first, int size, const Vec3& s, const Vec3& t, const double* drift);
  End endOf(int body) const;
  Vec3 pointVelocityOfBase(const End& e, const Vec3& p) const;  // what the prescribed motion alone gives
  Vec3 omegaOfBase(const End& e) const;
  Vec3 startVelocity(const End& e, const Vec3& p) const;  // before the step's forces
  Vec3 startOmega(const End& e) const;

  double sinceStart(const End& a, const End& b) const;
  int pathFor(int linkA, int linkB);
  int addWrenchRow(int path, const End& a, const End& b, const Vec3& force, const Vec3& torque, const Vec3& point);
  int addForceRows(int path, const End& a, const End& b, const Vec3* const (&direction)[3], const Vec3& point);  // three at once
  // Along a direction of its own for each side, at a point of its own.
  int addSpeculativeRow(int path, const End& a, const End& b, const Vec3 (&point)[2], const Vec3 (&direction)[2]);
  template <int Count>
  int addPairRows(int path, const End& a, const End& b, const Vec6* wrenchA, const Vec6* wrenchB);
  int addAxisRow(int link, const double* generalized, int* path);
  // Of Count rows, whose numbers are `length` apart.
  template <int Count>
  void fill(double* y, int length, int linkA, const Vec6* Pa, int linkB, const Vec6* Pb) const;
  void fillFromJoint(double* y, int link, const double* generalized) const;
  void respond(double* r, int linkA, const Vec6& Pa, int linkB, const Vec6& Pb, const double* generalized, int jointLink);
  Vec6 wrenchAt(int link, const Vec3& force, const Vec3& torque, const Vec3& point) const;
  void finish(int row, int path, double sigma, int block, const RowMeta& meta);  // block: how many rows the one that starts here has, or 0

  void contacts();
  SolveReport solveOnce();
  // The stage of blows, before resting contacts: impact_rows.cpp.
  void limitBounces(const Block& limit, double gap, double restitution, double before);
  SolveReport solveImpacts();
  SolveReport solveRound();
  void meetWithoutForces();
  void prepareImpacts();
  void timeRebound(const Block& block, double flown);
  bool transmits(const Block& block) const;
  bool nextRound();
  // What is prescribed against contacts: contradiction.cpp.
  SolveReport settlePrescribed(const SolveReport& report);
  bool givesWay(double residual) const;
  bool contradicts();
  bool isRigid(const Block& block) const;
  JointSlot* yielding(const Block& block) const;
  bool isHeldUp(const Block& block) const;
  double createdByRebound() const;
  void pushBack(Row& normal, const ContactSurface& surface, double gap, double speed);
  void storeContact(const Block& block);
  void tangentsOf(const Contact& c, Vec3& s, Vec3& t) const;
  void treeAxes(int tree);
  void limitRow(int link, const double* g, int axis, int slot, double gap, double restitution);
  struct PairAxis {  // one direction between bodies outside trees, see pair_constraint.hpp
    int joint = -1, k = 0;
    int path = -1;
    End a, b;
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero(), point = Vec3::Zero();  // on b for one unit along it
    void setDirection(const Vec6& wrench) {
      torque = wrench.head<3>();
      force = wrench.tail<3>();
    }
  };
  void pairs();
  void driveRow(const PairAxis& x, double error, double rateTarget);
  void limitPair(const PairAxis& x, double q, double v);
  void axisForcesOfPair(const PairAxis& x, double fromRest, double v);
  void boundAlong(const PairAxis& x, double sign, double gap, int slot, double restitution);
  void boundPair(const PairAxis& x, const Vec3& direction, double gap, int slot, double restitution);
  Row& pairRow(const PairAxis& x, RowMeta::Kind kind, int slot, double sigma);

  // Rows over the whole island: y and r of one, zeroed, to add parts to. What adds a part returns the rate that prescribed motion alone
  // gives it.
  struct RowTarget {
    double *y, *r;
    int row;
  };
  double addBody(const RowTarget& to, int body, const Vec6& wrench, const Vec3& point);
  double addAxis(const RowTarget& to, int joint, int axis, double coefficient);
  double addCoupling(const RowTarget& to, const CouplingDefinition& c);
  double addUserRow(const RowTarget& to, const UserConstraintSlot& c, const UserRow& r);
  double startRate(int joint, int axis) const;
  double startRate(const UserConstraintSlot& c, const UserRow& r) const;
  template <class F>
  Row& generalRow(RowMeta::Kind kind, int index, int part, F&& fillIn, double sigma);
  void general();
  struct RowLaw {
    double sigma, bias;
  };
  RowLaw lawOf(bool velocityLevel, double error, double wanted, const Softness& soft, double rate) const;

  void bilateral();
  bool isBilateral(const Softness& s) const;
  RowTarget bilateralRow();
  void finishBilateral(const RowTarget& to, double target);
  void storeBilateral();

  WorldData& w_;
  RowWorkspace& work_;
  Island& island_;
  std::vector<Contact>& contacts_;
  StepTally& tally_;
  const double h_, ahead_;
  const bool articulated_;
  struct Level {  // of accelerations
    const double *targets, *contactDrift;
    double tau;
  };
  const Level* level_ = nullptr;  // null: velocities
  bool bounces_ = false;          // some contact gives back what meets it
  bool prescribes_ = false;       // some motion comes about whatever it takes: of a drive, a body, a rigid row
  bool full_ = false;             // rows span all coordinates of the island
  int fullPath_ = -1;
  // Sizes of the rows just added (the first one's index, their number) with one of their sides alone.
  struct {
    int first = 0, count = 0;
    double size[3];
  } oneSided_;
  std::vector<int>& start_;  // of a tree's coordinates in a full row
  int lastA_ = -2, lastB_ = -2, lastPath_ = -1;
};

// Softness of resting contacts, as a share of the row's own inverse inertia. It turns penetration into a stiff, overdamped spring, which
// keeps tall stacks from wandering on the width of the solver's tolerance, and costs the lowest of twenty boxes 0.16 mm.
inline constexpr double kContactSoftness = 5e-3;

// Only a rebound that outlasts the next step is one: what a step's own push gives and takes at once is rest, and bodies at rest would
// tremble. By the approach at the start of the step and with its forces.
inline bool reboundLasts(double restitution, double before, double approach) {
  constexpr double kRestPushes = 4;  // steps' change of approach by the forces
  return restitution * before > kRestPushes * (approach - before);
}

// m or rad: closer than this, contacts and limits touch, and hold at acceleration level (stepper ode).
inline constexpr double kTouching = 2e-4;

bool drivesWithoutBound(const Row& drive);                // a motor of infinite gain between bodies
void yieldDrive(Row& drive);                              // makes it one that pushes as hard as what it moves is heavy
void setSoftness(Row& row, double sigma);                 // of a finished row
bool removesByShift(const WorldSettings& s);              // penetration, by displacements in the place of velocities
bool pushesBack(const WorldData& w, const Contact& c);    // a penalty contact
bool isStabilised(const WorldData& w, const Contact& c);  // and any other that the stepper ode does not roll back to

// Share of what passed a limit that a step takes back, where no clamp may.
inline constexpr double kLimitReturn = 0.3;

// A swing or twist limit within the margin (rad): the weights of the joint's three rates whose sum makes its gap grow. At most three.
struct SphericalLimit {
  Vec3 direction;
  double gap = 0, restitution = 0;
  int axis = 0;  // names its warm start
};
int sphericalLimits(const JointSlot& j, Quat q, double margin, SphericalLimit* out);

// Of an island that is solved now: few once the time budget is up.
int sweepsInTime(const WorldData& w, StepTally& tally);

// Whether rigid rows without bounds are met exactly (bilateral.hpp); otherwise they are rows like all others, with a softness.
bool rigidRowsAreExact(const WorldSettings& s);
bool staysExact(const WorldData& w, const CouplingDefinition& c);
bool staysExact(const WorldData& w, const UserRow& r);
// Asks the user for the rows at the present state. False: one is no good.
bool evaluateConstraint(WorldData& w, int constraint);
// Position errors of the bilateral rows, in their order, for closing by Newton's method. Returns the largest distance [m] or angle.
double loopErrors(WorldData& w, Island& island, std::vector<double>& errors);
// Closes the island's loops in coordinates with the present factor; returns the error that remains.
double closeLoops(WorldData& w, RowWorkspace& work, Island& island);

}  // namespace vertebra
