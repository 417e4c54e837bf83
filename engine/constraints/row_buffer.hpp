// The rows of one island as plain data, in its RowWorkspace, and what adds rows to them. It knows links and trees, not contacts, joints or
// couplings: those are the builders' (contact_rows.hpp, axis_rows.hpp, pair_rows.hpp, general_rows.hpp, bilateral_rows.hpp). It writes only
// to the workspace and, where the tree solver needs them, to scratch of the island's own trees, so that several threads may work on
// different islands. Coordinates of rows: solve/rows.hpp. World axes; a wrench acts at a world point. Units: m/s, rad/s, N s, N m s.
#pragma once
#include <span>
#include <vector>

#include "engine/constraints/row_bodies.hpp"
#include "engine/state/row_workspace.hpp"
#include "engine/state/settings.hpp"

namespace vertebra::constraints {

// What rows hold: velocities at the end of the step, or accelerations at its present time (stepper ode), whose impulses are forces.
enum class RowLevel : std::uint8_t { Velocity, Acceleration };

// A row over all coordinates of the island, zeroed: parts are added to it.
struct FullRow {
  double *y, *r;
  int row;
};

// What the builders found on the way, for the solution.
struct RowFindings {
  bool impacts = false;     // some contact or limit rebounds
  bool prescribed = false;  // some motion happens whatever force it takes: of a drive, a body, a rigid row
};

struct RowBuffer {
  // Starts an island: the workspace then holds no row. `full`: rows span all coordinates of the island, as full rows do.
  RowBuffer(RowWorkspace& work, const std::vector<BodySlot>& bodies, TreeState& topology, TreeScratch& scratch,
            std::span<const int> islandTrees, const WorldSettings& settings, RowLevel level, bool full);

  bool empty() const { return work.rows.rows.empty() && work.bilateral.count() == 0; }
  int path(int linkA, int linkB);  // coordinates that rows between two links touch
  // Rows without bounds, which finish() completes. Each returns the row, of three the first.
  int addWrenchRow(int path, const RowEnd& a, const RowEnd& b, const Vec3& force, const Vec3& torque, const Vec3& point);
  int addForceRows(int path, const RowEnd& a, const RowEnd& b, const Vec3* const (&direction)[3], const Vec3& point);
  // At a point of its own for each side.
  int addSpeculativeRow(int path, const RowEnd& a, const RowEnd& b, const Vec3 (&point)[2], const Vec3& direction);
  int addAxisRow(int link, const double* generalized, int* path);
  // Full rows, and their parts: a wrench on a body, a joint's axis. Parts return the rate due to prescribed motion alone.
  FullRow addFullRow();       // for finishFull
  FullRow addBilateralRow();  // for finishBilateral
  double addWrench(const FullRow& to, const RowEnd& e, const Vec6& wrench, const Vec3& point);
  double addAxis(const FullRow& to, int link, int axis, double coefficient);
  // Removes the bilateral rows from a row, computes its inverse, and lets a block of this many rows start with it, if not 0.
  solve::Row& finish(int row, int path, double sigma, int block, const RowMeta& meta);
  solve::Row& finishFull(const FullRow& row, double base, double sigma, const RowMeta& meta);
  void finishBilateral(const FullRow& row, double target);
  void project();  // x to the targets of the bilateral rows

  // Numbers of the island's coordinates in the order of full rows, from or to a vector by velocity.
  template <class F>
  void forTrees(F&& f) const {  // f(tree, its first coordinate in full rows)
    for (int t : islandTrees) f(topology.trees[t], work.treeStart[t]);
  }

  RowWorkspace& work;
  TreeState& topology;
  TreeScratch& scratch;
  const RowBodies bodies;
  std::span<const int> islandTrees;
  const RowLevel level;
  const bool articulated, full;

 private:
  template <int Count>
  int addPairRows(int path, const RowEnd& a, const RowEnd& b, const Vec6* wrenchA, const Vec6* wrenchB);
  // Of Count rows, which are `length` numbers apart.
  template <int Count>
  void fill(double* y, int length, int linkA, const Vec6* Pa, int linkB, const Vec6* Pb) const;
  void fillFromJoint(double* y, int link, const double* generalized) const;
  void respond(double* r, int linkA, const Vec6& Pa, int linkB, const Vec6& Pb, const double* generalized, int jointLink);
  Vec6 wrenchAt(int link, const Vec3& force, const Vec3& torque, const Vec3& point) const;

  double* const reference_;  // velocities from which the energy account starts, or null
  int fullPath_ = -1;
  int lastA_ = -2, lastB_ = -2, lastPath_ = -1;
  // Of the rows just added, one by one force each: a direction that joints lock leaves them but round-off.
  void guardForces(int first, int count, const RowEnd& a, const RowEnd& b);
  // Sizes of the rows just added (index of the first one, their number) by one of their sides alone, or by forces on whole trees.
  struct {
    int first = 0, count = 0;
    double size[3];
  } oneSided_;
};

}  // namespace vertebra::constraints
