// The auxiliary rows of one island. It writes only to its workspace, and to the island and its trees, joints and contacts, so that several
// threads may work on different islands. Rows: contacts, joint limits, dry friction, drives between bodies, loop closures and couplings,
// written in the coordinates of solve/rows.hpp. World axes; a wrench acts at a world point. Order: joints by link, joints between bodies by
// id, couplings, users' rows, contacts by shapes.
#pragma once
#include "engine/geometry/surface.hpp"
#include "engine/state/world_data.hpp"

namespace vertebra {

class IslandRows {
 public:
  // `ahead`: s by which velocities contain forces beyond the poses (stepper variational).
  IslandRows(WorldData& w, RowWorkspace& work, Island& island, double h, double ahead = 0)
      : IslandRows(w, work, island, w.contacts, h, ahead) {}
  // `contacts`: the list into which the island's indices point. If it is not the world's, impulses are not stored.
  IslandRows(WorldData& w, RowWorkspace& work, Island& island, std::vector<Contact>& contacts, double h, double ahead = 0);

  bool close();  // closes bilateral rows in position, with the present factor; true if poses changed
  // Bilateral rows first, then the others with their warm starts; or, of the others, only the island's contacts.
  void build(bool contactsOnly = false);
  void solve();  // moves x; reports into the island's tally
  void shift();  // displacements for the timing of restitution and for remaining penetration; into WorldData::shift
  void store();  // impulses to contacts and joints, energy accounts
  bool empty() const { return work_.rows.rows.empty() && work_.bilateral.count() == 0; }
  void hold();  // velocities x of the bilateral rows alone

  // Rows at acceleration level (acceleration_rows.cpp), of `island` with h = 1: their impulses are forces. x of the trees holds free
  // accelerations and receives the accelerations with rows.
  // Rates of the bilateral rows minus their targets, then for each touching contact the relative velocity and angular velocity.
  void rates(std::vector<double>& out);
  // `drift`: the change of those rates per second due to the motion alone. Velocities that violate rows decay within tau [s].
  void accelerate(const double* drift, double tau);

 private:
  struct End {  // of a constraint: a link of a tree, or a static or prescribed body
    int link = -1;
    int body = -1;
  };
  void begin();
  void projectBilateral();
  bool touches(const Contact& c) const;  // at acceleration level
  bool acts(const Contact& c) const;     // false: not active yet, or left to rollback
  bool actsAtGap(double gap) const;      // the same for a limit
  double axisRate(int joint, int axis) const;
  void holdContact(const Contact& c, int first, int size, const Vec3& s, const Vec3& t, const double* drift);
  End endOf(int body) const;
  Vec3 pointVelocityOfBase(const End& e, const Vec3& p) const;  // due to the prescribed motion alone
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
  // Of Count rows, which are `length` numbers apart.
  template <int Count>
  void fill(double* y, int length, int linkA, const Vec6* Pa, int linkB, const Vec6* Pb) const;
  void fillFromJoint(double* y, int link, const double* generalized) const;
  void respond(double* r, int linkA, const Vec6& Pa, int linkB, const Vec6& Pb, const double* generalized, int jointLink);
  Vec6 wrenchAt(int link, const Vec3& force, const Vec3& torque, const Vec3& point) const;
  // `block`: number of rows of the block that starts here, or 0.
  void finish(int row, int path, double sigma, int block, const RowMeta& meta);

  void contacts();
  SolveReport solveOnce();
  // The impact stage, before resting contacts: impact_rows.cpp.
  void limitBounces(const Block& limit, double gap, double restitution, double before);
  SolveReport solveImpacts();
  SolveReport solveRound();
  void meetWithoutForces();
  void prepareImpacts();
  void timeRebound(const Block& block, double flown);
  bool transmits(const Block& block) const;
  bool nextRound();
  // Prescribed motion against contacts: infeasibility.cpp.
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

  // Rows over the whole island: zeroed y and r of one, to which parts are added. Functions that add a part return the rate due to
  // prescribed motion alone.
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
  struct Level {  // of the rows at acceleration level
    const double *targets, *contactDrift;
    double tau;
  };
  const Level* level_ = nullptr;  // null: velocities
  bool bounces_ = false;          // some contact has restitution
  bool prescribes_ = false;       // some motion happens whatever force it takes: of a drive, a body, a rigid row
  bool full_ = false;             // rows span all coordinates of the island
  int fullPath_ = -1;
  // Sizes of the rows just added (index of the first one, their number) by one of their sides alone.
  struct {
    int first = 0, count = 0;
    double size[3];
  } oneSided_;
  std::vector<int>& start_;  // of a tree's coordinates in a full row
  int lastA_ = -2, lastB_ = -2, lastPath_ = -1;
};

// Softness of resting contacts, as a share of the row's own inverse inertia. It makes penetration a stiff, overdamped spring, which keeps
// tall stacks from drifting within the solver's tolerance, and lowers the lowest of twenty boxes by 0.16 mm.
inline constexpr double kContactSoftness = 5e-3;

// A rebound counts only if it outlasts the next step: if a step's own push would end it at once, the body is at rest and would tremble. By
// the approach at the start of the step and with its forces.
inline bool reboundLasts(double restitution, double before, double approach) {
  constexpr double kRestPushes = 4;  // times a step's change of approach by the forces
  return restitution * before > kRestPushes * (approach - before);
}

// m or rad: closer than this, contacts and limits touch, and are rows at acceleration level (stepper ode).
inline constexpr double kTouching = 2e-4;

bool drivesWithoutBound(const Row& drive);                // a motor of infinite gain between bodies
void yieldDrive(Row& drive);                              // softens it by the inverse of the mass that it moves
void setSoftness(Row& row, double sigma);                 // of a finished row
bool removesByShift(const WorldSettings& s);              // penetration, by displacements instead of velocities
bool pushesBack(const WorldData& w, const Contact& c);    // a penalty contact
bool isStabilised(const WorldData& w, const Contact& c);  // and any other to which the stepper ode does not roll back

// Share of a violated limit that a step corrects where no clamp may.
inline constexpr double kLimitReturn = 0.3;

// A swing or twist limit within the margin (rad): the weights of the joint's three rates whose sum is the rate of its gap. At most three.
struct SphericalLimit {
  Vec3 direction;
  double gap = 0, restitution = 0;
  int axis = 0;  // names its warm start
};
int sphericalLimits(const JointSlot& j, Quat q, double margin, SphericalLimit* out);

// For an island that is solved now: few sweeps once the time budget is used up.
int sweepsInTime(const WorldData& w, StepTally& tally);

// Whether rigid rows without bounds are met exactly (solve/bilateral.hpp); otherwise they are rows like all others, with a softness.
bool rigidRowsAreExact(const WorldSettings& s);
bool staysExact(const WorldData& w, const CouplingDefinition& c);
bool staysExact(const WorldData& w, const UserRow& r);
// Calls the user's function for the rows at the present state. False: a row is not finite.
bool evaluateConstraint(WorldData& w, int constraint);
// Position errors of the bilateral rows, in their order, for closing by Newton's method. Returns the largest distance [m] or angle.
double loopErrors(WorldData& w, Island& island, std::vector<double>& errors);
// Closes the island's loops in coordinates with the present factor; returns the remaining error.
double closeLoops(WorldData& w, RowWorkspace& work, Island& island);

}  // namespace vertebra
